"""The environment in which plain `pulumi` and `kubectl` work on an embedded cluster."""

import os
import secrets

from local.checkout import PROJECT
from local.stack.folder import StackFolder
from local.toolchain import path_entries


def environment(folder: StackFolder) -> dict[str, str]:
    """Return what to set; `PULUMI_OPTION_CONFIG_FILE` is the CLI's own name for its `--config-file`.

    Makes the folders that are named: a program whose TMPDIR does not exist fails far from the cause.
    """
    folder.state.mkdir(parents=True, exist_ok=True)
    folder.home.mkdir(parents=True, exist_ok=True)
    folder.temporary.mkdir(exist_ok=True)
    folder.temporary.chmod(0o700)
    _make_passphrase(folder)
    return {
        "PATH": _path(),
        "KUBECONFIG": str(folder.kubeconfig),
        "KUBECACHEDIR": str(folder.kubectl_cache),
        "TMPDIR": str(folder.temporary),
        "PULUMI_HOME": str(folder.home),
        "PULUMI_BACKEND_URL": f"file://{folder.state}",
        "PULUMI_CONFIG_PASSPHRASE_FILE": str(folder.passphrase),
        "PULUMI_OPTION_CONFIG_FILE": str(folder.stack_file),
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        # The language host that can be built here ignores runtime.options.virtualenv.
        "PULUMI_PYTHON_CMD": str(PROJECT / ".venv" / "bin" / "python"),
    }


def _path() -> str:
    # The built programs first: .venv/bin holds kubectl and rakazo-infra beside programs of other names.
    ours = [str(entry) for entry in (*path_entries(), PROJECT / ".venv" / "bin")]
    theirs = [part for part in os.environ.get("PATH", os.defpath).split(os.pathsep) if part not in ours]
    return os.pathsep.join([*ours, *theirs])


def _make_passphrase(folder: StackFolder) -> None:
    if folder.passphrase.exists():
        return
    descriptor = os.open(folder.passphrase, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
