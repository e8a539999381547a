"""What reports say of a stack with Docker computers, where others speak of a cluster."""

import dataclasses
import json

import pytest

from operations.report.document import as_document
from operations.report.html import render_html
from operations.report.kind import Kind, kind_of
from operations.report.markdown import render_markdown
from probes.reach import Destination
from probes.vantage import Vantage
from probes.verification import Verification
from tests.unit.operations.report.example import example
from tests.unit.probes.docker.example import facts

NODES = (("rakazo-1", "Docker 28.5.2", "runc 1.3.0"),)


@pytest.fixture
def verification() -> Verification:
    return dataclasses.replace(example(results=(), answers=()), facts=facts(), server_version="28.5.2", nodes=NODES)


def test_the_document_names_docker_and_no_kubernetes(verification: Verification) -> None:
    document = json.loads(json.dumps(as_document(verification)))
    assert document["versions"]["docker"] == "28.5.2"
    assert "kubernetes" not in document["versions"]
    assert document["versions"]["nodes"] == [
        {"name": "rakazo-1", "engine": "Docker 28.5.2", "container_runtime": "runc 1.3.0"}
    ]
    stack = document["stack"]
    assert (stack["kind"], stack["machine"], stack["pids"], stack["web"]) == (
        "docker",
        "rakazo-1",
        2048,
        "127.0.0.1:5173",
    )
    assert "host_key" not in stack


def test_page_and_summary_name_the_machine_and_say_that_its_kernel_is_shared(verification: Verification) -> None:
    page, summary = render_html(verification), render_markdown(verification)
    for text in (
        "rakazo-1 at 203.0.113.9",
        "Docker Engine",
        "share the machine",
        "inside its containers",
        "runc 1.3.0",
    ):
        assert text in page
    assert "machine rakazo-1 at 203.0.113.9" in summary
    assert "kubelet" not in page + summary
    assert "RuntimeClass" not in page


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a port of the machine", Kind.MACHINE),
        ("the machine", Kind.MACHINE),
        (str(Vantage.LISTENER), Kind.CONTAINERS),
        ("supervisor by container", Kind.SUPERVISOR),
        ("postgres by container", Kind.POSTGRES),
        ("a screen of another computer", Kind.SCREENS),
    ],
)
def test_destinations_of_a_machine_have_kinds_of_their_own(name: str, kind: Kind) -> None:
    assert kind_of(Destination(name=name, address="10.189.0.14", port=6080), facts()) is kind
