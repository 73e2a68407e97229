"""Faults that a player that is a program can commit, either started here or connected to a server."""

from __future__ import annotations

import enum

from mnkala.errors import BadEngine, MnkalaError


class Fault(enum.StrEnum):
    """A fault of a player, under the name that results use."""

    ILLEGAL_MOVE = "illegal move"
    """Its last answer was a move that the rules do not allow; it has lost the game."""
    DISCONNECTED = "disconnection"
    """It left or died during a game, and has lost it."""
    SILENCE = "silence"
    """It did not answer a ping and was given up; it has lost its games."""
    FLAG_FALL = "flag fall"
    """It had sent no move when its time was up. A program has lost the game; for a client of KGP a
    random move was made, as that protocol demands."""
    NO_MOVE = "missing move"
    """It yielded without sending a move. A program has lost the game; for a client of KGP a random
    move was made."""
    EXCEPTION = "exception"
    """Its function raised an exception; it has lost the game."""
    OUT_OF_MEMORY = "out of memory"
    """It needed more memory than it may use; it has lost the game."""
    BAD_LINE = "bad line"
    """It sent something that cannot be read. A program has lost the game; a client was only told
    so."""


class Forfeit(MnkalaError):
    """A player has lost the game by a fault; the text says what happened."""

    def __init__(self, fault: Fault, what: str) -> None:
        super().__init__(f"{fault}: {what}")
        self.fault = fault


class NoStart(BadEngine):
    """A program could not be started, or ended before it was ready to play."""
