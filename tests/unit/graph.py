"""Questions about the order in which a recorded program is carried out."""

from tests.unit.recorder import Recorder, Registered


def named(recorder: Recorder, name: str) -> Registered:
    """Return the one resource of this name that is no component."""
    (found,) = [item for item in recorder.seen if item.name == name and not item.typ.startswith("rakazo:")]
    return found


def everything_before(recorder: Recorder, resource: Registered) -> set[str]:
    """Return the names of all that has to be there before a resource is."""
    by_urn = {item.urn: item for item in recorder.seen}
    names: set[str] = set()
    waiting = [resource]
    while waiting:
        for urn in waiting.pop().dependencies:
            if urn in by_urn and by_urn[urn].name not in names:
                names.add(by_urn[urn].name)
                waiting.append(by_urn[urn])
    return names
