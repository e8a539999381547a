"""The certificate authorities of a cluster, which outlive the process that made them."""

from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from local.cluster.certificates import Authority, KeyPair
from tests.k3s.program.paths import write


class KeptAuthority(Authority):
    """A certificate authority whose key lies in a file: a server that restarts or joins goes on with it."""

    @classmethod
    def read(cls, place: Path) -> "KeptAuthority":
        """Read <place>.crt and <place>.key; OSError when one is missing."""
        kept = cls.__new__(cls)
        kept._certificate = x509.load_pem_x509_certificate(place.with_suffix(".crt").read_bytes())
        kept._subject = kept._certificate.subject
        key = serialization.load_pem_private_key(place.with_suffix(".key").read_bytes(), password=None)
        assert isinstance(key, ec.EllipticCurvePrivateKey), f"{place}.key was not made by this program"
        kept._key = key
        return kept

    def write(self, place: Path) -> None:
        """Save as <place>.crt and <place>.key, the key readable by its owner only."""
        write(place.with_suffix(".crt"), self.certificate, 0o644)
        key = self._key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        write(place.with_suffix(".key"), key.decode())


def ensure_authority(place: Path, common: str) -> KeptAuthority:
    """Return the authority at a place, made first when there is none."""
    if not place.with_suffix(".key").exists():
        KeptAuthority(common).write(place)
    return KeptAuthority.read(place)


def save(pair: KeyPair, place: Path) -> None:
    """Save a pair as <place>.crt and <place>.key, replacing what is there."""
    write(place.with_suffix(".crt"), pair.certificate, 0o644)
    write(place.with_suffix(".key"), pair.key)
