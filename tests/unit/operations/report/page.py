"""A page read as a browser reads it, as far as tests need it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input", "wbr", "br"}


@dataclass
class Element:
    """One element with what is inside."""

    tag: str
    attributes: dict[str, str]
    parent: "Element | None"
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside, with single spaces."""
        return " ".join("".join(self.texts).split())


class Page(HTMLParser):
    """Collects elements; AssertionError when one is closed that is not open."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert [each.tag for each in self._open] == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        parent = self._open[-1] if self._open else None
        element = Element(tag, {key: value or "" for key, value in attrs}, parent)
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element of a picture, which has no content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element."""
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        """Add text to all elements that hold it."""
        for each in self._open:
            each.texts.append(data)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Return the elements of a tag; `class_` is one of its classes."""
        wanted = attributes.pop("class_", None)
        return [
            each
            for each in self.elements
            if each.tag == tag
            and (wanted is None or wanted in each.attributes.get("class", "").split())
            and attributes.items() <= each.attributes.items()
        ]
