"""A command on the operator's own machine."""

import os
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO

from tests.providers.call import Call
from tests.providers.command.output_lines import OutputLines, Stream
from tests.providers.command.surroundings import Surroundings
from tests.providers.refused import RefusedError
from tests.providers.values import Properties

_LOOK_SECONDS = 0.1
SHELL = ("/bin/sh", "-c")


@dataclass(frozen=True, kw_only=True)
class LocalProcess:
    """The operator's commands; the real provider's are children of the CLI."""

    surroundings: Surroundings

    def run(self, command: str, inputs: Properties, previous: Mapping[str, str], call: Call) -> OutputLines:
        """Run a command to its end; RefusedError says how it ended and what it printed.

        An interruption kills the command, as the real provider does.
        """
        lines = OutputLines(call, inputs.get("logging"))
        own = {**os.environ, **self.surroundings.environment}
        argv = [*(inputs.get("interpreter") or SHELL), command]
        try:
            with self.surroundings.place():
                process = subprocess.Popen(
                    argv,
                    cwd=inputs.get("dir", self.surroundings.folder),
                    env={**own, **inputs.get("environment", {}), **previous},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
        except OSError as error:
            raise RefusedError(lines.failure(f"{error.strerror}: {error.filename}", command)) from None
        with process:
            code = self._to_its_end(process, inputs.get("stdin", ""), lines, call)
        if code:
            ending = f"exit status {code}" if code > 0 else f"signal: {-code}"
            raise RefusedError(lines.failure(ending, command))
        return lines

    @staticmethod
    def _to_its_end(process: subprocess.Popen[bytes], stdin: str, lines: OutputLines, call: Call) -> int:
        threads = [
            threading.Thread(target=_feed, args=(process.stdin, stdin)),
            threading.Thread(target=_collect, args=(process.stdout, "stdout", lines)),
            threading.Thread(target=_collect, args=(process.stderr, "stderr", lines)),
        ]
        for thread in threads:
            thread.start()
        while True:
            try:
                code = process.wait(_LOOK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                if call.cancelled.is_set() or call.gone.is_set():
                    process.kill()
        for thread in threads:
            thread.join()
        return code


def _feed(pipe: IO[bytes], text: str) -> None:
    try:
        pipe.write(text.encode())
        pipe.close()
    except BrokenPipeError:  # it ended without reading what it was given
        return


def _collect(pipe: IO[bytes], stream: Stream, lines: OutputLines) -> None:
    for line in pipe:
        lines.take(stream, line)
