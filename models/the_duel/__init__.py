"""The Dwarves: The Duel as guarded commands; `rules.book` is the rulebook."""
