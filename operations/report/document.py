"""A verification as a document for machines: what `rakazo-infra verify --json` prints."""

import datetime as dt
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from operations.report.evidence import row, why_unprovable
from operations.report.stack import as_json
from operations.report.verdict import totals, verdict
from operations.report.words import SHORT
from probes.claim import Result
from probes.verification import Verification

SCHEMA_VERSION = 1
"""Grows when a key changes its meaning or goes; a new key leaves it."""


def images(verification: Verification) -> dict[str, str]:
    """Return the images that ran, each with its digest, by what they are for."""
    facts = verification.facts
    return {"application": facts.image_app, "computer": facts.image_computer, "postgres": facts.image_postgres}


def tool_version() -> str:
    """Return the version of rakazo-infra, `unknown` when it runs uninstalled."""
    try:
        return version("rakazo-infra")
    except PackageNotFoundError:
        return "unknown"


def date(verification: Verification) -> dt.datetime:
    """Return when the run began, in UTC, to the second."""
    return verification.began.astimezone(dt.UTC).replace(microsecond=0)


def as_document(verification: Verification) -> dict[str, Any]:
    """Return the whole verification; `seconds` is time, `state` one of proven, failed, unprovable, unchecked."""
    told = verdict(verification)
    stack, versions = as_json(verification)
    return {
        "schema_version": SCHEMA_VERSION,
        "date": date(verification).isoformat(),
        "seconds": round(verification.seconds, 1),
        "verdict": {"state": SHORT[told.state], "sentence": told.sentence, "detail": told.detail},
        "totals": {
            "claims": len(verification.results),
            **{SHORT[state]: number for state, number in totals(verification.results).items()},
        },
        "stack": stack,
        "versions": {"rakazo_infra": tool_version(), **versions},
        "images": images(verification),
        "claims": [_claim(each) for each in verification.results],
    }


def _claim(result: Result) -> dict[str, Any]:
    claim = result.claim
    return {
        "id": claim.id,
        "group": str(claim.group),
        "state": SHORT[result.state],
        "sentence": claim.sentence,
        "cause": result.cause or why_unprovable(result),
        "reason": claim.reason,
        "method": claim.method,
        "control": claim.control,
        "remedy": claim.remedy,
        "seconds": round(result.seconds, 1),
        "evidence": [
            {
                "subject": each.subject,
                "from": row(each).source,
                "to": row(each).target,
                "address": row(each).address,
                "seen": each.seen,
                "control": each.control,
                "holds": each.holds,
            }
            for each in result.evidence
        ],
    }
