"""Who a computer is to the cluster and to its cloud: nobody; and where the application keeps its own identity."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from kubernetes import client

from probes.claim import Claim, Evidence, Group
from probes.claims.environment import names_with_planted
from probes.facts import Facts, ServiceFacts
from probes.prober import Prober
from probes.scene import Scene
from probes.surroundings import COMPONENT, INSTANCE, lasting
from probes.vantage import Vantage

TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token"  # noqa: S105 - a path
CLOUD_VARIABLES = ("AWS_*", "AZURE_*", "GOOGLE_*", "CLOUDSDK_*", "*_TOKEN_FILE", "KUBECONFIG")
"""Variables by which the clients of clouds and of Kubernetes find an identity."""
PLANTED = ("AWS_WEB_IDENTITY_TOKEN_FILE", "KUBECONFIG")
CAPABILITIES = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")

# Runs in any pod with bash. A mounted token is found by its beginning, `{"` in base64, wherever it is mounted.
LOOK = r"""
shopt -s nullglob dotglob
for file in /var/run/secrets/*/*/token* /var/run/secrets/*/token* /var/run/secrets/*/tokens/* \
  "$HOME"/.kube/config /root/.kube/config "$HOME"/.aws/credentials "$HOME"/.azure/* "$HOME"/.config/gcloud/* \
  /etc/kubernetes/*.conf /var/lib/kubelet/kubeconfig; do
  if [[ -e $file ]]; then echo "found $file"; fi
done
while read -r _ folder _; do
  case $folder in / | /proc* | /sys* | /dev*) continue ;; esac
  for file in "$folder" "$folder"/* "$folder"/*/*; do
    [[ -f $file && -r $file ]] || continue
    IFS= read -r -N 3 head <"$file"
    if [[ $head == eyJ ]]; then echo "found $file"; fi
  done
done </proc/mounts 2>/dev/null
while read -r key value _; do
  case $key in Cap*) echo "${key%:} $value" ;; esac
done </proc/self/status
"""


def claims(facts: Facts) -> Iterator[Claim]:
    """Claims about identities, as seen from inside the pods."""
    yield Claim(
        id="identity-token",
        group=Group.IDENTITY,
        sentence="A computer holds no token of the cluster and no capability of the kernel.",
        reason="A token is an identity that whoever steers the computer can use from anywhere; a capability is a "
        "piece of root.",
        method="From inside a computer: files in the usual places, files of every mount that begin like a token, and "
        "what the kernel says of the process.",
        control="The same look finds the token of api.",
        remedy="Set automountServiceAccountToken: false on the service account default of the computers' namespace: "
        "`pulumi up --refresh` does; then look for a webhook that adds volumes or capabilities to pods.",
        look=_tokens,
    )
    yield Claim(
        id="identity-cloud",
        group=Group.IDENTITY,
        sentence="A computer's environment names no identity of a cloud and no kubeconfig.",
        reason="Clients of clouds and of Kubernetes use such variables without being asked to.",
        method="From inside a computer: the names of its variables, of the first process and of a new one; no value "
        f"is looked at. Refused are {', '.join(CLOUD_VARIABLES)}.",
        control=f"The same look with {' and '.join(PLANTED)} planted finds both.",
        remedy="Something adds them to new pods: remove the cloud identity from the service account default of the "
        "computers' namespace, and exempt that namespace from the webhook that writes them.",
        look=cloud,
    )
    yield Claim(
        id="identity-mounts",
        group=Group.IDENTITY,
        sentence="Only the services that talk to the Kubernetes API hold a token.",
        reason="web answers the internet and postgres keeps everything: neither has any business with the cluster.",
        method="From inside each service: whether the token's file is there; and the volumes of all its pods.",
        control="It is there in "
        + (" and ".join(each.name for each in facts.application_services if each.token) or "no service")
        + ".",
        remedy="Set automountServiceAccountToken: false for the service that is named: `pulumi up --refresh` does, "
        "unless a webhook mounts it.",
        look=_mounts,
    )


def _tokens(scene: Scene) -> Iterator[Evidence]:
    inside = scene.execute(Vantage.COMPUTER, ["bash", "-c", LOOK]).output
    witness = next((each for each in scene.facts.application_services if each.token), None)
    there = found(scene.execute(Vantage(witness.name), ["bash", "-c", LOOK]).output) if witness else []
    yield Evidence(
        subject="tokens and kubeconfigs in a computer",
        seen=", ".join(found(inside)) or "none",
        control=f"{witness.name if witness else 'no service'}: {min(there, key=len, default='none')}",
        holds=False if found(inside) else (True if there else None),
    )
    yield capabilities(inside)


def found(output: str) -> list[str]:
    """Return the files that the look found, each once; without the hidden folders that Kubernetes links them from."""
    files = {line.removeprefix("found ") for line in output.splitlines() if line.startswith("found ")}
    return sorted(file for file in files if "/.." not in file)


def capabilities(output: str) -> Evidence:
    """Return what the kernel said about a computer's capabilities; the bounding set must be among it."""
    sets = {
        key: value for key, _, value in (line.partition(" ") for line in output.splitlines()) if key in CAPABILITIES
    }
    held = [f"{key} {value}" for key, value in sets.items() if int(value, 16)]
    return Evidence(
        subject="capabilities of a computer",
        seen=", ".join(held) or (f"none ({', '.join(sets)} are 0)" if sets else "the kernel does not say"),
        holds=False if held else (True if "CapBnd" in sets else None),
    )


