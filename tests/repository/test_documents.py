"""What the documents promise about tests exists; the README's commands are run by tests/engine/test_readme.py."""

import re
from pathlib import Path

from tests.repository import security_tables

ROOT = Path(__file__).parents[2]


def _claims() -> list[tuple[str, str]]:
    text = "\n".join(page.read_text(encoding="utf-8") for page in security_tables.pages())
    found: list[tuple[str, str]] = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", text)
    return found


def test_every_security_claim_names_a_test_that_exists() -> None:
    """What is not proven is not claimed."""
    claims = _claims()
    assert claims, "the pages on security name no test"
    missing = [
        f"{file}::{test}"
        for file, test in claims
        if not (ROOT / file).exists() or f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8")
    ]
    assert missing == []


def test_every_link_of_the_documents_leads_somewhere() -> None:
    """A relative link to a file that was moved is found here."""
    dead = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert dead == []


def test_the_tables_of_claims_and_variants_are_those_of_the_code() -> None:
    """Mend with: make security."""
    for page, tables in security_tables.pages().items():
        assert security_tables.rendered(page, tables) == page.read_text(encoding="utf-8"), page.name
