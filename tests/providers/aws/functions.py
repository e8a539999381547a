"""The data sources: who asks, what is offered where, what exists."""

from collections.abc import Callable, Mapping
from ipaddress import IPv4Network

from pulumi import _types

from tests.providers.aws.account import Account
from tests.providers.aws.blank import fill_answer
from tests.providers.aws.network import RESERVED, ranges_of
from tests.providers.call import Call
from tests.providers.refused import RefusedError
from tests.providers.schema import function_schema
from tests.providers.values import Properties

Answer = Callable[[Properties, Call], Properties]


def functions(account: Account) -> Mapping[str, Answer]:
    """Return token to function; each looks the account up when it is called."""
    answers: dict[str, Callable[[Account, Properties], Properties]] = {
        "aws:index/getCallerIdentity:getCallerIdentity": _caller,
        "aws:iam/getSessionContext:getSessionContext": _session,
        "aws:index/getAvailabilityZones:getAvailabilityZones": _zones,
        "aws:eks/getClusterVersions:getClusterVersions": _versions,
        "aws:ec2/getInstanceType:getInstanceType": _instance_type,
        "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": _offerings,
        "aws:ec2/getVpc:getVpc": _vpc,
        "aws:ec2/getSubnet:getSubnet": _subnet,
    }

    def answering(token: str, answer: Callable[[Account, Properties], Properties]) -> Answer:
        # Looked up now: the SDK loads its modules when they are first used, which two requests at once do not survive.
        result = function_schema(token).result
        known = set(_types._raw_return_hints(result))

        def asked(given: Properties, _: Call) -> Properties:
            with account.lock:
                told = {"id": token, "region": account.region, **given, **answer(account, given)}
            return fill_answer({name: value for name, value in told.items() if name in known}, result)

        return asked

    return {token: answering(token, answer) for token, answer in answers.items()}


def _caller(account: Account, _: Properties) -> Properties:
    return {"accountId": account.number, "arn": account.caller, "userId": "AROA:pulumi"}


def _session(_: Account, given: Properties) -> Properties:
    parts = given["arn"].split(":")
    if parts[2] != "sts":
        return {"issuerArn": given["arn"]}
    role = parts[5].split("/")[1]
    return {
        "issuerArn": f"arn:aws:iam::{parts[4]}:role/{role}",
        "issuerName": role,
        "sessionName": parts[5].split("/")[2],
    }


def _zones(account: Account, _: Properties) -> Properties:
    return {"names": list(account.catalogue.zones), "zoneIds": [], "groupNames": []}


def _versions(account: Account, _: Properties) -> Properties:
    return {
        "clusterVersions": [
            {
                "clusterType": "eks",
                "clusterVersion": version,
                "controlPlaneComponentConfigs": [],
                "controlPlaneScalingTiers": [],
                "defaultPlatformVersion": "eks.1",
                "defaultVersion": False,
                "endOfExtendedSupportDate": end,
                "endOfStandardSupportDate": end,
                "kubernetesPatchVersion": f"{version}.0",
                "releaseDate": "2026-01-01",
                "versionStatus": status,
            }
            for version, (end, status) in account.catalogue.versions.items()
        ]
    }


def _instance_type(account: Account, given: Properties) -> Properties:
    found = account.catalogue.types.get(given["instanceType"])
    if found is None:
        raise RefusedError(
            f"InvalidInstanceType: The following supplied instance types do not exist: [{given['instanceType']}]"
        )
    return {
        "supportedArchitectures": [found.architecture],
        "supportedCpuFeatures": list(found.features),
        "bareMetal": found.metal,
        "hypervisor": "" if found.metal else "nitro",
        "defaultVcpus": found.cpus,
        "memorySize": found.memory_gb * 1024,
    }


def _offerings(account: Account, given: Properties) -> Properties:
    wanted = {value for each in given.get("filters") or () for value in each["values"]}
    pairs = [
        (name, zone)
        for name in sorted(account.catalogue.types)
        for zone in account.catalogue.zones
        if name in wanted and (name, zone) not in account.catalogue.missing
    ]
    return {
        "instanceTypes": [name for name, _ in pairs],
        "locations": [zone for _, zone in pairs],
        "locationTypes": [given["locationType"]] * len(pairs),
    }


def _vpc(account: Account, given: Properties) -> Properties:
    found = account.must("VPC", given["id"])
    ranges = ranges_of(account, given["id"])
    return {
        **{name: value for name, value in found.items() if name != "tagsAll"},
        "cidrBlockAssociations": [{"associationId": text, "cidrBlock": text, "state": "associated"} for text in ranges],
        "tags": found.get("tags") or {},
    }


def _subnet(account: Account, given: Properties) -> Properties:
    found = account.must("subnet", given["id"])
    free = IPv4Network(found["cidrBlock"]).num_addresses - RESERVED
    return {
        **found,
        "availableIpAddressCount": found.get("free", free),
        "tags": found.get("tags") or {},
        "state": "available",
    }
