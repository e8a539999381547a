"""Guards are proven by breaking what they guard: each mutation of the source makes the fast tiers fail.

The live twins, which break a running cluster, are in tests/isolation (B045, B066, B079, B103).
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FENCES = "tests/program/test_every_fence.py::test_every_stack_is_fenced"
"""The part of the suite that says in words what is wrong with a stack; a part only for speed."""
COPIED = ("components", "stacks", "tests", "pyproject.toml", "Pulumi.yaml", "__main__.py")


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """One change of one file, and the failure that it has to cause."""

    file: str
    old: str
    new: str
    cause: str
    """The sentence of the failure that tells a person what was broken."""


MUTATIONS = {
    "the handler is runc instead of runsc": Mutation(
        file="components/runtimes/gvisor.py",
        old="handler=args.settings.handler,",
        new='handler="runc",',
        cause="computers run on {'runc'}, which is no sandbox",
    ),
    "the egress policy is dropped": Mutation(
        file="components/rakazo/network_policies.py",
        old='policy_types=["Ingress", "Egress"]',
        new='policy_types=["Ingress"]',
        cause="no policy denies what leaves rakazo",
    ),
    "podSelector and namespaceSelector are two items": Mutation(
        file="components/rakazo/network_edges.py",
        old="""                        namespace_selector=network_peer.namespace(around.application),
                        pod_selector=network_peer.components(around, *callers),
""",
        new="""                        namespace_selector=network_peer.namespace(around.application),
                    ),
                    networking.NetworkPolicyPeerArgs(
                        pod_selector=network_peer.components(around, *callers),
""",
        cause="screens-from-application admits whoever matches either selector: write both in one peer",
    ),
    "the role may list pods": Mutation(
        file="components/rakazo/permissions.py",
        old='resources=["pods"], verbs=["create", "get", "delete"]',
        new='resources=["pods"], verbs=["create", "get", "delete", "list"]',
        cause="rights that Rakazo does not need: [('pods', 'list')]",
    ),
    "the token is mounted in web": Mutation(
        file="components/kubernetes/workload.py",
        old="automount_service_account_token=trusted",
        new='automount_service_account_token=trusted or service.name == "web"',
        cause="a service account token is mounted in ['api', 'web', 'worker']",
    ),
    "API_PORT is not set": Mutation(
        file="components/rakazo/services.py",
        old='        "API_PORT": str(names.API_PORT),',
        new="        #",
        cause="API_PORT is not set: a Service named api would falsify it",
    ),
    "the mutating policy is not declared": Mutation(
        file="components/rakazo/startup_wait.py",
        old="            self._declare(name, args)",
        new="            pass",
        cause="no mutating policy puts the wait in front of computers",
    ),
}


def suite(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the fences on a copy of the repository."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=short", FENCES],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the repository that may be broken."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_broken_guard_makes_the_suite_fail_with_the_cause(copy: Path, name: str) -> None:
    """Done-when 5 of the first issue."""
    mutation = MUTATIONS[name]
    file = copy / mutation.file
    text = file.read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1, f"{mutation.file} has changed: bring this mutation up to date"
    file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    ran = suite(copy)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    # In the sentence of a failed assertion, not in a test's name or a line of source.
    sentences = [line for line in ran.stdout.splitlines() if line.startswith("E   AssertionError: ")]
    assert any(mutation.cause in sentence for sentence in sentences), ran.stdout


def test_the_unbroken_copy_passes(copy: Path) -> None:
    """The twin: what fails above fails for the mutation, not for being a copy."""
    ran = suite(copy)
    assert ran.returncode == 0, ran.stdout + ran.stderr
