"""Fly High: memory, nerve and a square of cards; basic and advanced level."""
