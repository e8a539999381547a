"""The tables of docs/targets/README.md are those of the code."""

from stacks.matrix import MATRIX
from tests.repository import target_tables


def test_the_committed_tables_are_current() -> None:
    text = target_tables.FILE.read_text(encoding="utf-8")
    assert text == target_tables.rendered(text), "run: python -m tests.repository.target_tables"


def test_every_target_and_every_refusal_has_a_row() -> None:
    assert target_tables.runtimes_table().count("\n") == 1 + len(MATRIX)
    assert target_tables.reasons_table().count("refused") == 0
    for kind in ("hetzner", "digitalocean"):
        assert f"| `{kind}` | `kata` | runtime.kind: kata needs virtualization" in target_tables.reasons_table()
