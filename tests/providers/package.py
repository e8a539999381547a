"""A package: its resource types, its functions and its configuration."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.refused import RefusedError
from tests.providers.resource_type import ResourceType
from tests.providers.schema import FunctionSchema, function_schema
from tests.providers.values import Properties

Function = Callable[[Properties, Call], Properties]


class Package:
    """What one provider offers. `coerces` is true for providers that are bridged from Terraform."""

    def __init__(
        self,
        name: str,
        types: Iterable[ResourceType],
        functions: Mapping[str, Function] | None = None,
        *,
        coerces: bool = True,
    ) -> None:
        self.name = name
        self.coerces = coerces
        self._types = {each.token: each for each in types}
        self._functions = dict(functions or {})

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Take the provider's configuration, in clear; RefusedError or MissingConfigurationError."""

    def type(self, token: str) -> ResourceType:
        """Return a resource type; RefusedError names the ones that the stand-in has."""
        if token not in self._types:
            raise RefusedError(f"the stand-in for {self.name} has no {token}; it has {', '.join(sorted(self._types))}")
        return self._types[token]

    def function(self, token: str) -> tuple[FunctionSchema, Function]:
        """Return a function and what the SDK says of it; RefusedError names the ones that the stand-in has."""
        if token not in self._functions:
            known = ", ".join(sorted(self._functions)) or "none"
            raise RefusedError(f"the stand-in for {self.name} has no function {token}; it has {known}")
        return function_schema(token), self._functions[token]
