"""The cluster's API, as far as k3s itself uses it."""

import http.client
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.k3s.program import journal
from tests.k3s.program.http_client import Answer, Client, verifying

MANAGER = "k3s"
MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"
WATCH_SECONDS = 300
"""How long one watch lasts before it is asked for anew."""
PAUSE_SECONDS = 1.0


class Kube:
    """The API as whoever a client certificate says."""

    def __init__(self, base: str, authority: Path, client: Path) -> None:
        """Prepare; OSError when a file is missing."""
        self._client = Client(base, verifying(authority, client))
        self._watching = Client(base, verifying(authority, client), timeout_seconds=WATCH_SECONDS + 30.0)
        self._resources: dict[tuple[str, str], tuple[str, bool]] = {}

    def unready(self) -> str | None:
        """Return what the API lacks to be ready; None when it is."""
        try:
            text = self._client.text("GET", "/readyz")
        except (OSError, Answer) as error:
            return str(error)
        return None if text == "ok" else text

    def get(self, path: str) -> Any:
        """Return an object or list; Answer or OSError when it cannot be had."""
        return self._client.json("GET", path)

    def find(self, path: str) -> Any | None:
        """Return an object, None when there is none."""
        try:
            return self.get(path)
        except Answer as answer:
            if answer.status == http.client.NOT_FOUND:
                return None
            raise

    def create(self, path: str, body: Mapping[str, Any]) -> None:
        """Create an object in a collection."""
        self._client.json("POST", path, body)

    def patch(self, path: str, body: Mapping[str, Any]) -> None:
        """Merge a change into an object."""
        self._client.json("PATCH", path, body, MERGE)

    def delete(self, path: str) -> None:
        """Delete an object; it is no error when there is none."""
        try:
            self._client.json("DELETE", path)
        except Answer as answer:
            if answer.status != http.client.NOT_FOUND:
                raise

    def place(self, manifest: Mapping[str, Any]) -> str:
        """Return the path of an object of any kind that the API serves; Answer when it serves none such."""
        version, kind, metadata = manifest["apiVersion"], manifest["kind"], manifest["metadata"]
        base = f"/apis/{version}" if "/" in version else f"/api/{version}"
        if (version, kind) not in self._resources:
            for resource in self.get(base)["resources"]:
                if "/" not in resource["name"]:
                    self._resources[(version, resource["kind"])] = (resource["name"], resource["namespaced"])
        if (version, kind) not in self._resources:
            raise Answer(http.client.NOT_FOUND, f"the API serves no {kind} of {version}")
        plural, namespaced = self._resources[(version, kind)]
        folder = f"/namespaces/{metadata.get('namespace', 'default')}" if namespaced else ""
        return f"{base}{folder}/{plural}/{metadata['name']}"

    def apply(self, manifest: Mapping[str, Any]) -> None:
        """Apply an object on the server's side; ours wins over other field managers."""
        path = f"{self.place(manifest)}?fieldManager={MANAGER}&force=true"
        self._client.json("PATCH", path, manifest, APPLY)

    def watch(self, path: str, ended: Callable[[], bool]) -> Iterator[tuple[str, Any]]:
        """Yield every object of a collection as ADDED and then each change, for ever or until `ended` says so.

        A watch that breaks begins anew; what was deleted meanwhile is yielded as DELETED.
        """
        known: dict[str, Any] = {}
        while not ended():
            try:
                listed = self.get(path)
                now = {item["metadata"]["name"]: item for item in listed["items"]}
                yield from (("DELETED", item) for name, item in known.items() if name not in now)
                known = now
                yield from (("ADDED", item) for item in now.values())
                since = listed["metadata"]["resourceVersion"]
                query = f"{path}?watch=1&resourceVersion={since}&timeoutSeconds={WATCH_SECONDS}"
                for event in self._watching.lines("GET", query):
                    if event["type"] == "ERROR":
                        break
                    name = event["object"]["metadata"]["name"]
                    if event["type"] == "DELETED":
                        known.pop(name, None)
                    else:
                        known[name] = event["object"]
                    yield event["type"], event["object"]
            except (OSError, Answer, ValueError) as error:
                if not ended():
                    journal.warn(f"watch of {path} begins anew: {error}")
                    time.sleep(PAUSE_SECONDS)
