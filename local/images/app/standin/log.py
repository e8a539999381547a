"""Plain lines on stdout and stderr, as upstream's services write them."""

import sys


def say(line: str) -> None:
    """Write a line to stdout."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def complain(service: str, line: str) -> None:
    """Write a line to stderr that names the service."""
    sys.stderr.write(f"rakazo stand-in {service}: {line}\n")
    sys.stderr.flush()
