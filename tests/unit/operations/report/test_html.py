"""The page is whole, safe and readable without colour, script or network; how it looks is the engine tier's."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from operations.report.html import render_html
from probes.claim import Evidence, Group, Result, State
from probes.verification import Verification
from tests.unit.operations.report.example import HOSTILE, claim, evidence, example, hostile, looked, proven
from tests.unit.operations.report.page import Page

PAGE = Page(render_html(example()))


@pytest.mark.parametrize(
    "verification",
    [example(), proven(), hostile(150), example(results=(), answers=(), nodes=())],
    ids=["every state", "proven", "150 hostile claims", "nothing"],
)
def test_the_page_is_well_formed_and_can_be_navigated(verification: Verification) -> None:
    page = Page(render_html(verification))
    ids = [each.attributes["id"] for each in page.elements if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    named = " ".join(each.attributes.get("aria-labelledby", "") for each in page.elements).split()
    assert set(named) <= set(ids)
    levels = [int(each.tag[1]) for each in page.elements if re.fullmatch(r"h[1-6]", each.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert max(after - before for before, after in pairwise(levels)) <= 1


def test_the_page_begins_with_the_verdict() -> None:
    (heading,) = PAGE.all("h1")
    assert heading.text == "3 of 25 claims failed"
    assert Page(render_html(proven())).all("h1")[0].text == "All 18 claims that can be proven here are proven"
    (title,) = (each for each in PAGE.all("title") if each.parent and each.parent.tag == "head")
    assert title.text == "Isolation of rakazo: 3 of 25 claims failed"


def test_every_claim_is_shown_once_with_its_state_in_words() -> None:
    for result in example().results:
        (article,) = PAGE.all("article", id=f"claim-{result.claim.id}")
        assert result.claim.sentence in article.text
        assert str(result.state) in article.text
        for part in (result.claim.reason, result.claim.method, result.claim.control):
            assert part in article.text


def test_failed_and_unchecked_claims_come_first_with_cause_and_remedy() -> None:
    alarms = PAGE.all("article", class_="alarm")
    wrong = [*example().failed, *example().unchecked]
    assert len(alarms) == len(wrong) == 4
    for alarm, result in zip(alarms, wrong, strict=True):
        assert result.cause in alarm.text
        assert result.claim.remedy.replace("`", "") in alarm.text
    first_claim = PAGE.elements.index(PAGE.all("article", class_="claim")[0])
    assert all(PAGE.elements.index(each) < first_claim for each in alarms)
    assert Page(render_html(proven())).all("article", class_="alarm") == []


def test_only_what_needs_attention_is_unfolded() -> None:
    opened = [each.parent for each in PAGE.all("details") if "open" in each.attributes]
    wrong = [each.claim.id for each in example().results if each.state in (State.FAILED, State.UNCHECKED)]
    assert [each.attributes["id"] for each in opened if each] == [f"claim-{key}" for key in wrong]


def test_evidence_is_a_table_of_who_where_and_what_answered() -> None:
    result = looked("out-a", "A.", evidence("web → x (10.0.0.1:80 by UDP)", "refused", control="api: open"))
    rows = Page(render_html(example(results=(result,)))).all("tr", class_="held")
    cells = ["held", "web", "x", "10.0.0.1:80 by UDP", "refused", "api: open"]
    assert [each.text for each in rows] == ["".join(cells)]


def test_what_is_not_provable_is_listed_with_its_reason() -> None:
    found = PAGE.all("section", **{"aria-labelledby": "unprovable"})[0].text
    for key in ("out-range-100.64.0.0/10", "out-metadata-azure", "limits-pids"):
        assert key in found
    assert "no answer to the control either (a pod without policies: silent)" in found
    assert "do not count as proven" in found


def test_date_cluster_versions_and_digests_are_told() -> None:
    text = PAGE.all("body")[0].text
    verification = example()
    for part in ("2026-11-29 22:14:03 UTC", "71.3 s", "rakazo-example", "v1.36.3", "containerd://2.2.1", "gvisor"):
        assert part in text
    for image in (verification.facts.image_app, verification.facts.image_computer, verification.facts.image_postgres):
        assert image in text


def test_nothing_is_fetched_and_nothing_runs() -> None:
    html = render_html(example())
    assert PAGE.all("script") == PAGE.all("link") == PAGE.all("img") == PAGE.all("iframe") == []
    links = [each.attributes[key] for each in PAGE.elements for key in ("href", "src") if key in each.attributes]
    assert links
    assert [each for each in links if not each.startswith("#")] == []
    assert not re.search(r"url\(|@import", html)
    assert [key for each in PAGE.elements for key in each.attributes if key.startswith("on")] == []
    (policy,) = PAGE.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert policy.attributes["content"].startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_every_link_leads_somewhere_on_the_page() -> None:
    from urllib.parse import unquote

    ids = {each.attributes["id"] for each in PAGE.elements if "id" in each.attributes}
    links = {unquote(each.attributes["href"]) for each in PAGE.elements if "href" in each.attributes}
    assert {each.removeprefix("#") for each in links} <= ids


def test_no_text_of_a_cluster_becomes_markup() -> None:
    result = Result(
        claim=claim("out-a", HOSTILE, reason=HOSTILE, method=HOSTILE, control=HOSTILE, remedy=HOSTILE + " `a<b>`"),
        evidence=(Evidence(subject=HOSTILE, seen=HOSTILE, control=HOSTILE, holds=False),),
        error=HOSTILE,
    )
    whole = example(results=(result,), server_version=HOSTILE, nodes=((HOSTILE, HOSTILE, HOSTILE),))
    page = Page(render_html(replace(whole, facts=whole.facts.model_copy(update={"image_app": HOSTILE}))))
    assert page.all("script") == page.all("b", class_="x") == []
    assert page.all("h4")[0].text == HOSTILE
    assert "a<b>" in [each.text for each in page.all("code")]


def test_every_group_that_has_claims_is_a_section_with_its_share() -> None:
    have = {each.claim.group for each in example().results}
    assert have == set(Group)
    for group in Group:
        assert PAGE.all("h3", id=f"group-{group}")
    (share, *_) = (each.text for each in PAGE.all("span", class_="share"))
    assert share == "1 of 1 proven"


def test_the_filter_offers_only_states_that_there_are() -> None:
    assert [each.attributes["id"] for each in Page(render_html(proven())).all("input")] == [
        "show-all",
        "show-unprovable",
        "show-proven",
        "show-details",
    ]
