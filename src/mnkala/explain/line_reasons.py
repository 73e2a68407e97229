"""Reasons for a move in games of lines: blocks, forks, threats, the cell above, open lines.

Cells are those of the picture, (row, column) from the top left. Whether a mark would complete a
line is measured on the board; every claimed win is then checked by playing it with the rules
themselves, so that no false sentence appears for a plug-in whose lines follow other rules.

In a game with threats, moves that an analysis has only estimated are given reasons too
(`row_reasons`). These come from the board alone (`explain_move` without a score), so they are
true however good the estimate is, and do not change while the search deepens.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import numpy as np

from mnkala.core import GOING_ON, Position, Rules
from mnkala.core.grid import DIRECTIONS
from mnkala.core.picture import Cell
from mnkala.core.rules import State
from mnkala.explain.contract import Explanations, Fault, Reason, explanations_of
from mnkala.explain.reasons import explain_move
from mnkala.explain.words import named_moves
from mnkala.search import RootMove

MOST_LISTED = 4
"""The most moves that one sentence names."""
MOST_COMPARED = 400
"""The most cells whose open lines are counted before the claim "no other move has more" is given
up."""
SHORTEST_LINE_TO_TELL = 3
"""The fewest marks in a line that are worth a sentence while it is not yet a threat."""


def is_game_of_lines(rules: Rules) -> bool:
    """Whether the game is won by `line` marks in a row, each move putting one mark on a rectangular
    board."""
    return all(hasattr(rules, name) for name in ("line", "cell_of", "rows", "cols"))


@dataclasses.dataclass(frozen=True)
class Lines:
    """A position of a game of lines."""

    rules: Any
    state: State

    @functools.cached_property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The mark on each cell: 0 for none, otherwise 1 + the player."""
        cells: tuple[tuple[int, ...], ...] = self.rules.picture(self.state).cells
        return cells

    @functools.cached_property
    def playable(self) -> dict[Cell, int]:
        """The cells where the next mark can go, with the move that puts it there."""
        if self.rules.result(self.state) != GOING_ON:
            return {}
        buffer = np.zeros(self.rules.most_moves(), dtype=np.int64)
        moves = [int(move) for move in buffer[: self.rules.moves(self.state, buffer)]]
        return {self.cell_of(move): move for move in moves}

    def cell_of(self, move: int) -> Cell:
        """The cell on which a move puts its mark."""
        row, column = divmod(int(self.rules.cell_of(self.state, move)), self.rules.cols)
        return self.rules.rows - 1 - row, column

    def after(self, move: int) -> Lines:
        """The position after a move."""
        return Lines(self.rules, self.rules.play(self.rules.copy(self.state), move))

    def mark(self, row: int, column: int) -> int | None:
        """The mark on a cell, or None outside the board."""
        return (
            self.cells[row][column]
            if 0 <= row < self.rules.rows and 0 <= column < self.rules.cols
            else None
        )

    def completes(self, cell: Cell, player: int) -> bool:
        """Whether a mark of `player` on an empty cell would complete a line."""
        exact = getattr(self.rules, "exact", False)
        for step_row, step_col in DIRECTIONS:
            length = 1
            for sign in (1, -1):
                row, column = cell[0] + sign * step_row, cell[1] + sign * step_col
                while self.mark(row, column) == 1 + player:
                    length += 1
                    row, column = row + sign * step_row, column + sign * step_col
            if length == self.rules.line or (length > self.rules.line and not exact):
                return True
        return False

    def wins(self, player: int) -> list[Cell]:
        """The cells on which `player` would win at once if it were their turn."""
        return [cell for cell in self.playable if self.completes(cell, player)]

    def windows(self, cell: Cell, player: int) -> Iterator[list[Cell]]:
        """Every run of `line` cells through `cell` that `player` can still complete.

        None of them holds a mark of the opponent. Where a line must have the exact length, runs
        that a mark of the player would extend are left out.
        """
        line, exact = self.rules.line, getattr(self.rules, "exact", False)
        for step_row, step_col in DIRECTIONS:
            for back in range(line):
                row, column = cell[0] - back * step_row, cell[1] - back * step_col
                cells = [(row + i * step_row, column + i * step_col) for i in range(line)]
                ends = (
                    (row - step_row, column - step_col),
                    (row + line * step_row, column + line * step_col),
                )
                if all(self.mark(*each) in (0, 1 + player) for each in cells) and not (
                    exact and any(self.mark(*end) == 1 + player for end in ends)
                ):
                    yield cells

    def open_lines(self, cell: Cell, player: int) -> int:
        """The number of `windows`, counted quickly from the free room on either side of the cell."""
        if getattr(self.rules, "exact", False):
            return sum(1 for _ in self.windows(cell, player))
        line, count = self.rules.line, 0
        for step_row, step_col in DIRECTIONS:
            room = 1
            for sign in (1, -1):
                row, column = cell
                for _ in range(line - 1):
                    row, column = row + sign * step_row, column + sign * step_col
                    if self.mark(row, column) not in (0, 1 + player):
                        break
                    room += 1
            count += max(0, room - line + 1)
        return count


