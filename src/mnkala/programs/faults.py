"""What a player that is a program can do wrong: programs that are started here, and clients of a server."""

from __future__ import annotations

import enum

from mnkala.errors import BadEngine, MnkalaError


class Fault(enum.StrEnum):
    """What a player did wrong, as results tell it."""

    ILLEGAL_MOVE = "illegal move"
    """Its last word on a position was a move that the rules do not allow: it has lost the game."""
    DISCONNECTED = "disconnection"
    """It left or died during a game, and has lost it."""
    SILENCE = "silence"
    """It did not answer a ping, was given up, and has lost its games."""
    FLAG_FALL = "flag fall"
    """It had sent no move when its time was up. A program has lost the game; of a client of KGP a random one was made, as that protocol
    wants it."""
    NO_MOVE = "missing move"
    """The same, but the client had yielded before."""
    EXCEPTION = "exception"
    """Its function raised one, and it has lost the game."""
    OUT_OF_MEMORY = "out of memory"
    """It needed more than it may have, and has lost the game."""
    BAD_LINE = "bad line"
    """It sent something that cannot be read or understood. A program has lost the game; a client was told so, and nothing else came of
    it."""


class Forfeit(MnkalaError):
    """A player has lost the game by a fault; the text says what happened."""

    def __init__(self, fault: Fault, what: str) -> None:
        super().__init__(f"{fault}: {what}")
        self.fault = fault


class NoStart(BadEngine):
    """A program that does not come so far as to play."""
