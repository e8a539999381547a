"""The configuration of a node: command line over files over environment, each value checked against its flag."""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.k3s.program.flags import FLAGS, SHORT, Flag, Kind
from tests.k3s.program.refusal import Refusal

DEFAULT_FILE = "/etc/rancher/k3s/config.yaml"
Values = dict[str, Any]
"""Flag's name to text, number, truth or list of texts, by its kind."""


def load(command: str, arguments: Sequence[str], environment: Mapping[str, str]) -> Values:
    """Return what a node is to be, for `k3s server` or `k3s agent`; Refusal names the first thing that is wrong."""
    typed = _arguments(command, arguments)
    place = typed.get("config") or environment.get("K3S_CONFIG_FILE") or DEFAULT_FILE
    values = {**_from_environment(command, environment), **read(command, Path(place)), **typed}
    for name in values:
        if FLAGS[command][name].beyond:
            raise Refusal(f"{name}: k3s knows it, but the stand-in for k3s in these tests cannot do what it says")
    return values


def read(command: str, file: Path) -> Values:
    """Return what a configuration file and its drop-ins say, the later over the earlier, `key+` appending.

    k3s itself passes over a key that it does not know with a warning in its journal. Here it ends the start: in a
    test a key that does nothing is a mistake.
    """
    drop_ins = [path for path in file.parent.glob(f"{file.name}.d/*") if path.suffix in (".yaml", ".yml")]
    values: Values = {}
    for path in [file, *sorted(drop_ins)]:
        if path == file and not path.exists():
            continue
        for key, value in _mapping(path).items():
            name = str(key).removesuffix("+")
            flag = _flag(command, name, str(path))
            checked = _checked(flag, value, str(path))
            if str(key).endswith("+"):
                if flag.kind is not Kind.LIST:
                    raise Refusal(f"{path}: {key}: only a list can be appended to, and {name} takes {flag.kind.value}")
                checked = [*values.get(flag.name, []), *checked]
            values[flag.name] = checked
    return values


def _mapping(path: Path) -> dict[Any, Any]:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise Refusal(f"{path}: cannot be read: {error}") from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise Refusal(f"{path}: must be a mapping of flags to values, not a {type(content).__name__}")
    return content


def _flag(command: str, name: str, where: str) -> Flag:
    known = FLAGS[command]
    full = SHORT.get(name, name)
    if full in known:
        return known[full]
    if full in FLAGS["server"]:
        raise Refusal(f"{where}: {name} is a flag of `k3s server`, an agent does not know it")
    near = difflib.get_close_matches(full, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise Refusal(f"{where}: flag provided but not defined: {name}{hint}")


def _checked(flag: Flag, value: Any, where: str) -> Any:
    """Turn a value into what the flag's kind says; Refusal when it is something else."""
    wrong = Refusal(f"{where}: {flag.name} takes {flag.kind.value}, not {value!r}")
    if flag.kind is Kind.LIST:
        entries = value if isinstance(value, list) else [value]
        if any(isinstance(entry, (dict, list)) or entry is None for entry in entries):
            raise wrong
        return [_text(entry) for entry in entries]
    if isinstance(value, (dict, list)) or value is None:
        raise wrong
    if flag.kind is Kind.SWITCH:
        spelled = {"true": True, "1": True, "t": True, "false": False, "0": False, "f": False}
        if _text(value).lower() not in spelled:
            raise wrong
        return spelled[_text(value).lower()]
    if flag.kind is Kind.NUMBER:
        if not _text(value).isdecimal():
            raise wrong
        return int(_text(value))
    return _text(value)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _arguments(command: str, arguments: Sequence[str]) -> Values:
    values: Values = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            raise Refusal(f"k3s {command} takes flags only, not {word!r}")
        name, given, value = word.lstrip("-").partition("=")
        flag = _flag(command, name, f"k3s {command}")
        if not given:
            if flag.kind is Kind.SWITCH:
                value = "true"
            elif rest:
                value = rest.pop(0)
            else:
                raise Refusal(f"k3s {command}: flag needs an argument: {word}")
        checked = _checked(flag, value, f"k3s {command}")
        values[flag.name] = [*values.get(flag.name, []), *checked] if flag.kind is Kind.LIST else checked
    return values


def _from_environment(command: str, environment: Mapping[str, str]) -> Values:
    found = ((flag, environment.get(flag.environment, "")) for flag in FLAGS[command].values() if flag.environment)
    return {flag.name: _checked(flag, value, flag.environment) for flag, value in found if value}
