"""The tables of the pages on security that the code writes: `python -m tests.repository.security_tables`.

Every claim of the local stack and of one with Docker computers, with its control and the broken variants in which it
was seen failing.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from probes.claim import Claim
from probes.claims import every_claim
from probes.docker import claims as docker
from probes.docker.surroundings import Around
from probes.surroundings import Surroundings
from tests.docker_proof.variants import DOCKER_VARIANTS
from tests.isolation.variants import VARIANTS
from tests.unit.probes.docker import example as docker_example
from tests.unit.probes.example import facts

DOCS = Path(__file__).parents[2] / "docs"


class Broken(Protocol):
    """What a table says of a variant."""

    @property
    def broken(self) -> str:
        """A sentence for the table."""

    @property
    def fails(self) -> frozenset[str]:
        """The claims that fail."""


def claims_table(claims: Iterable[Claim], variants: Mapping[str, Broken]) -> str:
    """Return one row per claim, with the variants in which it fails."""
    failing: dict[str, list[str]] = {}
    for name, variant in variants.items():
        for key in variant.fails:
            failing.setdefault(key, []).append(name)
    rows = ["| claim | what is claimed | what shows that it could fail | seen failing with |", "|---|---|---|---|"]
    for claim in claims:
        seen = ", ".join(failing.get(claim.id, []))
        rows.append(f"| `{claim.id}` | {claim.sentence} | {claim.control} | {seen} |")
    return "\n".join(rows)


def variants_table(variants: Mapping[str, Broken]) -> str:
    """Return one row per broken variant."""
    rows = ["| variant | what is broken | exactly these claims fail |", "|---|---|---|"]
    for name, variant in variants.items():
        failing = ", ".join(f"`{claim}`" for claim in sorted(variant.fails))
        rows.append(f"| {name} | {variant.broken} | {failing} |")
    return "\n".join(rows)


def pages() -> dict[Path, dict[str, str]]:
    """Return every page with its tables, by the names of their places in it."""
    of_docker = docker.every_claim(docker_example.facts(), Around())
    return {
        DOCS / "security.md": {
            "claims": claims_table(every_claim(facts(), Surroundings()), VARIANTS),
            "variants": variants_table(VARIANTS),
        },
        DOCS / "security-docker.md": {
            "claims": claims_table(of_docker, DOCKER_VARIANTS),
            "variants": variants_table(DOCKER_VARIANTS),
        },
    }


def rendered(page: Path, tables: Mapping[str, str]) -> str:
    """Return a page with its tables written anew; ValueError when a marker is missing."""
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        begin, end = f"<!-- {name}: written by the code -->", f"<!-- end of {name} -->"
        if begin not in text or end not in text:
            raise ValueError(f"{page.name} has no place for the table of {name}: write {begin} and {end}")
        before, after = text.partition(begin)[0], text.partition(end)[2]
        text = f"{before}{begin}\n{table}\n{end}{after}"
    return text


if __name__ == "__main__":
    for each, tables in pages().items():
        each.write_text(rendered(each, tables), encoding="utf-8")
