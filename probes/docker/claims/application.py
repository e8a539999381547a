"""That the application itself is right: its health, its images, and one computer from its making to its end."""

from collections.abc import Iterator, Mapping
from typing import Any

from probes import health
from probes.calls import call
from probes.claim import Claim, Evidence, Group
from probes.claims.application import HEALTH
from probes.docker.made import faults, groups_here
from probes.docker.scene import DockerScene
from probes.errand import Computer, errand
from probes.reach import Answer, Destination, command, listed
from probes.vantage import DOCKER_SERVICES, Vantage

PROVIDER = "docker"
LOGS = "`docker logs rakazo-api-1` and `docker logs rakazo-supervisor-1` on the machine tell more."


def claims() -> Iterator[Claim]:
    """Claims about the running application."""
    yield Claim(
        id="application-health",
        group=Group.APPLICATION,
        sentence="api says that it is well and has computers made by this machine's Docker.",
        reason="A denial proves nothing while the application that it protects does not run.",
        method=f"GET {HEALTH} from inside api's own container.",
        control=f"web answers {HEALTH} as well, with a page, and that is not taken for health.",
        remedy=LOGS,
        look=_health,
    )
    yield Claim(
        id="application-image",
        group=Group.APPLICATION,
        sentence="Every container of the application runs the image that the settings pin.",
        reason="What is proven of one image says nothing of another.",
        method="Images of the running containers, by digest, as Docker has them.",
        control="Postgres, which has another image, is told apart.",
        remedy="`pulumi up` brings the digests under images; `docker ps` on the machine tells which container stays "
        "behind.",
        look=_image,
    )
    yield Claim(
        id="application-computer",
        group=Group.APPLICATION,
        sentence="The application makes a computer as the settings say, runs a command, keeps a file, shows its "
        "screen through web, and removes it.",
        reason="The isolation is worth something only if Rakazo works inside it.",
        method="Through the application's API from inside its own containers, where it lets somebody in who has not "
        "signed in: the stand-in does, the product asks for a person. The computer is looked at as Docker has it, and "
        "tries the supervisor from inside; its screen is fetched from web, the only one that may.",
        control="The answer to each step is compared with what was sent; after its removal the computer is gone.",
        remedy="The step that failed names the way: api to the supervisor, the supervisor to Docker, web to port 6080 "
        "of the computer. " + LOGS,
        look=_computer,
    )


def _health(scene: DockerScene) -> Iterator[Evidence]:
    page = call(scene, Vantage.WEB, HEALTH)
    control = f"web: status {page.status}, {page.kind}: {'not health' if health.fault(page) else 'health as well'}"
    answer = call(scene, Vantage.API, HEALTH)
    wrong = health.fault(answer, PROVIDER)
    yield Evidence(
        subject=f"api's {HEALTH}", seen=wrong or health.summary(answer), control=control, holds=wrong is None
    )


def _image(scene: DockerScene) -> Iterator[Evidence]:
    facts, docker = scene.facts, scene.containers
    for service in DOCKER_SERVICES:
        pinned = facts.image_postgres if service is Vantage.POSTGRES else facts.image_app
        found = docker.inspect(*scene.around.containers.get(str(service), ()))
        for each in found:
            (image,) = docker.inspect(each["Image"], kind="image")
            yield of_image(str(service), pinned, image)
        if not found:
            yield Evidence(subject=str(service), seen="no container runs", holds=False)


def of_image(service: str, pinned: str, image: Mapping[str, Any]) -> Evidence:
    """Return whether a container's image is the pinned one: the digest counts, whatever its name is today."""
    digests = [str(each) for each in image.get("RepoDigests") or []]
    wanted = pinned.rpartition("@")[2]
    return Evidence(
        subject=service,
        seen=", ".join(digests) or f"an image without digest: {image.get('Id')}",
        control=f"pinned: {pinned}",
        holds=any(each.rpartition("@")[2] == wanted for each in digests),
    )


def _computer(scene: DockerScene) -> Iterator[Evidence]:
    def judge(computer: Computer) -> Iterator[Evidence]:
        # Who answers here is on no network of a computer: its screen is seen through web alone, and later.
        yield Evidence(subject="make a computer", seen=str(computer["name"]), holds=True)
        yield from _as_docker_has_it(scene, str(computer["name"]))

    return errand(scene, judge)


def _as_docker_has_it(scene: DockerScene, name: str) -> Iterator[Evidence]:
    docker, facts = scene.containers, scene.facts
    (found,) = docker.inspect(name)
    joined = list(found["NetworkSettings"]["Networks"] or {})
    networks = {each["Name"]: each for each in docker.inspect(*joined, kind="network")}
    wrong = faults(found, networks, facts, groups=groups_here(docker), is_new=True)
    yield Evidence(subject=name, seen="; ".join(wrong) or "started as the settings say", holds=not wrong)
    (image,) = docker.inspect(found["Image"], kind="image")
    yield of_image(f"image of {name}", facts.image_computer, image)
    yield from _beside(scene, name, networks)


def _beside(scene: DockerScene, name: str, networks: Mapping[str, Mapping[str, Any]]) -> Iterator[Evidence]:
    """Try who else is on the computer's own network: the supervisor and web are, so that web can show its screen."""
    tried: dict[str, Destination] = {}
    for service in (Vantage.SUPERVISOR, Vantage.WEB):
        own = scene.around.names.get(str(service), "")
        port = scene.facts.service(str(service)).port
        for network in networks.values():
            for each in (network.get("Containers") or {}).values():
                address = str(each.get("IPv4Address") or "").partition("/")[0]
                if each.get("Name") == own and address and port:
                    tried[str(service)] = Destination(name=str(service), address=address, port=port)
    if not tried:
        yield Evidence(subject="who is on its network", seen="neither supervisor nor web", holds=None)
        return
    ran = scene.containers.execute(name, command(list(tried.values())))
    answers = dict(zip(tried, listed(list(tried.values()), ran.output), strict=True))
    yield from beside(tried, answers)


def beside(tried: Mapping[str, Destination], answers: Mapping[str, Answer]) -> Iterator[Evidence]:
    """Return what a computer reaches on its own network: web may answer there, the supervisor must not."""
    web = answers.get("web")
    if "supervisor" in answers:
        is_open = answers["supervisor"] is Answer.OPEN
        yield Evidence(
            subject=f"the computer → {tried['supervisor']}, on its own network",
            seen=str(answers["supervisor"]),
            control=f"web on the same network: {web or 'not there'}",
            holds=False if is_open else (True if web is Answer.OPEN else None),
        )
    if web is not None:
        seen = f"{web}: Rakazo's supervisor puts web there to show the screen, and web is what everybody reaches anyway"
        yield Evidence(subject=f"the computer → {tried['web']}, on its own network", seen=seen, holds=None)
