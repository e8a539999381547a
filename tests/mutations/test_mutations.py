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
COPIED = ("components", "stacks", "tests", "pyproject.toml", "Pulumi.yaml", "__main__.py")


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """One change of one file, and the failure that it has to cause."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    """Where the suite is looked at; a smaller part than all of it only for speed."""
    cause: str
    """Text of the failure that tells a person what was broken."""


MUTATIONS = {
    "the handler is runc instead of runsc": Mutation(
        file="components/runtimes/gvisor.py",
        old="handler=args.settings.handler,",
        new='handler="runc",',
        tests=("tests/unit/runtimes",),
        cause="runsc",
    ),
    "the egress policy is dropped": Mutation(
        file="components/rakazo/network_policies.py",
        old='policy_types=["Ingress", "Egress"]',
        new='policy_types=["Ingress"]',
        tests=("tests/unit/rakazo/test_network_policies.py",),
        cause="Egress",
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
        tests=("tests/unit/rakazo/test_network_policies.py",),
        cause="test_screens_have_one_peer_that_names_namespace_and_pods_together",
    ),
    "the role may list pods": Mutation(
        file="components/rakazo/permissions.py",
        old='resources=["pods"], verbs=["create", "get", "delete"]',
        new='resources=["pods"], verbs=["create", "get", "delete", "list"]',
        tests=("tests/unit/rakazo/test_permissions.py",),
        cause="list",
    ),
    "the token is mounted in web": Mutation(
        file="components/kubernetes/workload.py",
        old="automount_service_account_token=trusted",
        new='automount_service_account_token=trusted or service.name == "web"',
        tests=("tests/unit/rakazo/test_pods.py",),
        cause="test_only_api_and_worker_get_a_token",
    ),
    "API_PORT is not set": Mutation(
        file="components/rakazo/services.py",
        old='        "API_PORT": str(names.API_PORT),',
        new="        #",
        tests=("tests/unit/rakazo/test_services.py",),
        cause="API_PORT",
    ),
    "the mutating policy is not declared": Mutation(
        file="components/rakazo/startup_wait.py",
        old="            self._declare(name, args)",
        new="            pass",
        tests=("tests/unit/rakazo/test_startup_wait.py",),
        cause="MutatingAdmissionPolicy",
    ),
}


def suite(folder: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run part of the suite on a copy of the repository."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=short", *tests],
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
    ran = suite(copy, mutation.tests)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert mutation.cause in ran.stdout, ran.stdout


def test_the_unbroken_copy_passes(copy: Path) -> None:
    """The twin: what fails above fails for the mutation, not for being a copy."""
    tests = tuple(sorted({test for mutation in MUTATIONS.values() for test in mutation.tests}))
    ran = suite(copy, tests)
    assert ran.returncode == 0, ran.stdout + ran.stderr
