"""The positions that the reference tests ask about.

They were found by searching random play for positions where the answer is unique, where it is not the first legal move nor (but for
Kalah) the last, so that a file that always plays the same gets nothing, and where a usual mistake leads elsewhere.
`tests/test_school.py` checks all that again.
"""

from __future__ import annotations

from mnkala.core import Position

Placed = tuple[str, str]
"""A game string and the moves."""

ANY: tuple[Placed, ...] = (("connect4", ""), ("connect4:5x6", "334"), ("tictactoe", "b2a1"), ("kalah", ""), ("kalah:4x3", "21"),
                           ("connect:4x4x3", "2133113442"))
"""Ordinary positions of several games: an answer must be legal in all of them."""

WIN_IN_ONE: tuple[Placed, ...] = (("connect4", "4615274452"), ("connect4", "752414735525447"), ("connect4:5x6", "2345216623"),
                                  ("connect4:5x6", "62115632523"), ("tictactoe", "a1c2c1b3"), ("tictactoe", "a2b1c2b3c1"))
"""One move wins at once; both players have their turn."""

LOSS_IN_ONE: tuple[Placed, ...] = (("connect4", "2212154"), ("connect4", "345626361223"), ("connect4:5x6", "66414322456"),
                                   ("connect4:5x6", "1455223316"), ("tictactoe", "b1c3a1"), ("tictactoe", "c2c1b2"))
"""The opponent threatens to win, the mover cannot win at once, and one move stops it."""

FIRST_PLAYER: tuple[Placed, ...] = (("tictactoe", "b3c1a2c2"), ("connect4:4x4", "23343324"), ("connect:4x4x3", "434134"),
                                    ("connect:4x4x3", "214333"))
SECOND_PLAYER: tuple[Placed, ...] = (("tictactoe", "a1b2c1"), ("connect:3x4x3", "224"), ("connect4:4x4", "222141132"),
                                     ("connect:4x4x3", "4133343"))
"""One move is best when the game is searched to its end."""

MOVE_AGAIN: tuple[Placed, ...] = (("kalah:3x3", "2322312312"), ("kalah:3x3", "3213113223"), ("kalah:4x2", "3144"),
                                  ("kalah:4x2", "12412331244314"), ("kalah:4x2", "3231143411"), ("kalah:4x3", "323124324413"))
"""Kalah to its end, where a search that changes sides after every move goes wrong."""

MARGIN: tuple[Placed, ...] = (("kalah:5x2", "31542415"), ("kalah:3x2", "21213"), ("kalah:4x3", "14324222312324"))
"""Several moves win; one wins by most."""

LARGE_TREES: tuple[Placed, ...] = (("connect:3x4x3", "224"), ("connect:4x4x3", "434134"), ("kalah:5x2", "31542415"))
"""Some thousand positions to the end, of which Alpha-Beta needs a fraction."""


def placed(positions: tuple[Placed, ...]) -> list[Position]:
    """The positions themselves."""
    return [Position(game).play(moves) for game, moves in positions]
