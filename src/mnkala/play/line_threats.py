"""The threats on a board of an (m,n,k)-game, for people: what each is, the marks that make it, where it is carried out and what stops it.

Everything is read off the board that the engine searches with (`gomoku.board`): which cells complete a line, which make two ways to
complete one, which make a four or an open three. Told are, for either side and as if it were its turn:

- *fours*, one move short of a line, and *open fours*, which can be completed on two cells;
- *open threes*: marks with which one more makes an open four;
- cells on which one mark would make a *double four*, a *four and an open three* or a *double open three*;
- a *victory by fours*, every move of which forces the answer.

Four and three are names for one and two moves short of the line that wins; people are told how many marks there really are.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np

from mnkala.errors import BadGame
from mnkala.games import Position, Rules
from mnkala.games.grid import ways
from mnkala.games.mnk import Mnk
from mnkala.games.picture import Cell
from mnkala.gomoku.board import make_board, place, take_back
from mnkala.gomoku.combinations import COMPLETES, MAKES_FOUR, MAKES_THREE, THREATS, WINS
from mnkala.gomoku.engine import Threats
from mnkala.gomoku.fours import GAVE_UP, make_fours, shortest
from mnkala.gomoku.patterns import FIVE, FOUR, OPEN_FOUR, OPEN_THREE, WIDE_THREE
from mnkala.gomoku.proofs import LARGE, ROOT_FOURS
from mnkala.native.objects import IntArray
from mnkala.play.reason import Reason
from mnkala.play.words import words
from mnkala.search import Stop

Kind = Literal["open_four", "four", "open_three", "double_four", "four_three", "double_three", "fours"]
KINDS: tuple[Kind, ...] = ("open_four", "four", "open_three", "double_four", "fours", "four_three", "double_three")
"""The gravest first."""
SHORTEST_LINE = 4
"""Where three in line win, everything is a threat."""
MOST_TOLD = 8
"""Of either side."""
SHORT_VICTORY = 3
"""Plies of a victory that is told by its open three already."""
STOPS_TRIED = 16
"""Cells of a victory by fours that are tried for stopping it."""
READER = Threats()
"""Whose board it is that is read."""


def knows_threats(rules: Rules) -> bool:
    """Whether threats on lines are told of a game."""
    return isinstance(rules, Mnk) and rules.line >= SHORTEST_LINE


def check_knows_threats(rules: Rules) -> None:
    """Raise an error that says of which games threats are told, if this is none."""
    if not knows_threats(rules):
        raise BadGame(f"threats are told of Gomoku and (m,n,k)-games with a line of {SHORTEST_LINE} or more, not of {rules.game_string()}")


@dataclasses.dataclass(frozen=True)
class LineThreat:
    """One threat. Marks and moves are numbers of cells."""

    player: int
    kind: Kind
    stones: tuple[int, ...]
    """The marks that stand."""
    at: tuple[int, ...]
    """The moves that carry it out; of a victory by fours, its whole line."""
    stops: tuple[int, ...]
    """The answers after which it is no threat any more. Of a victory by fours, those among its own cells."""

    def told(self, rules: Rules) -> Reason:
        """A sentence on it, with all its cells."""
        values: dict[str, str | int] = {"player": rules.players[self.player], "opponent": rules.players[1 - self.player]}
        values |= size_words(rules) | {"cells": joined(rules, self.stones, "-"), "at": joined(rules, self.at),
                                       "stops": joined(rules, self.stops), "plies": len(self.at)}
        key = f"threat.{self.kind}" if self.stops or self.kind == "open_four" else f"threat.{self.kind}_unstopped"
        return Reason(key, values, cells_of(rules, (*self.stones, *self.at)))


def joined(rules: Rules, cells: Iterable[int], by: str = ", ") -> str:
    """Cells by their names."""
    return by.join(rules.move_text(cell) for cell in cells)


def cells_of(rules: Rules, cells: Iterable[int]) -> tuple[Cell, ...]:
    """Cells as the picture counts them."""
    assert isinstance(rules, Mnk)
    return tuple((rules.rows - 1 - cell // rules.cols, cell % rules.cols) for cell in cells)


def size_words(rules: Rules) -> dict[str, str | int]:
    """What a four and a three are called in a game: by how many marks they have."""
    assert isinstance(rules, Mnk)

    def word(kind: str, count: int) -> str:
        key = f"threat.{kind}.{count}"
        return f"@{key}" if key in words("en") else str(count)

    return {"four": word("number", rules.line - 1), "fours": word("numbers", rules.line - 1), "three": word("number", rules.line - 2)}


def line_threats(position: Position) -> tuple[LineThreat, ...]:
    """All threats of both sides, the gravest first; none where the game is over."""
    check_knows_threats(position.rules)
    if position.is_over:
        return ()
    reading = Reading.of(position)
    found: list[LineThreat] = []
    for player in (0, 1):
        theirs = [*reading.fours(player), *reading.open_threes(player), *reading.doubles(player)]
        line = victory(position, player)
        if len(line) > SHORT_VICTORY:
            theirs.append(LineThreat(player, "fours", (), line, tuple(sorted(_stops_of_victory(position, player, line)))))
        found += sorted(theirs, key=lambda each: KINDS.index(each.kind))[:MOST_TOLD]
    return tuple(sorted(found, key=lambda each: KINDS.index(each.kind)))


class Reading:
    """A position as the engine's board reads it."""

    def __init__(self, rules: Mnk, cells: IntArray) -> None:
        READER.prepare(rules)
        self.rules = rules
        self.board = make_board(rules, cells, READER.weights_for(rules))
        self.size = len(self.board.cells)

    @classmethod
    def of(cls, position: Position) -> Reading:
        """The board of a position."""
        assert isinstance(position.rules, Mnk)
        return cls(position.rules, position.state().cells)

    def after(self, cell: int, player: int) -> Reading:
        """The board with one more mark."""
        cells = self.board.cells.copy()
        cells[cell] = 1 + player
        return Reading(self.rules, cells)

    # ---- What the board knows ----

    def cells(self, player: int, threat: int) -> list[int]:
        """The cells on which a mark of a player is this threat."""
        first = (player * THREATS + threat) * self.board.words
        bits = np.unpackbits(self.board.sets[first : first + self.board.words].view(np.uint8), bitorder="little")
        return [int(cell) for cell in np.flatnonzero(bits)]

    def kinds(self, player: int, cell: int) -> list[int]:
        """What a mark makes in each direction."""
        combination = int(self.board.combinations[player * self.size + cell])
        return [(combination >> (4 * direction)) & 15 for direction in range(4)]

    def segments(self, player: int, cell: int, direction: int, missing: int) -> Iterator[tuple[list[int], list[int]]]:
        """The segments through a cell that a mark there leaves so many marks short: the marks that stand in each, and its other empty
        cells."""
        row, col = divmod(cell, self.rules.cols)
        step, ahead, behind = ways(direction, row, col, self.rules.rows, self.rules.cols)
        marks = self.board.cells
        for start in range(-min(self.rules.line - 1, behind), min(ahead - self.rules.line + 1, 0) + 1):
            inside = [cell + (start + i) * step for i in range(self.rules.line)]
            ends = [cell + far * step for far in (start - 1, start + self.rules.line) if -behind <= far <= ahead]
            if any(marks[each] == 2 - player for each in inside) or (self.rules.exact and any(marks[end] == 1 + player for end in ends)):
                continue
            empty = [each for each in inside if marks[each] == 0 and each != cell]
            if len(empty) == missing:
                yield [each for each in inside if marks[each] != 0], empty

    def completions(self, player: int, cell: int, directions: Iterable[int] = range(4)) -> tuple[set[int], set[int]]:
        """The cells that would complete a line after a mark here, and the marks that stand in these lines."""
        found: set[int] = set()
        stones: set[int] = set()
        for direction in directions:
            for standing, empty in self.segments(player, cell, direction, 1):
                found.update(empty)
                stones.update(standing)
        return found, stones

    def answers(self, player: int, at: Iterable[int], directions: Iterable[int] = range(4)) -> list[int]:
        """The cells on which a mark of the other side leaves at most one way to complete a line, after each of these moves."""
        directions = tuple(directions)
        each = [(cell, self.completions(player, cell, directions)[0]) for cell in at]
        among = {answer for cell, found in each for answer in (cell, *found)}
        return sorted(answer for answer in among if all(answer == cell or len(found - {answer}) <= 1 for cell, found in each))

    # ---- Threats ----

    def fours(self, player: int) -> Iterator[LineThreat]:
        """Marks that one more completes, grouped by the marks."""
        found: dict[tuple[int, ...], list[int]] = {}
        for cell in self.cells(player, COMPLETES):
            for direction, kind in enumerate(self.kinds(player, cell)):
                if kind == FIVE:
                    stones = {each for standing, _ in self.segments(player, cell, direction, 0) for each in standing}
                    found.setdefault(tuple(sorted(stones)), []).append(cell)
        for marks, at in found.items():
            yield LineThreat(player, "open_four" if len(at) > 1 else "four", marks, tuple(at), () if len(at) > 1 else tuple(at))

    def open_threes(self, player: int) -> Iterator[LineThreat]:
        """Marks that one more makes an open four; not those of a four that is there already."""
        found: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        known = set(self.cells(player, COMPLETES))
        for cell in self.cells(player, WINS):
            for direction, kind in enumerate(self.kinds(player, cell)):
                ways, stones = self.completions(player, cell, (direction,))
                if kind == OPEN_FOUR and not ways & known:
                    found.setdefault((direction, tuple(sorted(stones))), []).append(cell)
        for (direction, marks), at in found.items():
            yield LineThreat(player, "open_three", marks, tuple(at), tuple(self.answers(player, at, (direction,))))

    def doubles(self, player: int) -> Iterator[LineThreat]:
        """Cells on which one mark makes two threats. Who has a four already would rather complete it, so that nothing is told then."""
        if self.cells(player, COMPLETES):
            return
        for cell in self.cells(player, WINS):
            if OPEN_FOUR not in self.kinds(player, cell):
                _, stones = self.completions(player, cell)
                yield LineThreat(player, "double_four", tuple(sorted(stones)), (cell,), tuple(self.answers(player, (cell,))))
        for threat, kind in ((MAKES_FOUR, "four_three"), (MAKES_THREE, "double_three")):
            for cell in self.cells(player, threat):
                if self.is_double(player, cell):
                    stones, empty = self._parts(player, cell)
                    stops = [each for each in sorted({cell, *empty}) if each == cell or not self._is_double_after(player, cell, each)]
                    yield LineThreat(player, kind, tuple(sorted(stones)), (cell,), tuple(stops))  # type: ignore[arg-type]

    def is_double(self, player: int, cell: int) -> bool:
        """Whether a mark makes two of: a four, an open three; or more than that."""
        kinds = self.kinds(player, cell)
        return max(kinds) >= OPEN_FOUR or sum(kind in (OPEN_THREE, WIDE_THREE, FOUR) for kind in kinds) > 1

    def _is_double_after(self, player: int, cell: int, answer: int) -> bool:
        place(self.board, answer, 1 - player)
        try:
            return self.is_double(player, cell)
        finally:
            take_back(self.board, answer)

    def _parts(self, player: int, cell: int) -> tuple[set[int], set[int]]:
        """The marks and the empty cells of all that a double is made of."""
        stones: set[int] = set()
        empty: set[int] = set()
        for direction, kind in enumerate(self.kinds(player, cell)):
            if kind in (OPEN_THREE, WIDE_THREE, FOUR):
                for standing, open_cells in self.segments(player, cell, direction, 1 if kind == FOUR else 2):
                    stones.update(standing)
                    empty.update(open_cells)
        return stones, empty


