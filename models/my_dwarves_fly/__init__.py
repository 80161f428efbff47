"""My Dwarves Fly as guarded commands; `rules.book` is the rulebook."""
