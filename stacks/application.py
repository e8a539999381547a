"""What the people who use Rakazo see, and where it lives in the cluster."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from stacks.base import Model
from stacks.object_name import ObjectName
from stacks.quantity import Size

_HOST = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*")
_ENTRY = re.compile(r"[^@,\s]*@[^@,\s]+")
_DEFAULT_PORTS = {"https": 443, "http": 80}


def _checked_host(host: str) -> str:
    if "/" in host or ":" in host:
        raise ValueError('holds a scheme, port or path; write the bare name, such as "rakazo.example.com"')
    if host != host.lower():
        raise ValueError("has upper-case letters; web compares it letter by letter and would answer 403")
    if len(host) > 253 or not _HOST.fullmatch(host):  # noqa: PLR2004 - the longest name in DNS
        raise ValueError('is not a host name; write the bare name, such as "rakazo.example.com"')
    return host


def _checked_entry(entry: str) -> str:
    if not _ENTRY.fullmatch(entry):
        raise ValueError('is neither an address nor a domain; write "me@example.com" or "@example.com"')
    return entry


def _checked_namespace(name: str) -> str:
    if name == "default" or name.startswith("kube-"):
        raise ValueError(
            "is Kubernetes' own namespace: the stack closes the namespaces it is given, and removes them with all "
            "that is in them when it is destroyed; write one that nothing else uses, such as rakazo"
        )
    return name


Namespace = Annotated[ObjectName, AfterValidator(_checked_namespace)]


class PublicAddress(Model):
    """The one address under which people reach Rakazo."""

    host: Annotated[str, AfterValidator(_checked_host)]
    """Bare host name, without scheme, port and path. Any other name is answered with 403."""
    scheme: Literal["https", "http"] = "https"
    """What people type. Browsers keep the sign-in cookie over https only (and http on localhost)."""
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """Only when it is not the scheme's own."""

    @property
    def origin(self) -> str:
        """Scheme, host and port as a browser sends them: no trailing slash, no default port."""
        shown = self.port is not None and self.port != _DEFAULT_PORTS[self.scheme]
        return f"{self.scheme}://{self.host}" + (f":{self.port}" if shown else "")


class PeopleSettings(Model):
    """What Rakazo is to the people who use it, wherever it runs."""

    public: PublicAddress
    """The public address."""
    signups_enabled: StrictBool = True
    """Whether listed people may register. Close it once everybody is in."""
    signup_allowlist: tuple[Annotated[str, AfterValidator(_checked_entry)], ...] = ()
    """Who may register: "me@example.com", or "@example.com" for a domain."""
    agent_runtime: Literal["pi", "scripted"] = "pi"
    """`scripted` answers without any model: for tests and first looks."""

    @model_validator(mode="after")
    def _strangers_cannot_register(self) -> Self:
        if self.signups_enabled and not self.signup_allowlist:
            raise ValueError(
                "signup_allowlist is empty while sign-ups are open: anybody who finds the address could "
                'register, and the first one owns the install; write signup_allowlist: ["me@example.com"]'
            )
        return self


class ApplicationSettings(PeopleSettings):
    """Rakazo itself, in a cluster."""

    namespace: Namespace = "rakazo"
    """Namespace of api, worker, web and Postgres. The stack makes it, and destroying the stack removes it."""
    computers_namespace: Namespace = "rakazo-sandboxes"
    """Namespace of the computers; nothing else may live there."""
    web_replicas: Annotated[int, Field(ge=2, le=20)] = 2
    """Webs that run at once. Two at least: an update or a drained node then always leaves one."""
    data_volume: Size = "20Gi"
    """Volume of the saved workspaces and files. A commit needs twice the largest workspace."""
    postgres_volume: Size = "10Gi"
    """Volume of the database. May grow, never shrink."""

    @model_validator(mode="after")
    def _namespaces_differ(self) -> Self:
        if self.namespace == self.computers_namespace:
            raise ValueError(
                "namespace and computers_namespace are the same; the computers' policies would then hold "
                "for Rakazo itself"
            )
        return self
