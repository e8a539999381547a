"""An object store that speaks S3, with one bucket: put, get and list, each request signed with the bucket's keys.

Requests name the bucket in their path. A request that is signed with other keys, for other content or at another time
is refused as S3 refuses it.
"""

import datetime as dt
import hashlib
import hmac
import re
from dataclasses import dataclass, field
from threading import Lock
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from tests.machines.web_server import Request

SCHEME = "AWS4-HMAC-SHA256"
SKEW = dt.timedelta(minutes=15)
_SIGNED = re.compile(
    rf"{SCHEME} Credential=([^/]+)/(\d{{8}}/[^/]+/s3/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{{64}})"
)


@dataclass(kw_only=True)
class ObjectStore:
    """One bucket, and who may use it."""

    bucket: str
    access_key: str
    secret_key: str = field(repr=False)
    region: str = "us-east-1"
    objects: dict[str, bytes] = field(default_factory=dict)
    """Key to content."""
    _lock: Lock = field(default_factory=Lock)

    def answer(self, request: Request) -> None:
        """Answer one request."""
        reason = self._refused(request)
        if reason:
            request.reply(403, _error(reason))
            return
        bucket, _, key = unquote(urlsplit(request.path).path).lstrip("/").partition("/")
        with self._lock:
            if bucket != self.bucket:
                request.reply(404, _error("NoSuchBucket"))
            elif request.command == "PUT":
                self.objects[key] = request.content
                request.reply(200, b"")
            elif not key:
                request.reply(200, self._listed(urlsplit(request.path).query))
            elif key in self.objects:
                request.reply(200, self.objects[key])
            else:
                request.reply(404, _error("NoSuchKey"))

    def _listed(self, query: str) -> bytes:
        prefix = parse_qs(query).get("prefix", [""])[0]
        now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        entries = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(content)}</Size><LastModified>{now}</LastModified></Contents>"
            for key, content in sorted(self.objects.items())
            if key.startswith(prefix)
        )
        return (
            f'<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{entries}</ListBucketResult>'.encode()
        )

    def _refused(self, request: Request) -> str:
        """Return S3's code for what is wrong with a request's signature; empty when it is right."""
        found = _SIGNED.fullmatch(request.headers.get("Authorization", ""))
        if found is None:
            return "AccessDenied"
        access_key, scope, signed, signature = found.groups()
        if access_key != self.access_key:
            return "InvalidAccessKeyId"
        time, digest = (request.headers.get(f"x-amz-{name}", "") for name in ("date", "content-sha256"))
        if digest != hashlib.sha256(request.content).hexdigest():
            return "XAmzContentSHA256Mismatch"
        when = dt.datetime.strptime(time, "%Y%m%dT%H%M%SZ").replace(tzinfo=dt.UTC)
        if abs(dt.datetime.now(dt.UTC) - when) > SKEW:
            return "RequestTimeTooSkewed"
        if scope.split("/")[:2] != [time[:8], self.region]:
            return "AuthorizationHeaderMalformed"
        path, _, query = request.path.partition("?")
        headers = "".join(f"{name}:{request.headers.get(name, '')}\n" for name in signed.split(";"))
        canonical = "\n".join(
            [request.command, quote(unquote(path)), "&".join(sorted(query.split("&"))), headers, signed, digest]
        )
        text = "\n".join([SCHEME, time, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        wanted = hmac.new(self._key(scope), text.encode(), "sha256").hexdigest()
        return "" if hmac.compare_digest(wanted, signature) else "SignatureDoesNotMatch"

    def _key(self, scope: str) -> bytes:
        key = f"AWS4{self.secret_key}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        return key


def _error(code: str) -> bytes:
    return f"<Error><Code>{code}</Code></Error>".encode()
