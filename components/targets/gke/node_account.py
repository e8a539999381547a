"""Who the machines of a cluster are at Google."""

from dataclasses import dataclass

import pulumi
import pulumi_gcp as gcp

from components.targets.gke.names import LONGEST_ACCOUNT, named

ROLE = "roles/container.defaultNodeServiceAccount"
"""Write logs and metrics, and no more: what Google names as the least that nodes work with."""
SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
"""Scopes are the older way to limit a machine; the account's one role limits it here."""


@dataclass(frozen=True, kw_only=True)
class NodeAccountArgs:
    """Inputs of :class:`NodeAccount`."""

    stack: str
    project: str
    provider: gcp.Provider


class NodeAccount(pulumi.ComponentResource):
    """An account of the cluster's own with one role, in the place of Google's default one, which may edit all.

    Who uses the e-mail address waits for the role, since a machine without it does not report as ready.
    """

    email: pulumi.Output[str]

    def __init__(self, name: str, args: NodeAccountArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:NodeAccount", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        account = gcp.serviceaccount.Account(
            name,
            account_id=named(args.stack, "nodes", longest=LONGEST_ACCOUNT),
            display_name=f"Machines of the Rakazo stack {args.stack}",
            opts=child,
        )
        role = gcp.projects.IAMMember(  # adds one member; the kinds that own a whole role would remove all others
            f"{name}-role",
            project=args.project,
            role=ROLE,
            member=account.member,
            opts=child,
        )
        self.email = pulumi.Output.all(account.email, role.id).apply(lambda known: str(known[0]))
        self.register_outputs({})
