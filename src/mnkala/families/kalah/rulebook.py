"""The rules of Kalah for people who do not know it: the sections, and the positions that illustrate
them."""

from __future__ import annotations

from mnkala.core import Position
from mnkala.explain.rulebook import Figure, Section, Writer
from mnkala.families.kalah.rules import Kalah


def sections(rules: Kalah, write: Writer) -> tuple[Section, ...]:
    """Write the rules on the usual board with this board's rule of capture; the start is this
    board's own."""
    variant, game = ("standard", "kalah:6x4,standard") if rules.standard else ("report", "kalah")

    def pair(literal: str | None, move: str, after: str = "after") -> tuple[Figure, Figure]:
        before = Position(game, literal=literal)
        return write.figure(before, "before", (1, int(move) - 1), move=move), write.figure(
            before.play(move), after, move=move
        )

    return (
        write.section(
            "kalah.aim",
            write.figure(Position(rules), "start"),
            houses=rules.houses,
            seeds=rules.seeds,
            all=2 * rules.houses * rules.seeds,
        ),
        write.section("kalah.move", *pair(None, "5")),
        write.section("kalah.again", *pair(None, "3", "after_again")),
        write.section(
            "kalah.capture", *pair("<6,10,8,0,2,0,0,3,1,4,2,5,5,1,7>", "2", "after_capture")
        ),
        write.section(
            f"kalah.nothing_{variant}",
            *pair("<6,10,8,0,2,0,0,3,1,4,2,0,5,1,12>", "2", f"after_nothing_{variant}"),
        ),
        write.section("kalah.end", *pair("<6,20,18,0,0,0,0,0,1,2,0,3,0,4,0>", "6", "after_end")),
        write.section("kalah.tip"),
        write.section("kalah.notation", houses=rules.houses),
    )
