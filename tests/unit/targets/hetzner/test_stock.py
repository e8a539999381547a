"""Where the wanted types can be had."""

import pytest

from components.targets.hetzner.stock import NowhereError, Offer, choose_location, endings

YES, NO = Offer(available=True, ends=""), Offer(available=False, ends="")
ENDS = Offer(available=True, ends="2027-03-01")


def test_the_first_location_with_everything_is_taken() -> None:
    assert choose_location(["fsn1", "nbg1"], {"cx43": {"fsn1": YES, "nbg1": YES}}) == "fsn1"


@pytest.mark.parametrize("first", [{"nbg1": YES}, {"fsn1": NO, "nbg1": YES}], ids=["never sold", "sold out"])
def test_the_next_one_is_taken_when_the_first_lacks_it(first: dict[str, Offer]) -> None:
    """B030."""
    assert choose_location(["fsn1", "nbg1"], {"cx43": first}) == "nbg1"


def test_every_type_has_to_be_there() -> None:
    """B030: half a cluster is none."""
    offers = {"cx33": {"fsn1": YES, "nbg1": YES}, "ccx33": {"fsn1": NO, "nbg1": YES}}
    assert choose_location(["fsn1", "nbg1"], offers) == "nbg1"


def test_sold_out_everywhere_is_for_now_and_names_where_there_is_some() -> None:
    """B030: what to do about it is another than for a type that is never sold there."""
    with pytest.raises(NowhereError) as refusal:
        choose_location(["fsn1"], {"cx43": {"fsn1": NO, "hel1": YES}})
    assert refusal.value.for_now
    assert "cx43 is sold out in fsn1 (in stock: hel1)" in str(refusal.value)
    assert "Nothing was ordered; try again later, add a location of the same zone" in str(refusal.value)


def test_never_sold_there_is_for_ever() -> None:
    """B030."""
    with pytest.raises(NowhereError) as refusal:
        choose_location(["ash"], {"cx43": {"fsn1": YES}})
    assert not refusal.value.for_now
    assert "no place offers every type. cx43 is never sold in ash (in stock: fsn1)" in str(refusal.value)


def test_an_end_that_is_announced_is_a_warning() -> None:
    """B030: a server that is rebuilt after it could not get its type again."""
    (warning,) = endings("fsn1", {"cx43": {"fsn1": ENDS}, "cx33": {"fsn1": YES}})
    assert warning.startswith("cx43 can be ordered in fsn1 until 2027-03-01 only")
