"""`gcp.container.NodePool`: machines of a cluster. There are none; the rules about them are the subject."""

from typing import Any, Final

from tests.providers.call import Call
from tests.providers.gcp import refusals
from tests.providers.gcp.catalogue import MACHINES, ROLES_OF_NODES, may_nest
from tests.providers.gcp.cluster import ZONE
from tests.providers.gcp.google_type import GoogleType, known
from tests.providers.resource_type import Resource
from tests.providers.values import Properties

LONGEST_NAME: Final = 40
ZONES_OF_A_REGION: Final = 3
SANDBOX_MARK: Final = {"key": "sandbox.gke.io/runtime", "value": "gvisor"}


class NodePool(GoogleType):
    """A pool; with GKE Sandbox only beside another one."""

    token = "gcp:container/nodePool:NodePool"
    kind = "node pool"
    named = True
    longest = LONGEST_NAME
    absent = frozenset(
        {"maxPodsPerNode", "namePrefix", "networkConfig", "nodeDrainConfigs", "nodeLocations", "operation"}
    )

    def identify(self, inputs: Properties) -> str:
        """Return the path of the pool."""
        return f"{inputs['cluster']}/nodePools/{inputs['name']}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Refuse what Google refuses; mark the nodes of a sandbox as Google does."""
        cluster = self.project.must("cluster", inputs["cluster"])
        self._check_machine(inputs, cluster["location"])
        self._check_count(inputs)
        self._check_surroundings(inputs, cluster)
        self._check_beginning(inputs, cluster["location"])
        if _is_sandbox(inputs):
            if not any(not _is_sandbox(each) for each in self._pools(inputs["cluster"])):
                raise refusals.SANDBOX_ALONE.error()
            self.project.behind.sandbox()
        return {**inputs, **self._told(inputs, cluster)}

    def check_change(self, former: Properties, inputs: Properties) -> None:
        """Refuse what would be refused in a new pool."""
        cluster = self.project.must("cluster", inputs["cluster"])
        self._check_machine(inputs, cluster["location"])
        self._check_count(inputs)

    def changed(self, former: Properties, inputs: Properties) -> Properties:
        """Change it; the machines are made anew one by one."""
        return {**inputs, **self._told(inputs, self.project.must("cluster", inputs["cluster"]))}

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove it, unless a sandbox would be left alone."""
        with self.project.lock:
            others = [each for each in self._pools(resource.inputs["cluster"]) if each["id"] != resource.id]
            if others and all(map(_is_sandbox, others)):
                raise refusals.SANDBOX_ALONE.error()
            self.project.remove(self.kind, resource.id)

    def _pools(self, cluster: str) -> list[Properties]:
        return [each for each in self.project.all(self.kind).values() if each["cluster"] == cluster]

    def _check_machine(self, inputs: Properties, location: str) -> None:
        config: dict[str, Any] = inputs.get("nodeConfig", {})
        machine, nests = config.get("machineType", "e2-medium"), _nests(config)
        if machine not in MACHINES:
            raise refusals.UNKNOWN_MACHINE.error(machine=machine, location=location)
        if _is_sandbox(inputs) and config.get("imageType", "").upper() != "COS_CONTAINERD":
            raise refusals.SANDBOX_IMAGE.error()
        if _is_sandbox(inputs) and nests:
            raise refusals.SANDBOX_NESTED.error()
        if nests and not may_nest(machine):
            raise refusals.NOT_NESTED.error(machine=machine)

    def _check_count(self, inputs: Properties) -> None:
        limits = inputs.get("autoscaling", {})
        per_zone = {"minNodeCount", "maxNodeCount"} & limits.keys()
        if per_zone and {"totalMinNodeCount", "totalMaxNodeCount"} & limits.keys():
            raise refusals.LIMITS_MIXED.error()
        if limits and "nodeCount" in inputs:
            raise refusals.COUNT_AND_LIMITS.error()
        if "version" in inputs and known(inputs, "management", "autoUpgrade"):
            raise refusals.VERSION_AND_CHANNEL.error()

    def _check_beginning(self, inputs: Properties, location: str) -> None:
        limits = inputs.get("autoscaling", {})
        count, most = inputs.get("initialNodeCount", 0), limits.get("totalMaxNodeCount")
        if limits and not count:
            raise refusals.NO_NODE.error()
        zones = 1 if ZONE.fullmatch(location) else ZONES_OF_A_REGION
        if most is not None and count * zones > most:
            raise refusals.MORE_THAN_THE_MOST.error(count=count, zones=zones, most=most)

    def _check_surroundings(self, inputs: Properties, cluster: Properties) -> None:
        account = known(inputs, "nodeConfig", "serviceAccount")
        if account is not None:
            if not any(each["email"] == account for each in self.project.all("service account").values()):
                raise refusals.UNKNOWN_ACCOUNT.error(account=account)
            roles = {
                each["role"]
                for each in self.project.all("IAM member").values()
                if each["member"] == f"serviceAccount:{account}"
            }
            if not roles & set(ROLES_OF_NODES):
                raise refusals.ACCOUNT_WITHOUT_ROLE.error(account=account)
        private = known(inputs, "networkConfig", "enablePrivateNodes")
        private = private or known(cluster, "privateClusterConfig", "enablePrivateNodes")
        subnetwork = cluster["subnetwork"]
        nats = self.project.all("NAT").values()
        reached = {each["name"] for nat in nats for each in nat.get("subnetworks", [])} | self.project.foreign_nats
        if private and subnetwork not in reached:
            raise refusals.NO_WAY_OUT.error(subnetwork=subnetwork.rpartition("/")[2])

    def _told(self, inputs: Properties, cluster: Properties) -> Properties:
        config = dict(inputs.get("nodeConfig", {}))
        if _is_sandbox(inputs):
            config["labels"] = {**config.get("labels", {}), SANDBOX_MARK["key"]: SANDBOX_MARK["value"]}
        first = inputs.get("nodeCount", inputs.get("initialNodeCount", 0))
        return {
            "management": inputs.get("management", {"autoRepair": True, "autoUpgrade": True}),
            "upgradeSettings": inputs.get("upgradeSettings", {"maxSurge": 1, "maxUnavailable": 0}),
            "project": self.project.name,
            "location": cluster["location"],
            "deletionPolicy": "DELETE",
            "initialNodeCount": inputs.get("initialNodeCount", first),
            "nodeCount": first,
            "instanceGroupUrls": [],
            "managedInstanceGroupUrls": [],
            "nodeConfig": config,
            "version": cluster["masterVersion"],
        }


def _is_sandbox(pool: Properties) -> bool:
    return known(pool, "nodeConfig", "sandboxConfig") is not None


def _nests(config: Properties) -> bool:
    return bool(known(config, "advancedMachineFeatures", "enableNestedVirtualization"))