class LineExplanations(Explanations):
    """Explanations of any game of lines."""

    verdicts = True
    tries_replies = False
    importance: ClassVar = {
        "hint.only_draw": ("hint.fork", "hint.stacked"),
        "hint.moves_again": (
            "hint.prevents_fork",
            "hint.threatens",
            "hint.odd_threat",
            "hint.even_threat",
        ),
        "hint.holds_draw": (
            "hint.avoids_above",
            "hint.disrupts",
            "hint.builds",
            "hint.centre",
            "hint.open_lines",
        ),
    }
    said_by: ClassVar = {
        "hint.builds": {
            "hint.fork",
            "hint.stacked",
            "hint.threatens",
            "hint.odd_threat",
            "hint.even_threat",
        },
        "hint.open_lines": {"hint.fork", "hint.stacked", "hint.threatens", "hint.blocks"},
        "hint.centre": {"hint.fork", "hint.stacked", "hint.threatens", "hint.blocks"},
        "hint.disrupts": {"hint.prevents_fork"},
        "hint.avoids_above": {"hint.only_safe"},
    }

    def reasons(
        self, position: Position, move: int, line: tuple[int, ...], *, proved: bool
    ) -> Iterator[Reason]:
        return line_reasons(position, move)

    def mistake(self, fault: Fault) -> str | None:
        """Whether the opponent could then threaten to win in two places at once."""
        me = fault.position.mover
        doubled = (
            _makes_double(fault.position, moves, 1 - me) for moves in (fault.refutation, fault.line)
        )
        return "mistake.allowed_double" if [*doubled] == [True, False] else None


def _makes_double(position: Position, line: tuple[int, ...], player: int) -> bool:
    """Whether the second move of a line threatens to win in more than one place."""
    after = position.play_codes(line[:2])
    if len(line) < 2 or after.is_over:
        return False
    now = Lines(position.rules, after.state())
    return not now.wins(1 - player) and len(now.wins(player)) > 1


def line_reasons(position: Position, move: int) -> Iterator[Reason]:
    """The reasons for a move that does not win: its effects on the board."""
    now = Lines(position.rules, position.state())
    after = now.after(move)
    me = position.mover
    yield from _blocks(now, move, me)
    if after.rules.result(after.state) != GOING_ON:
        return
    if not after.wins(1 - me):
        yield from _threats(after, me)
        yield from _distant_threats(now, after, me)
    yield from _prevented_fork(now, move, me)
    yield from _cells_above(now, move, me)
    yield from _building(now, move, me)


def quiet_reasons(position: Position, move: int) -> Iterator[Reason]:
    """What a quiet move blocks and builds, where even two marks in a line are worth mentioning."""
    now = Lines(position.rules, position.state())
    yield from _lines_in_the_making(now, now.cell_of(move), position.mover, 2)


# ---- The opponent's wins ----


def _blocks(now: Lines, move: int, me: int) -> Iterator[Reason]:
    """Yield the reasons that the move prevents a win of the opponent, and that every other move
    loses at once."""
    rules, cell = now.rules, now.cell_of(move)
    others = {other: code for other, code in now.playable.items() if code != move}
    feared = {each: _line_elsewhere(now, each, 1 - me) for each in now.wins(1 - me)}
    if feared.get(cell):
        yield Reason(
            "hint.blocks",
            {"opponent": rules.players[1 - me], "move": named_moves(rules, rules.move_text(move))},
            feared[cell],
        )
    if not others or now.wins(me) or any(each != cell or not line for each, line in feared.items()):
        return
    above = _above(now, me)
    if cell not in above and all(feared or other in above for other in others):
        yield Reason("hint.only_safe")


