"""A position in Python: immutable, with its history, in the spirit of python-chess.

>>> from mnkala import Position
>>> position = Position("connect4").play("44352")
>>> position.to_move, position.legal_moves
('o', ('1', '2', '3', '4', '5', '6', '7'))
>>> print(position)
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . o . . .
. x x x o . .
1 2 3 4 5 6 7

It runs the rules in plain Python, so it never waits for a compiler.

Plain names hold moves as people write them (`moves`, `legal_moves`, `play`), names with `codes` the
numbers that rules and searches use.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mnkala.core.picture import Cell
from mnkala.core.registry import parse_game
from mnkala.core.rules import GOING_ON, Rules, State, is_in_place
from mnkala.errors import BadPlugin, BadPosition, IllegalMove
from mnkala.numbers import counted, shortened


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    margin: int
    """The margin for player 0, who moved first: positive if that player won."""

    @property
    def winner(self) -> int | None:
        """The winner, 0 or 1, or None for a draw."""
        return None if self.margin == 0 else int(self.margin < 0)

    def __str__(self) -> str:
        return "1/2-1/2" if self.margin == 0 else "1-0" if self.margin > 0 else "0-1"


def endless(rules: Rules) -> BadPlugin:
    """The error for a game that does not end when its rules promise."""
    return BadPlugin(
        f"{rules.game_string()} goes on after {counted(rules.longest_game(), 'move')}, "
        "which its longest_game() says is the most"
    )


class Position:
    """A game string (or rules), a start, and the moves played from there."""

    __slots__ = ("_history", "_movers", "_rules", "_start_literal", "_state")

    def __init__(self, game: str | Rules, *, literal: str | None = None) -> None:
        rules = parse_game(game) if isinstance(game, str) else game
        state = rules.start() if literal is None else rules.parse_literal(literal)
        self._set(rules, state, None if literal is None else rules.literal(state), (), ())

    def _set(
        self,
        rules: Rules,
        state: State,
        start_literal: str | None,
        history: tuple[int, ...],
        movers: tuple[int, ...],
    ) -> None:
        self._rules, self._state, self._start_literal = rules, state, start_literal
        self._history, self._movers = history, movers

    # ---- Properties ----

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._rules

    @property
    def game(self) -> str:
        """The game string that names the rules and the size of the board."""
        return self._rules.game_string()

    def state(self) -> State:
        """A copy of the state, which a search may change."""
        return self._rules.copy(self._state)

    @property
    def history(self) -> tuple[str, ...]:
        """The moves since the start, each as people write it."""
        return tuple(map(self._rules.move_text, self._history))

    @property
    def history_codes(self) -> tuple[int, ...]:
        """The moves since the start as numbers."""
        return self._history

    @property
    def movers(self) -> tuple[int, ...]:
        """The player who made each move of the history. Players need not alternate."""
        return self._movers

    @property
    def moves(self) -> str:
        """The moves since the start in one text, as `play` accepts it."""
        return self._rules.moves_text(self._history)

    @property
    def start_literal(self) -> str | None:
        """The literal from which the game started, or None for the usual start."""
        return self._start_literal

    @property
    def literal(self) -> str | None:
        """This position as a literal, or None in games without literals."""
        return self._rules.literal(self._state)

    @property
    def mover(self) -> int:
        """The player to move, 0 or 1. In a finished game, the player from whose point of view the
        result is given."""
        return int(self._rules.mover(self._state))

    @property
    def to_move(self) -> str:
        """The mover's mark, or '' when the game is over."""
        return "" if self.is_over else self._rules.players[self.mover]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._rules.result(self._state) != GOING_ON)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is in progress."""
        result = self._rules.result(self._state)
        if result == GOING_ON:
            return None
        return Outcome(int(result) * (1 if self.mover == 0 else -1))

    @property
    def legal_codes(self) -> tuple[int, ...]:
        """The legal moves as numbers, as searches use them."""
        if self.is_over:
            return ()
        buffer = np.zeros(self._rules.most_moves(), dtype=np.int64)
        count = self._rules.moves(self._state, buffer)
        if not 1 <= count <= len(buffer):
            raise BadPlugin(
                f"{self.game} gives {counted(count, 'move')} in a game that is going on; "
                f"its most_moves() promises 1 to {len(buffer)}"
            )
        return tuple(int(move) for move in buffer[:count])

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves as people write them."""
        return tuple(self._rules.move_text(move) for move in self.legal_codes)

    # ---- Moving ----

    def play(self, moves: str | int | np.integer | Sequence[str | int | np.integer]) -> Position:
        """The position after one or more moves, written as the game writes them: `play("44352")`,
        `play("b2 a1")`.

        A whole number is one move, as its digits: `play(4)` is `play("4")`, column 4. A list or
        tuple is played in turn: `play(analysis.line)`. The numbers that searches use go to
        `play_codes`.
        """
        return self.play_codes(self._codes_of(moves))

    def _codes_of(self, moves: object) -> list[int]:
        """Read moves as people write them, a text, a whole number or a list of these, into the
        numbers that rules use.
        """
        if isinstance(moves, str):
            return self._rules.parse_moves(moves)
        if isinstance(moves, int | np.integer) and not isinstance(moves, bool):
            return [self._rules.parse_move(str(moves))]
        if isinstance(moves, Sequence) and not isinstance(moves, bytes | bytearray):
            return [code for each in moves for code in self._codes_of(each)]
        example = "".join(f", such as {text!r}" for text in self.legal_moves[:1])
        raise IllegalMove(
            f"{shortened(repr(moves))} is of type {type(moves).__name__}; moves of {self.game} are a text{example}, "
            "a whole number, or a list of these"
        )

    def play_codes(self, moves: Iterable[int]) -> Position:
        """The position after moves given as numbers, as searches use them:
        `play_codes(position.legal_codes[:1])`.
        """
        rules, state = self._rules, self.state()
        history, movers = list(self._history), list(self._movers)
        longest = rules.longest_game()
        for move in map(int, moves):
            if rules.result(state) != GOING_ON or not rules.is_legal(state, move):
                raise self._with(state, history, movers)._refusal(move)
            if len(history) >= longest:
                raise endless(rules)
            movers.append(int(rules.mover(state)))
            history.append(move)
            state = rules.play(state, move)
        return self._with(state, history, movers)

    def _with(self, state: State, history: Iterable[int], movers: Iterable[int]) -> Position:
        """Make another position of the same game."""
        made = Position.__new__(Position)
        made._set(self._rules, state, self._start_literal, tuple(history), tuple(movers))
        return made

    def _refusal(self, move: int) -> IllegalMove:
        if self.outcome is not None:
            text = f"the game is over ({self.outcome}); no move can follow {self.moves or 'this position'}"
            return IllegalMove(
                text, "error.game_over", result=str(self.outcome), moves=self.moves or "…"
            )
        allowed, played = self.legal_moves, self._rules.move_text(move)
        shown = " ".join(allowed[:40]) + (" …" if len(allowed) > 40 else "")
        if not self._history:
            return IllegalMove(
                f"{played} cannot be played here; legal moves are {shown}",
                "error.illegal",
                move=played,
                allowed=shown,
            )
        text = f"{played} cannot be played after {self.moves}; legal moves are {shown}"
        return IllegalMove(
            text, "error.illegal_after", move=played, moves=self.moves, allowed=shown
        )

    def back(self, count: int = 1) -> Position:
        """The position `count` moves earlier."""
        if not 0 <= count <= len(self._history):
            raise IllegalMove(
                f"{counted(count, 'move')} cannot be taken back; the game has {len(self._history)}"
            )
        left = len(self._history) - count
        if not is_in_place(self._state):
            return self.root().play_codes(self._history[:left])
        state = self.state()
        for move in reversed(self._history[left:]):
            self._rules.undo(state, move)
        return self._with(state, self._history[:left], self._movers[:left])

    def root(self) -> Position:
        """The position at the start of the game, with no moves played."""
        return Position(self._rules, literal=self._start_literal)

    # ---- Drawing ----

    def last_cells(self) -> tuple[Cell, ...]:
        """The cells of the picture that show where the last move was made; none at the start."""
        return (
            self._rules.changed_cells(self.back().state(), self._history[-1])
            if self._history
            else ()
        )

    def to_array(self, seen_by: int = 0) -> NDArray[np.int16]:
        """The board in numbers, of shape (rows, columns), the top row first: 0 for an empty
        cell, 1 for a mark of the player `seen_by`, 2 for one of the other.

        For Kalah these are the seeds, of shape (2, houses + 1): the row of `seen_by` and the
        other's, in the order of sowing, the store last.
        """
        if seen_by not in (0, 1):
            raise BadPosition(
                f"seen_by is {shortened(repr(seen_by))}; players are 0, who moved first, and 1"
            )
        return self._rules.picture(self._state).array(seen_by)

    def __str__(self) -> str:
        return self._rules.picture(self._state).text()

    def __repr__(self) -> str:
        start = f", literal={self._start_literal!r}" if self._start_literal else ""
        played = f".play({self.moves!r})" if self._history else ""
        return f"Position({self.game!r}{start}){played}"

    def terminal(self) -> str:
        """Draw the board in colour, with ANSI escape sequences."""
        return self._rules.picture(self._state).terminal()

    def svg(self) -> str:
        """The board as an SVG picture, with the last move."""
        return self._rules.picture(self._state).svg(self._rules.board_style(), self.last_cells())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same_game = self._rules is other._rules or self.game == other.game
        return (
            same_game
            and self._start_literal == other._start_literal
            and self._history == other._history
        )

    def __hash__(self) -> int:
        return hash((self.game, self._start_literal, self._history))


