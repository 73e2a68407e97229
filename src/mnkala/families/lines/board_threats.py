"""The threats on a board of an (m,n,k)-game, for people: what each is, the marks that make it,
where it is carried out and what stops it.

Everything is read off the board that the engine searches with (`engine/board.py`): which cells
complete a line, which make two ways to complete one, which make a four or an open three. Either
side can have:

- *fours*, one move short of a line, and *open fours*, which can be completed on two cells;
- *open threes*: marks with which one more makes an open four;
- cells on which one mark would make a *double four* (on one line or on two), a *four and an open
  three* or a *double open three*;
- a *victory by fours*, every move of which forces the answer.

Four and three are names for one and two moves short of the line that wins; people are told how many
marks there really are. As in Renju, the marks of an open four are completed by either of two cells;
two fours of different marks on one line are a double four, as where x plays between `x.` and
`xx.x`.

An answer *stops* an open three if no four of its marks leaves two cells to complete a line any
more. It stops a double if the mark there makes no double any more, and nothing else that no single
answer meets.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.grid import ways
from mnkala.errors import BadGame
from mnkala.explain.contract import Reason, Threat, cells_of
from mnkala.explain.words import words
from mnkala.families.lines.engine.board import fits, make_board, place
from mnkala.families.lines.engine.patterns import (
    COMPLETES,
    FIVE,
    FOUR,
    LONGEST_REACH,
    MAKES_FOUR,
    MAKES_THREE,
    OPEN_FOUR,
    OPEN_THREE,
    THREATS,
    WIDE_THREE,
    WINS,
)
from mnkala.families.lines.engine.proofs import LARGE, ROOT_FOURS
from mnkala.families.lines.engine.threat_search import Threats
from mnkala.families.lines.engine.vcf import GAVE_UP, make_fours, shortest
from mnkala.families.lines.rules import Mnk
from mnkala.native.objects import IntArray
from mnkala.search import Stop

KINDS = ("open_four", "four", "open_three", "double_four", "fours", "four_three", "double_three")
"""The kinds of threats, the most serious first."""
SHORTEST_LINE = 4
"""The shortest line at which threats are listed; with three in a row everything would be a threat."""
MOST_TOLD = 8
"""The most threats of either side that are listed."""
SHORT_VICTORY = 3
"""A victory of so few plies is already covered by its open three."""
STOPS_TRIED = 16
"""The most cells that are tried as answers to a victory by fours."""
READER = Threats()
"""The engine whose board is read."""


def knows_threats(rules: Rules) -> bool:
    """Whether threats on lines are listed for a game."""
    return fits(rules) and rules.line >= SHORTEST_LINE


def check_knows_threats(rules: Rules) -> None:
    """Raise an error that says for which games threats are listed, if this is not one of them."""
    if not knows_threats(rules):
        raise BadGame(
            f"threats are shown for Gomoku and (m,n,k)-games with lines of {SHORTEST_LINE} to {LONGEST_REACH + 1}, or "
            f"{LONGEST_REACH} where longer lines do not win, not for {rules.game_string()}",
            "lines.error.no_threats",
            least=SHORTEST_LINE,
            most=LONGEST_REACH + 1,
            exact=LONGEST_REACH,
            game=rules.game_string(),
        )


def line_threat(
    rules: Rules,
    player: int,
    kind: str,
    stones: tuple[int, ...],
    at: tuple[int, ...],
    stops: tuple[int, ...],
    *,
    now: bool = False,
) -> Threat:
    """Make a threat with its sentence, or what a player to move can do `now`. For a victory by
    fours, `at` is its whole line, and `stops` are answers among its own cells.
    """
    values: dict[str, str | int] = {
        "player": rules.players[player],
        "opponent": rules.players[1 - player],
    }
    values |= size_words(rules) | {
        "cells": joined(rules, stones, "-"),
        "at": joined(rules, at),
        "stops": joined(rules, stops),
        "moves": (len(at) + 1) // 2,
    }
    key = (
        f"threat.{kind}_now"
        if now
        else f"threat.{kind}"
        if stops or kind == "open_four"
        else f"threat.{kind}_unstopped"
    )
    return Threat(
        player,
        kind,
        Reason(key, values, cells_of(rules, (*stones, *at))),
        stones,
        at,
        stops,
        is_line=kind == "fours",
    )


def joined(rules: Rules, cells: Iterable[int], by: str = ", ") -> str:
    """Join the names of cells."""
    return by.join(rules.move_text(cell) for cell in cells)


def size_words(rules: Rules) -> dict[str, str | int]:
    """How many marks a four and a three have in a game, for texts."""
    assert isinstance(rules, Mnk)

    def word(kind: str, count: int) -> str:
        key = f"threat.{kind}.{count}"
        return f"@{key}" if key in words("en") else str(count)

    return {
        "four": word("number", rules.line - 1),
        "fours": word("numbers", rules.line - 1),
        "three": word("number", rules.line - 2),
    }


def line_threats(position: Position, stop: Stop | None = None) -> tuple[Threat, ...]:
    """The threats of both sides, the most serious first and, of equal ones, those of the player
    to move first; none where the game is over. Raises Stopped once `stop` is set."""
    check_knows_threats(position.rules)
    if position.is_over:
        return ()
    stop = stop or Stop()
    reading, me = BoardThreats.of(position, stop), position.mover
    if wins := [*reading.fours(me)]:
        return tuple(carried_out(position.rules, each) for each in wins[:MOST_TOLD])
    must_answer = bool(reading.cells(1 - me, COMPLETES))
    found: list[Threat] = []
    for player in (me, 1 - me):
        theirs: dict[str, Iterable[Threat]] = dict.fromkeys(KINDS, ())
        for each in (*reading.fours(player), *reading.open_threes(player)):
            theirs[each.kind] = (*theirs[each.kind], each)
        for kind, cells in reading.doubles(player).items():
            theirs[kind] = reading.describe_doubles(player, kind, cells[:MOST_TOLD])
        line = victory(position, player)
        if len(line) > SHORT_VICTORY:
            theirs["fours"] = _describe_victory(position, player, line, stop)
        for each in itertools.islice(
            itertools.chain(*theirs.values()), MOST_TOLD
        ):  # the rest is not even looked at
            now = player == me and (each.kind == "fours" or not must_answer)
            found.append(carried_out(position.rules, each) if now else each)
    return tuple(sorted(found, key=lambda each: KINDS.index(each.kind)))


def carried_out(rules: Rules, threat: Threat) -> Threat:
    """Describe a threat as what the player to move can do now, which nobody can stop in time."""
    return line_threat(rules, threat.player, threat.kind, threat.stones, threat.at, (), now=True)


class Part(NamedTuple):
    """What a mark makes on one line."""

    kind: str
    direction: int
    stones: tuple[int, ...]
    """The marks on the line."""
    empty: tuple[int, ...]
    """The other cells of the line's segments."""


