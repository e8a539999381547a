"""Every rule of the settings, told as its message. Proves what is refused, not that Kubernetes takes the rest."""

from typing import Any

import pytest

from stacks.load import read_settings
from stacks.settings import StackSettings
from tests.unit.example import document

ZEROS = "0" * 64


def refusals(**changes: Any) -> list[str]:
    outcome = read_settings(document(**changes))
    return outcome if isinstance(outcome, list) else []


def test_the_committed_local_stack_is_accepted() -> None:
    assert isinstance(read_settings(document()), StackSettings)


@pytest.mark.parametrize("version", [1.30, 1.36, 1])
def test_a_version_that_yaml_read_as_a_number_has_to_be_quoted(version: float) -> None:
    """B014: unquoted 1.30 is 1.3, which is another release."""
    assert refusals(target__kubernetes_version=version) == [
        (
            "rakazo:settings.target.kubernetes_version is a number in YAML, which would make 1.30 the same as 1.3; "
            'quote it, such as "1.36"'
        )
    ]


def test_a_quoted_version_keeps_its_zero() -> None:
    """B014: "1.30" is not 1.3."""
    settings = read_settings(document(target__kubernetes_version="1.30"))

    assert isinstance(settings, StackSettings)
    assert settings.target.kubernetes_version == "1.30"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"application__signups_enabled": "no"}, "application.signups_enabled must be true or false, without quotes"),
        (
            {"application__signups_enabled": "false"},
            "application.signups_enabled must be true or false, without quotes",
        ),
        ({"application__signups_enabled": 0}, "application.signups_enabled must be true or false, without quotes"),
        ({"target__storage__shared": "yes"}, "target.storage.shared must be true or false, without quotes"),
        ({"computers__cpu": 2}, "computers.cpu must be text; put it in quotes"),
        ({"computers__memory": 4096}, "computers.memory must be text; put it in quotes"),
        ({"computers__maximum": "many"}, "computers.maximum must be a whole number"),
        ({"computers__maximum": 1.5}, "computers.maximum must be a whole number"),
        ({"application__namespace": 123456}, "application.namespace must be text; put it in quotes"),
        ({"target__context": False}, "target.context must be text; put it in quotes"),
    ],
)
def test_what_yaml_turned_into_something_else_is_refused(changes: dict[str, Any], told: str) -> None:
    """B014: numbers, `no` and the like never change their meaning in silence."""
    (fault,) = refusals(**changes)
    assert fault.startswith(f"rakazo:settings.{told}")


def test_a_number_in_quotes_is_still_that_number() -> None:
    """B014: `maximum: "7"` cannot mean anything else."""
    settings = read_settings(document(computers__maximum="7"))

    assert isinstance(settings, StackSettings)
    assert settings.computers.maximum == 7


@pytest.mark.parametrize("image", ["app", "computer", "postgres"])
@pytest.mark.parametrize("reference", ["rakazo/app:v1", "rakazo/app", f"rakazo/app:v1@sha256:{ZEROS}"])
def test_an_image_by_tag_is_refused(image: str, reference: str) -> None:
    (fault,) = refusals(**{f"images__{image}": reference})
    assert fault.startswith(f"rakazo:settings.images.{image} carries a tag or no digest at all")


@pytest.mark.parametrize("digest", ["sha256:abc", f"sha256:{'G' * 64}", f"sha512:{ZEROS}"])
def test_a_digest_of_another_shape_is_refused(digest: str) -> None:
    assert refusals(images__app=f"rakazo/app@{digest}") == [
        "rakazo:settings.images.app is not an image; write name@sha256:<64 hex digits> in lower case"
    ]


@pytest.mark.parametrize("name", ["registry.test:5000/a/b_c", "postgres", "localhost/rakazo-stand-in/app"])
def test_every_form_of_a_pinned_image_is_accepted(name: str) -> None:
    assert refusals(images__app=f"{name}@sha256:{ZEROS}") == []


def test_another_major_version_of_postgres_is_refused() -> None:
    """B107: from 18 on the image keeps its data elsewhere."""
    assert refusals(images__postgres_major=18) == [
        "rakazo:settings.images.postgres_major must be 16; write postgres_major: 16"
    ]


@pytest.mark.parametrize(
    "host", ["https://rakazo.example.com", "rakazo.example.com/", "rakazo.example.com:443", "rakazo.example.com/app"]
)
def test_a_host_with_scheme_port_or_path_is_refused(host: str) -> None:
    """B125: the origin is made of the bare host; anything more would reach cookies and the host check."""
    (fault,) = refusals(application__public__host=host)
    assert fault.startswith("rakazo:settings.application.public.host holds a scheme, port or path")


