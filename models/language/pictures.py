"""Pictures of a table: the small set of shapes from which a rulebook's `picture.py` draws.

Promises: a picture is made of shapes and texts only; every text is escaped; what a step changed is marked by
a thick line and a corner, not by colour alone; the same table gives the same picture.

A rulebook's `picture.py` has one function, `draw(state, before, words) -> Picture`:

- `state`: field → value as in the JSON of an audit (members of enumerations by name);
- `before`: the table before the step, or None; what differs is marked;
- `words`: the rulebook's words in the language of the report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from xml.sax.saxutils import escape

Table = Mapping[str, Any]


class Naming(Protocol):
    """Words of a rulebook, as far as pictures need them."""

    def at(self, *keys: str) -> Any:
        """The entry under some keys, or None."""

    def player(self, number: int) -> str:
        """The name of a player, numbered from 0."""


@dataclass(frozen=True)
class Picture:
    """A drawing.

    Attributes:
        width: Its width in units.
        height: Its height.
        body: Elements of SVG.
    """

    width: int
    height: int
    body: str

    def svg(self, *, alone: bool = False) -> str:
        """The drawing as an `svg` element.

        Args:
            alone: With its own style sheet, for where no page gives one.
        """
        style = f"<style>{STYLE}</style>" if alone else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="table" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}">{style}{self.body}</svg>'
        )


Draw = Callable[[Table, "Table | None", Naming], Picture]

#: Style sheet of pictures on white paper; a page may replace it, class by class.
STYLE = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:11px;fill:#1c1c1c}"
    ".b{font-weight:bold;font-size:15px}.s{font-size:9px}.d{fill:#595959}"
    ".c{fill:#ffffff;stroke:#4a4a4a}.k{fill:#5b6b7c;stroke:#3a4652}"
    ".g{fill:none;stroke:#8a8a8a;stroke-dasharray:3 3}"
    ".e{fill:#fff3d1;stroke:#8a6500}.m{fill:#e4f0e2;stroke:#3d6b35}.o{fill:#f3d27a;stroke:#7a5a00}"
    ".w{fill:#ffffff}.x{fill:none;stroke:#b03a00;stroke-width:3}.t{fill:#b03a00}.l{fill:none;stroke:#1c1c1c;"
    "stroke-width:1.5}.n{fill:#1c1c1c}"
)


def word(words: Naming, kind: str, name: str) -> str:
    """The word of a member of an enumeration, its name where there is none."""
    return str(words.at("enum", kind, name) or name)


def differs(state: Table, before: Table | None, *path: Any) -> bool:
    """Whether the value at a path of keys and positions is another one than before."""
    if before is None:
        return False
    now: Any = state
    was: Any = before
    for key in path:
        now, was = _at(now, key), _at(was, key)
    return bool(now != was)


def _at(value: Any, key: Any) -> Any:
    try:
        return value[key]
    except (KeyError, IndexError, TypeError):
        return None


class Canvas:
    """Collects shapes; grows with them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.right = self.bottom = 0

    def picture(self, margin: int = 6) -> Picture:
        """The drawing as far as it goes."""
        return Picture(round(self.right) + margin, round(self.bottom) + margin, "".join(self._parts))

    def _reach(self, x: float, y: float) -> None:
        self.right, self.bottom = max(self.right, round(x)), max(self.bottom, round(y))

    def shape(self, path: str, style: str = "l") -> None:
        """A path, in the language of SVG; it must lie within what is drawn already."""
        self._parts.append(f'<path class="{style}" d="{escape(path, {chr(34): "&quot;"})}"/>')

    def box(
        self, x: int, y: int, w: int, h: int, style: str, *, changed: bool = False, round_: int = 4
    ) -> None:
        """A box; `changed` marks it."""
        self._parts.append(f'<rect class="{style}" x="{x}" y="{y}" width="{w}" height="{h}" rx="{round_}"/>')
        self._reach(x + w, y + h)
        if changed:
            self.mark(x, y, w, h, round_)

    def mark(self, x: int, y: int, w: int, h: int, round_: int = 4) -> None:
        """Mark a box as changed."""
        self._parts.append(
            f'<rect class="x" x="{x}" y="{y}" width="{w}" height="{h}" rx="{round_}"/>'
            f'<path class="t" d="M{x + w} {y}v9l-9-9z"/>'
        )

    def text(self, x: float, y: float, text: object, style: str = "", *, anchor: str = "middle") -> None:
        """A text on one line."""
        shown = " ".join(str(text).split())
        kind = f' class="{style}"' if style else ""
        self._parts.append(f'<text{kind} x="{x}" y="{y}" text-anchor="{anchor}">{_clean(shown)}</text>')
        width = len(shown) * (9 if "b" in style.split() else 5 if "s" in style.split() else 6.2)
        self._reach(x + (width if anchor == "start" else width / 2 if anchor == "middle" else 0), y + 3)

    def wrapped(self, x: float, y: float, text: object, width: int, style: str = "s", lines: int = 3) -> None:
        """A centred text broken into lines of at most so many signs."""
        rows: list[str] = [""]
        for part in str(text).split():
            if rows[-1] and len(rows[-1]) + 1 + len(part) > width:
                rows.append("")
            rows[-1] = f"{rows[-1]} {part}".strip()
        for n, row in enumerate(rows[:lines]):
            self.text(x, y + 10 * n, row[: width + 2], style)

    def card(
        self,
        x: int,
        y: int,
        name: str = "",
        *,
        style: str = "c",
        changed: bool = False,
        w: int = 46,
        h: int = 62,
    ) -> None:
        """A card with a name; style `k` is a back, `g` a gap."""
        self.box(x, y, w, h, style, changed=changed)
        if name:
            self.wrapped(x + w / 2, y + h / 2 - 2, name, max(w // 5, 4), "s w" if style == "k" else "s")

    def die(self, x: int, y: int, shown: object, *, changed: bool = False, size: int = 22) -> None:
        """A die with what it shows."""
        self.box(x, y, size, size, "e", changed=changed, round_=5)
        self.text(x + size / 2, y + size / 2 + 4, shown)

    def pile(self, x: int, y: int, n: int, label: str, *, changed: bool = False) -> None:
        """A pile of cards, face down, with their number and a label under it."""
        for k in range(min(n, 3), 0, -1):
            self.box(x + 2 * k - 2, y + 4 - 2 * k + 2, 40, 54, "k")
        if not n:
            self.box(x, y + 4, 40, 54, "g")
        if changed:
            self.mark(x, y, 44, 58)
        self.text(x + 20, y + 37, n, "b w" if n else "b")
        self.text(x + 20, y + 72, label, "s")

    def coins(self, x: int, y: int, n: int, *, changed: bool = False) -> None:
        """Coins as one sign with their number."""
        self.box(x, y, 24, 20, "o", changed=changed, round_=10)
        self.text(x + 12, y + 14, n)


def _clean(text: str) -> str:
    """A text without what XML cannot hold, escaped."""
    return escape("".join(c for c in text if c.isprintable()))


__all__ = ["STYLE", "Canvas", "Draw", "Naming", "Picture", "Table", "differs", "word"]
