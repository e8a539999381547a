"""An identity at AWS that a service takes on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from components.targets.eks.names import named

PODS = "pods.eks.amazonaws.com"
"""The service that gives pods their identity."""


@dataclass(frozen=True, kw_only=True)
class RoleArgs:
    """Inputs of :class:`Role`."""

    stack: str
    what: str
    """Last part of the role's name."""
    service: str
    """Who takes it on, such as `ec2.amazonaws.com`."""
    policies: tuple[str, ...]
    """AWS' own policies that it has, as they are called below `policy/`."""
    provider: aws.Provider


class Role(pulumi.ComponentResource):
    """A role with AWS' own policies and nothing else."""

    role: aws.iam.Role
    ready: Sequence[pulumi.Resource]
    """The policies: who takes the role on before can do nothing, and after them cannot clean up."""

    def __init__(self, name: str, args: RoleArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Role", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        self.role = aws.iam.Role(
            name,
            name=named(args.stack, args.what),
            assume_role_policy=render_trust(args.service),
            opts=child,
        )
        self.ready = [
            aws.iam.RolePolicyAttachment(
                f"{name}-{policy.rpartition('/')[2]}",
                role=self.role.name,
                policy_arn=f"arn:aws:iam::aws:policy/{policy}",
                opts=child,
            )
            for policy in args.policies
        ]
        self.register_outputs({})


def render_trust(service: str) -> str:
    """Return the document that lets a service take a role on; pods' identities are tagged with whose they are."""
    actions = ["sts:AssumeRole", "sts:TagSession"] if service == PODS else ["sts:AssumeRole"]
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": actions}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})
