"""Connect Four and its relatives on boards of any size: the family `connect`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from mnkala.core.family import Example, Family
from mnkala.core.grid import size_of
from mnkala.core.registry import register_family
from mnkala.core.rules import Rules
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.rules import ConnectRules, WideConnect, build

if TYPE_CHECKING:
    from mnkala.arena.calibrate import LevelPath
    from mnkala.arena.models import Model, Tables
    from mnkala.explain.chances import Curve
    from mnkala.explain.rulebook import Section, Writer
    from mnkala.play.puzzle_contract import PuzzleFamily
    from mnkala.search.heuristic import Heuristic
    from mnkala.solve.books import Books

SMALLEST_SIDE = 4
"""The smallest side that a board written without its game is expected to have."""


class ConnectFamily(Family):
    """Discs fall to the lowest free cell of a column; a line of discs wins."""

    rules = (Connect, WideConnect)
    place = 1
    reads_literals = True
    studies = "mnkala.families.connect.studies"
    examples: ClassVar = {
        "usual": Example("connect4", "44", 3),
        "small": Example("connect4:4x4", "424231"),
        "window": Example("connect:4x4x3", "42112"),
        "mirror": Example("connect:4x4x3", "13443"),
        "threat": Example("connect4", "443"),
        "grow": Example("connect4", "4131"),
    }

    modules: ClassVar = {
        "heuristics": (".heuristic", ".learned"),
        "solvers": (".solver.solver",),
        "programs": (".kaggle",),
    }

    def weights(self, path: Path, rules: Rules) -> Heuristic:
        from mnkala.families.connect.learned import learned_from

        return learned_from(path, rules)

    def books(self) -> Books:
        from mnkala.families.connect.book.books import ConnectBooks

        return ConnectBooks()

    def curve(self, heuristic: str, rules: Rules) -> Curve | None:
        """The curves of `threats`, `lines` and `learned`; None for other heuristics.

        The parameters were fitted by `python -m bench.fit_chances`. `threats` leaves 0.87 bits
        of uncertainty on 6x7 and 0.79 on 10x11. `lines` was hardly better than a coin (80 games on
        10x11, scored with 20,000 nodes, because with 600 the fit found nothing)."""
        from mnkala.explain.chances import Curve
        from mnkala.families.connect.learned import SCALE

        if heuristic == "threats":
            return Curve(10_000, 31.6) if isinstance(rules, WideConnect) else Curve(1000, 33.5)
        return {"lines": Curve(1_000_000, 9), "learned": Curve(10 * SCALE, 10)}.get(heuristic)

    def like(self, rules: Rules) -> str:
        return "connect4"

    def level_path(self, rules: Rules) -> LevelPath | None:
        from mnkala.arena.calibrate import LevelPath
        from mnkala.play.levels import asks_solver

        return (
            LevelPath(exact_from=0.7) if isinstance(rules, Connect) and asks_solver(rules) else None
        )

    def model(self, rules: Rules) -> Model | None:
        from mnkala.families.connect.learned import ConnectModel

        return ConnectModel(rules) if isinstance(rules, Connect) else None

    def tables(self, rules: Rules) -> Tables | None:
        from mnkala.families.connect.learned import ConnectModel

        return ConnectModel(rules) if isinstance(rules, Connect) else None

    def rulebook(self, rules: Rules, write: Writer) -> tuple[Section, ...]:
        """Write the rules with lines of the board's own length, on a board that is small enough to be
        seen at a glance."""
        from mnkala.core.position import Position
        from mnkala.explain.rulebook import LONGEST_DRAWN, in_turn

        assert isinstance(rules, ConnectRules)
        line = rules.line
        board = Position("connect4") if line == 4 else Position(f"connect:{line}x{line + 2}x{line}")
        rows = 6 if line == 4 else line
        own = [str(column) for column in range(2, line + 2)]
        """Columns from the second on, for a line on the ground with free ends."""
        lines, drop, fork = [], [], []
        if line <= LONGEST_DRAWN:
            lines = [
                write.figure(board.play(in_turn(own, own[:-1])), "across"),
                write.figure(
                    board.play(in_turn([own[0]] * line, [own[1]] * (line - 1))), "upright"
                ),
            ]
            fork = [
                write.figure(
                    board.play(in_turn(own[:-1], own[:-2])), "fork", (rows - 1, 0), (rows - 1, line)
                )
            ]
        if line == 4:
            lines.append(write.figure(board.play("12233434464"), "diagonal"))
            drop = [
                write.figure(board.play("4455"), "before", (3, 3), move="4"),
                write.figure(board.play("44554"), "after", move="4"),
            ]
        return (
            write.section("connect.aim", *lines, rows=rules.rows, columns=rules.cols, line=line),
            write.section("connect.move", *drop),
            write.section("connect.end", line=line),
            write.section("connect.tip", *fork),
            write.section("connect.notation", columns=rules.cols),
        )

    def puzzles(self) -> tuple[PuzzleFamily[Any], ...]:
        from mnkala.families.connect.puzzles import ConnectPuzzles

        return (ConnectPuzzles(),)

    def games_of_literal(self, literal: str) -> Iterator[str]:
        size = size_of(literal)
        if size is not None and max(size) >= SMALLEST_SIDE:
            yield "connect4:{}x{}".format(*size)

    spiel_games = "connect_four"

    def spiel_name(self, rules: Rules) -> tuple[str, dict[str, Any]]:
        assert isinstance(rules, ConnectRules)
        return "connect_four", {"rows": rules.rows, "columns": rules.cols, "x_in_row": rules.line}

    def spiel_rules(self, name: str, parameters: dict[str, Any]) -> Rules | None:
        if name != "connect_four":
            return None
        return build(parameters["rows"], parameters["columns"], parameters["x_in_row"])


register_family(ConnectFamily())
