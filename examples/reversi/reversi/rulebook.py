"""The rules of Reversi for people who do not know it: which sections there are, and the positions
that show them.
"""

from __future__ import annotations

from mnkala import Position
from mnkala.explain.rulebook import Figure, Section, Writer
from reversi.rules import Reversi


def sections(rules: Reversi, write: Writer) -> tuple[Section, ...]:
    """On boards that are small enough to be seen at a glance; the start is this board's own."""
    start = Position(rules)

    def pair(game: str, literal: str, move: str, after: str) -> tuple[Figure, Figure]:
        before = Position(game, literal=literal)
        cells = before.rules.move_cells(before.state(), before.rules.parse_move(move))
        return write.figure(before, "before", *cells, move=move), write.figure(
            before.play(move), after, move=move
        )

    last = rules.move_text(rules.rows * rules.cols - 1)
    return (
        write.section(
            "reversi.aim", write.figure(start, "start"), rows=rules.rows, columns=rules.cols
        ),
        write.section(
            "reversi.move",
            *pair(
                "reversi:6x6", "....../.oox../..ox../..xo../....../......:x", "a2", "reversi.turned"
            ),
        ),
        write.section(
            "reversi.many",
            *pair(
                "reversi:6x6",
                ".x.x../.oo.../..ooox/....../....../......:x",
                "b3",
                "reversi.all_turned",
            ),
        ),
        write.section(
            "reversi.pass",
            write.figure(
                Position("reversi:4x4", literal="xxxx/xxxx/xxxo/xxx.:o"), "reversi.no_move"
            ),
        ),
        write.section("reversi.end"),
        write.section("reversi.tip"),
        write.section("reversi.notation", last=last),
    )
