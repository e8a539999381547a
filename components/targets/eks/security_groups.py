"""Who may talk to whom inside the VPC, below Kubernetes and whatever its policies say."""

from collections.abc import Iterator
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from components.targets.eks.names import named

EVERYTHING = "-1"
EVERYWHERE = "0.0.0.0/0"
API_PORT, KUBELET_PORT, NFS_PORT = 443, 10250, 2049


@dataclass(frozen=True, kw_only=True)
class SecurityGroupsArgs:
    """Inputs of :class:`SecurityGroups`."""

    stack: str
    vpc: pulumi.Input[str]
    files: bool
    """Whether there is a file system that nodes mount."""
    provider: aws.Provider


class SecurityGroups(pulumi.ComponentResource):
    """One group for the API, one for nodes, one for pods; a pod's own addresses are not a node's.

    Nodes let in the API at the kubelet and nobody else: no pod of another node, no administrator, not the internet.
    EKS' own group, in which everybody may do everything, is on the API's interfaces only.
    """

    api: aws.ec2.SecurityGroup
    nodes: aws.ec2.SecurityGroup
    pods: aws.ec2.SecurityGroup
    files: aws.ec2.SecurityGroup | None

    def __init__(self, name: str, args: SecurityGroupsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:SecurityGroups", name, None, opts)
        self._name, self._args = name, args
        self._child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        self._groups = {role: self._group(role, what) for role, what in described(args.files).items()}
        self.api, self.nodes, self.pods = (self._groups[role] for role in ("api", "nodes", "pods"))
        self.files = self._groups.get("files")
        for into, whom, port in admitted(args.files):
            self._let_in(into, whom, port)
        for role in ("nodes", "pods"):
            self._let_out(role)
        self.register_outputs({})

    def _group(self, role: str, description: str) -> aws.ec2.SecurityGroup:
        name = named(self._args.stack, role)
        return aws.ec2.SecurityGroup(
            f"{self._name}-{role}",
            name=name,
            description=f"{description} of {named(self._args.stack, 'cluster')}",
            vpc_id=self._args.vpc,
            tags={"Name": name},
            opts=self._child,
        )

    def _let_in(self, into: str, whom: str, port: int | None) -> None:
        aws.vpc.SecurityGroupIngressRule(
            f"{self._name}-{into}-from-{whom}",
            security_group_id=self._groups[into].id,
            referenced_security_group_id=self._groups[whom].id,
            ip_protocol=EVERYTHING if port is None else "tcp",
            from_port=port,
            to_port=port,
            opts=self._child,
        )

    def _let_out(self, whom: str) -> None:
        aws.vpc.SecurityGroupEgressRule(
            f"{self._name}-{whom}-out",
            security_group_id=self._groups[whom].id,
            ip_protocol=EVERYTHING,
            cidr_ipv4=EVERYWHERE,
            opts=self._child,
        )


def described(files: bool) -> dict[str, str]:
    """Return what each group is of, by its role."""
    groups = {"api": "Interfaces of the Kubernetes API", "nodes": "Nodes", "pods": "Pods"}
    return {**groups, "files": "The shared file system"} if files else groups


def admitted(files: bool) -> Iterator[tuple[str, str, int | None]]:
    """Yield who is let in: into whose interfaces, whom, at which TCP port or (None) at every one."""
    yield "api", "nodes", API_PORT
    yield "api", "pods", API_PORT
    yield "nodes", "api", KUBELET_PORT
    # Among pods the network policies decide; from nodes come what a node's port forwards, and probes.
    yield "pods", "pods", None
    yield "pods", "nodes", None
    if files:
        yield "files", "nodes", NFS_PORT
