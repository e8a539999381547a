"""Where the stack of one embedded cluster keeps its state."""

from dataclasses import dataclass
from pathlib import Path

from local.checkout import PROJECT


@dataclass(frozen=True, kw_only=True)
class StackFolder:
    """The files of one stack, all below the cluster's own ignored folder."""

    name: str
    """The embedded cluster's name."""
    stack: str = "local"
    """The Pulumi stack's name; several may share one cluster."""

    @property
    def cluster(self) -> Path:
        """The cluster's folder, made by `local up` and removed by `local down`."""
        return PROJECT / ".local" / self.name

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig, written by `local up`."""
        return self.cluster / "kubeconfig"

    @property
    def state(self) -> Path:
        """The file backend of Pulumi."""
        return self.cluster / "pulumi" / "state"

    @property
    def home(self) -> Path:
        """Pulumi's own folder, so that the person's plugins and logins stay untouched."""
        return self.cluster / "pulumi" / "home"

    @property
    def temporary(self) -> Path:
        """Pulumi's TMPDIR: the Kubernetes plugin leaves an administrator's kubeconfig there at every run."""
        return self.cluster / "pulumi" / "tmp"

    @property
    def kubectl_cache(self) -> Path:
        """What kubectl remembers of the API; it would be ~/.kube/cache otherwise."""
        return self.cluster / "kube-cache"

    @property
    def passphrase(self) -> Path:
        """File with the passphrase of the stack's secrets, mode 0600."""
        return self.cluster / "pulumi" / "passphrase"

    @property
    def stack_file(self) -> Path:
        """The committed stack file, completed with this machine's digests and secrets."""
        return self.cluster / "pulumi" / f"Pulumi.{self.stack}.yaml"
