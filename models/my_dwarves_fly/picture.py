"""A picture of the table of My Dwarves Fly: a row for each player, and the battle between them.

Promise: shows what lies on the table; cards in hands and cards laid face down are backs.
"""

from __future__ import annotations

from models.language.pictures import Canvas, Naming, Picture, Table, differs, word

_W, _H, _ROW = 48, 56, 92


def draw(state: Table, before: Table | None, words: Naming) -> Picture:
    """The table after a step; see `models.language.pictures`."""
    c = Canvas()
    phase, over = word(words, "Phase", state["phase"]), state["phase"] == "OVER"
    c.text(6, 16, phase if over else f"{words.player(state['turn'])} · {phase}", anchor="start")
    x = 6
    if state["battle"] != "NONE":
        name = word(words, "Battle", state["battle"])
        c.card(x, 24, name, style="e", changed=differs(state, before, "battle"), w=64, h=40)
        x += 74
    if state["phase"] in ("DICE", "LANDED", "WINDOW"):
        kind = word(words, "Creature", state["rolling"])
        c.text(x, 40, kind, "s", anchor="start")
        shown = state["rolled"] if state["phase"] != "DICE" else "?"
        c.die(x, 44, shown, changed=differs(state, before, "rolled"))
        c.coins(x + 30, 45, state["found"], changed=differs(state, before, "found"))
    for player in range(len(state["gold"])):
        _player(c, 72 + _ROW * player, player, state, before, words)
    return c.picture()


def _player(c: Canvas, y: int, player: int, state: Table, before: Table | None, words: Naming) -> None:
    won = state["won"][player]
    active = state["actor"] == player and state["phase"] not in ("OVER", "DEAL")
    c.text(6, y + 12, f"{'▸ ' if active else ''}{words.player(player)}{' ✓' if won else ''}", anchor="start")
    c.coins(6, y + 20, state["gold"][player], changed=differs(state, before, "gold", player))
    held = sum(state["hand"][player].values())
    c.box(6, y + 46, 24, 28, "k", changed=differs(state, before, "hand", player))
    c.text(18, y + 64, held, "w")
    if any(state["fighters"][player].values()) or state["value"][player] or state["treasure"][player]:
        for n, field in enumerate(("value", "treasure")):
            told = f"{words.at('field', field) or field}: {state[field][player]}"
            c.text(38, y + 33 + 14 * n, told, "s", anchor="start")
            if differs(state, before, field, player):
                c.mark(36, y + 23 + 14 * n, 84, 13, 2)
    x = 126
    for kind, n in state["team"][player].items():
        for k in range(n):
            _creature(c, x, y + 20, player, kind, k, state, before, words)
            x += _W + 6
    x += 8
    if state["laid"][player]:
        c.card(x, y + 20, "", style="k", changed=differs(state, before, "laid", player), w=40, h=_H)
        x += 46
    if state["shown"][player] != "NONE":
        name, new = word(words, "Card", state["shown"][player]), differs(state, before, "shown", player)
        c.card(x, y + 20, name, style="e", changed=new, w=_W, h=_H)


def _creature(
    c: Canvas,
    x: int,
    y: int,
    player: int,
    kind: str,
    k: int,
    state: Table,
    before: Table | None,
    words: Naming,
) -> None:
    fights = k < state["fighters"][player].get(kind, 0)
    new = before is not None and k >= before["team"][player].get(kind, 0)
    new = new or (k == 0 and differs(state, before, "fighters", player, kind))
    name, style = word(words, "Creature", kind), "m" if fights else "c"
    c.card(x, y - (6 if fights else 0), name, style=style, changed=new, w=_W, h=_H)
    skill = state["skill"][player].get(kind, "NONE")
    if skill != "NONE" and k == 0:
        changed = differs(state, before, "skill", player, kind)
        c.box(x + 2, y + _H - 20, _W - 4, 20, "e", changed=changed, round_=3)
        c.wrapped(x + _W / 2, y + _H - 11, word(words, "Skill", skill), 10, "s", 2)
