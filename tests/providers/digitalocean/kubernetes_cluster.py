"""`digitalocean.KubernetesCluster`: the API, its firewall, and the default pool."""

from collections.abc import Mapping
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any, Final

from components.targets.digitalocean.version import minor_of
from tests.providers.call import Call
from tests.providers.digitalocean import refusals
from tests.providers.digitalocean.account import LONG_AGO
from tests.providers.digitalocean.account_type import AccountType
from tests.providers.digitalocean.catalogue import REGIONS
from tests.providers.failure import Failure
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties

HA_BY_DEFAULT: Final = (1, 36)
"""From this minor on an unsaid `ha` is true (docstring of KubernetesCluster.ha)."""
_OFF: Final[Properties] = {"enabled": False}
_PLUGINS: Final = (
    "amdGpuDeviceMetricsExporterPlugin",
    "amdGpuDevicePlugin",
    "amdGpuDraDriver",
    "corednsAutoscaler",
    "nfsCsiPlugin",
    "nvidiaGpuDevicePlugin",
    "nvidiaGpuDraDriver",
    "p2pOciRegistryPlugin",
    "rdmaSharedDevicePlugin",
    "routingAgent",
)


class KubernetesCluster(AccountType):
    """What is behind it is there before it is ordered: that it is made takes no time here."""

    token = "digitalocean:index/kubernetesCluster:KubernetesCluster"
    kind = "cluster"
    secret_outputs = frozenset({"kubeConfigs"})

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take addresses that are addresses."""
        firewall = inputs.get("controlPlaneFirewall", UNKNOWN)
        if firewall is UNKNOWN:
            return []
        failures = []
        for index, address in enumerate(firewall["allowedAddresses"]):
            try:
                ip_network(address)
            except ValueError:
                path = f"controlPlaneFirewall.allowedAddresses[{index}]"
                failures.append(Failure(path=path, reason="must be an address or a range without host bits"))
        return failures

    def forced(self, old: Properties, new: Properties) -> frozenset[str]:
        """A lower version is another cluster."""
        versions = [each.get("version", UNKNOWN) for each in (old, new)]
        if UNKNOWN in versions or _order(versions[1]) >= _order(versions[0]):
            return self.replaces
        return self.replaces | {"version"}

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the cluster and its default pool."""
        account = self.account
        with account.lock:
            self._check_order(inputs)
            ha = inputs.get("ha", minor_of(inputs["version"]) >= HA_BY_DEFAULT)
            made: Properties = {
                **dict.fromkeys(_PLUGINS, _OFF),
                "controlPlaneFirewall": {"enabled": False, "allowedAddresses": []},
                "maintenancePolicy": {"day": "any", "startTime": "00:00"},
                **inputs,
                "ha": ha,
                "nodePool": {**inputs["nodePool"], "actualNodeCount": inputs["nodePool"].get("nodeCount", 1)},
                "ssos": [],
                "status": "running",
                "createdAt": LONG_AGO,
                "updatedAt": LONG_AGO,
                "endpoint": account.behind.server,
                "ipv4Address": "127.0.0.1",
                "workerSubnetUuid": "",
            }
            made["maintenancePolicy"] = {**made["maintenancePolicy"], "duration": "4h0m0s"}
            made["kubeConfigs"] = [account.kube_config(made)]
            identifier = account.add(self.kind, made)
            account.must(self.kind, identifier)["clusterUrn"] = f"do:kubernetes:{identifier}"
            return Created(id=identifier, outputs=self.outputs(identifier))

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return the cluster, with a new credential when the one of the state has ended.

        So does the real one (resource_kubernetes_cluster.go).
        """
        with self.account.lock:
            cluster = self.account.all(self.kind).get(resource.id)
            if cluster is not None:
                ends = datetime.fromisoformat(cluster["kubeConfigs"][0]["expiresAt"])
                if ends < datetime.now(UTC):
                    cluster["kubeConfigs"] = [self.account.kube_config(cluster)]
        return super().read(resource, call)

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change what can be changed; another version is an upgrade."""
        with self.account.lock:
            cluster = self.account.must(self.kind, old.id)
            if cluster["ha"] and inputs.get("ha") is False:
                raise refusals.HA_STAYS.error()
            if inputs["version"] != cluster["version"]:
                self._check_upgrade(cluster["version"], inputs["version"])
            cluster.update({name: value for name, value in inputs.items() if name != "nodePool"})
            cluster["maintenancePolicy"] = {**cluster["maintenancePolicy"], "duration": "4h0m0s"}
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the cluster with its pools; what it made itself goes along only when it was told so."""
        with self.account.lock:
            cluster = self.account.must(self.kind, resource.id)
            if not cluster.get("destroyAllAssociatedResources"):
                self.account.leftovers += [f"volume {name}" for name in self.account.behind.volumes()]
            pools = self.account.all("node pool")
            for key in [key for key, each in pools.items() if each["clusterId"] == resource.id]:
                self.account.remove("node pool", key)
            self.account.remove(self.kind, resource.id)
            self.account.left.add(cluster["vpcUuid"])

    def _check_order(self, inputs: Properties) -> None:
        account = self.account
        if inputs["region"] not in REGIONS:
            raise refusals.REGION_REFUSED.error()
        if inputs["version"] not in account.catalogue.versions:
            raise refusals.VERSION_GONE.error()
        if not account.catalogue.is_node(inputs["nodePool"]["size"]):
            raise refusals.SIZE_REFUSED.error()
        if not inputs["nodePool"].get("nodeCount"):
            raise refusals.NO_NODES.error()
        if any(each["name"] == inputs["name"] for each in account.all(self.kind).values()):
            raise refusals.NAME_USED.error()
        vpc = account.all("VPC").get(inputs["vpcUuid"])
        if vpc is None or vpc["region"] != inputs["region"]:
            raise refusals.NO_VPC.error()
        for key in ("clusterSubnet", "serviceSubnet"):
            account.check_range(inputs[key])
        account.check_droplets(inputs["nodePool"]["nodeCount"])

    def _check_upgrade(self, has: str, wants: str) -> None:
        if _order(wants) < _order(has):
            raise refusals.NO_DOWNGRADE.error()
        if wants not in self.account.catalogue.versions:
            raise refusals.VERSION_GONE.error()
        if minor_of(wants)[1] > minor_of(has)[1] + 1:
            raise refusals.ONE_MINOR.error()


def _order(slug: str) -> list[int]:
    return [int(part) for part in slug.replace("-do", "").split(".")]
