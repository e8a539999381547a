"""The cluster's certificate authority and the certificates that its programs show each other."""

import datetime as dt
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

VALID = dt.timedelta(days=3650)  # an embedded cluster is thrown away long before
SLACK = dt.timedelta(minutes=5)  # a clock that is set back a little does not end the cluster


def _private(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def _name(common: str, groups: Sequence[str]) -> x509.Name:
    organisations = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
    return x509.Name([*organisations, x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


@dataclass(frozen=True)
class KeyPair:
    """A certificate and its private key, both as PEM text."""

    certificate: str
    key: str

    def write(self, folder: Path, name: str) -> None:
        """Save as <name>.crt and <name>.key, the key readable by its owner only."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.crt").write_text(self.certificate)
        key = folder / f"{name}.key"
        key.touch(mode=0o600)
        key.write_text(self.key)


class Authority:
    """A certificate authority that lives as long as this object: its key is never written to disk."""

    def __init__(self, common: str) -> None:
        """Make a new key and a self-signed certificate for `common`."""
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._subject = _name(common, ())
        identifier = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        now = dt.datetime.now(dt.UTC)
        self._certificate = (
            x509.CertificateBuilder()
            .subject_name(self._subject)
            .issuer_name(self._subject)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - SLACK)
            .not_valid_after(now + VALID)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(identifier, critical=False)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .sign(self._key, hashes.SHA256())
        )

    @property
    def certificate(self) -> str:
        """The authority's certificate as PEM text."""
        return self._certificate.public_bytes(serialization.Encoding.PEM).decode()

    def issue(self, common: str, *, groups: Sequence[str] = (), serves: Sequence[str] = ()) -> KeyPair:
        """Issue a certificate: for a client, or with `serves` (names and addresses) for a server too."""
        key = ec.generate_private_key(ec.SECP256R1())
        now = dt.datetime.now(dt.UTC)
        uses = [ExtendedKeyUsageOID.CLIENT_AUTH, *([ExtendedKeyUsageOID.SERVER_AUTH] if serves else [])]
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = (
            x509.CertificateBuilder()
            .subject_name(_name(common, groups))
            .issuer_name(self._subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - SLACK)
            .not_valid_after(now + VALID)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(issuer, critical=False)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        )
        if serves:
            names = x509.SubjectAlternativeName([_alternative(name) for name in serves])
            builder = builder.add_extension(names, critical=False)
        certificate = builder.sign(self._key, hashes.SHA256())
        return KeyPair(certificate.public_bytes(serialization.Encoding.PEM).decode(), _private(key))


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def service_account_keys() -> tuple[str, str]:
    """Make the pair that signs service account tokens: private and public, as PEM text."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return _private(key), public.decode()