# ---- Victories by fours ----


def victory(position: Position, player: int) -> tuple[int, ...]:
    """A shortest victory by fours, were it this player's turn: all its moves, the completed line too; nothing if there is none."""
    if position.is_over or not knows_threats(position.rules):
        return ()
    line, _ = _victory(position.rules, position.state().cells.tobytes(), player)
    return line


def stops_victory(position: Position, player: int, answer: int) -> bool:
    """Whether it is proved that a player has no victory by fours any more after an answer of the other side."""
    cells = position.state().cells.copy()
    cells[answer] = 2 - player
    return _victory(position.rules, cells.tobytes(), player) == ((), True)


@functools.lru_cache(maxsize=256)
def _victory(rules: Mnk, marks: bytes, player: int) -> tuple[tuple[int, ...], bool]:
    """The line, and whether its absence is proved."""
    reading = Reading(rules, np.frombuffer(marks, dtype=np.int64))
    fours = make_fours(Stop().flag)
    if not shortest(reading.board, player, ROOT_FOURS, LARGE[0], fours):
        return (), fours.numbers[GAVE_UP] == 0
    line = tuple(int(cell) for cell in fours.line[0, : fours.length[0]])
    if len(line) % 2 == 0:  # the last four has two ways, of which the answer took one
        for i, cell in enumerate(line):
            place(reading.board, cell, player if i % 2 == 0 else 1 - player)
        line = (*line, reading.cells(player, COMPLETES)[0])
    return line, True


def _stops_of_victory(position: Position, player: int, line: tuple[int, ...]) -> Iterator[int]:
    return (cell for cell in dict.fromkeys(line[:STOPS_TRIED]) if stops_victory(position, player, cell))
