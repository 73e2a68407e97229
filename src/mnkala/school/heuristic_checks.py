"""The tests of a heuristic: that it gives numbers, sees both players and both sides of the board alike, and knows good from bad.

A heuristic says how good a position looks to its mover. It is asked about Connect and Kalah, the games of the exercise sheet.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.core import Position
from mnkala.school.checks import Candidate, Case, Check, told

NEARLY = 1e-6
"""Numbers closer than this (relative to their size) count as the same."""

CONNECT_PAIRS = (
    ("......./......./......./......./.oo..../.xxx.o.", "......./......./......./......./.xx..../.ooo.x."),
    ("......./......./......./...x.../...x..o/o..x..o", "......./......./......./...o.../...o..x/x..o..x"),
    ("......./......./......./..xo.../..xx.../o.xoo..", "......./......./......./..ox.../..oo.../x.oxx.."),
    ("......./......./...x.../..xo.../.xoo.../oxxo...", "......./......./...o.../..ox.../.oxx.../xoox..."),
)
"""Player 0 is to move in both; in the first the open lines are the mover's, in the second all discs have changed colour."""

KALAH_PAIRS = (
    ("<6,12,6,3,2,1,3,0,4,4,1,2,2,4,4>", "<6,6,12,3,2,1,3,0,4,4,1,2,2,4,4>"),
    ("<6,20,9,1,2,1,0,2,2,3,1,0,2,3,2>", "<6,9,20,1,2,1,0,2,2,3,1,0,2,3,2>"),
    ("<4,9,3,1,0,2,3,2,1,2,1>", "<4,3,9,1,0,2,3,2,1,2,1>"),
    ("<4,8,5,1,2,2,0,2,1,0,3>o", "<4,5,8,1,2,2,0,2,1,0,3>o"),
)
"""The same houses; in the first the fuller store is the mover's."""

SOME = (("connect4", ""), ("connect4", "44352"), ("connect4:5x6", "334"), ("connect4:5x6", "1455223316"), ("kalah", ""), ("kalah", "36"),
        ("kalah:4x3", "21"), ("kalah:4x3", "323124324413"))
SIDED = (("connect4", "44352"), ("connect4", "2212154"), ("connect4:5x6", "66414322456"), ("connect4:5x6", "1455223316"))
SEATED = ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", "<6,12,6,3,2,1,3,0,4,4,1,2,2,4,4>", "<4,9,3,1,0,2,3,2,1,2,1>", "<4,8,5,1,2,2,0,2,1,0,3>")


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= NEARLY * max(1.0, abs(one), abs(other))


def _position(literal: str) -> Position:
    """A position of the game that its literal belongs to."""
    if literal[0] == "<":
        numbers = [int(number) for number in literal[1:].partition(">")[0].split(",")]
        return Position(f"kalah:{numbers[0]}x{sum(numbers[1:]) // (2 * numbers[0])}", literal=literal)
    return Position("connect4", literal=literal)


def _mirrored(position: Position) -> Position:
    """Left and right exchanged."""
    literal = position.literal
    assert literal is not None
    return Position(position.game, literal="/".join(row[::-1] for row in literal.split("/")))


def _numbers() -> list[Case]:
    def case(position: Position) -> Case:
        def judge(candidate: Candidate) -> str:
            first, second = candidate.value(position), candidate.value(position)
            return "" if first == second else f"gave {first:g}, then {second:g} for the same position"
        return Case(judge, told(position))
    return [case(Position(game).play(moves)) for game, moves in SOME]


def _same(pairs: Sequence[tuple[Position, Position]]) -> list[Case]:
    """Both positions must get the same number, and the pairs not all the same: who always says 0 sees nothing."""
    def case(one: Position, other: Position) -> Case:
        def judge(candidate: Candidate) -> str:
            if len({candidate.value(position) for pair in pairs for position in pair}) == 1:
                return "gave all positions the same number"
            values = candidate.value(one), candidate.value(other)
            return "" if _close(*values) else f"gave {values[0]:g} and {values[1]:g} for {one.literal} and {other.literal}"
        return Case(judge)
    return [case(one, other) for one, other in pairs]


def _better(pairs: Sequence[tuple[str, str]]) -> list[Case]:
    def case(good: str, bad: str) -> Case:
        def judge(candidate: Candidate) -> str:
            values = candidate.value(_position(good)), candidate.value(_position(bad))
            return "" if values[0] > values[1] else f"gave {values[0]:g} for {good} and {values[1]:g} for {bad}; the first is better"
        return Case(judge)
    return [case(good, bad) for good, bad in pairs]


# ---- Judged by what searching finds ----


WON_AND_LOST = {
    "connect4:5x6": (
        "6444122544 4513412634 2456315531 3452243444 5325452641 4362351626 5262615655 2563413153 6123343555 6241441563 4335223425 "
        "4333562141",
        "3425146364 6544126232 4514234565 6355445342 1422345624 3563151244 3453312564 6364434114 1413424363 3211133262 3513124465 "
        "1322233544"),
    "kalah:4x3": (
        "132412134 431421414 413122214 144334224 422431411 141243114 241223114 342144332 244123112 432431412 231212344 413244232",
        "211314343 244142324 244121434 234411223 443142413 144131221 441234421 331443211 214132431 131241322 212321314 242132442"),
}
"""From random play: positions that their movers win (in Connect within five plies), and positions that they lose. No move ends the game
at once. The engines proved it; `tests/test_school.py` asks them again."""


def won_and_lost(game: str) -> tuple[list[Position], list[Position]]:
    """The positions of a game."""
    won, lost = ([Position(game).play(moves) for moves in side.split()] for side in WON_AND_LOST[game])
    return won, lost


def _agrees(game: str, shares: Sequence[float]) -> list[Case]:
    """How often a won position gets more than a lost one, half for a tie: a case for each share that must be reached."""
    def case(wanted: float) -> Case:
        def judge(candidate: Candidate) -> str:
            won, lost = ([candidate.value(position) for position in side] for side in won_and_lost(game))
            share = sum(1.0 if high > low else 0.5 if high == low else 0.0 for high in won for low in lost) / (len(won) * len(lost))
            return "" if share >= wanted else f"gave won positions more than lost ones in {100 * share:.0f} % of pairs; chance is 50 %"
        return Case(judge, f"{100 * wanted:.0f} %")
    return [case(wanted) for wanted in shares]


HEURISTIC = (
    Check("numbers", 3, "Return a finite number for every position of Connect and Kalah of any size, always the same for the same "
          "position.", _numbers()),
    Check("Connect: mirrored board", 2, "Left and right are alike in Connect: look at lines in all directions.",
          _same([(position, _mirrored(position)) for game, moves in SIDED for position in [Position(game).play(moves)]])),
    Check("Kalah: either player", 2, "The value is for the mover, whoever that is: the same board with the other player to move, seen "
          "from that player's side, is worth the same.", _same([(_position(literal), _position(literal + "o")) for literal in SEATED])),
    Check("Connect: own lines", 4, "More for the mover's lines, less for the opponent's: exchange the colours and the value must "
          "turn round.", _better(CONNECT_PAIRS)),
    Check("Kalah: fuller store", 4, "Seeds in the mover's store are good, seeds in the other store are bad.", _better(KALAH_PAIRS)),
    Check("Connect: knows who wins", 2, "Count lines that can still become four; three with an empty cell are worth much more than two.",
          _agrees("connect4:5x6", (0.65, 0.8))),
    Check("Kalah: knows who wins", 3, "Stores decide; seeds on one's own side and the chance to move again help.",
          _agrees("kalah:4x3", (0.6, 0.7, 0.75))),
)
