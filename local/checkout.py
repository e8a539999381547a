"""The checkout that this package belongs to: where Pulumi.yaml, tools/ and the ignored .local/ are."""

from pathlib import Path

PROJECT = Path(__file__).parents[1]
