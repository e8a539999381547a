"""Who may talk to whom, as pictures: one per vantage, so that no line crosses another."""

from collections.abc import Iterator

from markupsafe import Markup

from operations.report.panel import Panel
from operations.report.relation import Manner, Relation

WIDTH = 368
"""Of a picture in its own units, which are pixels on a phone."""
BOX = 112
"""Width of the box that holds the vantages' names."""
LINE = 16
"""From one line of text to the next in the box."""
PADDING = 8
"""Around a name in the box."""
CHARACTERS = 15
"""Of a line in the box: the widest system font fits."""
ROOM = 9
"""From one line's beginning to the next at the least: dashes tell lines apart only where they are apart."""
STEP = 24
"""From one destination to the next."""
TIP = 176
"""Where lines end, and a destination's name begins a little after."""
LONGEST = 27
"""Characters of a destination's name: what fits beside the line in a wide font."""
MARGIN = 6
CLASSES = {Manner.OPEN: "open", Manner.CLOSED: "closed", Manner.MIXED: "mixed"}


def draw(panel: Panel, number: int) -> Markup:
    """Return a panel as SVG, whose colours the page's style sheet gives; `number` tells it from the page's others."""
    names = [_wrapped(str(name)) for name in panel.sources]
    text = PADDING * (len(names) + 1) + LINE * sum(map(len, names))
    box = max(text, ROOM * (len(panel.relations) + 1))
    height = max(box, STEP * len(panel.relations)) + 2 * MARGIN
    middle = height / 2
    top = middle - box / 2
    parts = [
        Markup('<rect class="vantage" x="1" y="{}" width="{}" height="{}" rx="6"/>').format(_px(top), BOX - 2, box),
        *_names(names, middle - text / 2),
    ]
    gap = min(STEP, box / (len(panel.relations) + 1))
    for index, relation in enumerate(panel.relations):
        away = index - (len(panel.relations) - 1) / 2
        parts.append(_edge(relation, middle + away * gap, middle + away * STEP))
    head = Markup(
        '<svg class="panel" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
        'aria-labelledby="panel-{n} panel-{n}-said"><title id="panel-{n}">{title}</title>'
        '<desc id="panel-{n}-said">{said}</desc>'
    ).format(w=WIDTH, h=_px(height), n=number, title=f"What {panel.title} reached", said=panel.description)
    return head + Markup("").join(parts) + Markup("</svg>")


def _names(names: list[list[str]], top: float) -> Iterator[Markup]:
    """Yield the vantages' names from the top of their box down, with a rule between two."""
    baseline = top
    for number, lines in enumerate(names):
        if number:
            yield Markup('<path class="rule" d="M12 {}h{}"/>').format(_px(baseline + PADDING / 2), BOX - 24)
        baseline += PADDING
        for line in lines:
            yield Markup('<text class="vantage" x="{}" y="{}">{}</text>').format(BOX // 2, _px(baseline + 12), line)
            baseline += LINE


def _edge(relation: Relation, start: float, end: float) -> Markup:
    """Return a line with its end and the destination's name: an arrow is open, a bar is closed."""
    kind = CLASSES[relation.manner]
    stop = TIP - (3 if kind == "closed" else 9)
    bend = (stop - BOX) / 2
    path = f"M{BOX} {_px(start)}C{_px(BOX + bend)} {_px(start)} {_px(stop - bend)} {_px(end)} {stop} {_px(end)}"
    tip = f"M{TIP - 2} {_px(end - 6)}v12" if kind == "closed" else f"M{TIP} {_px(end)}l-9 -5v10z"
    suffix = ""
    if relation.manner is Manner.MIXED:
        suffix = f" ({relation.opened} of {relation.attempts})"
    return Markup(
        '<g class="edge {kind}{broken}"><title>{said}</title><path class="line" d="{path}"/>'
        '<path class="tip" d="{tip}"/><text x="{x}" y="{y}">{name}</text></g>'
    ).format(
        kind=kind,
        broken=" broken" if relation.broken else "",
        said=str(relation),
        path=path,
        tip=tip,
        x=TIP + 8,
        y=_px(end + 4.5),
        name=_shortened(relation.kind + suffix),
    )


def _shortened(name: str) -> str:
    """Cut a name that would leave the picture; its title has all of it."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _wrapped(name: str) -> list[str]:
    """Break a vantage's name into lines that fit into the box."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > CHARACTERS:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
