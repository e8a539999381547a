"""Which file of a machine holds which secret."""

import pytest

from components.compose.environment import render_plain, secret_files, secret_lines
from components.rakazo.docker_services import DOCKER_SERVICES, SUPERVISOR
from components.rakazo.docker_settings import choose_docker_settings
from components.service import SecretValue
from tests.unit.compose.example import services
from tests.unit.stacks.docker_stack import accepted, document

FOLDER = "/etc/rakazo-infra/secrets"


def lines(**values: str) -> list[str]:
    known = {source: values.get(source.value, f"of-{source.value}") for source in SecretValue}
    told = secret_lines(DOCKER_SERVICES, known).splitlines()
    assert told[-1] == "end -", "what was cut short on its way has to be noticed"
    return told[:-1]


def test_each_secret_is_in_the_file_of_who_needs_it() -> None:
    """B122: another service's secrets are in no container that it could be inspected in."""
    holders: dict[str, set[str]] = {}
    for line in lines():
        file, assignment = line.split(" ", 1)
        holders.setdefault(assignment.partition("=")[0], set()).add(file)
    assert holders == {
        "POSTGRES_PASSWORD": {"postgres"},
        "DATABASE_MIGRATION_URL": {"migrate"},
        "POSTGRES_APP_PASSWORD": {"migrate"},
        "SANDBOX_SUPERVISOR_TOKEN": {"supervisor", "api", "worker"},
        "DATABASE_URL": {"api", "worker"},
        "ENCRYPTION_KEY": {"kept"},
        "BETTER_AUTH_SECRET": {"api"},
        "SCREEN_PROXY_SECRET": {"api", "web"},
        "OPENROUTER_API_KEY": {"api", "worker"},
        "ANTHROPIC_API_KEY": {"api", "worker"},
    }


def test_the_key_that_never_changes_has_a_file_that_is_written_once() -> None:
    readers = [service.name for service in DOCKER_SERVICES if f"{FOLDER}/kept.env" in secret_files(service)]
    assert readers == ["api", "worker"]


def test_files_are_read_as_they_are() -> None:
    """A password or an API key may hold a dollar sign."""
    for service in services().values():
        assert {file["format"] for file in service["env_file"]} == {"raw"}
    assert "api OPENROUTER_API_KEY=a$b" in lines(openrouter_api_key="a$b")


def test_a_dollar_sign_in_a_variable_stays_one() -> None:
    stack = accepted(document(application__signup_allowlist=["$x@example.com"]))
    (api,) = [service for service in DOCKER_SERVICES if service.name == "api"]
    assert render_plain(api, choose_docker_settings(stack))["SIGNUP_ALLOWLIST"] == "$$x@example.com"


def test_a_secret_of_several_lines_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"^ANTHROPIC_API_KEY: has several lines"):
        lines(anthropic_api_key="a\nworker BETTER_AUTH_SECRET=b")


def test_mounts_that_nobody_wants_are_no_variable() -> None:
    settings = choose_docker_settings(accepted(document()))
    assert "SANDBOX_COMPUTER_MOUNTS" not in render_plain(SUPERVISOR, settings)
    mounts = [{"source": "/srv/a", "target": "/mnt/a"}, {"source": "/srv/b", "target": "/mnt/b"}]
    settings = choose_docker_settings(accepted(document(computers__mounts=mounts, computers__cpu="1500m")))
    plain = render_plain(SUPERVISOR, settings)
    assert plain["SANDBOX_COMPUTER_MOUNTS"] == "/srv/a:/mnt/a:ro,/srv/b:/mnt/b:ro"
    assert plain["RAKAZO_COMPUTER_CPUS"] == "1.5"
