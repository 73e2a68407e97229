"""The contract of a game.

A game is a class of pure rules: small methods on a *state*, which is a tuple of numbers or of
arrays. Searches, solvers, drawings and interfaces know a game only through the clauses below. The
methods of the first part are compiled when a search needs them, so they keep to numbers, tuples and
arrays; the methods of the second part talk to people and are plain Python.

Conventions -----------
- Players are 0 (moves first) and 1. `mover` says who is to move; the mover may stay the same (an
  extra turn in Kalah), so a search flips the sign of a value when the mover changes, never by the
  ply.
- A move is a whole number from 0 on. `moves` writes the legal ones into a buffer, always in the
  same order.
- A *margin* is a final result seen by one player: positive for a win, 0 for a draw, negative for a
  loss. Where only winning counts it is 1, 0 or -1; a *graded* game (Kalah) uses its size too.
- A state of numbers is a value: `play` returns a new one and `undo` has nothing to do. A state of
  arrays is changed in place by `play` and restored by `undo`; then `copy` must copy the arrays.
- Every number that `play` returns must have the type that `start` gave it, or compiled code refuses
  it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from mnkala.core.picture import BoardStep, Cell, Picture
from mnkala.core.plugin_guards import guard_mover, guard_moves, guard_near_moves
from mnkala.errors import BadPosition, IllegalMove
from mnkala.native import NativeClass, mix, shared
from mnkala.native.objects import IntArray, WordArray
from mnkala.numbers import read_digits, shortened

GOING_ON = -(1 << 40)
"""What `result` returns while the game is not over: a number that no margin can be."""

ENDLESS = GOING_ON
"""What `play_out` returns for a game that does not end."""
SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)

LARGEST_MARGIN = 1 << 16
"""The largest margin with which any game may end."""

State = Any
"""A tuple (best a NamedTuple) of numbers or arrays. Each game has its own."""


def is_in_place(state: State) -> bool:
    """Whether `play` changes this state and `undo` restores it: it is made of arrays."""
    return isinstance(state, tuple) and all(isinstance(field, np.ndarray) for field in state)


@shared
def pick(word: np.uint64, count: int) -> int:
    """Turn a random word into a number from 0 to `count` - 1, by its upper half."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))  # type: ignore[return-value]


@shared
def next_word(random: WordArray) -> np.uint64:
    """The next word of a generator of random words, which is an array of one: SplitMix64 (Steele,
    Lea and Flood 2014)."""
    random[0] += SPLITMIX_STEP
    return mix(random[0])


