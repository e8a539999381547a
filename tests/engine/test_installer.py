"""gVisor brought onto a node from inside the cluster: the node installer on an embedded node that has none.

The node's systemd is a stand-in; that systemd itself obeys the same calls is shown on a whole Debian machine. What a
cloud's own nodes look like is not proven here.
"""

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from probes.pods import Pods, spec
from tests.bare_cluster import CONTAINERD, replace_node
from tests.engine.installer_setting import CONSOLE, LABEL, NAME, SPACE, Setting, bare_setting
from tests.gvisor_mirror import Mode

pytestmark = pytest.mark.timeout(600)

FAULTS: dict[Mode, str] = {"gone": "404", "cut": "cut off or another file", "another": "cut off or another file"}
"""How the mirror misbehaves, and what is said of it."""


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    with bare_setting(tmp_path_factory.mktemp("program")) as made:
        yield made


def test_a_node_without_gvisor_runs_pods_under_it_and_is_labelled_only_then(setting: Setting) -> None:
    """B045: what counts is a pod that ran, not an installer that ended well."""
    assert "runsc" not in setting.before
    began = time.monotonic()
    setting.program.up()
    applied = time.monotonic() - began
    assert setting.label() == "ready"
    assert setting.label("system") is None
    assert "Starting gVisor" in setting.run_a_computer("first")
    print(f"up {applied:.1f} s, first computer {time.monotonic() - began:.1f} s after its start")
    assert setting.restarts() == 1
    assert setting.read(CONTAINERD).startswith(setting.before)
    setting.program.must("preview", "--expect-no-changes")


def test_nothing_is_restarted_when_nothing_has_changed_and_pods_live_on(setting: Setting) -> None:
    old = setting.pod("node-installer").metadata.uid
    Pods(setting.api, SPACE).delete(setting.pod("node-installer").metadata.name)

    def is_back() -> bool:
        pod = setting.pod("node-installer")
        return pod is not None and pod.metadata.uid != old and "ready" in setting.log("node-installer")

    setting.wait("the next installer", is_back)
    assert setting.restarts() == 1
    assert "Starting gVisor" in Pods(setting.api, "default").execute("first", ["dmesg"]).output


def refusal(setting: Setting, role: str, path: str, body: object) -> str:
    """Return what the API says to a role's own token, from inside its pod."""
    script = (
        "import json, sys, urllib.request, urllib.error; sys.path.insert(0, '/program'); from node import api; "
        f"print(*api._call('PATCH', {path!r}, {body!r}, 'application/merge-patch+json'))"
    )
    ran = Pods(setting.api, SPACE).execute(setting.pod(role).metadata.name, ["python3", "-c", script])
    return ran.output


def test_a_pod_that_is_taken_over_labels_no_other_node_and_changes_nothing_else(setting: Setting) -> None:
    label = {"metadata": {"labels": {LABEL: "ready"}}}
    assert refusal(setting, "node-prover", "/api/v1/nodes/computers", label).startswith("200 ")
    other = refusal(setting, "node-prover", "/api/v1/nodes/system", label)
    assert "a prover may label the node that it runs on, and no other" in other
    pool = {"metadata": {"labels": {"rakazo-infra/pool": "system"}}}
    assert "and no other" in refusal(setting, "node-prover", "/api/v1/nodes/computers", pool)
    gone = {"metadata": {"labels": {"kubernetes.io/hostname": None}}}
    assert "and no other" in refusal(setting, "node-prover", "/api/v1/nodes/computers", gone)
    untainted: dict[str, Any] = {"spec": {"taints": []}}
    assert "taints" in refusal(setting, "node-prover", "/api/v1/nodes/computers", untainted)
    noted = {"metadata": {"annotations": {"a": "b"}}}
    assert "nothing else" in refusal(setting, "node-prover", "/api/v1/nodes/computers", noted)
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "gone", "uid": "0"}
    owned = {"metadata": {"ownerReferences": [owner]}}  # the garbage collector would delete the node
    assert "nothing else" in refusal(setting, "node-prover", "/api/v1/nodes/computers", owned)
    assert refusal(setting, "node-installer", "/api/v1/nodes/computers", label).startswith("403 ")
    assert setting.label("system") is None


def test_a_configuration_that_is_written_anew_gets_gvisor_again(setting: Setting) -> None:
    """An upgrade of containerd does that, and restarts it."""
    setting.machine.run(["tee", CONTAINERD], stdin=f"{setting.before}\n# of a newer release\n")
    setting.wait("gVisor in the new configuration", lambda: "rakazo-infra: gVisor" in setting.read(CONTAINERD))
    setting.wait("the restart", lambda: setting.restarts() == 2)
    setting.wait("readiness", lambda: "started anew" in setting.log("node-installer").splitlines()[-1])
    assert "# of a newer release" in setting.read(CONTAINERD)
    assert "Starting gVisor" in setting.run_a_computer("second")


def test_a_replaced_node_becomes_ready_in_spite_of_a_mirror_that_fails_and_a_run_that_is_killed(
    setting: Setting,
) -> None:
    """Missing, cut off, another file, killed in the middle; no computer starts before a release is whole."""
    setting.mirror.behave("gone")
    setting.core.delete_node("computers")
    replace_node(NAME, CONSOLE)
    assert setting.label() is None
    assert setting.read(CONTAINERD) == setting.before
    for mode, told in FAULTS.items():
        before = setting.log("node-installer")
        setting.mirror.behave(mode)
        setting.wait(f"the fault of {mode}", partial(is_said, setting, before, told))
        assert setting.read(CONTAINERD) == setting.before
    setting.mirror.behave("stalled")
    half = "/opt/rakazo-infra/20261116.0.partial/gvisor.tar.bz2"
    setting.wait("half of a download", lambda: setting.has(half))
    Pods(setting.api, SPACE).delete(setting.pod("node-installer").metadata.name)
    assert setting.has(half), "the run was not killed in the middle"
    assert setting.label() is None
    began = time.monotonic()
    setting.mirror.behave("whole")
    setting.wait("the label of the new node", lambda: setting.label() == "ready")
    assert "Starting gVisor" in setting.run_a_computer("third")
    print(f"ready {time.monotonic() - began:.1f} s after the mirror was whole again")
    assert not setting.has(half)


def test_a_destroy_leaves_the_node_as_it_was(setting: Setting) -> None:
    pods = Pods(setting.api, "default")
    pods.delete("third")
    setting.program.must("destroy", "--yes", "--skip-preview")
    assert setting.read(CONTAINERD) == setting.before
    assert setting.machine.run(["ls", "-A", "/opt/rakazo-infra"]) == ""
    assert setting.label() is None
    names = {space.metadata.name for space in setting.core.list_namespace().items}
    assert SPACE not in names
    pods.start(
        spec("last", setting.facts.images["computer-lite"], ["sleep", "9"], tolerations=[{"operator": "Exists"}])
    )


def is_said(setting: Setting, before: str, told: str) -> bool:
    """Whether the installer has said something since; the first of the faults may have been said already."""
    log = setting.log("node-installer")
    return told in log.removeprefix(before) or (told == "404" and told in log)
