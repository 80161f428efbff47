"""The Dwarf King: trick-taking over seven rounds, each with a challenge and a special card."""
