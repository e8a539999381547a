"""What the program asks Google for is what the stand-in makes: every input, in order, and back again."""

from typing import Any

import pytest

from tests.providers import lifecycle
from tests.providers.resource_type import Resource, ResourceType
from tests.unit.providers.google import CALL, Google
from tests.unit.recorder import Recorder, Registered
from tests.unit.targets.gke.example import made

Live = tuple[ResourceType, Resource]


def make_all(google: Google, recorded: Recorder) -> list[Live]:
    """Make everything that a program registered, in its order, with the ids that the stand-in gives out."""
    told: dict[str, str] = {}

    def known(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: known(item) for key, item in value.items() if item is not None}
        if isinstance(value, list):
            return [known(item) for item in value]
        return told.get(value, value) if isinstance(value, str) else value

    live: list[Live] = []
    for item in recorded.seen:
        if item.typ.startswith("gcp:"):
            kind = google.package.type(item.typ)
            found = _made(google, kind, item, known(item.inputs))
            live.append((kind, found))
            told[f"{item.name}-id"] = found.id
            if "email" in found.outputs:
                invented = f"{item.name}@my-project-1.iam.gserviceaccount.com"
                told |= {invented: found.outputs["email"], f"serviceAccount:{invented}": found.outputs["member"]}
    return live


def _made(google: Google, kind: ResourceType, item: Registered, inputs: dict[str, Any]) -> Resource:
    complete, failures = lifecycle.check(google.package, kind, inputs, {}, name=item.name, seed=b"\0" * 8)
    assert failures == [], item.name
    done = lifecycle.create(kind, complete, CALL)
    lacking = kind.schema.fitting(done.outputs, kind.absent)
    assert lacking == [], item.name
    return Resource(id=done.id, inputs=complete, outputs=done.outputs)


@pytest.mark.parametrize(
    "changes",
    [{}, {"dns": "cloud-dns", "shared_storage": True, "admin_cidrs": ["198.51.100.7/32"], "computers__minimum": 0}],
)
def test_everything_is_made_in_order_and_removed_in_the_reverse_one(changes: dict[str, Any]) -> None:
    """B011: nothing that something else needs goes first, and nothing is left."""
    google = Google()
    live = make_all(google, made(protect=False, **changes)[0])
    assert len(live) == 10
    assert google.sandboxes == ["gvisor"]
    for kind, thing in reversed(live):
        lifecycle.delete(kind, thing, CALL)
    assert google.project.summary() == {}


def test_what_google_reads_back_differs_only_where_the_program_ignores_it() -> None:
    """B095: the pool that is gone is described by another one, which would replace the cluster."""
    google = Google()
    recorded, _ = made()
    (cluster,) = recorded.of_kind("Cluster")
    for kind, thing in make_all(google, recorded):
        found = lifecycle.read(kind, thing, CALL)
        assert found is not None
        changes = {path.partition(".")[0] for path in lifecycle.compare(kind, found.inputs, thing.inputs).changes}
        assert changes == (set(cluster.ignore_changes) if thing.id.endswith("/clusters/rakazo-team") else set())
