"""What stacks tell when they are up: the same everywhere, so that whoever reads it need not know the cloud."""

from tests.program.stack_files import STACK_NAMES, exported, settings_of

ALWAYS = {"url", "namespace", "computers_namespace", "runtime_class", "isolation", "facts"}
assert {settings_of(name).target.kind for name in STACK_NAMES} > {"existing"}, "there is nothing to compare"


def test_every_target_tells_the_same(stack: str) -> None:
    """A cluster that was there before has its kubeconfig where it always was; a made one's is told."""
    made = settings_of(stack).target.kind != "existing"
    assert exported(stack) == ALWAYS | ({"kubeconfig"} if made else set())
