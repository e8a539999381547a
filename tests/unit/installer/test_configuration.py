"""containerd's configuration with and without gVisor's part. That a containerd obeys it is shown on a node."""

import tomllib
from pathlib import Path

import pytest

from components.runtimes.installer.node import configuration
from components.runtimes.installer.node.configuration import Layout, Runtime
from components.runtimes.installer.node.node_error import NodeError

FOLDER = Path("/etc/containerd")
RUNTIME = Runtime(
    handler="runsc",
    shim=Path("/opt/rakazo-infra/20261116.0/containerd-shim-runsc-v1"),
    settings=Path("/opt/rakazo-infra/runsc.toml"),
)
SECOND = """version = 2

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "pause"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
"""
THIRD = """version = 3

[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = 'io.containerd.runc.v2'
"""
IMPORTING = f'imports = ["/etc/containerd/conf.d/*.toml"]\n{THIRD}'


@pytest.mark.parametrize(
    ("text", "version", "drop_ins"),
    [
        (SECOND, 2, None),
        (THIRD, 3, None),
        (IMPORTING, 3, FOLDER / "conf.d"),
        (f'imports = ["conf.d/*.toml"]\n{THIRD}', 3, FOLDER / "conf.d"),
        (f'imports = ["/run/elsewhere/*.toml", "/etc/containerd/one.toml"]\n{THIRD}', 3, None),
        (None, 2, None),
        ("", 2, None),
    ],
    ids=["v2", "v3", "drop-ins", "relative", "elsewhere", "missing", "empty"],
)
def test_version_and_layout_are_read_from_what_is_there(text: str | None, version: int, drop_ins: Path | None) -> None:
    """B045."""
    assert configuration.detect(text, FOLDER) == Layout(version=version, drop_ins=drop_ins)


def test_drop_ins_of_the_second_version_are_not_used() -> None:
    """Containerd 1 replaces the whole section of runtimes by an imported one, and runc would be gone."""
    assert configuration.detect(f'imports = ["/etc/containerd/conf.d/*.toml"]\n{SECOND}', FOLDER).drop_ins is None


@pytest.mark.parametrize("text", ["[plugins.cri]\n", 'version = 1\n[plugins.cri]\nx = "y"\n', "version = 4\n"])
def test_a_version_that_nobody_tried_is_refused(text: str) -> None:
    with pytest.raises(NodeError, match=r"has version .*, and gVisor can be made known to 2 and 3 only"):
        configuration.detect(text, FOLDER)


def runtimes(text: str, version: int) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = tomllib.loads(text)["plugins"][configuration.PLUGINS[version]]["containerd"][
        "runtimes"
    ]
    return found


@pytest.mark.parametrize(("text", "version"), [(SECOND, 2), (THIRD, 3)], ids=["v2", "v3"])
def test_gvisor_comes_beside_what_is_there_in_the_table_of_the_version(text: str, version: int) -> None:
    """B045: the tables of version 2 mean nothing in version 3, and nobody complains."""
    layout = Layout(version=version, drop_ins=None)
    merged = configuration.with_tables(text, layout, RUNTIME)
    assert merged.startswith(text)
    assert runtimes(merged, version)["runc"] == runtimes(text, version)["runc"]
    assert runtimes(merged, version)["runsc"]["options"] == {
        "TypeUrl": "io.containerd.runsc.v1.options",
        "ConfigPath": "/opt/rakazo-infra/runsc.toml",
    }
    assert configuration.with_tables(merged, layout, RUNTIME) == merged


def test_both_generations_of_containerd_find_the_shim_outside_of_their_path() -> None:
    """Containerd 1.6 has the key runtime_path and does not obey it; a path as the type it does."""
    shim = str(RUNTIME.shim)
    second = runtimes(configuration.with_tables(SECOND, Layout(version=2, drop_ins=None), RUNTIME), 2)["runsc"]
    assert (second["runtime_type"], second.get("runtime_path")) == (shim, None)
    third = runtimes(configuration.with_tables(THIRD, Layout(version=3, drop_ins=None), RUNTIME), 3)["runsc"]
    assert (third["runtime_type"], third["runtime_path"]) == ("io.containerd.runsc.v1", shim)


@pytest.mark.parametrize("text", [SECOND, THIRD, "", SECOND.rstrip("\n"), f"{SECOND}\n\n# end"])
def test_what_is_taken_away_leaves_every_byte_of_the_rest(text: str) -> None:
    merged = configuration.with_tables(text, configuration.detect(text, FOLDER), RUNTIME)
    assert "runsc" in merged
    assert configuration.without_tables(merged) == text
    assert configuration.without_tables(text) == text


def test_what_others_wrote_after_ours_stays() -> None:
    merged = configuration.with_tables(SECOND, Layout(version=2, drop_ins=None), RUNTIME)
    assert configuration.without_tables(f"{merged}[debug]\n") == f"{SECOND}[debug]\n"


def test_a_part_that_was_cut_off_is_taken_away_as_well() -> None:
    merged = configuration.with_tables(SECOND, Layout(version=2, drop_ins=None), RUNTIME)
    assert configuration.without_tables(merged[: merged.index("ConfigPath")]) == SECOND


def test_a_file_that_nobody_wrote_is_a_whole_one() -> None:
    merged = configuration.with_tables(None, Layout(version=2, drop_ins=None), RUNTIME)
    assert tomllib.loads(merged)["version"] == 2
    assert configuration.without_tables(merged) == ""


def test_a_drop_in_has_the_version_of_the_file_that_imports_it() -> None:
    """Of a higher one containerd passes it over without a word."""
    document = tomllib.loads(configuration.render_drop_in(Layout(version=3, drop_ins=FOLDER / "conf.d"), RUNTIME))
    assert document["version"] == 3
    assert list(document["plugins"]) == ["io.containerd.cri.v1.runtime"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{SECOND}[plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runsc]\n", "knows runsc already"),
        ('version = 2\nplugins = {"io.containerd.grpc.v1.cri" = {}}\n', "no TOML that gVisor could be added to"),
        ("version = \n", "no TOML"),
    ],
    ids=["foreign", "inline", "broken"],
)
def test_a_configuration_that_gvisor_does_not_fit_into_is_left_alone(text: str, message: str) -> None:
    with pytest.raises(NodeError, match=message):
        configuration.with_tables(text, Layout(version=2, drop_ins=None), RUNTIME)
