"""What a change of a stack would do, compared with a committed file that people can read and review.

One line per step, the operation and the resource's name, sorted: `update  rakazo-web`.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.unit import golden

FOLDER = Path(__file__).parent / "engine" / "plans"
REPLACING = ("replace", "create-replacement", "delete-replaced")
"""Operations that make a new resource in the place of one that is there."""
CLUSTERS = ("cluster", "cluster-control-plane")
"""Names of what is a cluster, in every target."""
DATA = ("postgres", "-data")
"""Parts of names of what holds data: a plan that replaces it is wrong whatever the file says."""

Plan = Mapping[str, Sequence[str]]
"""Operation to names of resources, as `tests.deployments.steps` returns it."""


def render(plan: Plan) -> str:
    """Return the text of a plan; an empty one is said in words, since an empty file looks like a mistake."""
    lines = sorted(f"{operation}  {name}" for operation, names in plan.items() for name in names)
    return "\n".join(lines or ["nothing changes"]) + "\n"


def check_plan(stack: str, change: str, plan: Plan) -> None:
    """Compare a plan with `plans/<stack>/<change>.txt`; RAKAZO_GOLDEN=write in the environment writes the file."""
    lost = list(replaced_data(plan))
    assert lost == [], f"{change} of {stack} replaces {', '.join(lost)}"
    golden.check(FOLDER / stack / f"{change}.txt", render(plan))


def replaced_data(plan: Plan) -> Iterator[str]:
    """Yield what a plan replaces or deletes although data is on it."""
    for operation in (*REPLACING, "delete"):
        for name in plan.get(operation, ()):
            if name in CLUSTERS or any(part in name for part in DATA):
                yield name
