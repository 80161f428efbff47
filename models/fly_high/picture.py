"""A picture of the table of Fly High: the square, the die, the deck and the score piles.

Promise: shows what players see, and fades what they have seen before; a card that nobody has seen stays a
back.
"""

from __future__ import annotations

import math

from models.language.pictures import Canvas, Naming, Picture, Table, differs, word

_W, _H, _GAP = 46, 62, 8


def draw(state: Table, before: Table | None, words: Naming) -> Picture:
    """The table after a step; see `models.language.pictures`."""
    c = Canvas()
    turn, spots = state["turn"], len(state["grid"])
    phase = word(words, "Phase", state["phase"])
    who = words.player(turn) if state["phase"] != "OVER" else ""
    c.text(6, 16, f"{who} · {phase}" if who else phase, anchor="start")
    columns = max(1, math.ceil(math.sqrt(spots)))
    for spot in range(spots):
        x, y = 6 + spot % columns * (_W + _GAP), 26 + spot // columns * (_H + _GAP)
        _card(c, x, y, state, before, spot, words)
    right = 6 + columns * (_W + _GAP) + 10
    _die(c, right, 26, state, before)
    c.pile(
        right + 46,
        26,
        state["deck"],
        words.at("field", "deck") or "deck",
        changed=differs(state, before, "deck"),
    )
    if state["height"]:
        sign = "≤" if state["down"] else "≥"
        c.text(right + 17, 84, f"{sign} {10 * state['height']}", "b")
    for player, score in enumerate(state["score"]):
        x, y = right + 62 * player, 112
        c.pile(x, y, score, words.player(player), changed=differs(state, before, "score", player))
        if state["phase"] == "OVER" and state["won"][player]:
            c.shape(f"M{x + 12} {y - 4}l5 6 9-12", "l")
        elif player == turn and state["phase"] != "OVER":
            c.box(x, y + 75, 40, 3, "n", round_=1)
    return c.picture()


def _card(c: Canvas, x: int, y: int, state: Table, before: Table | None, spot: int, words: Naming) -> None:
    name, up = state["grid"][spot], state["face_up"][spot]
    changed = differs(state, before, "grid", spot) or differs(state, before, "face_up", spot)
    if name == "NONE":
        c.box(x, y, _W, _H, "g", changed=changed)
        return
    if not up:
        c.box(x, y, _W, _H, "k", changed=changed)
        if name != "HIDDEN":
            c.text(x + _W / 2, y + 36, _short(name, words), "s w")
        elif state["phase"] == "DRAW" and state["pick"] == spot:
            c.text(x + _W / 2, y + 38, "?", "b w")
        return
    kind, _, letter = name.partition("_")
    c.box(x, y, _W, _H, "c" if kind.startswith("N") else "e", changed=changed)
    if kind.startswith("N"):
        c.text(x + _W / 2, y + 37, kind[1:], "b")
    else:
        _special(c, x + _W // 2, y + 24, kind)
        c.text(x + _W / 2, y + 50, _short(kind, words), "s")
    if letter:
        c.text(x + 8, y + 13, letter, "s")


def _short(name: str, words: Naming) -> str:
    return word(words, "Card", name)[:10]


def _special(c: Canvas, x: int, y: int, kind: str) -> None:
    """The sign of a special card, around a point."""
    signs = {
        "RAINBOW": "".join(f"M{x - r} {y + 7}a{r} {r} 0 0 1 {2 * r} 0" for r in (13, 9, 5)),
        "UTURN": f"M{x - 8} {y + 9}v-10a7 7 0 0 1 14 0v8m-4-4l4 5 4-5",
        "FINISH": f"M{x - 8} {y + 10}v-20h16l-4 5 4 5h-16",
    }
    if kind in signs:
        c.shape(signs[kind])


def _die(c: Canvas, x: int, y: int, state: Table, before: Table | None) -> None:
    changed = differs(state, before, "die")
    c.die(x, y, state["die"] or "", changed=changed, size=34)
