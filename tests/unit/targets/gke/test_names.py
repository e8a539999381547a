"""Names at Google: as long as Google takes them, and no two alike."""

import pytest

from components.targets.gke.names import LONGEST_ACCOUNT, LONGEST_CLUSTER, labels, named
from stacks.object_name import LONGEST
from tests.providers.gcp.accounts import ACCOUNT
from tests.providers.gcp.google_type import NAME

STACKS = ("a", "team", "a" * LONGEST, "a" * (LONGEST - 1) + "b", "a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t")


@pytest.mark.parametrize("stack", STACKS)
def test_every_stack_has_names_that_google_takes(stack: str) -> None:
    """B021: 40 characters for a cluster, 30 for an account, 63 for the rest."""
    cluster, account = named(stack, longest=LONGEST_CLUSTER), named(stack, "nodes", longest=LONGEST_ACCOUNT)
    assert NAME.fullmatch(cluster)
    assert len(cluster) <= 40
    assert ACCOUNT.fullmatch(account)
    for what in ("network", "nodes", "control-plane", "router", "nat"):
        assert NAME.fullmatch(named(stack, what))
    assert all(len(value) <= 63 for value in labels(stack).values())


def test_two_stacks_never_share_a_name() -> None:
    """B037: also where both are cut off at the same place."""
    for longest, what in ((LONGEST_CLUSTER, ""), (LONGEST_ACCOUNT, "nodes")):
        assert len({named(stack, what, longest=longest) for stack in STACKS}) == len(STACKS)


def test_a_name_that_fits_is_the_whole_of_it() -> None:
    assert named("team", longest=LONGEST_CLUSTER) == "rakazo-team"
    assert named("team", "nodes", longest=LONGEST_ACCOUNT) == "rakazo-team-nodes"
