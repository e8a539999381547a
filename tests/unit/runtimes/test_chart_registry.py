"""The registry of the tests that stand in for Kata's: what Helm asks for, in its order."""

import hashlib
import http.client
import io
import json
import ssl
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chart_registry import CONTENT, ChartRegistry, chart_registry

CHART = Path(__file__).parents[2] / "charts" / "kata-deploy"


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[ChartRegistry]:
    with chart_registry(tmp_path, CHART) as made:
        yield made


def read(registry: ChartRegistry, path: str, trusted: ssl.SSLContext | None = None) -> bytes:
    context = trusted or ssl.create_default_context(cafile=str(registry.authority))
    link = http.client.HTTPSConnection("127.0.0.1", registry.port, context=context)
    try:
        link.request("GET", f"/v2/charts/kata-deploy/{path}")
        answer = link.getresponse()
        assert answer.status == 200
        return answer.read()
    finally:
        link.close()


def test_a_chart_is_found_by_its_version_and_everything_in_it_by_its_digest(registry: ChartRegistry) -> None:
    manifest = json.loads(read(registry, "manifests/4.1.0"))
    (layer,) = manifest["layers"]
    assert layer["mediaType"] == CONTENT
    content = read(registry, f"blobs/{layer['digest']}")
    assert layer["digest"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        names = set(archive.getnames())
    assert {"kata-deploy/Chart.yaml", "kata-deploy/values.schema.json", "kata-deploy/templates/node.yaml"} <= names
    assert json.loads(read(registry, f"blobs/{manifest['config']['digest']}"))["version"] == "4.1.0"
    assert registry.asked[0] == "/v2/charts/kata-deploy/manifests/4.1.0"


def test_who_does_not_trust_it_reads_nothing(registry: ChartRegistry) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        read(registry, "manifests/4.1.0", ssl.create_default_context())
    assert registry.asked == []
