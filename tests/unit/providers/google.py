"""A project at Google without an engine: each thing goes through the checks and answers that the engine would get."""

from dataclasses import dataclass, field
from typing import Any

from tests.providers import lifecycle
from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.gcp import Behind, GcpPackage, GoogleProject
from tests.providers.resource_type import Resource, ResourceType
from tests.providers.values import Properties

CALL = Call(urn="urn", name="thing", preview=False)
TOKENS = {
    "Network": "gcp:compute/network:Network",
    "Subnetwork": "gcp:compute/subnetwork:Subnetwork",
    "Router": "gcp:compute/router:Router",
    "RouterNat": "gcp:compute/routerNat:RouterNat",
    "Account": "gcp:serviceaccount/account:Account",
    "IAMMember": "gcp:projects/iAMMember:IAMMember",
    "Cluster": "gcp:container/cluster:Cluster",
    "NodePool": "gcp:container/nodePool:NodePool",
}
REGION, ZONE = "europe-west3", "europe-west3-a"
ROLE = "roles/container.defaultNodeServiceAccount"


@dataclass
class Google:
    """One project, and how often a sandbox was put behind a cluster."""

    sandboxes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.project = GoogleProject(behind=Behind(sandbox=lambda: self.sandboxes.append("gvisor")))
        self.package = GcpPackage(self.project)

    def type(self, name: str) -> ResourceType:
        """Return a type by the last part of its token."""
        return self.package.type(TOKENS[name])

    def checked(self, kind: str, /, **inputs: Any) -> tuple[Properties, list[Failure]]:
        """Return the inputs as the provider completes them, and what is wrong with them."""
        return lifecycle.check(self.package, self.type(kind), inputs, {}, name="thing", seed=b"\0" * 8)

    def make(self, kind: str, /, **inputs: Any) -> Resource:
        """Make something; what the SDK could not read of the answer is an error of the stand-in."""
        complete, failures = self.checked(kind, **inputs)
        assert failures == []
        a_type = self.type(kind)
        made = lifecycle.create(a_type, complete, CALL)
        lacking = a_type.schema.fitting(made.outputs, a_type.absent)
        assert lacking == [], lacking
        return Resource(id=made.id, inputs=complete, outputs=made.outputs)

    def replaces(self, kind: str, old: Resource, /, **inputs: Any) -> frozenset[str]:
        """Return the inputs that make a change a replacement."""
        return lifecycle.compare(self.type(kind), old.inputs, self._merged(kind, old, inputs)).replaces

    def change(self, kind: str, old: Resource, /, **inputs: Any) -> Resource:
        """Change something, as the engine would when nothing of it forces a replacement."""
        assert self.replaces(kind, old, **inputs) == frozenset()
        complete = self._merged(kind, old, inputs)
        outputs = lifecycle.update(self.type(kind), old, complete, CALL)
        assert self.type(kind).schema.fitting(outputs, self.type(kind).absent) == []
        return Resource(id=old.id, inputs=complete, outputs=outputs)

    def delete(self, name: str, resource: Resource) -> None:
        """Remove something."""
        lifecycle.delete(self.type(name), resource, CALL)

    def network(self, name: str = "team") -> Resource:
        """Make a network."""
        return self.make("Network", name=name, autoCreateSubnetworks=False)

    def subnetwork(self, network: Resource, name: str = "nodes", nodes: str = "10.0.0.0/22", **inputs: Any) -> Resource:
        """Make a subnetwork with its two secondary ranges."""
        secondary = [
            {"rangeName": "pods", "ipCidrRange": "10.4.0.0/16"},
            {"rangeName": "services", "ipCidrRange": "10.8.0.0/20"},
        ]
        given = {"secondaryIpRanges": secondary, **inputs}
        return self.make("Subnetwork", name=name, region=REGION, network=network.id, ipCidrRange=nodes, **given)

    def way_out(self, network: Resource, subnetwork: Resource) -> Resource:
        """Make a router and a NAT on it."""
        self.make("Router", name="router", region=REGION, network=network.id)
        return self.make(
            "RouterNat",
            name="nat",
            region=REGION,
            router="router",
            natIpAllocateOption="AUTO_ONLY",
            sourceSubnetworkIpRangesToNat="LIST_OF_SUBNETWORKS",
            subnetworks=[{"name": subnetwork.id, "sourceIpRangesToNats": ["ALL_IP_RANGES"]}],
        )

    def account(self) -> Resource:
        """Make the machines' account with its role."""
        account = self.make("Account", accountId="rakazo-nodes")
        self.make("IAMMember", project=self.project.name, role=ROLE, member=account.outputs["member"])
        return account

    def cluster(self, *, way_out: bool = True, **inputs: Any) -> Resource:
        """Make a network and a cluster in it."""
        network = self.network()
        subnetwork = self.subnetwork(network)
        if way_out:
            self.way_out(network, subnetwork)
        return self.make("Cluster", **{**cluster(network.id, subnetwork.id), **inputs})

    def pool(self, cluster: Resource, name: str, **config: Any) -> Resource:
        """Make a pool with an account of its own."""
        email = "rakazo-nodes@my-project-1.iam.gserviceaccount.com"
        if self.project.find("service account", f"projects/my-project-1/serviceAccounts/{email}") is None:
            self.account()
        given = {"machineType": "e2-standard-4", "imageType": "COS_CONTAINERD", "serviceAccount": email, **config}
        return self.make("NodePool", name=name, cluster=cluster.id, nodeCount=1, nodeConfig=given)

    def _merged(self, kind: str, old: Resource, inputs: dict[str, Any]) -> Properties:
        given = {name: value for name, value in {**old.inputs, **inputs}.items() if not name.startswith("__")}
        complete, failures = self.checked(kind, **given)
        assert failures == []
        return complete


def cluster(network: str, subnetwork: str) -> dict[str, Any]:
    """Return inputs of a cluster that can be had."""
    return {
        "name": "rakazo-team",
        "location": ZONE,
        "network": network,
        "subnetwork": subnetwork,
        "datapathProvider": "ADVANCED_DATAPATH",
        "ipAllocationPolicy": {"clusterSecondaryRangeName": "pods", "servicesSecondaryRangeName": "services"},
        "privateClusterConfig": {"enablePrivateNodes": True},
        "removeDefaultNodePool": True,
        "initialNodeCount": 1,
        "nodeConfig": {"machineType": "e2-medium"},
        "minMasterVersion": "1.36",
        "deletionProtection": True,
    }
