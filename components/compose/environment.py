"""Variables of a service: what everybody may read in the project, and what only its own file holds."""

from collections.abc import Iterable, Mapping

from components.service import KEPT, SecretValue, Service, Setting, Settings

END = "end -"
"""The last line: what was cut short on its way lacks it."""
SECRETS = "/etc/rakazo-infra/secrets"
KEPT_FILE = "kept"
"""Name of the file with what never changes once it is there."""


def render_plain(service: Service, settings: Settings) -> dict[str, str]:
    """Return the variables that are no secret; Compose takes a doubled dollar sign for one."""
    plain: dict[str, str] = {}
    for name, source in sorted(service.variables.items()):
        value = settings[source] if isinstance(source, Setting) else source
        if isinstance(value, str):
            plain[name] = value.replace("$", "$$")
    return plain


def secret_files(service: Service) -> list[str]:
    """Return the paths of the files that hold a service's secrets."""
    holders = dict.fromkeys(_holder(service, source) for source in service.secrets().values())
    return [f"{SECRETS}/{holder}.env" for holder in sorted(holders)]


def secret_lines(services: Iterable[Service], values: Mapping[SecretValue, str]) -> str:
    """Return what the machine is told: a line per secret, with the name of its file in front, and the end.

    ValueError for a value of several lines, which a file of variables cannot hold.
    """
    lines = dict[str, None]()
    for service in services:
        for name, source in sorted(service.secrets().items()):
            if source in values:
                if "\n" in values[source]:
                    raise ValueError(f"{name}: has several lines; write it as one")
                lines[f"{_holder(service, source)} {name}={values[source]}"] = None
    return "".join(f"{line}\n" for line in (*lines, END))


def _holder(service: Service, source: SecretValue) -> str:
    return KEPT_FILE if source in KEPT else service.name
