"""(m,n,k)-games, with tic-tac-toe and Gomoku among them: the family `lines`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from mnkala.core.family import Example, Family
from mnkala.core.grid import column_name, size_of
from mnkala.core.registry import register_family
from mnkala.core.rules import Rules
from mnkala.families.lines.rules import SMALLEST_FOR_STONES, Mnk, build

if TYPE_CHECKING:
    from mnkala.arena.calibrate import LevelPath
    from mnkala.arena.models import Model
    from mnkala.core.paste import GameFile
    from mnkala.core.picture import Cell
    from mnkala.core.position import Position
    from mnkala.explain.chances import Curve
    from mnkala.explain.contract import Explanations
    from mnkala.explain.rulebook import Section, Writer
    from mnkala.play.opening_rule import OpeningRule
    from mnkala.play.puzzle_contract import PuzzleFamily

SMALL_BOARD = 12
"""The largest number of cells at which levels are those of tic-tac-toe and a solver answers at
once."""
LARGE_BOARD = 100
"""The number of cells from which random openings lie in the middle."""
MIDDLE = 3
"""How many steps from the middle these openings may reach."""
STONES = (3, 7)
"""The fewest and the most stones of such an opening."""


class LinesFamily(Family):
    """Marks on any free cell of a board; a line of marks wins."""

    rules = (Mnk,)
    place = 2
    studies = "mnkala.families.lines.studies"
    examples: ClassVar = {
        "late": Example("tictactoe", "a1b2c3a3c1", 4),
        "three": Example("mnk:4x4x3", "b2c3", 2),
    }
    reads_literals = True

    modules: ClassVar = {
        "searches": (".engine.threat_search",),
        "solvers": (".solver",),
        "programs": (".gomocup",),
    }

    def curve(self, heuristic: str, rules: Rules) -> Curve | None:
        from mnkala.families.lines.explain import LINES

        assert isinstance(rules, Mnk)
        return LINES.get(rules.line) if heuristic == "lines" else None

    def like(self, rules: Rules) -> str:
        return "tictactoe" if _is_small(rules) else "gomoku"

    def level_path(self, rules: Rules) -> LevelPath:
        from mnkala.arena.calibrate import LevelPath

        return (
            LevelPath(exact_from=0.0, exact_sight=(0.3, 1.0))
            if _is_small(rules)
            else LevelPath(nodes=(300, 100_000))
        )

    def random_start(self, rules: Rules, rng: random.Random) -> Position | None:
        from mnkala.core.position import Position

        assert isinstance(rules, Mnk)
        if rules.rows * rules.cols < LARGE_BOARD:
            return None
        cells = [
            row * rules.cols + col
            for row in range(rules.rows // 2 - MIDDLE, rules.rows // 2 + MIDDLE + 1)
            for col in range(rules.cols // 2 - MIDDLE, rules.cols // 2 + MIDDLE + 1)
            if 0 <= row < rules.rows and 0 <= col < rules.cols
        ]
        return Position(rules).play_codes(rng.sample(cells, rng.randint(*STONES)))

    def model(self, rules: Rules) -> Model:
        from mnkala.families.lines.model import GomokuModel

        assert isinstance(rules, Mnk)
        return GomokuModel(rules)

    def explanations(self, rules: Rules) -> Explanations:
        from mnkala.families.lines.explain import ThreatExplanations

        return ThreatExplanations(rules)

    def rulebook(self, rules: Rules, write: Writer) -> tuple[Section, ...]:
        """Write the rules of boards where every free cell can be taken; for `gomoku`, with stones and a
        word about its variants."""
        from mnkala.core.position import Position
        from mnkala.explain.rulebook import LONGEST_DRAWN

        assert isinstance(rules, Mnk)
        line, gomoku = rules.line, rules.line == 5 and rules.rows == rules.cols
        side = SMALLEST_FOR_STONES if gomoku else line + 2
        rows, columns = min(rules.rows, side), min(rules.cols, side)
        board = Position(f"mnk:{rows}x{columns}x{line}" + (",exact" if rules.exact else ""))
        can_be_drawn = line <= LONGEST_DRAWN and min(rows, columns, line) > 1
        lines = (
            [
                write.figure(board.play(moves), caption)
                for caption, moves in _lines(rows, columns, line)
            ]
            if can_be_drawn
            else []
        )
        sections = [
            write.section("marks.aim", *lines, rows=rules.rows, columns=rules.cols, line=line),
            write.section("gomoku.move" if gomoku else "marks.move"),
        ]
        if can_be_drawn and line < max(rows, columns):
            over = board.play(_overline(rows, columns, line))
            name = f"{'gomoku' if gomoku else 'marks'}.longer_{'loses' if rules.exact else 'wins'}"
            sections.append(
                write.section(
                    name, write.figure(over, "longer", longer=line + 1), line=line, longer=line + 1
                )
            )
        sections.append(write.section("marks.end"))
        if (rows, columns, line) == (3, 3, 3):
            sections.append(
                write.section(
                    "tictactoe.tip", write.figure(board.play("a1b2c3a3c1"), "fork", (2, 1), (1, 2))
                )
            )
        elif gomoku and rows >= SMALLEST_FOR_STONES:
            sections.append(
                write.section(
                    "gomoku.tip",
                    write.figure(board.play("e5e6d5c6f5"), "open_three", (4, 2), (4, 6)),
                )
            )
        return (
            *sections,
            write.section("marks.notation", last=rules.move_text(rules.rows * rules.cols - 1)),
        )

    def opening_rules(self) -> tuple[OpeningRule, ...]:
        from mnkala.families.lines.swap2 import Swap2

        return (Swap2(),)

    def games_of_literal(self, literal: str) -> Iterator[str]:
        size = size_of(literal)
        if size == (3, 3):
            yield "tictactoe"
        elif size is not None and size[0] == size[1] > 4:
            yield f"gomoku:{size[0]}"

    def game_files(self) -> tuple[GameFile, ...]:
        from mnkala.families.lines.game_files import Psq, Sgf

        return Sgf(), Psq()

    def puzzles(self) -> tuple[PuzzleFamily[Any], ...]:
        from mnkala.families.lines.puzzles import SmallLinePuzzles, ThreatPuzzles

        return ThreatPuzzles(), SmallLinePuzzles()

    spiel_games = "tic_tac_toe, mnk, gomoku"
    """OpenSpiel counts rows from the top and mnkala from the bottom, which mirrors the board and
    changes no line."""

    def spiel_name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        assert isinstance(rules, Mnk)
        if rules.exact:
            return None
        if (rules.rows, rules.cols, rules.line) == (3, 3, 3):
            return "tic_tac_toe", {}
        if rules.rows == rules.cols:  # It has the rules of `mnk` and is far faster.
            return "gomoku", {"size": rules.rows, "connect": rules.line}
        return "mnk", {"m": rules.cols, "n": rules.rows, "k": rules.line}

    def spiel_rules(self, name: str, parameters: dict[str, Any]) -> Rules | None:
        match name, parameters:
            case "tic_tac_toe", _:
                return build(3, 3, 3)
            case "mnk", {"m": columns, "n": rows, "k": line}:
                return build(rows, columns, line)
            case "gomoku", {"dims": 2, "wrap": False, "anti": False, "size": side, "connect": line}:
                return build(side, side, line)
        return None


def _is_small(rules: Rules) -> bool:
    assert isinstance(rules, Mnk)
    return rules.rows * rules.cols <= SMALL_BOARD


# ---- Games that illustrate the rules ----


def _lines(rows: int, columns: int, line: int) -> Iterator[tuple[str, str]]:
    """Yield the moves of games that end with a line of the first player, one for each direction
    that the board has room for."""
    bottom, left = (rows - line) // 2, (columns - line) // 2
    if columns >= line:
        row = (rows - 1) // 2
        yield "across", _answered([(row, left + i) for i in range(line)], (1, 0))
    if rows >= line:
        column = (columns - 1) // 2
        yield "upright", _answered([(bottom + i, column) for i in range(line)], (0, 1))
    if min(rows, columns) >= line:
        yield "diagonal", _answered([(bottom + i, left + i) for i in range(line)], (0, 1))


def _overline(rows: int, columns: int, line: int) -> str:
    """The moves of a game in which the first player fills a gap and gets one mark more in a row
    than needed."""
    gap = line // 2
    places = [place for place in range(line + 1) if place != gap] + [gap]
    if columns > line:
        return _answered([((rows - 1) // 2, place) for place in places], (1, 0))
    return _answered([(place, (columns - 1) // 2) for place in places], (0, 1))


def _answered(cells: Sequence[Cell], beside: Cell) -> str:
    """The moves of a game in which the first player takes these cells (row from the bottom, column)
    and the second player always the cell beside."""
    names = [f"{column_name(column)}{row + 1}" for row, column in cells]
    others = [
        f"{column_name(column + beside[1])}{row + beside[0] + 1}" for row, column in cells[:-1]
    ]
    from mnkala.explain.rulebook import in_turn

    return in_turn(names, others)


register_family(LinesFamily())
