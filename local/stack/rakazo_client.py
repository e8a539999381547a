"""A client of the stand-in application's test API, through the way in that people use."""

import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import requests

from local.failure import LocalError


class RakazoError(LocalError):
    """The application answered with an error; the message holds its status and body."""


@dataclass(frozen=True, kw_only=True)
class Executed:
    """What a command on a computer printed and how it ended."""

    exit_code: int
    stdout: str
    stderr: str


class RakazoClient:
    """Speaks to one Rakazo; every call has a deadline."""

    def __init__(self, url: str, seconds: float = 150.0) -> None:
        """`url` is the way in without a trailing slash; `seconds` is the deadline of one call."""
        self.url = url
        self._seconds = seconds
        self._session = requests.Session()
        self._session.trust_env = False  # a proxy of the person's environment must not see this

    def health(self) -> dict[str, Any]:
        """Return the API's health; refuse an answer that is not JSON, since web says 200 to everything (B121)."""
        answer = self._session.get(f"{self.url}/health", timeout=self._seconds)
        if "json" not in answer.headers.get("content-type", ""):
            raise RakazoError(f"/health answered {answer.status_code} {answer.headers.get('content-type')}, not JSON")
        body: dict[str, Any] = answer.json()
        return body

    def wait_healthy(self, seconds: float = 30.0) -> dict[str, Any]:
        """Wait until the way in leads to api: nodes learn of a new Service a moment after it was made."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.health()
            except (RakazoError, requests.RequestException) as error:
                if time.monotonic() > deadline:
                    raise RakazoError(f"{self.url}/health did not answer within {seconds:.0f} s: {error}") from error
            time.sleep(0.2)

    def create(self, bot: str) -> dict[str, Any]:
        """Create the computer of a bot, or return the one it has."""
        return self._call("POST", "/api/computers", {"bot": bot})

    def delete(self, computer: str) -> None:
        """Save the computer's workspace and delete its pod."""
        self._call("DELETE", f"/api/computers/{computer}")

    def execute(self, computer: str, command: list[str]) -> Executed:
        """Run a command on a computer through pods/exec."""
        done = self._call("POST", f"/api/computers/{computer}/exec", {"command": command})
        return Executed(exit_code=done["exitCode"], stdout=done["stdout"], stderr=done["stderr"])

    def write(self, computer: str, path: str, content: bytes) -> None:
        """Write a file in the computer's home."""
        answer = self._session.put(
            f"{self.url}/api/computers/{computer}/files/{quote(path)}", data=content, timeout=self._seconds
        )
        self._refuse(answer)

    def read(self, computer: str, path: str) -> bytes:
        """Read a file of the computer's home."""
        answer = self._session.get(f"{self.url}/api/computers/{computer}/files/{quote(path)}", timeout=self._seconds)
        self._refuse(answer)
        return answer.content

    def start_job(self, bot: str, command: list[str]) -> str:
        """Give the worker a command to run on the bot's computer; return the job's id."""
        return str(self._call("POST", "/api/jobs", {"bot": bot, "command": command})["id"])

    def job(self, job: str) -> dict[str, Any]:
        """Return a job's state and, when it is done, its result."""
        return self._call("GET", f"/api/jobs/{job}")

    def screen(self, computer: str) -> requests.Response:
        """Fetch the computer's screen page through web with a fresh capability."""
        path = self._call("POST", f"/api/computers/{computer}/screen", {})["path"]
        return self._session.get(f"{self.url}{path}", timeout=self._seconds)

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = self._session.request(method, self.url + path, json=body, timeout=self._seconds)
        self._refuse(answer)
        result: dict[str, Any] = answer.json() if answer.content else {}
        return result

    @staticmethod
    def _refuse(answer: requests.Response) -> None:
        if not answer.ok:
            raise RakazoError(f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text[:2000]}")
