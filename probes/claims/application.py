"""That the application itself is right: its health, its images, and one computer from its making to its end."""

from collections.abc import Iterator

from kubernetes import client

from probes import health
from probes.calls import call
from probes.claim import Claim, Evidence, Group
from probes.errand import Computer, dialled, errand
from probes.facts import Facts
from probes.scene import Scene
from probes.surroundings import COMPONENT, INSTANCE
from probes.vantage import SERVICES, Vantage

HEALTH = "/health"
ASK_REVISION = ["bash", "-c", 'printf %s "${GIT_SHA:-$RAKAZO_GIT_SHA}"']


def claims(_facts: Facts) -> Iterator[Claim]:
    """Claims about the running application."""
    yield Claim(
        id="application-health",
        group=Group.APPLICATION,
        sentence="api says that it is well and makes computers in this cluster.",
        reason="A denial proves nothing while the application that it protects does not run.",
        method=f"GET {HEALTH} from inside api's own pod.",
        control=f"web answers {HEALTH} as well, with a page, and that is not taken for health.",
        remedy="`kubectl logs -l app.kubernetes.io/component=api` in the application's namespace.",
        look=_health,
    )
    yield Claim(
        id="application-image",
        group=Group.APPLICATION,
        sentence="Every pod of the application runs the image that the settings pin.",
        reason="What is proven of one image says nothing of another.",
        method="Images of the running pods are read from the API server; api is asked for its revision, and its pod "
        "for the one that was built in.",
        control="Postgres, which has another image, is told apart.",
        remedy="`pulumi up` rolls out the digests under images; `kubectl describe` tells why a pod stays behind.",
        look=_image,
    )
    yield Claim(
        id="application-computer",
        group=Group.APPLICATION,
        sentence="The application makes a computer, runs a command, keeps a file, shows its screen, and removes it.",
        reason="The isolation is worth something only if Rakazo works inside it.",
        method="Through the application's API from inside its own pods, where it lets somebody in who has not signed "
        "in: the stand-in does, the product asks for a person.",
        control="The answer to each step is compared with what was sent; after its removal the computer is gone.",
        remedy="The step that failed names the way: api to the API server, api and web to ports 6080 and up of "
        "computers. `kubectl logs -l app.kubernetes.io/component=api` tells more.",
        look=_computer,
    )


def _health(scene: Scene) -> Iterator[Evidence]:
    page = call(scene, Vantage.WEB, HEALTH)
    control = f"web: status {page.status}, {page.kind}: {'not health' if health.fault(page) else 'health as well'}"
    answer = call(scene, Vantage.API, HEALTH)
    wrong = health.fault(answer)
    yield Evidence(
        subject=f"api's {HEALTH}", seen=wrong or health.summary(answer), control=control, holds=wrong is None
    )


def _computer(scene: Scene) -> Iterator[Evidence]:
    def judge(computer: Computer) -> Iterator[Evidence]:
        screens, answer = dialled(computer)
        wanted = (scene.facts.runtime_class, scene.facts.image_computer)
        yield Evidence(
            subject="make a computer",
            seen=f"{computer['name']} on node {computer.get('node')}, class {computer.get('runtimeClass')}, {screens}",
            holds=(computer.get("runtimeClass"), computer.get("image")) == wanted and answer,
        )

    return errand(scene, judge)


def _image(scene: Scene) -> Iterator[Evidence]:
    for service in SERVICES:
        yield from _of_service(scene, service)
    told = health.revision(call(scene, Vantage.API, HEALTH))
    built = scene.execute(Vantage.API, ASK_REVISION).output.strip()
    known = bool(told and built)
    yield Evidence(
        subject="api's revision",
        seen=f"{told or 'none'} by {HEALTH}, {built or 'none'} in its image",
        holds=told == built if known else None,
    )


def _of_service(scene: Scene, service: Vantage) -> Iterator[Evidence]:
    facts = scene.facts
    pinned = facts.image_postgres if service is Vantage.POSTGRES else facts.image_app
    selector = f"{INSTANCE}={facts.application},{COMPONENT}={service}"
    pods = client.CoreV1Api(scene.operator).list_namespaced_pod(facts.application, label_selector=selector).items
    # One that is ending may be of an older release: worker takes up to three quarters of an hour for it.
    running = [pod for pod in pods if pod.status.phase == "Running" and not pod.metadata.deletion_timestamp]
    for pod in running:
        images = {container.image for container in pod.spec.containers}
        ids = ", ".join(str(each.image_id) for each in pod.status.container_statuses or [])
        yield Evidence(
            subject=f"{service}, pod {pod.metadata.name}",
            seen=f"{', '.join(sorted(images))} (runs {ids})",
            control=f"pinned: {pinned}",
            holds=images == {pinned},
        )
    if not running:
        yield Evidence(subject=str(service), seen="no pod runs", holds=False)
