"""A picture of the table of Dwarves: Dig, Delve, Die: the row of cards with their dice, and the players.

Promise: dice lie above their card in the order of the stack, the top one highest; cards of the pile are not
shown.
"""

from __future__ import annotations

from models.language.pictures import Canvas, Naming, Picture, Table, differs, word

_W, _H, _GAP, _DIE = 58, 62, 6, 20


def draw(state: Table, before: Table | None, words: Naming) -> Picture:
    """The table after a step; see `models.language.pictures`."""
    c = Canvas()
    phase, over = word(words, "Phase", state["phase"]), state["phase"] == "OVER"
    head = phase if over or state["phase"] == "SETUP" else f"{words.player(state['turn'])} · {phase}"
    c.text(6, 16, head, anchor="start")
    if state["number"]:
        c.text(6, 32, f"{words.at('field', 'number') or 'number'}: {state['number']}", "s", anchor="start")
    shown = sorted((spot, name) for name, spot in state["spot"].items() if spot)
    tallest = max((len(dice) for dice in state["stack"].values()), default=0)
    top = 40 + tallest * (_DIE + 2)
    for n, (_, name) in enumerate(shown):
        _card(c, 6 + n * (_W + _GAP), top, name, state, before, words)
    pile = sum(1 for spot in state["spot"].values() if not spot)
    moved = before is not None and pile != sum(1 for spot in before["spot"].values() if not spot)
    c.pile(6 + len(shown) * (_W + _GAP) + 6, top, pile, word(words, "Field", "pile"), changed=moved)
    _hand(c, top + _H + 24, state, before, words)
    return c.picture()


def _card(c: Canvas, x: int, y: int, name: str, state: Table, before: Table | None, words: Naming) -> None:
    changed = differs(state, before, "spot", name)
    c.card(
        x, y, word(words, "Card", name), style="m" if name == "DELVE" else "c", changed=changed, w=_W, h=_H
    )
    dice = state["stack"][name]
    for k, die in enumerate(dice):
        new = differs(state, before, "stack", name, k)
        c.die(x + (_W - _DIE) // 2, y - (k + 1) * (_DIE + 2), die, changed=new, size=_DIE)
    if before is not None and len(before["stack"].get(name, ())) > len(dice):
        c.mark(x, y, _W, _H)


def _hand(c: Canvas, y: int, state: Table, before: Table | None, words: Naming) -> None:
    """Dice to be rolled and placed, the supply, and what lies before the players."""
    x = 6
    for number, n in enumerate(state["rolled"]):
        for _ in range(n):
            c.die(x, y, number + 1, changed=differs(state, before, "rolled", number), size=_DIE)
            x += _DIE + 3
    for _ in range(min(state["fist"], 8)):
        c.die(x, y, "?", changed=differs(state, before, "fist"), size=_DIE)
        x += _DIE + 3
    y += _DIE + 10
    _amount(
        c, 6, y, words.at("field", "supply") or "supply", state["supply"], differs(state, before, "supply")
    )
    for player, own in enumerate(state["own"]):
        at = y + 26 * (player + 1)
        active = player == state["turn"] and state["phase"] not in ("OVER", "SETUP")
        c.text(6, at + 14, f"{'▸ ' if active else ''}{words.player(player)}", "s", anchor="start")
        c.die(98, at, own, changed=differs(state, before, "own", player), size=_DIE)
        c.coins(130, at, state["gold"][player], changed=differs(state, before, "gold", player))


def _amount(c: Canvas, x: int, y: int, label: str, n: int, changed: bool) -> None:
    c.text(x, y + 14, label, "s", anchor="start")
    c.die(x + 92, y, n, changed=changed, size=_DIE)
