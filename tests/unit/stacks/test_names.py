"""Names: the tightest limit of every platform, checked before anything is made."""

import pytest

from stacks.load import read_settings, stack_name_faults
from stacks.object_name import LONGEST, check_object_name
from tests.unit.example import document

REFUSED = ["org/proj/infra.dev", "My_Stack", "a" * 100, "a-.b", "a.b", "1st", "-a", "a-", "", "ä", "a\n"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_stack_name_that_some_platform_refuses_is_refused_by_us(name: str) -> None:
    """B021: legal in Pulumi, but not in names of Kubernetes, GKE or Hetzner Cloud."""
    (fault,) = stack_name_faults(name)
    assert fault.startswith("the stack's name ")
    assert fault.endswith("write: pulumi stack rename <name>")


@pytest.mark.parametrize("name", ["local", "a", "team-7", "a" * LONGEST])
def test_a_stack_name_that_every_platform_takes_is_accepted(name: str) -> None:
    """B021: the limit itself is inside."""
    assert stack_name_faults(name) == []


@pytest.mark.parametrize("key", ["namespace", "computers_namespace"])
@pytest.mark.parametrize("name", REFUSED)
def test_namespaces_obey_the_same_limits(key: str, name: str) -> None:
    """B021: names of cluster-wide objects are made of them."""
    faults = read_settings(document(**{f"application__{key}": name}))

    assert isinstance(faults, list)
    assert [fault.split(" ", 1)[0] for fault in faults] == [f"rakazo:settings.application.{key}"]


def test_the_message_names_length_and_limit() -> None:
    with pytest.raises(ValueError, match=r"has 41 characters; the limit is 40 \(names of GKE clusters\)"):
        check_object_name("a" * 41)
