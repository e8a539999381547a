"""`tls.PrivateKey`, made by cryptography in the formats of the real provider."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.refused import RefusedError
from tests.providers.resource_type import Created, Resource, ResourceType
from tests.providers.tls import fingerprint
from tests.providers.values import UNKNOWN, Properties

Key = ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

CURVES: Final[Mapping[str, Callable[[], ec.EllipticCurve]]] = {
    "P224": ec.SECP224R1,
    "P256": ec.SECP256R1,
    "P384": ec.SECP384R1,
    "P521": ec.SECP521R1,
}
ALGORITHMS = ("RSA", "ECDSA", "ED25519")
DEFAULTS: Final[Properties] = {"rsaBits": 2048, "ecdsaCurve": "P224"}
"""Filled in whatever the algorithm is (terraform-provider-tls, resource_private_key.go)."""


class PrivateKey(ResourceType):
    """Every input replaces the key: nothing about a key can be changed (terraform-provider-tls, RequiresReplace)."""

    token = "tls:index/privateKey:PrivateKey"
    replaces = frozenset({"algorithm", "rsaBits", "ecdsaCurve"})
    secret_outputs = frozenset({"privateKeyPem", "privateKeyOpenssh", "privateKeyPemPkcs8"})

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take the algorithms and curves that there are."""
        choices = {"algorithm": ALGORITHMS, "ecdsaCurve": tuple(CURVES)}
        return [
            Failure(path=name, reason=f"must be one of {', '.join(choice)}")
            for name, choice in choices.items()
            if inputs.get(name) not in (None, UNKNOWN, *choice)
        ]

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make a key."""
        complete = {**DEFAULTS, **inputs}
        outputs = complete | _formats(_generate(complete), complete)
        return Created(id=hashlib.sha1(outputs["publicKeyPem"].encode()).hexdigest(), outputs=outputs)  # noqa: S324

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return what the state says: a key is nowhere but there."""
        return resource

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Never asked for: every input replaces."""
        raise RefusedError(f"a key cannot be changed, not even by {call.name}")

    def delete(self, resource: Resource, call: Call) -> None:
        """Nothing is left to remove."""


def _generate(inputs: Properties) -> Key:
    if inputs["algorithm"] == "RSA":
        return rsa.generate_private_key(public_exponent=65537, key_size=inputs["rsaBits"])
    if inputs["algorithm"] == "ECDSA":
        return ec.generate_private_key(CURVES[inputs["ecdsaCurve"]]())
    return ed25519.Ed25519PrivateKey.generate()


def _formats(key: Key, inputs: Properties) -> Properties:
    """Return the outputs; OpenSSH knows no P224, for which the real provider returns empty text."""
    pkcs8 = _private(key, serialization.PrivateFormat.PKCS8)
    # PKCS#1 or SEC 1 where the algorithm has a format of its own.
    traditional = isinstance(key, (rsa.RSAPrivateKey, ec.EllipticCurvePrivateKey))
    public = key.public_key()
    public_pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    outputs = {
        "privateKeyPem": _private(key, serialization.PrivateFormat.TraditionalOpenSSL) if traditional else pkcs8,
        "privateKeyPemPkcs8": pkcs8,
        "publicKeyPem": public_pem.decode(),
        "privateKeyOpenssh": "",
        "publicKeyOpenssh": "",
        "publicKeyFingerprintMd5": "",
        "publicKeyFingerprintSha256": "",
    }
    if (inputs["algorithm"], inputs["ecdsaCurve"]) == ("ECDSA", "P224"):
        return outputs
    line = public.public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    return outputs | {
        "privateKeyOpenssh": _private(key, serialization.PrivateFormat.OpenSSH),
        "publicKeyOpenssh": f"{line.decode()}\n",  # the newline is the real provider's too
        "publicKeyFingerprintMd5": fingerprint.md5(line.decode()),
        "publicKeyFingerprintSha256": fingerprint.sha256(line.decode()),
    }


def _private(key: Key, form: serialization.PrivateFormat) -> str:
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()
