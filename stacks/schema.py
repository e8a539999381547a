"""The JSON schema of stack files, for editors: `python -m stacks.schema` writes it anew."""

import json
from pathlib import Path
from typing import Any

from stacks.docker_stack import DockerStackSettings
from stacks.secrets import HEX_KEYS, OPTIONAL, PASSWORDS, S3_KEYS, TAKEN_BY
from stacks.settings import StackSettings

_SAYS_DOCKER = {
    "properties": {"computers": {"properties": {"kind": {"const": "docker"}}, "required": ["kind"]}},
    "required": ["computers"],
}
FILE = Path(__file__).with_name("schema.json")


def render_schema() -> str:
    """Return the schema of a whole `Pulumi.<stack>.yaml` as text, always the same for the same models."""
    of_targets = sorted({key for keys in TAKEN_BY.values() for key in keys})
    cluster = StackSettings.model_json_schema(ref_template="#/$defs/{model}")
    docker = DockerStackSettings.model_json_schema(ref_template="#/$defs/{model}")
    parts = {**cluster.pop("$defs"), **docker.pop("$defs")}
    secret = {
        "type": "object",
        "properties": {"secure": {"type": "string"}},
        "required": ["secure"],
        "additionalProperties": False,
        "description": "Set with `pulumi config set --secret`, never by hand.",
    }
    document: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A stack of rakazo-infra",
        "type": "object",
        "properties": {
            "config": {
                "type": "object",
                "properties": {
                    "rakazo:settings": {
                        "if": _SAYS_DOCKER,
                        "then": {"$ref": "#/$defs/DockerStackSettings"},
                        "else": {"$ref": "#/$defs/StackSettings"},
                    },
                    **{f"rakazo:{key}": secret for key in (*HEX_KEYS, *PASSWORDS, *OPTIONAL, *of_targets, *S3_KEYS)},
                },
                "required": ["rakazo:settings"],
            }
        },
        "required": ["config"],
        "$defs": {**parts, "StackSettings": cluster, "DockerStackSettings": docker},
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(render_schema(), encoding="utf-8")
