"""One short text that changes whenever one of many objects does."""

import hashlib
import json
from collections.abc import Iterable

import pulumi

PARTS = ("spec", "rules", "role_ref", "subjects", "handler", "scheduling", "overhead")
"""What an object asks for. Not its metadata, in which Kubernetes writes at every change, nor its status."""
NOBODYS_ISOLATION = ("replicas", "annotations")
"""How many of the same there are, and what a pod carries so that it restarts when a secret changes."""


def fingerprint(objects: Iterable[pulumi.Resource]) -> pulumi.Output[str]:
    """Return a digest of the objects' parts; unknown in a preview that changes one of them."""
    # Text first: Output.all looks into mappings, and takes the key `values` of a selector for their method.
    parts = [getattr(each, part).apply(_text) for each in objects for part in PARTS if hasattr(each, part)]
    return pulumi.Output.unsecret(
        pulumi.Output.all(*parts).apply(lambda texts: hashlib.sha256("\n".join(texts).encode()).hexdigest())
    )


def _text(part: object) -> str:
    return json.dumps(_kept(part), sort_keys=True, default=str)


def _kept(part: object) -> object:
    """Leave out what does not open or close anything: a variable counts by its name, not by its value."""
    if isinstance(part, dict):
        return {
            key: _kept(value)
            for key, value in part.items()
            if key not in NOBODYS_ISOLATION and not (key == "value" and "name" in part)
        }
    return [_kept(each) for each in part] if isinstance(part, list | tuple) else part
