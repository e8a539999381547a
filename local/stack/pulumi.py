"""Calls of the Pulumi CLI for the stack of an embedded cluster."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import yaml

from local.checkout import PROJECT
from local.failure import LocalError
from local.stack.environment import environment
from local.stack.folder import StackFolder

STACK = "local"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one call printed and how it ended."""

    code: int
    output: str = field(repr=False)
    """Standard output and error, in order."""

    @property
    def diagnostics(self) -> str:
        """What the CLI says at the end of a run about errors, and all of the output when it says no such thing."""
        _, heading, said = self.output.partition("Diagnostics:\n")
        return heading + said or self.output


class Pulumi:
    """The Pulumi CLI on one stack, with an environment of its own."""

    def __init__(
        self,
        folder: StackFolder,
        stack: str = STACK,
        *,
        within: Sequence[str] = (),
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`within` is a command that runs the CLI elsewhere, such as nsenter; `more` is added to its environment."""
        self.folder = folder
        self.stack = stack
        self._within = tuple(within)
        self.environment = {**os.environ, **environment(folder), **more}

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of one call."""
        return [*self._within, "pulumi", *arguments, "--stack", self.stack]

    def run(self, *arguments: str, stdin: str = "", quiet: bool = True) -> Outcome:
        """Run one command to its end; with `quiet=False` its output goes to the terminal as it comes."""
        command = self.command(*arguments)
        if quiet or not sys.stdout.isatty():
            command.append("--non-interactive")
        if not quiet:
            code = subprocess.run(command, cwd=PROJECT, env=self.environment, check=False).returncode
            return Outcome(code=code, output="")
        done = subprocess.run(
            command,
            cwd=PROJECT,
            env=self.environment,
            input=stdin,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return Outcome(code=done.returncode, output=done.stdout)

    def must(self, *arguments: str, stdin: str = "") -> str:
        """Run one command and return its output; raise LocalError with that output when it fails."""
        outcome = self.run(*arguments, stdin=stdin)
        if outcome.code != 0:
            raise LocalError(f"pulumi {arguments[0]} failed with exit code {outcome.code}:\n{outcome.output}")
        return outcome.output

    def ensure_stack(self) -> None:
        """Create the stack in the file backend unless it exists; its secrets use the passphrase.

        The CLI writes a new stack's salt beside Pulumi.yaml, whatever its `--config-file` says. So that the
        committed stack file stays as it is, the stack is created from a folder with a Pulumi.yaml of its own.
        """
        project = self.folder.state.parent / "new"
        project.mkdir(exist_ok=True)
        name = yaml.safe_load((PROJECT / "Pulumi.yaml").read_text(encoding="utf-8"))["name"]
        (project / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n", encoding="utf-8")
        self.must("stack", "select", "--create", "--secrets-provider", "passphrase", "--cwd", str(project))

    def ensure_secrets(self, generated: dict[str, str]) -> list[str]:
        """Set each secret that the stack file lacks, through standard input; return the keys that were set."""
        present = self.folder.stack_file.read_text(encoding="utf-8")
        missing = [key for key in generated if f"{key}:" not in present]
        for key in missing:
            self.must("config", "set", "--secret", key, stdin=generated[key])
        return missing
