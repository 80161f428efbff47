"""Rulebooks as transition systems, one folder a rulebook, and the language that they are written in."""
