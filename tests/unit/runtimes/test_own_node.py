"""What a pod that may label its node is refused. That it is refused is shown on an embedded node."""

import pytest

from components.runtimes import own_node


@pytest.mark.parametrize("field", ["annotations", "finalizers", "ownerReferences"])
def test_nothing_of_a_nodes_metadata_changes_but_its_labels(field: str) -> None:
    """A node whose owner does not exist is deleted by the garbage collector, with whatever runs on it."""
    (expression,) = (rule for rule, said in own_node.rules("a prover", "ready").items() if "nothing else" in said)
    compared = expression.split(" && ")
    (own,) = (each for each in compared if f"object.metadata.?{field}." in each)
    now, before = own.split(" == ")
    assert before == now.replace("object", "oldObject")
