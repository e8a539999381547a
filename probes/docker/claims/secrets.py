"""Which secrets each service has, and where no value of one may be."""

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from probes.claim import Claim, Evidence, Group
from probes.claims.environment import names_with_planted
from probes.claims.secrets import judge
from probes.claims.secrets_nowhere import NO_STATE, REMEDY, of_computer, search
from probes.docker.claims.identity import who
from probes.docker.containers import PROJECT, Containers
from probes.docker.facts import DockerFacts
from probes.docker.runner import MachineError
from probes.docker.scene import DockerScene
from probes.docker.surroundings import BOTS
from probes.prober import ProbeError
from probes.secret_values import sought
from probes.vantage import Vantage

READ_BY_ALL = (
    "/etc/systemd/system/rakazo*",
    "/etc/systemd/system/docker*",
    "/etc/rakazo-infra/*",
    "/etc/docker/daemon.json",
    "/usr/local/lib/rakazo-infra/*",
    "/var/lib/cloud/instance/user-data.txt*",
    "/proc/[0-9]*/cmdline",
)
"""Files of the machine that more people or programs read than those of the secrets."""
OWN = "Written by rakazo-infra"
"""In units and in the project itself: who has read them has read this."""
LOG_LINES = 2000
METHOD = (
    "Every value, as it is, in base64, in JSON and in a URL, is looked for in files of the machine, in what Docker "
    f"tells of each container that it is not meant for, and in the last {LOG_LINES} lines of each log. Values are "
    "compared here and never shown."
)
CONTROL = "The same search finds every value in the files of the secrets themselves."
Secret = dict[str, Any]


def claims(facts: DockerFacts) -> Iterator[Claim]:
    """Claims about secrets."""
    yield Claim(
        id="secrets-services",
        group=Group.SECRETS,
        sentence="Each service has the secrets that it needs, and none that is not its own.",
        reason="What a service does not know nobody can take from it: web answers the internet, and who has the "
        "supervisor's token commands Docker.",
        method="From inside each service: the names of its variables, never their values.",
        control="The same look with the forbidden names planted finds all of them.",
        remedy="`pulumi up --refresh` writes the project anew. A variable that stays comes from the image.",
        look=_services,
    )
    yield Claim(
        id="secrets-files",
        group=Group.SECRETS,
        sentence="The files that hold the secrets can be read by root alone.",
        reason="Every user of the machine, and every container with a folder of it, would have them all.",
        method=f"Owner and mode of everything below {facts.secrets_folder}.",
        control="None: it is what is written.",
        remedy=f"`chmod -R go= {facts.secrets_folder}` and `chown -R root:root {facts.secrets_folder}` on the machine; "
        "who could read them has them, so write new ones with `pulumi config set --secret`.",
        look=_files,
    )
    for key, sentence, method, look in (
        (
            "nowhere",
            "No secret value is in a unit, a command line, a file of the project, a log, or another's container.",
            METHOD,
            _nowhere,
        ),
        (
            "state",
            "No secret value is in the stack's state.",
            "The same values are looked for in what `pulumi stack export` writes.",
            _state,
        ),
        (
            "computers",
            "No secret value is in a computer's environment.",
            "The same values are looked for in a computer's variables, and in what Docker tells of every computer.",
            _computers,
        ),
    ):
        yield Claim(
            id=f"secrets-{key}",
            group=Group.SECRETS,
            sentence=sentence,
            reason="More people read such things than files of root's, and they are kept longer.",
            method=method,
            control=CONTROL if key != "computers" else "The same look finds a random value that it planted itself.",
            remedy=REMEDY,
            look=look,
        )


def _services(scene: DockerScene) -> Iterator[Evidence]:
    for service in scene.facts.application_services:
        names, planted = names_with_planted(scene, Vantage(service.name), service.forbidden)
        yield judge(service, names, planted)


def _files(scene: DockerScene) -> Iterator[Evidence]:
    folder = scene.facts.secrets_folder
    ran = scene.execute(Vantage.MACHINE, ["find", folder, "-printf", "%y %m %U %p\\n"])
    if ran.exit_code:
        raise ProbeError(f"find {folder}: {ran.output[-300:]}")
    yield modes(ran.output)


