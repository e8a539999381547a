"""What Pulumi has to learn from the first server: how to reach the API, and who signs for the cluster."""

import re
from dataclasses import dataclass

import pulumi

from components.k3s.kubeconfig import rewrite
from components.machines.login import Login, as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely

KUBECONFIG = "/etc/rancher/k3s/k3s.yaml"
TOKEN = "/var/lib/rancher/k3s/server/token"  # noqa: S105 - a path; k3s writes it with the authority's digest
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class AdministratorArgs:
    """Inputs of :class:`Administrator`."""

    login: Login
    address: pulumi.Input[str]
    """Where the API server is reached from outside."""
    context: str
    serial: int
    """Another one reads the kubeconfig anew."""
    identity: pulumi.Input[str] | None
    after: pulumi.Resource
    """The first server, running."""
    gone_with: pulumi.Resource | None


class Administrator(pulumi.ComponentResource):
    """The way to the cluster, read over the connection whose host key was looked at."""

    kubeconfig: pulumi.Output[str]
    """Secret. It names the server's real address and the context."""
    authority: pulumi.Output[str]
    """Digest of the certificate that signs for the cluster's servers, 64 hexadecimal digits."""

    def __init__(self, name: str, args: AdministratorArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:Administrator", name, None, opts)

        def read(what: str, command: str) -> pulumi.Output[str]:
            shown = run_remotely(
                f"{name}-{what}",
                RemoteCommandArgs(login=args.login, create=as_root(args.login, command), identity=args.identity),
                pulumi.ResourceOptions(parent=self, depends_on=[args.after], deleted_with=args.gone_with),
            )
            return pulumi.Output.secret(shown.stdout)

        document = read("kubeconfig", f"cat {KUBECONFIG} # read {args.serial}")
        self.kubeconfig = pulumi.Output.all(document, args.address).apply(
            lambda known: rewrite(known[0], known[1], args.context)
        )
        said = read("authority", f"sed -n 's/^K10\\([0-9a-f]*\\)::.*/\\1/p' {TOKEN}")
        self.authority = said.apply(_checked)
        self.register_outputs({})


def _checked(said: str) -> str:
    found = said.strip()
    if not _DIGEST.fullmatch(found):
        raise pulumi.RunError(
            f"the first server's {TOKEN} does not begin with K10 and the digest of its authority; "
            "look at `journalctl -u k3s` there"
        )
    return found
