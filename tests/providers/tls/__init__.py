"""The stand-in for `tls`: keys that are really keys."""

from tests.providers.package import Package
from tests.providers.tls.private_key import PrivateKey

__all__ = ["TlsPackage"]


class TlsPackage(Package):
    """The package `tls`, of which only private keys are there."""

    def __init__(self) -> None:
        super().__init__("tls", [PrivateKey()])
