"""`gcp.container.Cluster`: a control plane, behind which a test has a real one."""

import re
from collections.abc import Mapping
from typing import Any, Final

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.gcp import refusals
from tests.providers.gcp.google_type import GoogleType, known
from tests.providers.resource_type import Resource
from tests.providers.values import UNKNOWN, Properties

ZONE = re.compile(r"([a-z]+-[a-z]+[0-9]+)-[a-z]")
LONGEST_NAME: Final = 40
UNREAD: Final = frozenset(
    {
        *("autopilotClusterPolicyConfig", "autopilotPrivilegedAdmissions", "authenticatorGroupsConfig"),
        *("clusterAutoscaling", "clusterIpv4Cidr", "clusterTelemetry", "confidentialNodes", "costManagementConfig"),
        *("databaseEncryption", "defaultMaxPodsPerNode", "defaultSnatStatus", "effectiveLabels", "emulatedVersion"),
        *("enableIntranodeVisibility", "enableL4IlbSubsetting", "enableTpu", "enterpriseConfig", "gatewayApiConfig"),
        *("gkeAutoUpgradeConfig", "identityServiceConfig", "labelFingerprint", "loggingConfig", "loggingService"),
        *("managedMachineLearningDiagnosticsConfig", "managedOpentelemetryConfig", "meshCertificates", "operation"),
        *("monitoringConfig", "monitoringService", "nodeCreationConfig", "nodePoolAutoConfig", "nodePoolDefaults"),
        *("notificationConfig", "podAutoscaling", "privateIpv6GoogleAccess", "protectConfig", "pulumiLabels"),
        *("securityPostureConfig", "serviceExternalIpsConfig", "servicesIpv4Cidr", "tpuConfig", "tpuIpv4CidrBlock"),
        *("verticalPodAutoscaling", "workloadAltsConfig", "addonsConfig", "anonymousAuthenticationConfig"),
        *("masterAuthorizedNetworksConfig", "nodeConfig", "nodePools", "privateClusterConfig", "rbacBindingConfig"),
        *("releaseChannel", "workloadIdentityConfig", "networkingMode", "datapathProvider", "nodeLocations"),
    }
)
"""What the real provider tells besides, and the stand-in only where it was given."""


