"""Where no value of a Secret may be: in anything that more people read than the Secret itself."""

import base64
import json
import secrets
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.claim import Claim, Evidence, Group
from probes.facts import Facts
from probes.pods import NOT_FOUND
from probes.prober import ProbeError, Prober
from probes.scene import Scene
from probes.secret_values import Sought, leaks, sought
from probes.vantage import Vantage

AT_ONCE = 8
LOG_LINES = 2000
NOT_STARTED = 400
"""What the API server answers about the log of a container that waits."""
NO_STATE = "no state was given; `rakazo-infra verify` reads it with the Pulumi CLI"
REMEDY = (
    "Whoever could read it has the secret: take the value out of there, write a new one with `pulumi config set "
    "--secret`, and run `pulumi up`. The encryption key cannot be replaced; what it encrypts has to be entered anew."
)
METHOD = (
    "Every value of the application's Secrets, as it is, in base64, in JSON and in a URL, is looked for in both "
    f"namespaces; of logs in the last {LOG_LINES} lines. Values are compared here and never shown."
)
CONTROL = "The same search finds every value in the Secrets themselves, where it is in base64."
_ENVIRONMENT = r"""
import json, os
try:
    first = open("/proc/1/environ", "rb").read().decode(errors="replace")
except OSError:
    first = ""
print(json.dumps([dict(os.environ), first]))
"""


def claims(_facts: Facts) -> Iterator[Claim]:
    """Claims about the values of the application's Secrets."""
    for key, sentence, method, look in (
        (
            "nowhere",
            "No secret value is in a pod, a ConfigMap, an event or a log.",
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
            "The same values are looked for in the variables of a computer's first process and of a new one.",
            _computers,
        ),
    ):
        yield Claim(
            id=f"secrets-{key}",
            group=Group.SECRETS,
            sentence=sentence,
            reason="More people read such things than Secrets, and they are kept longer.",
            method=method,
            control=CONTROL if key != "computers" else "The same look finds a random value that it planted itself.",
            remedy=REMEDY,
            look=look,
        )


def _secrets(scene: Scene) -> list[dict[str, Any]]:
    return _objects(scene, client.CoreV1Api(scene.operator).list_namespaced_secret(scene.facts.application))


@dataclass(frozen=True, kw_only=True)
class Search:
    """What to look for, and whether looking for it finds what is there."""

    values: list[Sought]
    control: str
    works: bool

    def judge(self, subject: str, texts: Mapping[str, str]) -> Evidence:
        """Return whether any value is in any of the texts; with nothing to look for or in, nothing is known."""
        found = leaks(self.values, texts)
        clean = f"none of {len(self.values)} values in any of {len(texts)}" if texts else "there are none"
        return Evidence(
            subject=subject,
            seen="; ".join(found) or clean,
            control=self.control,
            holds=False if found else (True if self.values and texts and self.works else None),
        )


def search(items: list[dict[str, Any]]) -> Search:
    """Return the search for all values of these Secrets, tried on the Secrets themselves."""
    values, text = sought(items), json.dumps(items)
    there = sum(each.is_in(text) for each in values)
    control = f"in the Secrets: {there} of {len(values)} values"
    return Search(values=values, control=control, works=there == len(values))


def _nowhere(scene: Scene) -> Iterator[Evidence]:
    searched, core = search(_secrets(scene)), client.CoreV1Api(scene.operator)
    for namespace in (scene.facts.application, scene.facts.computers):
        pods = _objects(scene, core.list_namespaced_pod(namespace))
        maps = _objects(scene, core.list_namespaced_config_map(namespace))
        events = _objects(scene, core.list_namespaced_event(namespace))
        yield searched.judge(f"pods of {namespace}", _texts(pods))
        yield searched.judge(f"ConfigMaps of {namespace}", _texts(maps))
        yield searched.judge(f"events of {namespace}", _texts(events))
        yield searched.judge(f"logs of {namespace}", _logs(core, namespace, pods))


def _objects(scene: Scene, listed: object) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = scene.operator.sanitize_for_serialization(listed)["items"]
    return items


def _texts(objects: list[dict[str, Any]]) -> dict[str, str]:
    return {each["metadata"]["name"]: json.dumps(each) for each in objects}


def _logs(core: client.CoreV1Api, namespace: str, pods: list[dict[str, Any]]) -> dict[str, str]:
    """Return the log of every container that has one, by pod and container."""
    wanted = [
        (pod["metadata"]["name"], container["name"])
        for pod in pods
        for kind in ("initContainers", "containers")
        for container in pod["spec"].get(kind) or []
    ]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        logs = pool.map(lambda each: _log(core, namespace, *each), wanted)
        return {"/".join(each): log for each, log in zip(wanted, logs, strict=True) if log is not None}


def _log(core: client.CoreV1Api, namespace: str, pod: str, container: str) -> str | None:
    try:
        return str(core.read_namespaced_pod_log(pod, namespace, container=container, tail_lines=LOG_LINES))
    except ApiException as error:
        if error.status in (NOT_FOUND, NOT_STARTED):  # gone since, or not begun
            return None
        raise


def _state(scene: Scene) -> Iterator[Evidence]:
    if not scene.documents:
        yield Evidence(subject="the stack's state", seen=NO_STATE, holds=None)
        return
    items = _secrets(scene)
    searched, names = search(items), {each["metadata"]["name"] for each in items}
    for name, text in scene.documents.items():
        if any(each in text for each in names):
            yield searched.judge(name, {name: text})
        else:
            yield Evidence(subject=name, seen="it names none of this stack's Secrets, so it is another's", holds=None)


def _computers(scene: Scene) -> Iterator[Evidence]:
    return of_computer(scene, sought(_secrets(scene)))


def of_computer(scene: Prober, values: list[Sought]) -> Iterator[Evidence]:
    """Look for values in the environment of a computer; ProbeError, which shows nothing of it, when it told none."""
    planted = secrets.token_urlsafe(16)
    canary = {"metadata": {"name": "planted"}, "data": {"planted": base64.b64encode(planted.encode()).decode()}}
    program = ["python3", "-c", _ENVIRONMENT]
    with_canary = _quietly(scene, ["env", f"PLANTED={planted}", *program])
    works = bool(leaks(sought([canary]), {"": with_canary}))
    searched = Search(values=values, control=f"a planted value: {'found' if works else 'not found'}", works=works)
    yield searched.judge("a computer's environment", {"a computer": _quietly(scene, program)})


def _quietly(scene: Prober, command: list[str]) -> str:
    """Return what a command printed; what it printed before it failed is nobody's business."""
    try:
        ran = scene.execute(Vantage.COMPUTER, command)
    except ProbeError:
        raise ProbeError("a computer did not print its environment in time") from None
    if ran.exit_code:
        raise ProbeError(f"a computer did not print its environment: exit code {ran.exit_code}")
    return ran.output
