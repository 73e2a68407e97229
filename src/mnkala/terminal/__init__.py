"""The terminal: a game in plain lines, for people and for pipes."""

from mnkala.terminal.plain_text import play_lines

__all__ = ["play_lines"]
