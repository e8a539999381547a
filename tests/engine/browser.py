"""The computer image's own Chromium, without a window, a cluster or a network, looking at a file."""

import html
import json
import re
import shutil
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from local.images import ensure
from tests.engine.image_container import Container, unpack

HOME = "/home/rakazo"
FLAGS = (
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
    "--disable-breakpad", "--disable-extensions", "--password-store=basic", "--hide-scrollbars",
    "--force-device-scale-factor=1", "--enable-logging=stderr",
)  # fmt: skip
DARK, LIGHT = 0, 1
"""What Chromium calls the two colour schemes in its settings."""
_CONSOLE = re.compile(r":CONSOLE[:(].*?\] \"(.*)\", source: file:")


_RULER = """<!doctype html><title></title>
<iframe src="PAGE" style="width:WIDTHpx;height:900px;border:0"></iframe>
<script>
onload = () => {
  const page = document.querySelector("iframe").contentDocument;
  const right = each => each.getBoundingClientRect().right;
  const all = [...page.querySelectorAll("body *:not(thead *, .skip)")].filter(each => each.getClientRects().length);
  const names = [...page.querySelectorAll("svg.panel text")];
  const outside = names.filter(each => right(each) > right(each.ownerSVGElement) || each.getBBox().x < 0);
  document.title = JSON.stringify({
    width: page.documentElement.scrollWidth,
    height: page.documentElement.scrollHeight,
    cut: all.filter(each => right(each) > WIDTH + 1).map(each => each.outerHTML.slice(0, 120)),
    names: names.length,
    outside: outside.map(each => each.textContent),
  });
};
</script>
"""
"""Shows a page in a frame, and notes its size, the elements that its right edge cuts, and names outside of pictures."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A screenshot, decoded."""

    file: Path
    width: int
    height: int
    pixels: bytes
    """Three bytes each, row by row."""

    def row(self, number: int) -> bytes:
        """Return one row of pixels."""
        return self.pixels[number * self.width * 3 : (number + 1) * self.width * 3]

    @property
    def rows(self) -> int:
        """How many different rows there are: 1 for a blank page."""
        return len({self.row(number) for number in range(self.height)})

    @property
    def colours(self) -> int:
        """How many different colours there are."""
        return len({self.pixels[at : at + 3] for at in range(0, len(self.pixels), 3)})

    @property
    def brightness(self) -> float:
        """Return the mean of all pixels: 0 is black, 1 is white."""
        return sum(self.pixels) / (255 * len(self.pixels))


@dataclass(frozen=True)
class Browser:
    """A container in which Chromium is started once per question."""

    container: Container
    home: Path
    """Outside, what is HOME inside."""

    def picture(self, page: str, width: int, height: int, scheme: int = LIGHT) -> Picture:
        """Return what a window of this size shows."""
        for old in self.home.glob("shot.*"):
            old.unlink()
        self._look(
            page, f"--screenshot={HOME}/shot.png", f"--window-size={width},{height}",
            f"--blink-settings=preferredColorScheme={scheme}",
        )  # fmt: skip
        decoded = self.container.run(["convert", f"{HOME}/shot.png", "-depth", "8", f"rgb:{HOME}/shot.rgb"])
        assert decoded.returncode == 0, decoded.stderr
        file = self.home / "shot.png"
        seen_width, seen_height = struct.unpack(">2I", file.read_bytes()[16:24])
        pixels = (self.home / "shot.rgb").read_bytes()
        assert len(pixels) == seen_width * seen_height * 3
        return Picture(file=file, width=seen_width, height=seen_height, pixels=pixels)

    def dom(self, page: str) -> str:
        """Return the page as Chromium understood it."""
        return self._look(page, "--dump-dom")[0]

    def complaints(self, page: str) -> list[str]:
        """Return what the page's console says."""
        return _CONSOLE.findall(self._look(page, "--dump-dom")[1])

    def requests(self, page: str) -> set[str]:
        """Return the addresses that a page had fetched, or tried to; Chromium's own errands have no page's origin."""
        log = self.home / "net.json"
        log.unlink(missing_ok=True)
        self._look(page, "--dump-dom", f"--log-net-log={HOME}/net.json")
        written: dict[str, Any] = json.loads(log.read_text(encoding="utf-8"))
        start = written["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
        begun = [
            each["params"] for each in written["events"] if each["type"] == start and "url" in each.get("params", {})
        ]
        return {each["url"] for each in begun if each["initiator"] != "not an origin"}

    def layout(self, page: str, width: int) -> dict[str, Any]:
        """Return what a window of this width makes of the page: see `_RULER`."""
        self.write("ruler.html", _RULER.replace("PAGE", page).replace("WIDTH", str(width)))
        told = re.search(
            r"<title>(.*?)</title>", self._look("ruler.html", "--allow-file-access-from-files", "--dump-dom")[0]
        )
        assert told is not None
        found: dict[str, Any] = json.loads(html.unescape(told[1]))
        return found

    def write(self, name: str, page: str) -> None:
        """Put a page where Chromium finds it."""
        (self.home / name).write_text(page, encoding="utf-8")

    def _look(self, page: str, *options: str) -> tuple[str, str]:
        ran = self.container.run([*FLAGS, f"--user-data-dir={HOME}/profile", *options, f"file://{HOME}/{page}"])
        assert ran.returncode == 0, ran.stderr
        return ran.stdout, ran.stderr


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Unpack the image and yield a browser in it; everything is gone afterwards but the last screenshot."""
    (image,) = ensure(Console(stderr=True), ["computer"]).values()
    root, home = folder / "root", folder / "home"
    root.mkdir()
    home.mkdir()
    shutil.chown(home, 1000, 1000)
    configuration = unpack(image, root)
    environment = dict(variable.split("=", 1) for variable in configuration["Env"])
    container = Container(root, 1000, environment, {HOME: home}, folder / "log")
    container.start(["sleep", "infinity"])
    try:
        container.until(["true"])
        yield Browser(container, home)
    finally:
        container.end()
        shutil.rmtree(root)
