"""Loading a whole stack the way the program does. The engine's own reading of YAML is the engine tier's."""

import json
from pathlib import Path
from typing import Any

import pulumi
import pytest

from stacks.load import load
from stacks.secrets import Secrets
from stacks.settings import StackSettings
from stacks.target import ExistingTarget
from tests.unit.example import SECRETS, document, settings
from tests.unit.recorder import record


@pytest.fixture(autouse=True)
def kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a project folder whose kubeconfig exists."""
    target = settings().target
    assert isinstance(target, ExistingTarget)
    path = tmp_path / target.kubeconfig
    path.parent.mkdir(parents=True)
    path.touch()
    monkeypatch.chdir(tmp_path)
    return path


def stack(changes: dict[str, Any] | None = None, **secrets: str | None) -> tuple[StackSettings, Secrets]:
    config = {"rakazo:settings": json.dumps(document(**(changes or {})))}
    config |= {f"rakazo:{key}": value for key, value in (SECRETS | secrets).items() if value is not None}
    loaded: list[tuple[StackSettings, Secrets]] = []

    def program() -> None:
        settings, secrets = load(pulumi.Config())
        assert isinstance(settings, StackSettings)
        loaded.append((settings, secrets))

    record(program, config=config)
    return loaded[0]


def test_a_complete_stack_gives_settings_and_secrets() -> None:
    settings, secrets = stack()

    assert settings == StackSettings.model_validate(document())
    assert secrets.openrouter_api_key is None


def test_a_model_key_is_read_when_there_is_one() -> None:
    _, secrets = stack(openrouter_api_key="sk-invented")
    assert isinstance(secrets.openrouter_api_key, pulumi.Output)


def test_every_missing_secret_is_named_with_the_command_that_sets_it() -> None:
    """B122: nothing falls back to a value made up on the spot."""
    with pytest.raises(pulumi.RunError) as refusal:
        stack(encryption_key=None, postgres_app_password=None)

    assert str(refusal.value) == (
        "stacks/Pulumi.test.yaml is refused:\n"
        "  rakazo:encryption_key is missing; "
        'write: openssl rand -hex 32 | tr -d "\\n" | pulumi config set --secret encryption_key\n'
        "  rakazo:postgres_app_password is missing; "
        'write: openssl rand -hex 16 | tr -d "\\n" | pulumi config set --secret postgres_app_password'
    )


def test_faults_of_settings_and_secrets_are_told_together() -> None:
    with pytest.raises(pulumi.RunError) as refusal:
        stack({"target__contxt": "x"}, encryption_key=None)

    assert "rakazo:encryption_key is missing" in str(refusal.value)
    assert "rakazo:settings.target.contxt is not a setting" in str(refusal.value)


def test_equal_secrets_stop_the_program_by_their_names_only() -> None:
    """B122: before any resource that needs one is declared."""
    same = "fedcba9876543210" * 4
    with pytest.raises(Exception, match="secrets of the stack are refused") as refusal:
        stack(encryption_key=same, better_auth_secret=same)

    assert "rakazo:encryption_key and rakazo:better_auth_secret are the same" in str(refusal.value)
    assert same not in str(refusal.value)


def test_a_kubeconfig_that_is_not_there_is_told_before_the_provider_misreads_its_path(kubeconfig: Path) -> None:
    """B004: no other cluster is tried instead."""
    kubeconfig.unlink()
    with pytest.raises(pulumi.RunError) as refusal:
        stack()

    assert "rakazo:settings.target.kubeconfig names .local/default/kubeconfig, which is no file below" in str(
        refusal.value
    )
    assert "rakazo-infra local up" in str(refusal.value)
