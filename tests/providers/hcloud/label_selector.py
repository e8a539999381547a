"""Label selectors, as Hetzner's API takes them in a question."""

import re
from collections.abc import Mapping

from tests.providers.hcloud import refusals

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?"
_PART = re.compile(rf"(?P<absent>!)?(?P<key>{_NAME})((?P<operator>==?|!=)(?P<value>({_NAME})?))?")


def matches(selector: str, labels: Mapping[str, str]) -> bool:
    """Whether labels fulfil every part of a selector; an empty one asks for nothing.

    A part is `key`, `!key`, `key=value`, `key==value` or `key!=value`, which holds without the key too. Everything
    else is refused: what nobody asks here, such as sets, would otherwise be taken for a match.
    """
    held = [_holds(part.strip(), labels) for part in selector.split(",")] if selector.strip() else []
    return all(held)


def _holds(part: str, labels: Mapping[str, str]) -> bool:
    found = _PART.fullmatch(part)
    if found is None or (found["absent"] and found["operator"]):
        raise refusals.INVALID_SELECTOR.error()
    if found["operator"] is None:
        return (found["key"] in labels) is not bool(found["absent"])
    return (labels.get(found["key"]) == found["value"]) is (found["operator"] != "!=")