def modes(listing: str) -> Evidence:
    """Return whether nobody but root may read any of it; lines are `type mode owner path`."""
    found = [line.split(" ", 3) for line in listing.splitlines() if line]
    wrong = [f"{path} is {mode} of user {owner}" for _, mode, owner, path in found if owner != "0" or mode[-2:] != "00"]
    files = [path for kind, _, _, path in found if kind == "f"]
    return Evidence(
        subject=f"{len(files)} files of secrets",
        seen="; ".join(wrong) or "root's, and closed to everybody else",
        holds=False if wrong else (True if files else None),
    )


def kept(scene: DockerScene) -> list[Secret]:
    """Return the secrets by file, in the form in which values are looked for; ProbeError when there are none."""
    line = f'cd "{scene.facts.secrets_folder}" && for file in *.env; do echo "=== $file"; cat "$file"; echo; done'
    try:
        ran = scene.containers.machine.run(["bash", "-c", line])
    except MachineError:  # whatever it says
        raise ProbeError("the files of secrets were not read in time") from None
    found = files_of(ran.output)
    if ran.exit_code or not found:
        raise ProbeError(f"{scene.facts.secrets_folder} holds no secrets that could be looked for")
    return found


def files_of(text: str) -> list[Secret]:
    """Return each file with its values, from a listing that separates them by `=== name`."""
    found: list[Secret] = []
    for line in text.splitlines():
        if line.startswith("=== "):
            found.append({"metadata": {"name": line.removeprefix("=== ")}, "data": {}})
            continue
        key, equals, value = line.partition("=")
        if equals and key.isidentifier() and found:
            found[-1]["data"][key] = base64.b64encode(value.encode()).decode()
    return [each for each in found if each["data"]]


def foreign(secrets: list[Secret], service: str, holds: tuple[str, ...]) -> list[Secret]:
    """Return what a service must not know: values of others' files that are not part of one of its own."""
    own = {
        base64.b64decode(value)
        for each in secrets
        for key, value in each["data"].items()
        if each["metadata"]["name"] == f"{service}.env" or key in holds
    }

    def knows(value: str) -> bool:
        return any(base64.b64decode(value) in each for each in own)

    kept_apart = [
        {**each, "data": {key: value for key, value in each["data"].items() if not knows(value)}} for each in secrets
    ]
    return [each for each in kept_apart if each["data"]]


def _nowhere(scene: DockerScene) -> Iterator[Evidence]:
    secrets, docker = kept(scene), scene.containers
    searched = search(secrets)
    yield searched.judge("units, command lines and the project's files", {"files of the machine": public(docker)})
    names = docker.names(f"label={PROJECT}={scene.facts.application}")
    logs = {name: docker.log(name, LOG_LINES) for name in names}
    yield searched.judge("logs of the application", logs)
    holds = {service.name: service.holds for service in scene.facts.application_services}
    for each in docker.inspect(*names):
        service = who(each)
        apart = search(foreign(secrets, service, holds.get(service, ())))
        yield apart.judge(f"what Docker tells of {service}", {service: json.dumps(each)})


def public(docker: Containers) -> str:
    """Return everything in READ_BY_ALL; ProbeError when it is not what this project wrote there."""
    line = 'for file in "$@"; do [ -f "$file" ] && { cat "$file"; echo; }; done 2>/dev/null; true'
    ran = docker.machine.run(["bash", "-c", f"set -- {' '.join(READ_BY_ALL)}; {line}"])
    if ran.exit_code or OWN not in ran.output:
        raise ProbeError(f"units and the project's files do not say {OWN!r}, so they were not read")
    return ran.output


def _state(scene: DockerScene) -> Iterator[Evidence]:
    if not scene.documents:
        yield Evidence(subject="the stack's state", seen=NO_STATE, holds=None)
        return
    searched = search(kept(scene))
    for name, text in scene.documents.items():
        if scene.facts.pack() in text:
            yield searched.judge(name, {name: text})
        else:
            yield Evidence(subject=name, seen="its facts are not this stack's, so it is another's", holds=None)


def _computers(scene: DockerScene) -> Iterator[Evidence]:
    secrets, docker = kept(scene), scene.containers
    yield from of_computer(scene, sought(secrets))
    found: list[Mapping[str, Any]] = list(docker.inspect(*docker.names(f"name=^{BOTS}")))
    if found:
        yield search(secrets).judge(
            "what Docker tells of computers", {each["Name"]: json.dumps(each) for each in found}
        )
