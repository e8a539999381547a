"""More new computers at once than a verification makes: the network plugin is as busy as on a Monday morning."""

from probes import birth
from probes.newborns import blocked, measure, measure_control
from probes.scene import Scene
from probes.stage import Stage
from probes.surroundings import look_around
from tests.deployments import Deployed, facts_of

COMPUTERS = 10
SECONDS = 2.5


def test_ten_new_computers_reach_nothing_that_is_denied(deployed: Deployed) -> None:
    """B045: the twin is the variant `early bird`, which takes the wait away."""
    facts = facts_of(deployed)
    with Stage(deployed.api, facts, "births", print):
        scene = Scene(deployed.api, facts, look_around(deployed.api, facts), "births")
        births = measure(scene, COMPUTERS, SECONDS)
        controls = measure_control(scene, SECONDS)
    assert blocked(scene)
    assert all(each.opened for each in controls), controls
    for number, _ in enumerate(blocked(scene)):
        windows = [each.windows[number] for each in births]
        assert birth.closed(windows), birth.told(windows)
    assert [each for each in births if each.waited is None] == []
