"""Protocols by which other programs play with ours, over a network."""
