"""A picture of the table of Lantern Hill: the lanterns, the pot and what the players have."""

from __future__ import annotations

from models.language.pictures import Canvas, Naming, Picture, Table, differs, word


def draw(state: Table, before: Table | None, words: Naming) -> Picture:
    """The table after a step; see `models.language.pictures`."""
    c = Canvas()
    phase, over = word(words, "Phase", state["phase"]), state["phase"] == "OVER"
    c.text(6, 16, phase if over else f"{words.player(state['turn'])} · {phase}", anchor="start")
    for n, lit in enumerate(state["lit"]):
        c.box(
            6 + 40 * n, 26, 32, 40, "o" if lit else "k", changed=differs(state, before, "lit", n), round_=12
        )
        c.shape(f"M{14 + 40 * n} 26q8 -12 16 0")
    x = 6 + 40 * len(state["lit"]) + 20
    c.text(x, 44, words.at("field", "pot") or "pot", "s", anchor="start")
    c.coins(x, 50, state["pot"], changed=differs(state, before, "pot"))
    for player, coins in enumerate(state["coins"]):
        y = 84 + 28 * player
        name = f"{words.player(player)}{' ✓' if state['won'][player] else ''}"
        c.text(6, y + 14, name, anchor="start")
        c.coins(90, y, coins, changed=differs(state, before, "coins", player))
    return c.picture()
