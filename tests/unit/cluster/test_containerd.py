"""How containerd learns about gVisor, by the release of k3s."""

import tomllib

import pytest

from components.k3s.containerd import FOLDER, choose_runtime_file
from stacks.target.k3s import parse_release

BASE = '{{ template "base" . }}\n'
V2 = "io.containerd.grpc.v1.cri"
V3 = "io.containerd.cri.v1.runtime"


@pytest.mark.parametrize(
    ("release", "file", "plugin"),
    [
        ("v1.30.0+k3s1", "config.toml.tmpl", V2),
        ("v1.31.5+k3s1", "config.toml.tmpl", V2),
        ("v1.32.1+k3s1", "config.toml.tmpl", V2),
        ("v1.31.6+k3s1", "config-v3.toml.tmpl", V3),
        ("v1.32.2+k3s1", "config-v3.toml.tmpl", V3),
        ("v1.33.5+k3s1", "config-v3.toml.tmpl", V3),
        ("v1.34.5+k3s1", "config-v3.toml.tmpl", V3),
        ("v1.35.2+k3s2", "config-v3.toml.tmpl", V3),
        ("v1.34.6+k3s1", "config-v3.toml.d/10-gvisor.toml", V3),
        ("v1.35.3+k3s1", "config-v3.toml.d/10-gvisor.toml", V3),
        ("v1.36.0+k3s1", "config-v3.toml.d/10-gvisor.toml", V3),
        ("v1.37.0+k3s1", "config-v3.toml.d/10-gvisor.toml", V3),
    ],
)
def test_the_release_decides_file_and_table(release: str, file: str, plugin: str) -> None:
    """B045: containerd 2 ignores the tables of containerd 1 without a word, and the installer succeeds."""
    made = choose_runtime_file(parse_release(release))
    assert made.path == f"{FOLDER}/{file}"
    assert made.content.startswith(BASE) == file.endswith(".tmpl")
    loaded = tomllib.loads(made.content.removeprefix(BASE))
    assert loaded["plugins"] == {
        plugin: {
            "containerd": {
                "runtimes": {
                    "runsc": {
                        "runtime_type": "io.containerd.runsc.v1",
                        "options": {
                            "TypeUrl": "io.containerd.runsc.v1.options",
                            "ConfigPath": "/etc/containerd/runsc.toml",
                        },
                    }
                }
            }
        }
    }
    assert loaded.get("version") == (3 if file.endswith("gvisor.toml") else None)
