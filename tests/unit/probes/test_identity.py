"""What a look into a pod says about identities; the looks are real programs, run here by a real bash."""

import subprocess
from pathlib import Path

import pytest

from probes.claims import environment
from probes.claims.identity import LOOK, capabilities, clouds, found, has_token_volume, mount
from probes.facts import ServiceFacts
from probes.prober import ProbeError

WEB = ServiceFacts(name="web", port=5173, holds=(), forbidden=(), token=False)
API = WEB.model_copy(update={"name": "api", "token": True})
THERE = "there in api"


def ran(program: str, **variables: str) -> str:
    done = subprocess.run(["bash", "-c", program], env=variables, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    "name",
    [
        "AWS_ROLE_ARN",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        "AZURE_FEDERATED_TOKEN_FILE",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "CLOUDSDK_AUTH_ACCESS_TOKEN",
        "VAULT_TOKEN_FILE",
        "KUBECONFIG",
    ],
)
def test_each_way_to_an_identity_is_known(name: str) -> None:
    assert clouds({name, "PATH", "HOME", "KUBERNETES_SERVICE_HOST"}) == [name]


def test_the_names_of_variables_are_seen_and_the_planted_ones_too() -> None:
    """The control: a look that finds nothing has to be one that finds what is there."""
    output = ran(environment.program(["KUBECONFIG"]), PATH="/usr/bin:/bin", GREETING="hello\nAWS_FAKE=1")
    names, planted = environment.read(output, "a pod")
    assert {"PATH", "GREETING"} <= names
    assert "KUBECONFIG" not in names
    assert planted >= names | {"KUBECONFIG"}


def test_no_value_of_a_variable_leaves_the_pod() -> None:
    assert "hunter2" not in ran(environment.program(["KUBECONFIG"]), PATH="/usr/bin:/bin", PASSWORD="hunter2")


def test_half_an_answer_is_no_answer() -> None:
    with pytest.raises(ProbeError, match="web did not list"):
        environment.read("PATH\nHOME\n", "web")


def test_each_file_is_named_once() -> None:
    output = "found /b\nfound /a\nfound /a\nfound /a/..data/token\nCapBnd 0000000000000000\n"
    assert found(output) == ["/a", "/b"]


@pytest.mark.parametrize(
    ("output", "holds", "seen"),
    [
        ("CapEff 0000000000000000\nCapBnd 0000000000000000", True, "none (CapEff, CapBnd are 0)"),
        ("CapEff 0000000000000000\nCapBnd 00000000a80425fb", False, "CapBnd 00000000a80425fb"),
        ("CapEff 0000000000000000", None, "none (CapEff are 0)"),
        ("", None, "the kernel does not say"),
    ],
)
def test_no_capability_is_none_in_the_bounding_set_too(output: str, holds: bool | None, seen: str) -> None:
    evidence = capabilities(output)
    assert (evidence.holds, evidence.seen) == (holds, seen)


@pytest.mark.parametrize(
    ("service", "there", "mounted", "control", "holds"),
    [
        (WEB, False, [], THERE, True),
        (WEB, True, [], THERE, False),
        (WEB, False, ["web-1"], THERE, False),
        (WEB, False, [], "there in no service", None),
        (API, True, ["api-1"], THERE, True),
        (API, False, [], "there in no service", False),
    ],
)
def test_a_token_is_where_it_belongs(
    service: ServiceFacts, there: bool, mounted: list[str], control: str, holds: bool | None
) -> None:
    """B104."""
    assert mount(service, there, mounted, control).holds is holds


def test_a_token_is_known_by_its_volume_wherever_it_is_mounted() -> None:
    token = {"name": "x", "projected": {"sources": [{"serviceAccountToken": {"path": "token"}}]}}
    other = {"name": "y", "projected": {"sources": [{"configMap": {"name": "z"}}]}}
    assert has_token_volume({"spec": {"volumes": [{"name": "e", "emptyDir": {}}, other, token]}})
    assert not has_token_volume({"spec": {"volumes": [other]}})
    assert not has_token_volume({"spec": {}})


def test_the_look_finds_what_is_there_and_nothing_else(tmp_path: Path) -> None:
    """In any pod with bash, whatever is mounted, readable or not; here is one that has a kubeconfig."""
    (tmp_path / ".kube").mkdir()
    (tmp_path / ".kube" / "config").write_text("apiVersion: v1\n")
    output = ran(LOOK, HOME=str(tmp_path), PATH="/usr/bin:/bin")
    at_home = [file for file in found(output) if file.startswith(str(tmp_path))]
    assert at_home == [f"{tmp_path}/.kube/config"]
    assert [file for file in found(output) if not Path(file).exists()] == []
    assert capabilities(output).holds is not None, "the bounding set was not read"
