"""Reading one process's environment and collecting everything that is wrong with it."""

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from .refusals import RefusalError

SHORTEST_SECRET = 32
"""Characters; Rakazo's own floor for every application secret."""

PLACEHOLDER = re.compile(
    r"change.?me|replace.?(me|this|with)|place.?holder|example|your[-_ ]|development|dev[-_ ]secret"
    r"|insecure|default|password|xxxx|<.*>|todo",
    re.IGNORECASE,
)
QUANTITY = re.compile(r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$")
LAST_PORT = 65535
LAST_PRINTABLE = "~"
FEWEST_CHARACTERS_REPEATED = 4


class Environment:
    """Variables of one service; problems are collected and raised together by `finish`."""

    def __init__(self, service: str, values: Mapping[str, str]) -> None:
        self.service = service
        self._values = values
        self._problems: list[str] = []
        self._secrets: dict[str, str] = {}

    def problem(self, name: str, text: str) -> None:
        """Record a reason not to start; `text` never holds the value of a secret."""
        self._problems.append(f"{name} {text}")

    def optional(self, name: str, default: str = "") -> str:
        """Return the value, or `default` when it is unset or blank."""
        return self._values.get(name, "") or default

    def required(self, name: str, line: str) -> str:
        """Return a value that has to be there; `line` is what to write when it is not."""
        value = self.optional(name)
        if not value:
            self.problem(name, f"is not set; set {line}")
        return value

    def forbidden(self, name: str, why: str) -> None:
        """Refuse a variable that this service must not hold; blank counts as absent."""
        if self.optional(name):
            self.problem(name, f"must not be given to {self.service}: {why}")

    def forbidden_prefix(self, prefix: str, why: str) -> None:
        """Refuse every variable whose name starts with `prefix`."""
        for name in sorted(self._values):
            if name.startswith(prefix):
                self.forbidden(name, why)

    def forbidden_suffix(self, suffix: str, why: str) -> None:
        """Refuse every variable whose name ends with `suffix`."""
        for name in sorted(self._values):
            if name.endswith(suffix):
                self.forbidden(name, why)

    def production(self) -> None:
        """Refuse to run as anything but production."""
        if self.optional("NODE_ENV") != "production":
            self.problem("NODE_ENV", "is not 'production'; anything else lets placeholder secrets through")
        self.guarded()

    def guarded(self) -> None:
        """Refuse to run without the guard of the secrets."""
        if self.optional("RAKAZO_ALLOW_DEV_SECRETS"):
            self.problem("RAKAZO_ALLOW_DEV_SECRETS", "switches the guard of the secrets off; remove it")

    def secret(self, name: str) -> str:
        """Return an application secret: printable, at least 32 characters, no placeholder, no duplicate."""
        value = self.required(name, f"{name} to 64 hexadecimal characters (openssl rand -hex 32)")
        if not value:
            return value
        if any(not "!" <= character <= LAST_PRINTABLE for character in value):
            self.problem(name, "is malformed: it holds blanks or characters that are not plain ASCII")
        elif len(value) < SHORTEST_SECRET:
            self.problem(name, f"has {len(value)} characters; at least {SHORTEST_SECRET} are needed")
        elif PLACEHOLDER.search(value) or len(set(value)) < FEWEST_CHARACTERS_REPEATED:
            self.problem(name, "is a placeholder; set random characters (openssl rand -hex 32)")
        self.distinct(name, value)
        return value

    def distinct(self, name: str, value: str) -> None:
        """Refuse a secret that equals another one this process can see."""
        for other, known in self._secrets.items():
            if known == value:
                self.problem(name, f"equals {other}; every secret needs its own value")
        self._secrets[name] = value

    def database(self, name: str, login: str | None) -> str:
        """Return a Postgres URL whose password is hexadecimal; `login` is the only one accepted."""
        value = self.required(name, f"{name}=postgres://{login or 'owner'}:<hex>@<host>:5432/rakazo")
        if not value:
            return value
        parts = self._split(name, value)
        if parts is None:
            return value
        complete = parts.hostname and parts.username and parts.password and len(parts.path) > 1
        if parts.scheme not in {"postgres", "postgresql"} or not complete:
            self.problem(name, "is malformed; write postgres://<login>:<hex password>@<host>:5432/<database>")
            return value
        if not re.fullmatch(r"[0-9a-fA-F]+", parts.password or ""):
            self.problem(name, "has a password that is not hexadecimal; other characters break the URL")
        if login and parts.username != login:
            self.problem(name, f"logs in as {parts.username}; {self.service} uses the login {login} only")
        if name != "REALTIME_DATABASE_URL":  # the same login as DATABASE_URL, so the same password
            self.distinct(f"the password in {name}", parts.password or "")
        return value

    def origin(self, name: str, default: str) -> str:
        """Return an http(s) origin without path or trailing slash."""
        value = self.optional(name, default)
        parts = self._split(name, value)
        if parts is not None and (
            parts.scheme not in {"http", "https"} or not parts.hostname or value != f"{parts.scheme}://{parts.netloc}"
        ):
            self.problem(name, f"is {value!r}; write scheme and host only, as https://rakazo.example.org")
        return value

    def port(self, name: str, default: int) -> int:
        """Return a TCP port; a Service of the wrong name falsifies it to `tcp://…`."""
        value = self.optional(name, str(default))
        if value.isdecimal() and 0 < int(value) <= LAST_PORT:
            return int(value)
        cause = ""
        if value.startswith("tcp://"):
            cause = f" (written by a Kubernetes Service: set enableServiceLinks false and {name}={default})"
        self.problem(name, f"is {value!r}, no port between 1 and {LAST_PORT}{cause} [ERR_SOCKET_BAD_PORT]")
        return default

    def number(self, name: str, default: int) -> int:
        """Return a whole number that is not negative."""
        value = self.optional(name, str(default))
        if not value.isdecimal():
            self.problem(name, f"is {value!r}, no whole number; write {name}={default}")
            return default
        return int(value)

    def quantity(self, name: str) -> str | None:
        """Return a Kubernetes quantity, or None when it is unset (no limit is written then)."""
        value = self.optional(name)
        if value and not QUANTITY.match(value):
            self.problem(name, f"is {value!r}, no Kubernetes quantity; write 2 or 500m, 4Gi or 512Mi")
        return value or None

    def choice(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        """Return one of `allowed`."""
        value = self.optional(name, default)
        if value not in allowed:
            self.problem(name, f"is {value!r}; the stand-in knows {', '.join(allowed)}")
        return value

    def finish(self) -> None:
        """Raise what was found.

        Raises:
            RefusalError: when there is at least one problem.

        """
        if self._problems:
            raise RefusalError(self._problems)

    def _split(self, name: str, value: str) -> SplitResult | None:
        try:
            parts = urlsplit(value)
            parts.port  # noqa: B018 -- reading it is what validates it
        except ValueError:
            self.problem(name, "is malformed: it is no URL")
            return None
        return parts