def cloud(scene: Prober) -> Iterator[Evidence]:
    """Look for variables that name an identity; ProbeError when the computer does not list them."""
    names, planted = names_with_planted(scene, Vantage.COMPUTER, PLANTED)
    credentials, seen = clouds(names), clouds(planted)
    yield Evidence(
        subject="variables of a computer",
        seen=", ".join(credentials) or f"none of {len(names)} variables names an identity",
        control=f"with {' and '.join(PLANTED)} planted: {', '.join(seen) or 'not found'}",
        holds=False if credentials else (True if set(PLANTED) <= set(seen) else None),
    )


def clouds(names: Iterable[str]) -> list[str]:
    """Return those of the variables by which a client would find an identity."""
    return sorted(name for name in names if any(fnmatchcase(name, pattern) for pattern in CLOUD_VARIABLES))


def _mounts(scene: Scene) -> Iterator[Evidence]:
    facts = scene.facts
    there = {
        service.name: scene.execute(Vantage(service.name), ["bash", "-c", f"test -e {TOKEN}"]).exit_code == 0
        for service in facts.application_services
    }
    holders = [service.name for service in facts.application_services if service.token and there[service.name]]
    control = f"there in {' and '.join(holders)}" if holders else "there in no service"
    listed = client.CoreV1Api(scene.operator).list_namespaced_pod(
        facts.application, label_selector=f"{INSTANCE}={facts.application}"
    )
    pods = lasting(scene.operator.sanitize_for_serialization(listed)["items"])
    for service in facts.application_services:
        mounted = [
            each["metadata"]["name"]
            for each in pods
            if each["metadata"]["labels"].get(COMPONENT) == service.name and has_token_volume(each)
        ]
        yield mount(service, there[service.name], mounted, control)


def mount(service: ServiceFacts, there: bool, mounted: list[str], control: str) -> Evidence:
    """Return whether a service holds a token as its row says; `mounted` are its pods with a volume of tokens."""
    seen = "a token" if there else "no token"
    if mounted and not there:
        seen += f" in the usual place, and a volume of tokens in {', '.join(mounted)}"
    if service.token:
        return Evidence(subject=service.name, seen=seen, holds=there)
    holds = False if there or mounted else (None if control.endswith("no service") else True)
    return Evidence(subject=service.name, seen=seen, control=control, holds=holds)


def has_token_volume(pod: dict[str, object]) -> bool:
    """Whether a pod's volumes hold a token of its account, wherever that is mounted."""
    spec = pod["spec"]
    volumes = spec.get("volumes") or [] if isinstance(spec, dict) else []
    return any(
        "serviceAccountToken" in source
        for volume in volumes
        for source in (volume.get("projected") or {}).get("sources") or []
    )