class Cluster(GoogleType):
    """A control plane; its pools are things of their own."""

    token = "gcp:container/cluster:Cluster"
    kind = "cluster"
    named = True
    longest = LONGEST_NAME
    absent = UNREAD

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take what does not contradict itself."""
        failures = super().check(inputs)
        private = known(inputs, "privateClusterConfig")
        if private and private.get("masterIpv4CidrBlock") and private.get("privateEndpointSubnetwork"):
            failures.append(Failure(path="privateClusterConfig", reason=refusals.NO_PRIVATE_CHOICE.message))
        return failures

    def foreseen(self, inputs: Properties, old: Resource | None, changed: frozenset[str]) -> Properties:
        """Leave the address that the cloud gives out unknown until the cluster is there."""
        outputs = super().foreseen(inputs, old, changed)
        if old is None:
            outputs["controlPlaneEndpointsConfig"] = _endpoints(inputs, UNKNOWN)
        return outputs

    def identify(self, inputs: Properties) -> str:
        """Return the path of the cluster."""
        return f"projects/{self.project.name}/locations/{inputs['location']}/clusters/{inputs['name']}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Refuse what Google refuses; hand out what stands behind the cluster."""
        self._check_network(inputs)
        if inputs.get("datapathProvider") != "ADVANCED_DATAPATH":
            raise refusals.UNENFORCED.error()
        if known(inputs, "networkPolicy", "enabled"):
            raise refusals.DATAPATH_AND_POLICY.error()
        if inputs.get("removeDefaultNodePool") and not inputs.get("initialNodeCount"):
            raise refusals.NO_FIRST_NODE.error()
        if known(inputs, "nodeConfig", "sandboxConfig"):
            raise refusals.SANDBOX_ON_DEFAULT.error()
        _check_way_in(inputs)
        return {**inputs, **self._told(inputs, identifier)}

    def check_change(self, former: Properties, inputs: Properties) -> None:
        """Refuse what would shut out whoever comes in."""
        _check_way_in(inputs)

    def changed(self, former: Properties, inputs: Properties) -> Properties:
        """Change it, and keep what the cloud told."""
        return {**inputs, **self._told(inputs, former["id"])}

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Tell of the first pool there is where the program described the one that was taken away again."""
        found = super().read(resource, call)
        if found is None:
            return None
        pools = [each for each in self.project.all("node pool").values() if each["cluster"] == resource.id]
        inputs = {**found.inputs, "initialNodeCount": 0}
        if pools:
            inputs["nodeConfig"] = pools[0]["nodeConfig"]
        return Resource(id=found.id, inputs=inputs, outputs=found.outputs)

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove it, unless the state says that it is protected; its pools go with it."""
        if resource.outputs.get("deletionProtection", True):
            raise refusals.PROTECTED.error()
        with self.project.lock:
            pools = self.project.all("node pool")
            for key in [key for key, each in pools.items() if each["cluster"] == resource.id]:
                self.project.remove("node pool", key)
            self.project.remove(self.kind, resource.id)

    def _check_network(self, inputs: Properties) -> None:
        subnetwork = self.project.must("subnetwork", inputs["subnetwork"])
        self.project.must("network", inputs["network"])
        zone = ZONE.fullmatch(inputs["location"])
        if subnetwork["region"] != (zone[1] if zone else inputs["location"]):
            raise refusals.WRONG_REGION.error(subnetwork=subnetwork["name"], location=inputs["location"])
        there = {each["rangeName"] for each in subnetwork["secondaryIpRanges"]}
        policy = inputs.get("ipAllocationPolicy", {})
        wanted = [policy.get(key) for key in ("clusterSecondaryRangeName", "servicesSecondaryRangeName")]
        if wanted[0] is not None and wanted[0] == wanted[1]:
            raise refusals.SAME_RANGE_TWICE.error(name=wanted[0])
        for name in wanted:
            if name is not None and name not in there:
                raise refusals.NO_SUCH_RANGE.error(name=name, subnetwork=subnetwork["name"])
        endpoint = known(inputs, "privateClusterConfig", "privateEndpointSubnetwork")
        if endpoint is not None:
            self.project.must("subnetwork", endpoint)

    def _told(self, inputs: Properties, identifier: str) -> Properties:
        wanted = inputs.get("minMasterVersion", self.project.catalogue.newest["REGULAR"])
        version = self.project.catalogue.resolve(wanted)
        if version is None:
            raise refusals.UNKNOWN_VERSION.error(version=wanted)
        return {
            "project": self.project.name,
            "deletionPolicy": "DELETE",
            "deletionProtection": inputs.get("deletionProtection", True),
            "masterVersion": version,
            "nodeVersion": version,
            "endpoint": "192.0.2.10",
            "masterAuth": {
                "clusterCaCertificate": self.project.behind.authority,
                "clientCertificateConfig": {"issueClientCertificate": False},
            },
            "controlPlaneEndpointsConfig": _endpoints(inputs, self.project.behind.endpoint),
            "selfLink": f"https://container.googleapis.com/v1/{identifier}",
        }


def _check_way_in(inputs: Properties) -> None:
    """Refuse a DNS endpoint that is open and takes no tokens of Kubernetes."""
    endpoint = known(inputs, "controlPlaneEndpointsConfig", "dnsEndpointConfig") or {}
    if endpoint.get("allowExternalTraffic") and not endpoint.get("enableK8sTokensViaDns"):
        raise refusals.TOKENS_SHUT_OUT.error()


def _endpoints(inputs: Properties, endpoint: Any) -> Properties:
    given = inputs.get("controlPlaneEndpointsConfig", {})
    return {**given, "dnsEndpointConfig": {**given.get("dnsEndpointConfig", {}), "endpoint": endpoint}}
