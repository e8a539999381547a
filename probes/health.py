"""What the application's own health says, and what of it is a fault."""

from typing import Any

from probes.http_over_bash import Answer

OK = 200
PROVIDER = "kubernetes"


def fault(answer: Answer, wanted: str = PROVIDER) -> str | None:
    """Return what is wrong with an answer of api's `/health`, or None; `wanted` is what makes computers.

    Releases differ in what they tell: what is not there is not judged, what is there has to be right.
    """
    if answer.status != OK:
        return f"status {answer.status}"
    try:
        told = answer.document()
    except ValueError as error:
        return str(error)
    if not isinstance(told, dict):
        return f"JSON that is no object: {answer.body[:80]!r}"
    if told.get("ok", True) is not True:
        return f"ok is {told['ok']!r}"
    provider = told.get("sandbox", wanted)
    if provider != wanted:
        where = "in this cluster" if wanted == PROVIDER else "by this machine's supervisor"
        return f"sandbox is {provider!r}: computers are not made {where}; write SANDBOX_PROVIDER={wanted}"
    return None


def revision(answer: Answer) -> str:
    """Return the commit that it names; empty when it names none."""
    try:
        told: Any = answer.document()
    except ValueError:
        return ""
    return str(told.get("revision") or "") if isinstance(told, dict) else ""


def summary(answer: Answer) -> str:
    """Return the fields that a report shows."""
    told = answer.document()
    shown = {key: told[key] for key in ("ok", "sandbox", "runtime", "jobs", "realtime") if key in told}
    return f"status {answer.status}, " + ", ".join(f"{key} {_word(value)}" for key, value in shown.items())


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
