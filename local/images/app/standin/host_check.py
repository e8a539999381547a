"""Which Host headers web answers."""

import ipaddress
import re


def host_allowed(header: str | None, public_host: str) -> bool:
    """Tell whether web answers a Host header; anything else gets 403, on every path.

    The comparison is exact: upper case is refused. Address literals and localhost pass, so a probe
    by pod address works while one through the Service's name does not.
    """
    if not header:
        return False
    bracketed = re.fullmatch(r"\[([0-9A-Fa-f:.]+)\](:[0-9]+)?", header)
    if bracketed:
        return _is_address(bracketed[1], 6)
    name, _, port = header.partition(":")
    if port and not port.isdecimal():
        return False
    return name in {public_host, "localhost"} or name.endswith(".localhost") or _is_address(name, 4)


def _is_address(text: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(text).version == version
    except ValueError:
        return False
