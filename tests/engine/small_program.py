"""A Pulumi program of a few lines, run by the real CLI in a folder of its own against stand-in providers."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from local.checkout import PROJECT
from local.stack.pulumi import Outcome
from local.toolchain import path_entries

STACK = "test"
TOKEN = "t" * 64
"""Of the length that Hetzner's tokens have."""


@dataclass(frozen=True, kw_only=True)
class SmallProgram:
    """One project with one stack."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    """What attaches the stand-ins."""
    prefix: Sequence[str] = ()
    """What the CLI is started by, when it has to run in another network namespace."""

    @property
    def home(self) -> Path:
        """Pulumi's own folder."""
        return self.folder / "home"

    def write(self, program: str) -> None:
        """Write the program."""
        (self.folder / "__main__.py").write_text(textwrap.dedent(program), encoding="utf-8")

    def init(self) -> None:
        """Create the stack, empty, in a file backend of its own."""
        (self.folder / "Pulumi.yaml").write_text("name: small\nruntime: python\n", encoding="utf-8")
        self.home.mkdir(exist_ok=True)
        (self.folder / "state").mkdir()
        self.must("stack", "init", STACK, "--secrets-provider", "passphrase")

    def configure(self, plain: Mapping[str, object], secret: Mapping[str, str] | None = None) -> None:
        """Set keys of the stack's configuration, all in one command."""
        kinds = {"--plaintext": plain, "--secret": secret or {}}
        given = [
            part for flag, keys in kinds.items() for key, value in keys.items() for part in (flag, f"{key}={value}")
        ]
        self.must("config", "set-all", *given)

    def run(self, *arguments: str) -> Outcome:
        """Run one command of the CLI to its end."""
        done = subprocess.run(
            [*self.prefix, "pulumi", *arguments, "--non-interactive"],
            cwd=self.folder,
            env=self._environment(),
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return Outcome(code=done.returncode, output=done.stdout)

    def must(self, *arguments: str) -> str:
        """Run one command that has to succeed and return what it printed."""
        outcome = self.run(*arguments)
        assert outcome.code == 0, outcome.diagnostics
        return outcome.output

    def refused(self, *arguments: str) -> str:
        """Run one command that has to fail and return what it printed."""
        outcome = self.run(*arguments)
        assert outcome.code != 0, outcome.output
        return outcome.output

    def up(self) -> str:
        """Deploy without a preview."""
        return self.must("up", "--yes", "--skip-preview")

    def state(self) -> str:
        """Return everything that is kept of the stack, as text."""
        return "".join(file.read_text(encoding="utf-8") for file in (self.folder / "state").rglob("*.json*"))

    def _environment(self) -> dict[str, str]:
        path = [*map(str, path_entries()), os.environ.get("PATH", os.defpath)]
        return {
            "PATH": os.pathsep.join(path),
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "PULUMI_HOME": str(self.home),
            "PULUMI_BACKEND_URL": f"file://{self.folder / 'state'}",
            "PULUMI_CONFIG_PASSPHRASE": "only for a test",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_PYTHON_CMD": sys.executable,
            "PYTHONPATH": str(PROJECT),
            **self.environment,
        }
