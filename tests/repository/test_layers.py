"""The one direction of design: who may import whom; proves nothing about behaviour."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_imports_point_one_way_only() -> None:
    """The contracts of pyproject.toml hold; the report names the import that breaks one."""
    linter = Path(sys.executable).with_name("lint-imports")
    report = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, check=False)
    assert report.returncode == 0, report.stdout + report.stderr
