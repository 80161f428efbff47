"""A picture of the table of The Duel: what waits, and for each player piles, display, dice and Wild Cards.

Promise: shows what lies on the table; draw piles and hands are backs with their number.
"""

from __future__ import annotations

from models.language.pictures import Canvas, Naming, Picture, Table, differs, word

_W, _H, _ROW = 50, 58, 108
#: The kinds of what waits, as `table` numbers them.
_KING, _BLOW = 1, 2


def draw(state: Table, before: Table | None, words: Naming) -> Picture:
    """The table after a step; see `models.language.pictures`."""
    c = Canvas()
    phase, over = word(words, "Phase", state["phase"]), state["phase"] == "OVER"
    c.text(6, 16, phase if over else f"{words.player(state['turn'])} · {phase}", anchor="start")
    if state["window"][0]:
        c.text(6, 30, f"{words.player(state['window'][1])} …?", "d", anchor="start")
    _waiting(c, state, before, words)
    for player in range(2):
        _player(c, 84 + _ROW * player, player, state, before, words)
    return c.picture()


def _waiting(c: Canvas, state: Table, before: Table | None, words: Naming) -> None:
    """The card that is being played, and what waits to be carried out, the next one rightmost."""
    x = 6
    if state["paying"] != "NONE":
        name = _name(words, state["paying"], state["turn"])
        c.card(x, 36, name, style="e", changed=differs(state, before, "paying"), w=_W, h=40)
        x += _W + 8
    for n, item in enumerate(state["chain"]):
        kind, owner = divmod(item, 2)
        sign = "♛" if kind == _KING else "⚔ ♛" if kind == _BLOW else f"⚔ {kind - _BLOW}"
        c.box(x, 36, _W, 40, "e", changed=differs(state, before, "chain", n))
        c.text(x + _W / 2, 52, sign)
        c.text(x + _W / 2, 68, words.player(owner), "s")
        x += _W + 8


def _player(c: Canvas, y: int, player: int, state: Table, before: Table | None, words: Naming) -> None:
    active, won = state["turn"] == player and state["phase"] != "OVER", state["won"][player]
    c.text(6, y + 10, f"{'▸ ' if active else ''}{words.player(player)}{' ✓' if won else ''}", anchor="start")
    for n, field in enumerate(("deck", "hand")):
        number = sum(state[field][player].values())
        label = str(words.at("field", field) or field)
        c.pile(6 + 56 * n, y + 14, number, label, changed=differs(state, before, field, player))
    _dice(c, 122, y + 16, player, state, before)
    for k in range(state["wild"][player]):
        changed = differs(state, before, "wild", player) and not k
        c.card(122 + 32 * k, y + 44, "✶", style="o", changed=changed, w=28, h=36)
    x = 126 + max(26 * sum(state["dice"][player]), 32 * state["wild"][player], 60)
    for name, n in state["display"][player].items():
        for k in range(n):
            new = before is not None and k >= before["display"][player].get(name, 0)
            c.card(x, y + 18, _name(words, name, player), style="m", changed=new, w=_W, h=_H)
            hurt = state["damage"][player].get(name, 0)
            if hurt and not k:
                changed = differs(state, before, "damage", player, name)
                c.box(x + _W - 20, y + 60, 22, 18, "e", changed=changed, round_=9)
                c.text(x + _W - 9, y + 73, f"−{hurt}", "s")
            x += _W + 6


def _dice(c: Canvas, x: int, y: int, player: int, state: Table, before: Table | None) -> None:
    """The dice in front of a player, side by side."""
    for face, n in enumerate(state["dice"][player]):
        for _ in range(n):
            c.die(x, y, face or "✶", changed=differs(state, before, "dice", player, face))
            x += 26


def _name(words: Naming, card: str, player: int) -> str:
    """What a player's deck calls a card; its name in the model where there are no words for it."""
    both = word(words, "Card", card).split(" / ")
    return both[min(player, len(both) - 1)]
