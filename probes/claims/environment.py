"""The names of a pod's variables, read inside it; their values stay there."""

from collections.abc import Collection, Iterable

from probes.prober import ProbeError, Prober
from probes.vantage import Vantage

# The first process may have been given more than a new one: both are looked at.
_NAMES = r"""
compgen -e
while IFS= read -r -d '' pair; do echo "${pair%%=*}"; done 2>/dev/null </proc/1/environ
true
"""
_MARK = "-- planted --"


def names_with_planted(scene: Prober, vantage: Vantage, planted: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the names of a pod's variables, and what the same look sees when the planted ones are added.

    ProbeError when the pod did not answer with both.
    """
    ran = scene.execute(vantage, ["bash", "-c", program(planted)])
    return read(ran.output, str(vantage))


def program(planted: Iterable[str]) -> str:
    """Return the bash program that prints both, with a line between them."""
    exports = "".join(f"export {name}=planted\n" for name in sorted(planted))
    return f"{_NAMES}\necho '{_MARK}'\n{exports}{_NAMES}"


def read(output: str, who: str) -> tuple[set[str], set[str]]:
    """Return both sets from what the program printed."""
    before, mark, after = output.partition(f"{_MARK}\n")
    names, planted = _lines(before.splitlines()), _lines(after.splitlines())
    if not mark or not names:
        raise ProbeError(f"{who} did not list the names of its variables")
    return names, planted


def _lines(lines: Collection[str]) -> set[str]:
    return {line for line in lines if line.isidentifier()}