def _line_elsewhere(now: Lines, cell: Cell, player: int) -> tuple[Cell, ...]:
    """The line that a player completes on a cell if the other side moves elsewhere; empty if the
    rules see no win there."""
    elsewhere = next((code for other, code in now.playable.items() if other != cell), None)
    return () if elsewhere is None else _line_after(now, elsewhere, now.playable[cell], player)


def _line_after(now: Lines, elsewhere: int, move: int, player: int) -> tuple[Cell, ...]:
    """The line that a player completes by a move after the other side's move `elsewhere`."""
    state = now.after(elsewhere)
    if move not in state.playable.values() or state.rules.mover(state.state) != player:
        return ()
    won = state.after(move)
    result = int(won.rules.result(won.state))
    winner = None if result in (GOING_ON, 0) else int(won.rules.mover(won.state)) ^ int(result < 0)
    return tuple(won.rules.picture(won.state).marked) if winner == player else ()


def _above(now: Lines, me: int) -> dict[Cell, Cell]:
    """Where discs fall: the cells to leave alone because the opponent would win on top of them, and
    the winning cell above."""
    if now.rules.board_style() != "drop":
        return {}
    found = {}
    for cell, code in now.playable.items():
        above = (cell[0] - 1, cell[1])
        if above[0] >= 0 and now.completes(above, 1 - me) and _line_after(now, code, code, 1 - me):
            found[cell] = above
    return found


def _cells_above(now: Lines, move: int, me: int) -> Iterator[Reason]:
    """Yield the reason that this move avoids others, after which the opponent would win in the cell
    above, unless something else forces it."""
    above = {cell: over for cell, over in _above(now, me).items() if cell != now.cell_of(move)}
    if not above or now.wins(1 - me):
        return
    given = list(above)[:MOST_LISTED]
    values = {"moves": _listed(now, given), "opponent": now.rules.players[1 - me]}
    yield Reason("hint.avoids_above", values, tuple(above[cell] for cell in given))


# ---- Threats of one's own ----


def _threats(after: Lines, me: int) -> Iterator[Reason]:
    """Yield the reasons about the threats that the mover has now: a single win, two at once, or one
    above another."""
    rules = after.rules
    opponent = rules.players[1 - me]
    threats = [threat for threat in after.wins(me) if _line_elsewhere(after, threat, me)]
    if len(threats) > 1:
        yield Reason(
            "hint.fork", {"moves": _listed(after, threats), "opponent": opponent}, tuple(threats)
        )
    elif threats:
        threat = threats[0]
        over = (threat[0] - 1, threat[1])
        move = named_moves(rules, rules.move_text(after.playable[threat]))
        if rules.board_style() == "drop" and over[0] >= 0 and after.completes(over, me):
            yield Reason("hint.stacked", {"move": move, "opponent": opponent}, (threat, over))
        else:
            yield Reason("hint.threatens", {"move": move}, (threat,))


def _distant_threats(now: Lines, after: Lines, me: int) -> Iterator[Reason]:
    """Where discs fall: a cell that cannot be reached yet and in which the mover would complete a
    line since this move. Who gets it when the other columns are full depends on whether its row is
    odd or even, counted from the bottom (Allis 1988).
    """
    if after.rules.board_style() != "drop":
        return
    near = {*after.playable, *((row - 1, column) for row, column in after.wins(me))}
    cells = [
        (row, column)
        for column in range(after.rules.cols)
        for row in range(after.rules.rows)
        if after.mark(row, column) == 0
        and (row, column) not in near
        and after.completes((row, column), me)
        and not now.completes((row, column), me)
    ]
    if cells:
        cell = max(cells)
        row = after.rules.rows - cell[0]
        yield Reason(
            "hint.odd_threat" if row % 2 else "hint.even_threat",
            {"column": cell[1] + 1, "row": row},
            (cell,),
        )


