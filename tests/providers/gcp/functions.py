"""The data sources: which versions there are, and what a subnetwork is."""

from collections.abc import Callable, Mapping

from tests.providers.call import Call
from tests.providers.gcp.google_project import GoogleProject
from tests.providers.values import Properties

Answer = Callable[[Properties, Call], Properties]


def functions(project: GoogleProject) -> Mapping[str, Answer]:
    """Return token to function; each looks at the project when it is called."""
    return {
        "gcp:container/getEngineVersions:getEngineVersions": lambda given, _: _versions(project, given),
        "gcp:compute/getSubnetwork:getSubnetwork": lambda given, _: _subnetwork(project, given),
    }


def _versions(project: GoogleProject, given: Properties) -> Properties:
    catalogue = project.catalogue
    fitting = [each for each in catalogue.versions if each.startswith(given.get("versionPrefix", ""))]
    newest = fitting[0] if fitting else ""
    return {
        **given,
        "id": project.name,
        "defaultClusterVersion": catalogue.newest["REGULAR"],
        "latestMasterVersion": newest,
        "latestNodeVersion": newest,
        "releaseChannelDefaultVersion": catalogue.newest,
        "releaseChannelLatestVersion": catalogue.newest,
        "releaseChannelUpgradeTargetVersion": catalogue.newest,
        "validMasterVersions": fitting,
        "validNodeVersions": fitting,
    }


def _subnetwork(project: GoogleProject, given: Properties) -> Properties:
    path = f"projects/{given.get('project', project.name)}/regions/{given['region']}/subnetworks/{given['name']}"
    found = project.must("subnetwork", path)
    return {
        "id": path,
        "name": found["name"],
        "project": project.name,
        "region": found["region"],
        "network": f"https://www.googleapis.com/compute/v1/{found['network']}",
        "ipCidrRange": found["ipCidrRange"],
        "secondaryIpRanges": [
            {"rangeName": each["rangeName"], "ipCidrRange": each["ipCidrRange"]} for each in found["secondaryIpRanges"]
        ],
        "selfLink": found["selfLink"],
        "gatewayAddress": found["gatewayAddress"],
        "privateIpGoogleAccess": found["privateIpGoogleAccess"],
        "description": "",
        "internalIpv6Prefix": "",
        "externalIpv6Prefix": "",
        "ipv6AccessType": "",
        "stackType": found["stackType"],
        "subnetworkId": found["subnetworkId"],
    }
