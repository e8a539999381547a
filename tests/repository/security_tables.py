"""The tables of docs/security.md that the code writes: `python -m tests.repository.security_tables`.

Every claim of the local stack, with its control and the broken variants in which it was seen failing.
"""

from pathlib import Path

from probes.claims import every_claim
from probes.surroundings import Surroundings
from tests.isolation.variants import VARIANTS
from tests.unit.probes.example import facts

FILE = Path(__file__).parents[2] / "docs" / "security.md"


def claims_table() -> str:
    """Return one row per claim; ranges are one row, since only the range differs."""
    failing: dict[str, list[str]] = {}
    for name, variant in VARIANTS.items():
        for key in variant.fails:
            failing.setdefault(key, []).append(name)
    rows = ["| claim | what is claimed | what shows that it could fail | seen failing with |", "|---|---|---|---|"]
    for claim in every_claim(facts(), Surroundings()):
        seen = ", ".join(failing.get(claim.id, []))
        rows.append(f"| `{claim.id}` | {claim.sentence} | {claim.control} | {seen} |")
    return "\n".join(rows)


def variants_table() -> str:
    """Return one row per broken variant."""
    rows = ["| variant | what is broken | exactly these claims fail |", "|---|---|---|"]
    for name, variant in VARIANTS.items():
        failing = ", ".join(f"`{claim}`" for claim in sorted(variant.fails))
        rows.append(f"| {name} | {variant.broken} | {failing} |")
    return "\n".join(rows)


def rendered(text: str) -> str:
    """Return the page with its tables written anew; ValueError when a marker is missing."""
    for name, table in (("claims", claims_table()), ("variants", variants_table())):
        begin, end = f"<!-- {name}: written by the code -->", f"<!-- end of {name} -->"
        if begin not in text or end not in text:
            raise ValueError(f"{FILE.name} has no place for the table of {name}: write {begin} and {end}")
        before, after = text.partition(begin)[0], text.partition(end)[2]
        text = f"{before}{begin}\n{table}\n{end}{after}"
    return text


if __name__ == "__main__":
    FILE.write_text(rendered(FILE.read_text(encoding="utf-8")), encoding="utf-8")
