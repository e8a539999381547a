"""The objects that make a bare cluster usable: DNS, a default StorageClass and the node programs' permissions."""

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

import yaml


def documents(file: str, values: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the objects of one file with its `${names}` filled in; KeyError names a value that is missing."""
    text = (Path(__file__).parent / file).read_text()
    return [document for document in yaml.safe_load_all(Template(text).substitute(values)) if document]