def _prevented_fork(now: Lines, move: int, me: int) -> Iterator[Reason]:
    """Yield the reason that the opponent would threaten two wins by a mark on this very cell."""
    if now.wins(1 - me):
        return
    cell, rules = now.cell_of(move), now.rules
    elsewhere = next(
        (
            code
            for other, code in now.playable.items()
            if code != move and not _touches(other, cell)
        ),
        None,
    )
    if elsewhere is None:
        return
    away = now.after(elsewhere)
    if move not in away.playable.values() or away.cell_of(move) != cell:
        return
    theirs = away.after(move)
    # The mark elsewhere may stand in the way of a threat, never make one: what is found is true
    # without it too.
    threats = [
        threat
        for threat in theirs.wins(1 - me)
        if (threat in now.playable or threat == (cell[0] - 1, cell[1]))
        and _line_elsewhere(theirs, threat, 1 - me)
    ]
    if len(threats) > 1:
        yield Reason(
            "hint.prevents_fork",
            {"opponent": rules.players[1 - me], "moves": _listed(theirs, threats)},
            tuple(threats),
        )


def _touches(one: Cell, other: Cell) -> bool:
    """Whether two cells are neighbours or the same."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1


# ---- Lines in the making ----


def _building(now: Lines, move: int, me: int) -> Iterator[Reason]:
    """Yield the reasons about lines that are not yet threats, and about the free room around a
    cell."""
    cell = now.cell_of(move)
    yield from _lines_in_the_making(now, cell, me, max(SHORTEST_LINE_TO_TELL, now.rules.line - 2))
    lines = now.open_lines(cell, me)
    if lines > 1 and _has_most_lines(now, lines, me):
        yield Reason(
            "hint.centre" if _is_central(now, cell) else "hint.open_lines",
            {"count": lines},
            (cell,),
        )


def _lines_in_the_making(now: Lines, cell: Cell, me: int, least: int) -> Iterator[Reason]:
    """Yield the reasons about the longest line that a mark here blocks and the longest that it
    builds, if they have at least the given number of marks."""
    rules = now.rules
    for key, player, own in (("hint.disrupts", 1 - me, 0), ("hint.builds", me, 1)):
        marks = [
            [each for each in cells if now.mark(*each) == 1 + player]
            for cells in now.windows(cell, player)
        ]
        longest = max(marks, key=len, default=[])
        if least <= len(longest) + own < rules.line - (1 - own):
            values = {
                "count": len(longest) + own,
                "line": rules.line,
                "opponent": rules.players[1 - me],
            }
            yield Reason(key, values, tuple(longest) + ((cell,) if own else ()))


def _has_most_lines(now: Lines, lines: int, me: int) -> bool:
    """Whether no other move lies on more lines that can still be completed."""
    if len(now.playable) > MOST_COMPARED:
        return False
    return all(now.open_lines(cell, me) <= lines for cell in now.playable)


def _is_central(now: Lines, cell: Cell) -> bool:
    """Whether a cell is in the middle of the board or, where discs fall, in the middle column."""
    rows, cols = now.rules.rows, now.rules.cols
    in_column = abs(2 * cell[1] - cols + 1) <= 1
    return in_column and (now.rules.board_style() == "drop" or abs(2 * cell[0] - rows + 1) <= 1)


def _listed(lines: Lines, cells: list[Cell]) -> str:
    """The moves that lead to the given cells, as text."""
    rules = lines.rules
    return named_moves(
        rules, *(rules.move_text(lines.playable[cell]) for cell in cells[:MOST_LISTED])
    )


ROWS = 9
"""The number of best moves that are given reasons without being asked for; each takes a few
milliseconds."""
A_ROW = 2


def row_reasons(position: Position, moves: Iterable[RootMove]) -> dict[int, tuple[Reason, ...]]:
    """The reasons for each of the best moves, by code; empty in games whose threats are not listed."""
    if position.is_over or not explanations_of(position.rules).threats:
        return {}
    return {each.code: _reasons(position, each.code) for each in itertools.islice(moves, ROWS)}


@functools.lru_cache(maxsize=64)  # a position of the largest board has 300 kB
def _reasons(position: Position, move: int) -> tuple[Reason, ...]:
    return tuple((explain_move(position, move) or list(quiet_reasons(position, move)))[:A_ROW])