class BoardThreats:
    """A position as the engine's board sees it."""

    def __init__(self, rules: Mnk, cells: IntArray, stop: Stop | None = None) -> None:
        READER.prepare(rules)
        self.rules, self.stop = rules, stop or Stop()
        self.board = make_board(rules, cells, READER.weights_for(rules))
        self.size = len(self.board.cells)

    @classmethod
    def of(cls, position: Position, stop: Stop | None = None) -> BoardThreats:
        """The board of a position; its methods raise Stopped once `stop` is raised."""
        assert isinstance(position.rules, Mnk)
        return cls(position.rules, position.state().cells, stop)

    def after(self, cell: int, player: int) -> BoardThreats:
        """The board with one more mark."""
        cells = self.board.cells.copy()
        cells[cell] = 1 + player
        return BoardThreats(self.rules, cells, self.stop)

    # ---- Queries ----

    def cells(self, player: int, threat: int) -> list[int]:
        """The cells on which a mark of a player is this kind of threat."""
        first = (player * THREATS + threat) * self.board.words
        bits = np.unpackbits(
            self.board.sets[first : first + self.board.words].view(np.uint8), bitorder="little"
        )
        return [int(cell) for cell in np.flatnonzero(bits)]

    def kinds(self, player: int, cell: int) -> list[int]:
        """What a mark makes in each direction."""
        combination = int(self.board.combinations[player * self.size + cell])
        return [(combination >> (4 * direction)) & 15 for direction in range(4)]

    def segments(
        self, player: int, cell: int, direction: int, missing: int
    ) -> Iterator[tuple[list[int], list[int]]]:
        """The segments through a cell that would lack so many marks after a mark there: the marks
        in each, and its other empty cells."""
        row, col = divmod(cell, self.rules.cols)
        step, ahead, behind = ways(direction, row, col, self.rules.rows, self.rules.cols)
        marks = self.board.cells
        for start in range(
            -min(self.rules.line - 1, behind), min(ahead - self.rules.line + 1, 0) + 1
        ):
            inside = [cell + (start + i) * step for i in range(self.rules.line)]
            ends = [
                cell + far * step
                for far in (start - 1, start + self.rules.line)
                if -behind <= far <= ahead
            ]
            if any(marks[each] == 2 - player for each in inside) or (
                self.rules.exact and any(marks[end] == 1 + player for end in ends)
            ):
                continue
            empty = [each for each in inside if marks[each] == 0 and each != cell]
            if len(empty) == missing:
                yield [each for each in inside if marks[each] != 0], empty

    def fours_with(
        self,
        player: int,
        cell: int,
        direction: int,
    ) -> dict[tuple[int, ...], list[int]]:
        """The groups of marks on a line that are a four together with one on this cell, with the
        cells that would complete them."""
        self.stop.check()
        found: dict[tuple[int, ...], list[int]] = {}
        for standing, empty in self.segments(player, cell, direction, 1):
            found.setdefault(tuple(standing), []).extend(empty)
        return found

    def completions(self, player: int, cell: int) -> set[int]:
        """The cells that would complete a line after a mark on this cell."""
        fours = (self.fours_with(player, cell, direction) for direction in range(4))
        return {way for each in fours for ways in each.values() for way in ways}

    def makes_open_four(self, player: int, cell: int) -> bool:
        """Whether a mark on this cell makes an open four."""
        fours = (self.fours_with(player, cell, direction) for direction in range(4))
        return any(len(ways) > 1 for each in fours for ways in each.values())

    def parts(self, player: int, cell: int) -> list[Part]:
        """The fours and open threes that a mark on this cell makes. Fours that the same cell of a
        line completes count as one."""
        self.stop.check()
        found = []
        for direction, kind in enumerate(self.kinds(player, cell)):
            if kind in (FOUR, OPEN_FOUR):
                fours = self.fours_with(player, cell, direction)
                by_way = {way: marks for marks, ways in fours.items() for way in ways}
                found += [Part("four", direction, marks, (way,)) for way, marks in by_way.items()]
            elif kind in (OPEN_THREE, WIDE_THREE):
                room: dict[tuple[int, ...], list[list[int]]] = {}
                for standing, empty in self.segments(player, cell, direction, 2):
                    room.setdefault(tuple(standing), []).append(empty)
                for marks, each in room.items():
                    pairs = itertools.combinations(each, 2)
                    if any(len({*one} & {*other}) == 1 for one, other in pairs):
                        empties = tuple(itertools.chain(*each))
                        found.append(Part("open_three", direction, marks, empties))
        return found

    def answers(self, player: int, at: Iterable[int]) -> list[int]:
        """The cells on which a mark of the other side leaves at most one way to complete a line,
        after each of these moves."""
        each = [(cell, self.completions(player, cell)) for cell in at]
        among = {answer for cell, found in each for answer in (cell, *found)}
        return sorted(
            answer
            for answer in among
            if all(answer == cell or len(found - {answer}) <= 1 for cell, found in each)
        )

    def gained(self, player: int, before: BoardThreats) -> list[int]:
        """The cells on which a mark gives two or more ways to complete a line, if a move since
        `before` has added to these ways."""
        return [
            cell
            for cell in self.cells(player, WINS)
            if self.completions(player, cell) - before.completions(player, cell)
        ]

    # ---- Finding threats ----

    def fours(self, player: int) -> Iterator[Threat]:
        """Yield the fours of a player. Of several on a line that the same cell completes, open
        fours are listed, otherwise one."""
        lines = [
            (cell, [tuple(marks) for marks, _ in self.segments(player, cell, direction, 0)])
            for cell in self.cells(player, COMPLETES)
            for direction, kind in enumerate(self.kinds(player, cell))
            if kind == FIVE
        ]
        completed_at: dict[tuple[int, ...], list[int]] = {}
        for cell, fours in lines:
            for marks in fours:
                completed_at.setdefault(marks, []).append(cell)
        for marks, at in completed_at.items():
            if len(at) > 1:
                yield line_threat(self.rules, player, "open_four", marks, tuple(at), ())
        for cell, fours in lines:
            if all(len(completed_at[marks]) == 1 for marks in fours):
                yield line_threat(self.rules, player, "four", fours[0], (cell,), (cell,))

    def open_threes(self, player: int) -> Iterator[Threat]:
        """Yield the open threes of a player: marks of which one more makes an open four, except
        those of a four that exists already."""
        found: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        known = set(self.cells(player, COMPLETES))
        wins = self.cells(player, WINS)
        for cell in wins:
            for direction in range(4):
                for marks, twice in self.fours_with(player, cell, direction).items():
                    if len(twice) > 1 and not known.intersection(twice):
                        found.setdefault((direction, marks), []).append(cell)
        for (direction, marks), at in found.items():
            fours = [cell for cell in wins if marks in self.fours_with(player, cell, direction)]
            stops = tuple(self.answers(player, fours))
            yield line_threat(self.rules, player, "open_three", marks, tuple(at), stops)

    def doubles(self, player: int) -> dict[str, list[int]]:
        """The cells on which one mark makes two threats, by kind; empty for a player who has a
        four, who would rather complete it."""
        if self.cells(player, COMPLETES):
            return {}
        found: dict[str, list[int]] = {}
        for threat in (WINS, MAKES_FOUR, MAKES_THREE):
            for cell in self.cells(player, threat):
                kind = double_of(self.parts(player, cell))
                if kind is not None and not self.makes_open_four(player, cell):
                    found.setdefault(kind, []).append(cell)
        return found

    def describe_doubles(self, player: int, kind: str, cells: Iterable[int]) -> Iterator[Threat]:
        """Describe what these cells threaten and what stops it."""
        for cell in cells:
            parts = self.parts(player, cell)
            stones = {each for part in parts for each in part.stones}
            among = {cell, *(each for part in parts for each in part.empty)}
            stops = tuple(
                answer
                for answer in sorted(among)
                if answer == cell or self.after(answer, 1 - player).is_met(player, cell)
            )
            yield line_threat(self.rules, player, kind, tuple(sorted(stones)), (cell,), stops)

    def is_near(self, cell: int, other: int) -> bool:
        """Whether two cells can lie in one segment, so that a mark on one matters to the other."""
        (row, col), (other_row, other_col) = (
            divmod(cell, self.rules.cols),
            divmod(other, self.rules.cols),
        )
        down, across = abs(row - other_row), abs(col - other_col)
        return max(down, across) < self.rules.line and (down in (0, across) or across == 0)

    def is_met(self, player: int, cell: int) -> bool:
        """Whether a mark on this cell makes no double, and one answer meets everything that it
        threatens: to complete a line at once, or to have two ways to do so."""
        if double_of(self.parts(player, cell)) is not None:
            return False
        after = self.after(cell, player)
        must, gained = after.cells(player, COMPLETES), after.gained(player, self)
        answers = after.answers(player, gained)
        return not gained or (must[0] in answers if must else bool(answers))


