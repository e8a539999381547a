"""The secrets that a server of the stand-in for k3s keeps and passes on."""

from pathlib import Path

import pytest
from cryptography import x509

from tests.k3s.program import bootstrap, secrets_command
from tests.k3s.program.paths import Layout
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.server_files import ENCRYPTION, ServerFiles


@pytest.fixture
def files(tmp_path: Path) -> ServerFiles:
    made = ServerFiles(Layout(tmp_path))
    made.make("secretbox")
    return made


def test_a_second_start_keeps_the_authorities_and_keys(files: ServerFiles) -> None:
    before = files.bundle()
    files.make("secretbox")
    assert files.bundle() == before


def test_a_server_that_joins_becomes_one_of_the_same_cluster(files: ServerFiles, tmp_path: Path) -> None:
    other = ServerFiles(Layout(tmp_path / "other"))
    other.unpack(bootstrap.unseal(bootstrap.seal(files.bundle(), "token"), "token"))
    other.make("secretbox")
    assert other.bundle() == files.bundle()
    assert (tmp_path / "other/server" / ENCRYPTION).stat().st_mode & 0o777 == 0o600


def test_another_token_does_not_open_the_secrets(files: ServerFiles) -> None:
    with pytest.raises(Refusal, match="encrypted with different token"):
        bootstrap.unseal(bootstrap.seal(files.bundle(), "token"), "tokem")


def test_the_api_is_certified_for_every_address_that_is_asked_for(files: ServerFiles, tmp_path: Path) -> None:
    files.issue(["10.0.1.11", "cluster.example"], "s1")
    shown = x509.load_pem_x509_certificate((tmp_path / "server/tls/serving-kube-apiserver.crt").read_bytes())
    names = shown.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["cluster.example"]
    assert [str(each) for each in names.get_values_for_type(x509.IPAddress)] == ["10.0.1.11"]


def test_the_state_of_encryption_is_told(files: ServerFiles, tmp_path: Path) -> None:
    lines = secrets_command.status(Layout(tmp_path))
    assert lines[0] == "Encryption Status: Enabled"
    assert lines[-1].split() == ["*", "XSalsa20-POLY1305", "secretboxkey"]
    assert secrets_command.status(Layout(tmp_path / "none")) == [
        "Encryption Status: Disabled, no configuration file found"
    ]
