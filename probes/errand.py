"""One computer from its making to its end, by the application's own hand."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from probes.calls import call
from probes.claim import Evidence
from probes.http_over_bash import Answer
from probes.prober import Prober
from probes.vantage import Vantage

BOT = "verify"
"""Always the same: what a dead run left is found, used and removed by the next one."""
COMPUTERS = "/api/computers"
MAKE_SECONDS = 150.0
"""Rakazo itself waits up to two minutes for a computer."""
CREATED, NOT_FOUND, OK = 201, 404, 200
FULL = "Computer limit reached"
"""What the application says when as many computers run as the settings allow."""
TRIES = 5
STRANGERS = (401, 403, NOT_FOUND, 405)
"""What an application answers that knows no such call, or nobody who has not signed in."""
FILE = "verify/errand.txt"

Computer = dict[str, Any]
"""A computer as the application describes it."""


def errand(scene: Prober, judge: Callable[[Computer], Iterator[Evidence]]) -> Iterator[Evidence]:
    """Make, use and remove a computer; ProbeError when the application does not answer.

    `judge` looks at the computer as the application describes it, while it is there.
    """
    with scene.room():
        made = _make(scene)
        if made.status in STRANGERS:
            seen = f"status {made.status}: the application's API asks for a person's sign-in"
            yield Evidence(subject="make a computer", seen=seen, holds=None)
            return
        if FULL in made.body:
            seen = f"{_short(made)}: stop a computer in Rakazo, or raise computers.maximum, to see one made"
            yield Evidence(subject="make a computer", seen=seen, holds=None)
            return
        if made.status != CREATED:
            yield Evidence(subject="make a computer", seen=_short(made), holds=False)
            return
        computer = made.document()
        path = f"{COMPUTERS}/{computer['name']}"
        try:
            yield from judge(computer)
            yield from _used(scene, path)
        finally:
            ended = call(scene, Vantage.API, path, method="DELETE", seconds=MAKE_SECONDS)
        gone = call(scene, Vantage.API, path)
        yield Evidence(
            subject="remove it",
            seen=f"status {ended.status}, afterwards {gone.status}",
            holds=ended.status == OK and gone.status == NOT_FOUND,
        )


def _make(scene: Prober) -> Answer:
    """Ask for a computer, and again when the quota was being counted for another one at that moment."""
    for _ in range(TRIES):
        made = call(scene, Vantage.API, COMPUTERS, method="POST", body=json.dumps({"bot": BOT}), seconds=MAKE_SECONDS)
        if "object has been modified" not in made.body:
            break
    return made


def dialled(computer: Computer) -> tuple[str, bool]:
    """Return what the application found of the computer's screens, and whether all of them answer."""
    ports: dict[str, bool] = computer.get("dialled", {})
    told = ", ".join(f"port {port} {'answers' if yes else 'is silent'}" for port, yes in sorted(ports.items()))
    return told, all(ports.values())


def _used(scene: Prober, path: str) -> Iterator[Evidence]:
    asked = json.dumps({"command": ["echo", "done"]})
    ran = call(scene, Vantage.API, f"{path}/exec", method="POST", body=asked, seconds=MAKE_SECONDS)
    printed = ran.document().get("stdout", "").strip() if ran.status == OK else _short(ran)
    yield Evidence(subject="run `echo done` in it", seen=printed, holds=printed == "done")
    content = f"written by verification {scene.run_id}"
    wrote = call(scene, Vantage.API, f"{path}/files/{FILE}", method="PUT", body=content, seconds=MAKE_SECONDS)
    read = call(scene, Vantage.API, f"{path}/files/{FILE}", seconds=MAKE_SECONDS)
    yield Evidence(
        subject="write a file and read it",
        seen="the same content" if read.body == content else f"write: {_short(wrote)}; read: {_short(read)}",
        holds=read.body == content,
    )
    yield _screen(scene, path)


def _screen(scene: Prober, path: str) -> Evidence:
    """Ask api for the way to the screen and go it through web; the way is a right to watch, and ends with the computer.

    It is a word of a command, which whoever lists the programs of the machine can read while it runs.
    """
    opened = call(scene, Vantage.API, f"{path}/screen", method="POST", body="{}", seconds=MAKE_SECONDS)
    if opened.status != OK:
        return Evidence(subject="its screen", seen=f"api: {_short(opened)}", holds=False)
    page = call(scene, Vantage.WEB, opened.document()["path"], seconds=MAKE_SECONDS)
    forged = call(scene, Vantage.WEB, "/novnc/session/view/9999999999.forged.forged/vnc.html")
    return Evidence(
        subject="its screen, through web",
        seen=f"status {page.status}, {page.kind}",
        control=f"a forged way to it: status {forged.status}",
        holds=page.status == OK and page.kind == "text/html" and forged.status != OK,
    )


def _short(answer: Answer) -> str:
    return f"status {answer.status}: {answer.body[:500]}"
