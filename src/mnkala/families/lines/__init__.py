"""(m,n,k)-games, with tic-tac-toe and Gomoku among them: the family `lines`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from mnkala.core.family import Example, Family
from mnkala.core.grid import size_of
from mnkala.core.registry import register_family
from mnkala.core.rules import Rules
from mnkala.families.lines.rules import Mnk, build

if TYPE_CHECKING:
    from mnkala.arena.calibrate import LevelPath
    from mnkala.arena.models import Model
    from mnkala.core.paste import GameFile
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
        from mnkala.families.lines.rulebook import sections

        assert isinstance(rules, Mnk)
        return sections(rules, write)

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


register_family(LinesFamily())
