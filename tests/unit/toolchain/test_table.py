"""The tables in tools/ name every program, and each module pins what its table says."""

import re

import pytest

from local.toolchain import DOCKER_TABLE, TABLE
from local.toolchain.program import Program, load_programs

EMBEDDED = load_programs(TABLE)
DOCKER = load_programs(DOCKER_TABLE)
PROGRAMS = (*EMBEDDED, *DOCKER)

NEEDED = {
    "containerd-shim-runsc-v1",
    "coredns",
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-proxy",
    "kube-router",
    "kube-scheduler",
    "kubelet",
    "kubernetes",
    "local-path-provisioner",
    "pulumi",
    "pulumi-language-python",
    "pulumi-language-python-exec",
    "pulumi-resource-kubernetes",
    "runsc",
}

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)


def test_the_tables_provide_each_needed_binary_once() -> None:
    provided = [name for program in EMBEDDED for name in program.binaries]
    assert sorted(provided) == sorted(NEEDED)
    of_docker = [name for program in DOCKER for name in program.binaries]
    assert sorted(of_docker) == ["docker", "docker-compose", "docker-proxy", "dockerd"]


def test_every_module_below_tools_is_in_a_table() -> None:
    folders = {path.parent for path in TABLE.parent.glob("*/go.mod")}
    assert folders == {program.folder for program in PROGRAMS}


@each_program
def test_the_module_requires_exactly_the_version_of_the_table(program: Program) -> None:
    text = (program.folder / "go.mod").read_text()
    # `tool` packages are marked indirect.
    line = rf"^(?:require |\t){re.escape(program.module)} (\S+)(?: // indirect)?$"
    required = re.findall(line, text, re.MULTILINE)
    assert required == [program.version]


@each_program
def test_the_checksum_of_the_pinned_version_is_committed(program: Program) -> None:
    checksums = (program.folder / "go.sum").read_text().splitlines()
    assert any(line.startswith(f"{program.module} {program.version} h1:") for line in checksums)


@each_program
def test_a_package_of_another_module_is_kept_by_a_tool_directive(program: Program) -> None:
    own = program.package.startswith(".")
    text = (program.folder / "go.mod").read_text()
    assert own or re.search(rf"^tool {re.escape(program.package)}$", text, re.MULTILINE)


@each_program
def test_no_placeholder_is_left_in_the_linker_variables(program: Program) -> None:
    assert not re.search(r"[{}]", " ".join(program.flags))


@each_program
def test_every_binary_is_static(program: Program) -> None:
    assert not program.cgo
