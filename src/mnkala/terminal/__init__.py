"""The terminal: a game in plain lines, for people and for pipes."""

from mnkala.terminal.plain_text import play_plain

__all__ = ["play_plain"]
