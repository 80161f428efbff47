"""Dwarves: Dig, Delve, Die: dice dig in a mine of cards; the printed answers come in as rulings."""