def double_of(parts: Iterable[Part]) -> str | None:
    """The double that a mark makes with these fours and open threes, or None. Open threes on one
    line count as one."""
    fours = sum(part.kind == "four" for part in parts)
    threes = len({part.direction for part in parts if part.kind == "open_three"})
    if fours > 1:
        return "double_four"
    if fours and threes:
        return "four_three"
    return "double_three" if threes > 1 else None


# ---- Victories by fours ----


def victory(position: Position, player: int) -> tuple[int, ...]:
    """A shortest victory by fours if it were this player's turn: all its moves, including the one
    that completes the line; empty if there is none."""
    if position.is_over or not knows_threats(position.rules):
        return ()
    line, _ = _victory(position.rules, position.state().cells.tobytes(), player)
    return line


def stops_victory(position: Position, player: int, answer: int) -> bool:
    """Whether it is proved that an answer of the other side leaves a player without any victory by
    fours."""
    cells = position.state().cells.copy()
    cells[answer] = 2 - player
    return _victory(position.rules, cells.tobytes(), player) == ((), True)


@functools.lru_cache(maxsize=256)
def _victory(rules: Mnk, marks: bytes, player: int) -> tuple[tuple[int, ...], bool]:
    """The line of a victory, and whether its absence is proved."""
    reading = BoardThreats(rules, np.frombuffer(marks, dtype=np.int64))
    fours = make_fours(Stop().flag)
    if not shortest(reading.board, player, ROOT_FOURS, LARGE[0], fours):
        return (), fours.numbers[GAVE_UP] == 0
    line = tuple(int(cell) for cell in fours.line[0, : fours.length[0]])
    if (
        len(line) % 2 == 0
    ):  # The last four can be completed in two ways, one of which the answer took.
        for i, cell in enumerate(line):
            place(reading.board, cell, player if i % 2 == 0 else 1 - player)
        line = (*line, reading.cells(player, COMPLETES)[0])
    return line, True


def _describe_victory(
    position: Position, player: int, line: tuple[int, ...], stop: Stop
) -> Iterator[Threat]:
    stops: list[int] = []
    for cell in dict.fromkeys(line[:STOPS_TRIED] if player != position.mover else ()):
        stop.check()
        stops += [cell] * stops_victory(position, player, cell)
    yield line_threat(position.rules, player, "fours", (), line, tuple(sorted(stops)))
