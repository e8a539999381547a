"""What the stand-in's containerd is started with: k3s' rendering, its users' files, and containerd's rules for them."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.k3s.program import toml_text
from tests.k3s.program.containerd_merge import for_debian, load
from tests.k3s.program.containerd_template import Containerd
from tests.k3s.program.paths import Layout
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.release import Release

WITH_DROP_INS, WITH_TEMPLATE, WITH_OLD_TEMPLATE = "v1.36.2+k3s1", "v1.33.5+k3s1", "v1.30.4+k3s1"
GVISOR = """
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runsc]
  runtime_type = "io.containerd.runsc.v1"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runsc.options]
  TypeUrl = "io.containerd.runsc.v1.options"
  ConfigPath = "/etc/containerd/runsc.toml"
"""
OLD_GVISOR = GVISOR.replace("io.containerd.cri.v1.runtime", "io.containerd.grpc.v1.cri")
RUNC_AGAIN = """
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  cgroup_writable = true
"""
BASE = '{{ template "base" . }}\n'


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path)
    made.containerd_etc.mkdir(parents=True)
    return made


def put(layout: Layout, name: str, text: str) -> None:
    path = layout.containerd_etc / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def started(layout: Layout, version: str = WITH_DROP_INS) -> dict[str, Any]:
    """Return the CRI section of what Debian's containerd is started with."""
    release = Release.parse(version)
    layout.containerd_config.write_text(Containerd(layout, release, "localhost/pause@sha256:0").render())
    merged = load(layout.containerd_config, 3 if release.has_containerd_2 else 2)
    content = tomllib.loads(toml_text.render(for_debian(merged)))
    assert content["version"] == 2
    assert "imports" not in content
    cri: dict[str, Any] = content["plugins"]["io.containerd.grpc.v1.cri"]
    return cri


def handlers(layout: Layout, version: str = WITH_DROP_INS) -> set[str]:
    return set(started(layout, version)["containerd"]["runtimes"])


@pytest.mark.parametrize("version", [WITH_DROP_INS, WITH_TEMPLATE, WITH_OLD_TEMPLATE])
def test_without_files_of_users_there_is_runc_alone(layout: Layout, version: str) -> None:
    cri = started(layout, version)
    assert set(cri["containerd"]["runtimes"]) == {"runc"}
    assert cri["containerd"]["snapshotter"] == "overlayfs"
    assert cri["sandbox_image"] == "localhost/pause@sha256:0"
    assert cri["cni"] == {"bin_dir": "/usr/lib/cni", "conf_dir": str(layout.cni)}
    assert cri["restrict_oom_score_adj"] is True


def test_a_drop_in_adds_a_handler_with_its_options(layout: Layout) -> None:
    put(layout, "config-v3.toml.d/10-gvisor.toml", "version = 3\n" + GVISOR)
    runtimes = started(layout)["containerd"]["runtimes"]
    assert set(runtimes) == {"runc", "runsc"}
    assert runtimes["runsc"]["options"]["ConfigPath"] == "/etc/containerd/runsc.toml"
    assert runtimes["runc"]["runtime_type"] == "io.containerd.runc.v2"


def test_drop_ins_merge_into_a_table_that_is_there(layout: Layout) -> None:
    put(layout, "config-v3.toml.d/10-runc.toml", "version = 3\n" + RUNC_AGAIN)
    runc = started(layout)["containerd"]["runtimes"]["runc"]
    assert (runc["runtime_type"], runc["cgroup_writable"]) == ("io.containerd.runc.v2", True)


def test_older_releases_pass_over_drop_ins(layout: Layout) -> None:
    put(layout, "config-v3.toml.d/10-gvisor.toml", "version = 3\n" + GVISOR)
    assert handlers(layout, WITH_TEMPLATE) == {"runc"}


@pytest.mark.parametrize("version", [WITH_DROP_INS, WITH_TEMPLATE])
def test_a_template_extends_the_base(layout: Layout, version: str) -> None:
    put(layout, "config-v3.toml.tmpl", BASE + GVISOR)
    assert handlers(layout, version) == {"runc", "runsc"}


def test_a_release_with_the_first_containerd_has_a_template_of_its_own(layout: Layout) -> None:
    """B045: what is written for the other generation is passed over, and the handler is missing."""
    put(layout, "config-v3.toml.tmpl", BASE + GVISOR)
    assert handlers(layout, WITH_OLD_TEMPLATE) == {"runc"}
    put(layout, "config.toml.tmpl", BASE + OLD_GVISOR)
    assert handlers(layout, WITH_OLD_TEMPLATE) == {"runc", "runsc"}


def test_the_new_containerd_migrates_an_old_template_only_without_a_new_one(layout: Layout) -> None:
    put(layout, "config.toml.tmpl", BASE + OLD_GVISOR)
    assert handlers(layout) == {"runc", "runsc"}
    put(layout, "config-v3.toml.tmpl", BASE)
    assert handlers(layout) == {"runc"}


def test_a_table_of_containerd_1_does_nothing_in_a_file_of_version_3(layout: Layout) -> None:
    """B045."""
    put(layout, "config-v3.toml.d/10-gvisor.toml", "version = 3\n" + OLD_GVISOR)
    assert handlers(layout) == {"runc"}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("config-v3.toml.tmpl", BASE + RUNC_AGAIN, "failed to unmarshal TOML"),
        ("config-v3.toml.d/10.toml", "version = 3\n[a", "10.toml: failed to unmarshal TOML"),
        ("config-v3.toml.d/10.toml", "version = 4\n" + GVISOR, "unsupported config version 4"),
        ("config-v3.toml.tmpl", "{{ .NodeConfig }}", "understands {{ template"),
    ],
)
def test_what_would_keep_containerd_down_ends_the_start(layout: Layout, name: str, text: str, complaint: str) -> None:
    put(layout, name, text)
    with pytest.raises(Refusal) as refused:
        started(layout)
    assert complaint in str(refused.value)


def test_a_drop_in_newer_than_the_root_ends_the_start(layout: Layout) -> None:
    put(layout, "config.toml.tmpl", BASE)
    put(layout, "config.toml.d/10-gvisor.toml", "version = 3\n" + GVISOR)
    with pytest.raises(Refusal, match="drop-in config version 3 higher than root config version 2"):
        started(layout)


def test_the_default_runtime_is_told_to_containerd(layout: Layout) -> None:
    for version in (WITH_DROP_INS, WITH_OLD_TEMPLATE):
        rendered = Containerd(layout, Release.parse(version), "pause", default_runtime="runsc").render()
        assert 'default_runtime_name = "runsc"' in rendered


def test_toml_is_written_as_it_is_read() -> None:
    content = {"a": 1, "b": True, "c": ["x", "y"], "t": {"key.with dots": {"deep": 'q"uote\n'}, "empty": {}}}
    assert tomllib.loads(toml_text.render(content)) == content


def test_the_rendered_file_says_that_it_is_generated(layout: Layout) -> None:
    text = Containerd(layout, Release.parse(WITH_DROP_INS), "pause").render()
    assert f'imports = ["{layout.containerd_etc}/config-v3.toml.d/*.toml"]' in text
    assert "version = 3" in text.splitlines()
