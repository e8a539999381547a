"""Keys of the stand-in for tls, read back by other programs' code."""

import asyncssh
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from tests.providers import lifecycle
from tests.providers.call import Call
from tests.providers.tls import TlsPackage
from tests.providers.tls.private_key import CURVES
from tests.providers.values import Secret

TOKEN = "tls:index/privateKey:PrivateKey"
CALL = Call(urn="urn", name="key", preview=False)

KINDS = [{"algorithm": "ED25519"}, {"algorithm": "RSA"}] + [
    {"algorithm": "ECDSA", "ecdsaCurve": each} for each in CURVES
]


@pytest.mark.parametrize("inputs", KINDS, ids=lambda each: "-".join(each.values()))
def test_every_format_of_a_key_is_the_same_key(inputs: dict[str, str]) -> None:
    kind = TlsPackage().type(TOKEN)
    made = kind.create(dict(inputs), CALL)
    assert kind.schema.fitting(made.outputs) == []
    public = load_pem_public_key(made.outputs["publicKeyPem"].encode())
    for name in ("privateKeyPem", "privateKeyPemPkcs8"):
        assert load_pem_private_key(made.outputs[name].encode(), None).public_key() == public
    if inputs.get("ecdsaCurve") == "P224":  # OpenSSH has none, and the real provider says so by empty text
        assert made.outputs["publicKeyOpenssh"] == made.outputs["publicKeyFingerprintSha256"] == ""
        return
    key = asyncssh.import_private_key(made.outputs["privateKeyOpenssh"])
    line = made.outputs["publicKeyOpenssh"]
    assert line.endswith("\n")
    assert asyncssh.import_public_key(line) == key.convert_to_public()
    assert made.outputs["publicKeyFingerprintSha256"] == key.get_fingerprint()
    assert made.outputs["publicKeyFingerprintMd5"] == key.get_fingerprint("md5").removeprefix("MD5:")


def test_private_forms_are_secret_whatever_the_program_does() -> None:
    kind = TlsPackage().type(TOKEN)
    made = lifecycle.create(kind, {"algorithm": "ED25519"}, CALL)
    secret = {name for name, value in made.outputs.items() if isinstance(value, Secret)}
    assert secret == {name for name in kind.schema.outputs if name.startswith("privateKey")}


def test_every_input_makes_another_key() -> None:
    kind = TlsPackage().type(TOKEN)
    assert kind.replaces == kind.schema.inputs


@pytest.mark.parametrize(("name", "value"), [("algorithm", "DSA"), ("ecdsaCurve", "P111")])
def test_an_algorithm_that_there_is_not_fails_in_preview(name: str, value: str) -> None:
    found = TlsPackage().type(TOKEN).check({"algorithm": "RSA", name: value})
    assert [each.path for each in found] == [name]
