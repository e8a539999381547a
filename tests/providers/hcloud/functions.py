"""The data sources: what is offered where, whether it is there now, and which servers there are."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

from tests.providers.call import Call
from tests.providers.hcloud.catalogue import IMAGES, LOCATIONS, Catalogue, Image, Location, ServerType, location
from tests.providers.hcloud.hetzner_type import exactly_one_of
from tests.providers.hcloud.project import Project
from tests.providers.hcloud.server_list import servers
from tests.providers.refused import RefusedError
from tests.providers.values import Properties

Answer = Callable[[Properties, Call], Properties]
Offered = TypeVar("Offered", Location, ServerType, Image)

_LONG_AGO = "2026-01-01T00:00:00Z"


def functions(project: Project) -> Mapping[str, Answer]:
    """Return token to function; each looks the catalogue or the project up when it is called."""
    catalogue = project.catalogue
    answers: dict[str, Answer] = {
        "getServerType": lambda given, _: _server_type(catalogue, _one("server type", catalogue.server_types, given)),
        "getServerTypes": lambda _, __: _server_types(catalogue),
        "getLocation": lambda given, _: _location(_one("location", LOCATIONS, given)),
        "getLocations": lambda _, __: _locations(),
        "getImage": lambda given, _: _image(given),
        "getServers": partial(servers, project),
    }
    return {f"hcloud:index/{name}:{name}": answer for name, answer in answers.items()}


def _one(kind: str, offered: Iterable[Offered], arguments: Properties) -> Offered:
    """Return what has the id or the name; the words of a miss are the real provider's (hcloudutil/list.go)."""
    if wrong := exactly_one_of(arguments, "id", "name"):
        raise RefusedError(wrong[0].reason)
    for key in ("id", "name"):
        found = next((each for each in offered if getattr(each, key) == arguments.get(key)), None)
        if found:
            return found
    key = "id" if "id" in arguments else "name"
    raise RefusedError(f"No {kind} found with {key} '{arguments[key]}'")


def _server_type(catalogue: Catalogue, offered: ServerType) -> Properties:
    places = [place for name in offered.locations if (place := location(name))]
    retired = _LONG_AGO if offered.retired else ""
    deprecation = {"isDeprecated": offered.retired, "deprecationAnnounced": retired, "unavailableAfter": retired}
    return {
        "id": offered.id,
        "name": offered.name,
        "description": offered.name.upper(),
        "category": "dedicated" if offered.cpu == "dedicated" else "cost optimized",
        "cores": offered.cores,
        "memory": offered.memory_gb,
        "disk": offered.disk_gb,
        "storageType": "local",
        "cpuType": offered.cpu,
        "architecture": offered.architecture,
        "includedTraffic": 0,
        **deprecation,
        "locations": [
            {
                "id": place.id,
                "name": place.name,
                "available": catalogue.available(offered, place.name),
                "recommended": catalogue.available(offered, place.name),
                **deprecation,
            }
            for place in places
        ],
    }


def _server_types(catalogue: Catalogue) -> Properties:
    offered = [_server_type(catalogue, each) for each in catalogue.server_types]
    return {
        "id": "server_types",
        "serverTypeIds": [str(each["id"]) for each in offered],
        "names": [each["name"] for each in offered],
        "descriptions": [each["description"] for each in offered],
        "serverTypes": offered,
    }


def _location(place: Location) -> Properties:
    return {
        "id": place.id,
        "name": place.name,
        "description": place.city,
        "city": place.city,
        "country": place.country,
        "latitude": 0.0,
        "longitude": 0.0,
        "networkZone": place.network_zone,
    }


def _locations() -> Properties:
    everywhere = [_location(place) for place in LOCATIONS]
    return {
        "id": "locations",
        "locationIds": [str(each["id"]) for each in everywhere],
        "names": [each["name"] for each in everywhere],
        "descriptions": [each["description"] for each in everywhere],
        "locations": everywhere,
    }


def _image(arguments: Properties) -> Properties:
    architecture = arguments.get("withArchitecture", "x86")
    fitting = IMAGES if "id" in arguments else [each for each in IMAGES if each.architecture == architecture]
    found = _one("image", fitting, arguments)
    return {
        **arguments,
        "id": found.id,
        "name": found.name,
        "type": "system",
        "description": f"{found.flavor.title()} {found.version}",
        "created": _LONG_AGO,
        "osFlavor": found.flavor,
        "osVersion": found.version,
        "architecture": found.architecture,
        "rapidDeploy": True,
        "deprecated": "",
        "isDeprecated": False,
        "deprecationAnnounced": "",
        "unavailableAfter": "",
        "labels": {},
    }