class Rules(NativeClass):
    """Base class of all games. Methods without a body must be implemented; the others have a sound
    default."""

    name: ClassVar[str]
    """The word that the game's game strings start with."""
    summary: ClassVar[str] = ""
    """A one-line description for the list of games."""
    rules_text: ClassVar[str] = ""
    """How the game is played, for people who do not know it: paragraphs, and lines `# Heading`
    between them. The built-in games have theirs in three languages (`explain/rulebook.py`).
    """
    graded: ClassVar[bool] = False
    """Whether winning by more is better than winning by less."""
    heuristic: ClassVar[str] = "nothing"
    """The name of the heuristic that a search uses unless another is named."""
    search: ClassVar[str] = "deepening"
    """The name of the strongest search for the game, for which `auto` stands, unless that search
    refuses the board."""
    fixed_cells: ClassVar[bool] = False
    """Whether `move_cells` gives a move the same cells in every position, as where a move is a free
    cell.
    """
    moves_again: ClassVar[bool] = False
    """Whether a player may move several times in a row, so that people think in whole turns
    (`core/position.py`)."""
    from_to: ClassVar[bool] = False
    """Whether pieces move from cell to cell, so that people point at the cells of `move_cells`
    one after the other to play a move."""
    most_in_a_cell: ClassVar[int] = np.iinfo(np.int16).max
    """The largest number in `Picture.array`, for those who learn from boards: the seeds in a
    house, for instance."""
    move_noun: ClassVar[str] = "move"
    """What a move is called by people: a column, a house, a cell, or just a move."""
    players: ClassVar[tuple[str, str]] = ("x", "o")
    """The names of the two players on the board."""
    guards: ClassVar[dict[str, Callable[..., Any]]] = {
        "moves": guard_moves,
        "near_moves": guard_near_moves,
        "mover": guard_mover,
    }
    """The wrappers that keep a plug-in's compiled methods within their bounds."""

    # ---- The rules: compiled where a search needs them ----

    def start(self) -> State:
        """The first position of the game."""
        raise NotImplementedError

    def moves(self, state: State, out: IntArray) -> int:
        """Write the legal moves of a game that is going on into `out` and return how many there
        are.
        """
        raise NotImplementedError

    def play(self, state: State, move: int) -> State:
        """The state after a legal move."""
        raise NotImplementedError

    def undo(self, state: State, move: int) -> None:
        """Take back `move` in a state of arrays, exactly."""

    def mover(self, state: State) -> int:
        """The player to move, 0 or 1. A finished game has one too: its result is given from that
        player's view."""
        raise NotImplementedError

    def result(self, state: State) -> int:
        """Return `GOING_ON`, or the margin for `mover` if the game is over."""
        raise NotImplementedError

    def key(self, state: State) -> np.uint64:
        """A 64-bit hash: equal for equal states, and almost surely different for different ones."""
        raise NotImplementedError

    def copy(self, state: State) -> State:
        """A state that shares nothing with this one. A tuple of numbers needs no copy."""
        return state

    def prior(self, state: State, move: int) -> int:
        """How promising a move looks before any search, from 0 to 1000: breaks ties in move
        ordering.
        """
        return 0

    def near(self, state: State, move: int, radius: int) -> bool:
        """Whether a move lies within `radius` steps of a mark, for searches that look at candidates
        only; True where distance has no meaning."""
        return True

    def near_moves(self, state: State, radius: int, out: IntArray) -> int:
        """Write the legal moves within `radius` steps of a mark into `out` and return how many
        there are. Override it where testing every move is slow."""
        kept = 0
        for i in range(self.moves(state, out)):
            if self.near(state, out[i], radius):
                out[kept] = out[i]
                kept += 1
        return kept

    def random_move(self, state: State, word: np.uint64, out: IntArray) -> int:
        """A legal move of a game that is going on, picked by a random word; `out` is a buffer for
        moves. Override it only where listing all moves is too slow for playouts.
        """
        return out[pick(word, self.moves(state, out))]

    def play_out(self, state: State, random: WordArray, out: IntArray, most: int) -> int:
        """Play random moves to the end, at most `most`, and return the margin for player 0, or
        ENDLESS. The state may be changed and is not used again. Override it where moves can be
        played faster if none is taken back: the same moves by the same random words.
        """
        for _ in range(most):
            state = self.play(state, self.random_move(state, next_word(random), out))
            result = self.result(state)
            if result != GOING_ON:
                return result if self.mover(state) == 0 else -result
        return ENDLESS

    # ---- Legality, for `Position`: plain Python ----

    def is_legal(self, state: State, move: int) -> bool:
        """Whether a number is a legal move of a game that is going on. Override it where listing
        all moves is slow.
        """
        buffer = np.zeros(self.most_moves(), dtype=np.int64)
        return move in buffer[: self.moves(state, buffer)].tolist()

    # ---- Bounds that size buffers: plain Python ----

    def most_moves(self) -> int:
        """An upper bound on the number of legal moves of any position."""
        raise NotImplementedError

    def candidates(self) -> str:
        """The candidate moves that searches of this game consider unless told otherwise: all,
        near:R or best:Q."""
        return "all"

    def move_codes(self) -> int:
        """A number larger than every move; by default the most moves of any position."""
        return self.most_moves()

    def longest_game(self) -> int:
        """An upper bound on the number of moves of any game; a game that exceeds it is stopped."""
        raise NotImplementedError

    def largest_margin(self, state: State) -> int:
        """A bound on the size of the margin in which a game can end from here: 1 where only winning
        counts.
        """
        return LARGEST_MARGIN if self.graded else 1

    # ---- Texts and drawings: plain Python ----

    def game_string(self) -> str:
        """The shortest game string that names these rules; by default the name and the whole-number
        fields.
        """
        sizes = [getattr(self, name) for name, kind in self.native_fields if kind == "int64"]
        return self.name + (":" + "x".join(map(str, sizes)) if sizes else "")

    def move_text(self, move: int) -> str:
        """A move as people write it; by default counted from 1."""
        return str(move + 1)

    def parse_move(self, text: str) -> int:
        """The move that a text names (it need not be legal). Must undo `move_text`."""
        number = read_digits(text)
        if not number:
            raise IllegalMove(
                f"'{shortened(text)}' is not a move; moves are written as whole numbers from 1",
                "error.not_a_move",
                text=shortened(text),
            )
        return number - 1

    def moves_text(self, moves: Sequence[int]) -> str:
        """Write a list of moves without white space."""
        return ",".join(self.move_text(move) for move in moves)

    def parse_moves(self, text: str) -> list[int]:
        """The moves in a text that separates them by spaces or commas."""
        return [self.parse_move(word) for word in text.replace(",", " ").split()]

    def literal(self, state: State) -> str | None:
        """The position as a text without white space, or None if the game has no such form."""
        return None

    def parse_literal(self, text: str) -> State:
        """Read a position literal; the inverse of `literal`."""
        raise BadPosition(
            f"{self.name} has no position literal; give the moves from the start instead",
            "error.no_literal",
            game=self.name,
        )

    def literal_of(self, picture: Picture, mover: int) -> str | None:
        """The literal of a board that somebody set up, whether or not it can arise; None if a
        picture cannot express it. By default that of games whose literal is the rows of their
        picture, from which the mover follows."""
        state = self.start()
        return picture.rows() if self.literal(state) == self.picture(state).rows() else None

    def faults(self, literal: str) -> Iterator[BadPosition]:
        """Why a board that somebody set up cannot arise in this game; by default the first fault
        that `parse_literal` finds."""
        try:
            self.parse_literal(literal)
        except BadPosition as fault:
            yield fault

    def exact_score(self, state: State, margin: int, plies: int) -> int:
        """The score of a solved position for its mover, whose game ends in `margin` after
        `plies` more moves. By default it is the margin. It describes the end of the game, so
        that all positions on the way to it have the same score."""
        return margin

    def cell(self, state: State, row: int, column: int) -> int:
        """What is on a cell of a rectangular board, row 0 at the top: 0 for nothing, otherwise 1
        + the player."""
        raise NotImplementedError

    def picture(self, state: State) -> Picture:
        """The board for every drawing; by default `rows` by `cols` cells with the values of
        `cell`."""
        rows, cols = getattr(self, "rows", 1), getattr(self, "cols", 1)
        return Picture(
            tuple(
                tuple(self.cell(state, row, column) for column in range(cols))
                for row in range(rows)
            )
        )

    def board_style(self) -> str:
        """How the page and the terminal draw the board: `drop` (discs fall), `stones` (on
        crossings), `squares` (with crosses and rings), `discs` (on squares) or `houses`.
        """
        return "squares"

    def changed_cells(self, state: State, move: int) -> tuple[Cell, ...]:
        """The cells that mark a legal move as the last one: by default every cell of the picture
        that it changes."""
        before, after = (
            self.picture(state).cells,
            self.picture(self.play(self.copy(state), move)).cells,
        )
        return tuple(
            (row, column)
            for row, (old, new) in enumerate(zip(before, after, strict=True))
            if old != new
            for column, (one, other) in enumerate(zip(old, new, strict=True))
            if one != other
        )

    def move_cells(self, state: State, move: int) -> tuple[Cell, ...]:
        """The cells of the picture on which a click means this move; by default those that it
        changes.

        A cell may belong to several moves; an interface then asks which one is meant. A move
        without any cell is offered as a button. Where pieces move (`from_to`) the order counts: a
        person points at all the cells, first at the one that the piece leaves; by default the cells
        that were the mover's come first, so that nothing has to be said where a move changes two.
        """
        cells = self.changed_cells(state, move)
        if not self.from_to:
            return cells
        before, mine = self.picture(state).cells, 1 + self.mover(state)
        return tuple(sorted(cells, key=lambda cell: before[cell[0]][cell[1]] != mine))

    def steps(self, state: State, move: int) -> Iterator[BoardStep]:
        """Describe a legal move step by step, for people who watch it. By default there are no
        steps and the move appears at once. The last step shows the board after the move."""
        return iter(())
