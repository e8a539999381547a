"""Lines for the journal, in the form in which k3s writes them."""

import datetime as dt
import sys


def _line(level: str, text: str) -> None:
    now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    sys.stderr.write(f'time="{now}" level={level} msg="{escaped}"\n')
    sys.stderr.flush()


def info(text: str) -> None:
    """Write what has happened."""
    _line("info", text)


def warn(text: str) -> None:
    """Write what somebody should look at."""
    _line("warning", text)


def fatal(text: str) -> None:
    """Write why the program ends."""
    _line("fatal", text)