def test_a_host_in_upper_case_is_refused() -> None:
    (fault,) = refusals(application__public__host="Rakazo.example.com")
    assert "answer 403" in fault


@pytest.mark.parametrize("host", ["-a.example.com", "a..b", "", "a_b.example.com"])
def test_what_is_no_host_name_is_refused(host: str) -> None:
    (fault,) = refusals(application__public__host=host)
    assert fault.startswith("rakazo:settings.application.public.host is not a host name")


def test_open_sign_ups_without_a_list_are_refused() -> None:
    """B124: the first to register owns the install."""
    (fault,) = refusals(application__signup_allowlist=None)
    assert fault.startswith("rakazo:settings.application: signup_allowlist is empty while sign-ups are open")
    assert fault.endswith('write signup_allowlist: ["me@example.com"]')


def test_closed_sign_ups_need_no_list() -> None:
    """B124: nobody can register."""
    assert refusals(application__signup_allowlist=None, application__signups_enabled=False) == []


@pytest.mark.parametrize("entry", ["example.com", "me@", "a@b, c@d", ""])
def test_an_entry_that_would_match_nobody_or_anybody_is_refused(entry: str) -> None:
    (fault,) = refusals(application__signup_allowlist=[entry])
    assert fault.startswith("rakazo:settings.application.signup_allowlist[0] is neither an address nor a domain")


def test_one_namespace_for_everything_is_refused() -> None:
    (fault,) = refusals(application__namespace="rakazo-sandboxes")
    assert fault.startswith("rakazo:settings.application: namespace and computers_namespace are the same")


@pytest.mark.parametrize("key", ["namespace", "computers_namespace"])
@pytest.mark.parametrize("name", ["default", "kube-system", "kube-public", "kube-node-lease", "kube-flannel"])
def test_a_namespace_of_kubernetes_own_is_refused(key: str, name: str) -> None:
    """B130: the stack would close it to everybody else, and remove it when it is destroyed."""
    (fault,) = refusals(**{f"application__{key}": name})
    assert fault.startswith(f"rakazo:settings.application.{key} is Kubernetes' own namespace")
    assert fault.endswith("write one that nothing else uses, such as rakazo")


@pytest.mark.parametrize("handler", ["runc", "crun", "youki", "kata", "kata-qemu", "kata-fc"])
def test_another_runtimes_handler_under_gvisors_name_is_refused(handler: str) -> None:
    """B045, B047: the class would say gVisor while computers share the node's kernel."""
    (fault,) = refusals(runtime={"kind": "gvisor", "handler": handler})
    assert fault.startswith("rakazo:settings.runtime.handler is the handler of another runtime")
    assert "write kind: runc" in fault


@pytest.mark.parametrize("handler", ["runsc", "gvisor", "runsc-kvm"])
def test_every_name_that_gvisor_goes_by_is_accepted(handler: str) -> None:
    """B045: containerd's name for it is the operator's choice."""
    assert refusals(runtime={"kind": "gvisor", "handler": handler}) == []


@pytest.mark.parametrize(("port", "told"), [(29999, "at least 30000"), (32768, "at most 32767")])
@pytest.mark.parametrize("key", ["web", "api"])
def test_a_node_port_outside_kubernetes_range_is_refused(key: str, port: int, told: str) -> None:
    (fault,) = refusals(**{f"edge__{key}": port})
    assert fault.startswith(f"rakazo:settings.edge.{key} must be {told}; write {key}: 3")


def test_api_has_no_node_port_unless_one_is_written() -> None:
    """It would open all of api past web."""
    settings = read_settings(document(edge={"kind": "node-port"}))

    assert isinstance(settings, StackSettings)
    assert settings.edge.api is None


def test_two_node_ports_that_are_one_are_refused() -> None:
    (fault,) = refusals(edge__web=30100)
    assert fault == "rakazo:settings.edge: web and api have the same port; give each its own in 30000-32767"


@pytest.mark.parametrize("port", [6099, 7000])
def test_a_last_screen_port_that_opens_none_or_the_control_service_is_refused(port: int) -> None:
    """B080: displays start at 6100; 7070 is the control service."""
    (fault,) = refusals(computers__last_screen_port=port)
    assert fault.startswith("rakazo:settings.computers.last_screen_port must be at ")
