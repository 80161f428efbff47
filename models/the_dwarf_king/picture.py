"""A picture of the table of The Dwarf King: the trick, the challenge, hands, tricks won and totals.

Promise: shows what everybody at the table sees; a hand is a pile of backs, and the special card of the round
has no name before it was seen.
"""

from __future__ import annotations

from models.language.pictures import Canvas, Naming, Picture, Table, differs, word

_W, _H, _COLUMN = 46, 62, 96
#: Suit in a card's name → the outline that the text gives it.
_SIGNS = {"DWARF": "circle", "GOBLIN": "square", "KNIGHT": "shield"}


def draw(state: Table, before: Table | None, words: Naming) -> Picture:
    """The table after a step; see `models.language.pictures`."""
    c = Canvas()
    phase = state["phase"]
    head = word(words, "Phase", phase)
    if phase in ("CHOOSE", "PLAY", "AIM"):
        head = f"{words.player(state['turn'])} · {head}"
    c.text(6, 16, head, anchor="start")
    if state["challenge"] != "NONE":
        c.text(6, 31, word(words, "Challenge", state["challenge"]), "s", anchor="start")
    if state["shown"] != "NONE":
        c.text(6, 43, f"★ {word(words, 'Special', state['shown'])}", "s", anchor="start")
    for player in range(len(state["played"])):
        _player(c, 18 + player * _COLUMN, 52, state, before, player, words)
    return c.picture()


def _player(
    c: Canvas, x: int, y: int, state: Table, before: Table | None, player: int, words: Naming
) -> None:
    """One column: name, card in the trick, cards in hand, tricks won and total."""
    over = state["phase"] == "OVER"
    leads = player == state["leader"] and state["phase"] in ("PLAY", "AIM", "TAKE")
    c.text(x, y + 10, f"{'▸ ' if leads else ''}{words.player(player)}", "s", anchor="start")
    if player == state["turn"] and state["phase"] in ("CHOOSE", "PLAY", "AIM"):
        c.box(x, y + 14, _W, 3, "n", round_=1)
    _card(c, x, y + 20, state, before, player, words)
    if state["aimed"] == player + 1:
        c.box(x + _W - 16, y + 22, 14, 14, "o", changed=differs(state, before, "aimed"), round_=7)
        c.text(x + _W - 9, y + 33, "★", "s")
    c.pile(
        x,
        y + 90,
        state["left"][player],
        _label(words, "left"),
        changed=differs(state, before, "left", player),
    )
    c.text(x, y + 178, f"{_label(words, 'tricks')}: {state['tricks'][player]}", "s", anchor="start")
    if differs(state, before, "tricks", player):
        c.mark(x - 3, y + 168, 72, 13)
    score = f"{_label(words, 'score')}: {state['score'][player]}"
    c.text(x, y + 194, score, "s", anchor="start")
    if differs(state, before, "score", player):
        c.mark(x - 3, y + 184, 72, 13)
    if over and state["won"][player]:
        c.shape(f"M{x + 50} {y + 8}l5 6 9-12", "l")


def _card(c: Canvas, x: int, y: int, state: Table, before: Table | None, player: int, words: Naming) -> None:
    name = state["played"][player]
    changed = differs(state, before, "played", player)
    if name == "NONE":
        c.box(x, y, _W, _H, "g", changed=changed)
        return
    suit, _, value = name.partition("_")
    if suit not in _SIGNS:
        c.card(x, y, word(words, "Card", name), style="e", changed=changed, w=_W, h=_H)
        return
    c.box(x, y, _W, _H, "c", changed=changed)
    c.text(x + _W / 2, y + 24, {"14": "A"}.get(value, value), "b")
    _sign(c, x + _W // 2, y + 43, _SIGNS[suit])


def _sign(c: Canvas, x: int, y: int, kind: str) -> None:
    """The outline of a suit around a point."""
    signs = {
        "circle": f"M{x - 9} {y}a9 9 0 1 0 18 0a9 9 0 1 0-18 0",
        "square": f"M{x - 8} {y - 8}h16v16h-16z",
        "shield": f"M{x - 8} {y - 8}h16v8q0 8-8 11q-8-3-8-11z",
    }
    c.shape(signs[kind])


def _label(words: Naming, field: str) -> str:
    return str(words.at("field", field) or field)
