"""`hcloud.Firewall`: what may reach a server's public interface."""

from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.firewall_rules import applies, normalised
from tests.providers.hcloud.hetzner_type import HetznerType
from tests.providers.resource_type import Created, Resource
from tests.providers.values import UNKNOWN, Properties, holds_unknown

_WITH_PORT = ("tcp", "udp")
_PROTOCOLS = ("icmp", "tcp", "udp", "esp", "gre")


class Firewall(HetznerType):
    """A firewall without rules drops everything that comes in."""

    token = "hcloud:index/firewall:Firewall"
    kind = "firewall"
    named = True

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take rules that mean something (terraform-provider-hcloud v1.68.0, firewall/validation.go)."""
        rules = [] if inputs.get("rules") in (None, UNKNOWN) else inputs["rules"]
        return super().check(inputs) + [
            failure
            for index, rule in enumerate(rules)
            if not holds_unknown(rule)
            for failure in _check_rule(rule, f"rules[{index}]")
        ]

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the firewall."""
        with self.project.lock:
            self.project.check_name(self.kind, inputs["name"])
            identifier = self.project.add(self.kind, _complete(inputs))
            affected = self._affected(identifier)
            outputs = self.outputs(identifier)
        self.project.filter(*affected)
        return Created(id=identifier, outputs=outputs)

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change rules, labels and what it applies to; servers that name the firewall themselves keep it."""
        with self.project.lock:
            firewall = self.project.must(self.kind, old.id)
            self.project.check_name(self.kind, inputs["name"], own=old.id)
            before = self._affected(old.id)
            applied = inputs.get("applyTos", firewall["applyTos"])
            firewall.clear()
            firewall.update({**_complete(inputs), "applyTos": applied})
            affected = {*before, *self._affected(old.id)}
            outputs = self.outputs(old.id)
        self.project.filter(*sorted(affected))
        return outputs

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the firewall, once it applies to nothing."""
        with self.project.lock:
            self.project.must(self.kind, resource.id)
            if self._affected(resource.id):
                raise refusals.FIREWALL_IN_USE.error(id=resource.id)
            self.project.remove(self.kind, resource.id)

    def _affected(self, identifier: str) -> list[str]:
        firewall = self.project.must(self.kind, identifier)
        servers = self.project.all("server")
        return [key for key, server in servers.items() if applies(firewall, key, server.get("labels", {}))]


def _complete(inputs: Properties) -> Properties:
    return {"labels": {}, "applyTos": [], **inputs}


def _check_rule(rule: Mapping[str, Any], path: str) -> list[Failure]:
    failures = []
    if rule["direction"] not in ("in", "out"):
        failures.append(Failure(path=f"{path}.direction", reason="must be one of in, out"))
    if rule["protocol"] not in _PROTOCOLS:
        failures.append(Failure(path=f"{path}.protocol", reason=f"must be one of {', '.join(_PROTOCOLS)}"))
    if (rule["protocol"] in _WITH_PORT) != bool(rule.get("port")):
        failures.append(Failure(path=f"{path}.port", reason="must be given for tcp and udp, and for nothing else"))
    needed, other = ("sourceIps", "destinationIps") if rule["direction"] == "in" else ("destinationIps", "sourceIps")
    if not rule.get(needed) or rule.get(other):
        failures.append(Failure(path=f"{path}.{needed}", reason=f"a rule of this direction needs {needed}, no {other}"))
    for index, address in enumerate(rule.get(needed) or []):
        try:
            normalised(address)
        except ValueError:
            failures.append(Failure(path=f"{path}.{needed}[{index}]", reason="must be the start of a network"))
    return failures
