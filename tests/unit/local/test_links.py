"""Cables between machines keep their hardware addresses, whoever comes and goes."""

from local.machines import links


def test_a_machine_that_is_new_again_has_the_address_that_its_neighbours_know() -> None:
    """With another one, a gateway that others had just used was lost to them for several seconds."""
    (first, *_), (again, *_) = links.cable_lines("computers", 12), links.cable_lines("computers", 34)
    assert first.replace("netns 12", "") == again.replace("netns 34", "")
    assert f"address {links.hardware('computers')} " in first
    assert f"address {links.hardware(links.BRIDGE)} " in links.bridge_lines()[1]


def test_each_name_has_an_address_of_its_own_that_no_maker_of_hardware_gives_away() -> None:
    names = ("computers", "system", links.BRIDGE)
    assert len({links.hardware(name) for name in names}) == len(names)
    for name in names:
        first, *rest = links.hardware(name).split(":")
        assert first == "02"
        assert [len(byte) for byte in rest] == [2] * 5