# ---- Turns: consecutive moves of one player ----
#
# In most games a turn is a move. In Kalah a last seed in one's store moves again, so a turn is a
# chain of sowings: the unit in which people think about a game, explain it and judge it.


@dataclasses.dataclass(frozen=True)
class Turn:
    """Consecutive moves of one player."""

    position: Position
    """The position before the first move."""
    codes: tuple[int, ...]
    """The moves as numbers; the last one passes the turn or ends the game, unless the line was cut
    short there.
    """
    after: Position

    @property
    def mover(self) -> int:
        """The player whose turn it is."""
        return self.position.mover

    @property
    def text(self) -> str:
        """The moves of the turn as people write them."""
        return self.position.rules.moves_text(self.codes)


def turns(position: Position, codes: Iterable[int]) -> Iterator[Turn]:
    """The turns of a line of moves, each as soon as it is over; the last one may be unfinished."""
    before, chain = position, []
    for code in codes:
        position = position.play_codes((code,))
        chain.append(code)
        if position.is_over or position.mover != before.mover:
            yield Turn(before, tuple(chain), position)
            before, chain = position, []
    if chain:
        yield Turn(before, tuple(chain), position)


def first_turn(position: Position, codes: Iterable[int]) -> tuple[int, ...]:
    """The beginning of a line of moves that belongs to the player to move."""
    return next((turn.codes for turn in turns(position, codes)), ())


def line_text(position: Position, codes: Iterable[int]) -> str:
    """Write a line of moves for people: separated by blanks, and grouped by turns where a player
    may move again."""
    rules = position.rules
    if not rules.moves_again:
        return " ".join(map(rules.move_text, codes))
    return " ".join(turn.text for turn in turns(position, codes))


def written_line(position: Position, codes: Sequence[int]) -> str:
    """Write a line of moves in the game's notation, to be read and typed again: grouped by turns
    where a player may move again."""
    return (
        line_text(position, codes)
        if position.rules.moves_again
        else position.rules.moves_text(codes)
    )
