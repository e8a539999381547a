"""What the installed SDK says of a resource type, of a function and of a provider's configuration.

Reads private parts of the SDK, which is why `pulumi` is pinned exactly; `tests/unit/providers/test_schema.py` derives
every type of the installed packages, so that a moved pin cannot break this silently.
"""

import importlib
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from pulumi import _types
from pulumi.runtime import rpc

from tests.providers.failure import Failure
from tests.providers.hints import Checked, check_object, check_value, is_union, members
from tests.providers.values import Properties


class NoSuchTypeError(LookupError):
    """The SDK has no such type; the message names the ones it has."""


@dataclass(frozen=True)
class ResourceSchema:
    """Inputs and outputs of one resource type."""

    arguments: type
    """The SDK's class of arguments; its properties are the inputs."""
    outputs: Mapping[str, Any]
    """Wire name to type of everything that a resource has once it is there; inputs come back among them."""
    always: frozenset[str]
    """Outputs that are never absent."""

    @property
    def inputs(self) -> frozenset[str]:
        """Wire names of the inputs."""
        return frozenset(_types._raw_return_hints(self.arguments))

    def check(self, given: Properties, *, coerces: bool) -> Checked:
        """Return the inputs, coerced, and what is wrong with them."""
        return check_object(given, self.arguments, "", coerces=coerces)

    def fitting(self, outputs: Mapping[str, Any], absent: frozenset[str] = frozenset()) -> list[Failure]:
        """Return what of a stand-in's own answer the SDK would not read: names, types, and what is missing."""
        failures = [
            Failure(path=name, reason="no such output")
            for name in outputs
            if name not in self.outputs and not name.startswith("__")
        ]
        failures += [
            Failure(path=name, reason="missing output")
            for name in sorted(self.always - absent)
            if outputs.get(name) is None
        ]
        for name, hint in self.outputs.items():
            if outputs.get(name) is not None:
                failures += check_value(outputs[name], hint, name, coerces=False)[1]
        return failures


@dataclass(frozen=True)
class FunctionSchema:
    """Arguments and result of one function."""

    parameters: Mapping[str, Any]
    """Wire name to type."""
    result: type

    def check(self, given: Properties) -> list[Failure]:
        """Return what is wrong with the arguments."""
        unknown = [
            Failure(path=name, reason="no such argument; there are " + ", ".join(sorted(self.parameters)))
            for name in given
            if name not in self.parameters
        ]
        return unknown + [
            failure
            for name, hint in self.parameters.items()
            if given.get(name) is not None
            for failure in check_value(given[name], hint, name, coerces=True)[1]
        ]

    def fitting(self, answer: Properties) -> list[Failure]:
        """Return what of a stand-in's own answer the SDK would not read."""
        return check_object(answer, self.result, "", coerces=False)[1]


@cache
def resource_schema(token: str) -> ResourceSchema:
    """Return what the SDK says of a resource type; NoSuchTypeError when it has none of that name."""
    package, module, _ = token.split(":")
    _sdk(package)
    for registered in rpc._RESOURCE_MODULES.get(f"{package}:{module}", []):
        information: Any = getattr(registered, "mod_info", {})
        if name := information.get("classes", {}).get(token):
            return _of_class(getattr(importlib.import_module(information["fqn"]), name))
    raise NoSuchTypeError(f"the SDK of {package} has no resource {token}; it has {', '.join(resource_tokens(package))}")


@cache
def provider_schema(package: str) -> ResourceSchema:
    """Return what the SDK says of a package's configuration."""
    return _of_class(_sdk(package).Provider)


@cache
def function_schema(token: str) -> FunctionSchema:
    """Return what the SDK says of a function; NoSuchTypeError when it has none of that name."""
    package, module, _ = token.split(":")
    for function in _functions(package, module):
        if token in function.__code__.co_consts:
            hints = typing.get_type_hints(function)
            awaitable = hints.pop("return")
            parameters = {
                _camel(name): hints[name] for name in inspect.signature(function).parameters if name != "opts"
            }
            return FunctionSchema(parameters, awaitable.__bases__[0])
    raise NoSuchTypeError(f"the SDK of {package} has no function {token}")


def resource_tokens(package: str) -> list[str]:
    """Return every resource type of an SDK."""
    _sdk(package)
    found: list[str] = []
    for key, modules in rpc._RESOURCE_MODULES.items():
        if key.startswith(f"{package}:"):
            found += [token for module in modules for token in getattr(module, "mod_info", {}).get("classes", {})]
    return sorted(found)


def _sdk(package: str) -> ModuleType:
    return importlib.import_module(f"pulumi_{package}")


def _of_class(cls: Any) -> ResourceSchema:
    taking_args = next(each for each in typing.get_overloads(cls.__init__) if "args" in each.__annotations__)
    arguments = members(typing.get_type_hints(taking_args)["args"])[0]
    hints = {name: hint for name, hint in _types._raw_return_hints(cls).items() if name not in ("id", "urn")}
    always = frozenset(name for name, hint in hints.items() if not _optional(hint))
    return ResourceSchema(arguments, {name: _inside(hint) for name, hint in hints.items()}, always)


def _inside(hint: Any) -> Any:
    """Return T of Output[T]."""
    arguments = typing.get_args(hint)
    return arguments[0] if arguments else hint


def _optional(hint: Any) -> bool:
    inside = _inside(hint)
    return is_union(inside) and type(None) in typing.get_args(inside)


def _functions(package: str, module: str) -> Iterator[Callable[..., Any]]:
    # The plain form comes before the one with Outputs, whose name only is longer.
    for holder in (_sdk(package), *_submodules(package, module)):
        for name in sorted(vars(holder)):
            member = getattr(holder, name)
            if inspect.isfunction(member) and not name.startswith("_") and not name.endswith("_output"):
                yield member


def _submodules(package: str, module: str) -> list[ModuleType]:
    name = module.split("/", maxsplit=1)[0]
    if name == "index":
        return []
    found = importlib.import_module(f"pulumi_{package}.{name}")
    getattr(found, "outputs", None)  # the largest SDKs load a module only when something of it is asked for
    return [found]


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)
