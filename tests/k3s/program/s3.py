"""An S3 bucket for snapshots: putting, listing and fetching objects with requests signed as S3 wants (version 4)."""

import base64
import datetime as dt
import hashlib
import hmac
import http.client
import ssl
import urllib.parse
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.k3s.program.kube import Kube
from tests.k3s.program.refusal import Refusal

NEEDED = ("bucket", "access-key", "secret-key")
SECRET_TYPE = "etcd.k3s.cattle.io/s3-config-secret"
TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Bucket:
    """One bucket, and the folder in it."""

    endpoint: str
    """host or host:port."""
    name: str
    folder: str
    region: str
    access_key: str
    secret_key: str
    insecure: bool
    context: ssl.SSLContext | None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Bucket":
        """Return the bucket that etcd-s3 flags name (without their prefix); Refusal names those that are missing."""
        missing = [f"etcd-s3-{name}" for name in NEEDED if not settings.get(name)]
        if missing:
            raise Refusal(f"S3 is asked for without {', '.join(missing)}")
        context = ssl.create_default_context(cafile=settings.get("endpoint-ca"))
        if _true(settings.get("skip-ssl-verify")):
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return cls(
            endpoint=settings.get("endpoint") or "s3.amazonaws.com",
            name=settings["bucket"],
            folder=(settings.get("folder") or "").strip("/"),
            region=settings.get("region") or "us-east-1",
            access_key=settings["access-key"],
            secret_key=settings["secret-key"],
            insecure=_true(settings.get("insecure")),
            context=context,
        )

    def put(self, file: Path) -> str:
        """Store a file under its own name and return where it lies."""
        self._call("PUT", self._key(file.name), file.read_bytes())
        return f"s3://{self.name}/{self._key(file.name)}"

    def fetch(self, name: str, folder: Path) -> Path:
        """Write an object into a folder and return the file."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        target = folder / Path(name).name
        target.write_bytes(self._call("GET", self._key(target.name)))
        target.chmod(0o600)
        return target

    def listed(self) -> list[tuple[str, str, int, str]]:
        """Return name, place, size in bytes and time of every object in the folder."""
        prefix = f"{self.folder}/" if self.folder else ""
        answer = self._call("GET", "", query={"list-type": "2", "prefix": prefix})
        found = []
        for entry in ET.fromstring(answer).iter():  # noqa: S314 - from the bucket of the tests
            if entry.tag.rpartition("}")[2] == "Contents":
                told = {part.tag.rpartition("}")[2]: part.text or "" for part in entry}
                name = told["Key"].removeprefix(prefix)
                found.append((name, f"s3://{self.name}/{told['Key']}", int(told["Size"]), told["LastModified"]))
        return found

    def _key(self, name: str) -> str:
        return f"{self.folder}/{name}" if self.folder else name

    def _call(self, method: str, key: str, body: bytes = b"", query: Mapping[str, str] | None = None) -> bytes:
        path = urllib.parse.quote(f"/{self.name}/{key}".rstrip("/"))
        asked = urllib.parse.urlencode(sorted((query or {}).items()), quote_via=urllib.parse.quote)
        headers = self._signed(method, path, asked, body)
        if self.insecure:
            connection = http.client.HTTPConnection(self.endpoint, timeout=TIMEOUT_SECONDS)
        else:
            connection = http.client.HTTPSConnection(self.endpoint, timeout=TIMEOUT_SECONDS, context=self.context)
        try:
            connection.request(method, f"{path}?{asked}" if asked else path, body or None, headers)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Refusal(f"S3 at {self.endpoint} does not answer: {error}") from error
        finally:
            connection.close()
        if response.status >= http.client.BAD_REQUEST:
            raise Refusal(f"S3 at {self.endpoint}: {method} {path}: {response.status} {content.decode()[:300]}")
        return content

    def _signed(self, method: str, path: str, query: str, body: bytes) -> dict[str, str]:
        now = dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
        digest = hashlib.sha256(body).hexdigest()
        signed = {"host": self.endpoint, "x-amz-content-sha256": digest, "x-amz-date": now}
        names = ";".join(signed)
        lines = [f"{name}:{value}" for name, value in signed.items()]
        request = "\n".join([method, path, query, *lines, "", names, digest])
        scope = f"{now[:8]}/{self.region}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(request.encode()).hexdigest()])
        key = f"AWS4{self.secret_key}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.new(key, text.encode(), "sha256").hexdigest()
        credential = f"Credential={self.access_key}/{scope}"
        told = f"AWS4-HMAC-SHA256 {credential}, SignedHeaders={names}, Signature={signature}"
        return {**signed, "Authorization": told}


def from_secret(api: Kube, name: str) -> dict[str, Any]:
    """Return the flags that a Secret of kube-system holds; Refusal when it is missing or of another type."""
    secret = api.find(f"/api/v1/namespaces/kube-system/secrets/{name}")
    if secret is None:
        raise Refusal(f"etcd-s3-config-secret: there is no Secret {name} in kube-system")
    if secret["type"] != SECRET_TYPE:
        raise Refusal(f"etcd-s3-config-secret: the Secret {name} is of type {secret['type']}, not {SECRET_TYPE}")
    told = {key: base64.b64decode(value).decode() for key, value in secret.get("data", {}).items()}
    return {key.removeprefix("etcd-s3-"): value for key, value in told.items() if value}


def _true(value: Any) -> bool:
    return str(value).lower() in ("true", "1", "t")
