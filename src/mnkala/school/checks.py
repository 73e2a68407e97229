"""The reference tests: each has a name, points, a sentence that helps, and cases that share its
points equally.

The grader asks and judges; the student's process only answers. A case without an answer fails with
the reason, and a fresh process takes the next one. The positions and their right answers are in
`exercises.py`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mnkala.core import Position
from mnkala.school.process import DISQUALIFYING, Answer, StudentError, StudentProcess, Trouble

MOST_TROUBLES = 3
"""After this many processes have ended no more questions are asked: further ones would take as long
and show nothing new."""
SHOWN_FAILURES = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """A question with the function that judges the answer: it returns an empty text if the answer
    is right, otherwise what was wrong."""

    judge: Callable[[Candidate], str]
    title: str = ""

    @classmethod
    def of(cls, judge: Callable[..., str], *arguments: Any, title: str = "") -> Case:
        """Make the case in which `judge` judges a candidate, given these arguments."""
        return cls(lambda candidate: judge(candidate, *arguments), title)


@dataclasses.dataclass(frozen=True)
class Check:
    """A test: several cases that together earn some points."""

    name: str
    points: int
    help: str
    """A sentence of help for a student whose file fails the test."""
    cases: Sequence[Case]
    allowed_failures: int = 0
    """How many cases may fail without costing points, in tests that involve chance."""
    by_luck: int = 0
    """How many cases anyone would pass by luck; these earn nothing."""

    def points_for(self, passed: int) -> float:
        """The points for a number of passed cases, rounded to a tenth."""
        needed = len(self.cases) - self.allowed_failures - self.by_luck
        return round(self.points * max(0.0, min(1.0, (passed - self.by_luck) / needed)), 1)


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """The result of a file in a test."""

    name: str
    points: float
    of: int
    passed: int
    cases: int
    help: str = ""
    failures: tuple[str, ...] = ()


class Disqualified(Exception):
    """The file did something that a search never needs to do."""


class NotAsked(StudentError):
    """A question was not asked because too many processes had ended before."""


TROUBLE_HELP: dict[Trouble, str] = {
    "time": "Is there a loop that never ends, or a search that does not stop at depth 0 and at the end of the game?",
    "memory": "Keep less: a depth-first search needs only the positions on the way from the root to where it is.",
    "raised": "Ask your function about the position named above, on your own computer, and read the whole traceback.",
    "exit": "Return an answer; leave ending the program to others.",
    "died": "Does the function call itself without end?",
}
"""Advice for a student whose function gave no answer, by the kind of trouble."""


class Candidate:
    """A student's function, as the tests call it."""

    def __init__(self, process: StudentProcess) -> None:
        self.process, self.troubles = process, 0

    def move(self, position: Position, **arguments: Any) -> Answer:
        """Ask for a move; raise a StudentError that says what came instead of a legal one."""
        answer = self._ask("move", position, arguments)
        if answer.value not in position.legal_moves:
            shown = str(answer.value)[:40]
            raise StudentError(
                "answer",
                f"returned {shown!r}; legal moves were {' '.join(position.legal_moves[:20])}",
            )
        return answer

    def value(self, position: Position) -> float:
        """Ask a heuristic for its value of a position; raises StudentError if it is not a finite
        number."""
        value = self._ask("value", position, {}).value
        assert isinstance(value, float)
        if not math.isfinite(value):
            raise StudentError("answer", f"returned {value}; a heuristic gives finite numbers")
        return value

    def _ask(self, do: Any, position: Position, arguments: dict[str, Any]) -> Answer:
        """Ask the file's process; raises StudentError if it gives no answer, NotAsked after too
        many troubles, and Disqualified if the file broke the rules."""
        if self.troubles >= MOST_TROUBLES:
            raise NotAsked(
                "died",
                f"not asked any more: {MOST_TROUBLES} times there was no answer and the process had to be ended",
            )
        try:
            return self.process.ask(do, position, arguments)
        except StudentError as error:
            if error.kind in DISQUALIFYING:
                raise Disqualified(error.text) from None
            self.troubles += not self.process.running
            raise


def run_check(check: Check, candidate: Candidate) -> CheckResult:
    """Ask all questions of a test."""
    failures: list[str] = []
    passed, hint = 0, ""
    for case in check.cases:
        try:
            wrong = case.judge(candidate)
            hint = hint or (check.help if wrong else "")
        except NotAsked as error:
            failures.append(error.text)
            break
        except StudentError as error:
            wrong = error.text
            hint = hint or TROUBLE_HELP.get(error.kind, check.help)
        passed += not wrong
        if wrong:
            failures.append(f"{case.title}: {wrong}" if case.title else wrong)
    points = check.points_for(passed)
    if points == check.points:
        hint, failures = "", []
    return CheckResult(
        check.name,
        points,
        check.points,
        passed,
        len(check.cases),
        hint,
        tuple(failures[:SHOWN_FAILURES]),
    )


def run_checks(checks: Sequence[Check], process: StudentProcess) -> Iterator[CheckResult]:
    """Run the tests one after the other; raise Disqualified if the file broke the rules."""
    candidate = Candidate(process)
    for check in checks:
        yield run_check(check, candidate)


def told(position: Position) -> str:
    """Describe a position in a few words."""
    return (
        f"{position.game} after {position.moves}"
        if position.history
        else f"{position.game} at the start"
    )


def among(position: Position, right: Sequence[str], answer: str | float) -> str:
    """Judge a move that should be one of `right`; return what was wrong with it, or an empty
    text."""
    return "" if answer in right else f"played {answer}, right is {' or '.join(right)}"


# ---- Checks of a heuristic ----
#
# They require numbers, equal treatment of both players and of both sides of the board, and a
# preference for good positions.
#
# A heuristic rates a position for its mover. It is asked about Connect and Kalah, the games of the
# exercise sheet.


NEARLY = 1e-6
"""Numbers that differ by less than this, relative to their size, count as equal."""

CONNECT_PAIRS = (
    (
        "......./......./......./......./.oo..../.xxx.o.",
        "......./......./......./......./.xx..../.ooo.x.",
    ),
    (
        "......./......./......./...x.../...x..o/o..x..o",
        "......./......./......./...o.../...o..x/x..o..x",
    ),
    (
        "......./......./......./..xo.../..xx.../o.xoo..",
        "......./......./......./..ox.../..oo.../x.oxx..",
    ),
    (
        "......./......./...x.../..xo.../.xoo.../oxxo...",
        "......./......./...o.../..ox.../.oxx.../xoox...",
    ),
)
"""Pairs of Connect positions with player 0 to move: in the first the open lines are the mover's; in
the second all discs have changed colour."""

KALAH_PAIRS = (
    ("<6,12,6,3,2,1,3,0,4,4,1,2,2,4,4>", "<6,6,12,3,2,1,3,0,4,4,1,2,2,4,4>"),
    ("<6,20,9,1,2,1,0,2,2,3,1,0,2,3,2>", "<6,9,20,1,2,1,0,2,2,3,1,0,2,3,2>"),
    ("<4,9,3,1,0,2,3,2,1,2,1>", "<4,3,9,1,0,2,3,2,1,2,1>"),
    ("<4,8,5,1,2,2,0,2,1,0,3>o", "<4,5,8,1,2,2,0,2,1,0,3>o"),
)
"""Pairs of Kalah positions with equal houses: in the first the fuller store is the mover's."""

SOME = (
    ("connect4", ""),
    ("connect4", "44352"),
    ("connect4:5x6", "334"),
    ("connect4:5x6", "1455223316"),
    ("kalah", ""),
    ("kalah", "36"),
    ("kalah:4x3", "21"),
    ("kalah:4x3", "323124324413"),
)
SIDED = (
    ("connect4", "44352"),
    ("connect4", "2212154"),
    ("connect4:5x6", "66414322456"),
    ("connect4:5x6", "1455223316"),
)
SEATED = (
    "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
    "<6,12,6,3,2,1,3,0,4,4,1,2,2,4,4>",
    "<4,9,3,1,0,2,3,2,1,2,1>",
    "<4,8,5,1,2,2,0,2,1,0,3>",
)


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= NEARLY * max(1.0, abs(one), abs(other))


def _position(literal: str) -> Position:
    """Make a position of the game that the literal belongs to."""
    if literal[0] == "<":
        numbers = [int(number) for number in literal[1:].partition(">")[0].split(",")]
        return Position(
            f"kalah:{numbers[0]}x{sum(numbers[1:]) // (2 * numbers[0])}", literal=literal
        )
    return Position("connect4", literal=literal)


def _mirrored(position: Position) -> Position:
    """Mirror a position left to right."""
    literal = position.literal
    assert literal is not None
    return Position(position.game, literal="/".join(row[::-1] for row in literal.split("/")))


def _repeats(candidate: Candidate, position: Position) -> str:
    """Check that the same position gets the same number twice; return what was wrong, or an empty
    text."""
    first, second = candidate.value(position), candidate.value(position)
    return "" if first == second else f"gave {first:g}, then {second:g} for the same position"


def _is_fair(
    candidate: Candidate, one: Position, other: Position, pairs: Sequence[tuple[Position, Position]]
) -> str:
    """Check that both positions of a pair get the same number, and that not all pairs get the same
    one, so that a constant fails; return what was wrong, or an empty text."""
    if len({candidate.value(position) for pair in pairs for position in pair}) == 1:
        return "gave all positions the same number"
    values = candidate.value(one), candidate.value(other)
    return (
        ""
        if _close(*values)
        else f"gave {values[0]:g} and {values[1]:g} for {one.literal} and {other.literal}"
    )


def _same(pairs: Sequence[tuple[Position, Position]]) -> list[Case]:
    return [Case.of(_is_fair, one, other, pairs) for one, other in pairs]


def _prefers(candidate: Candidate, good: str, bad: str) -> str:
    """Check that the good position gets a larger number than the bad one; return what was wrong, or
    an empty text."""
    values = candidate.value(_position(good)), candidate.value(_position(bad))
    return (
        ""
        if values[0] > values[1]
        else f"gave {values[0]:g} for {good} and {values[1]:g} for {bad}; the first is better"
    )


# ---- Comparison with what a search finds ----


WON_AND_LOST = {
    "connect4:5x6": (
        "6444122544 4513412634 2456315531 3452243444 5325452641 4362351626 5262615655 2563413153 6123343555 6241441563 4335223425 "
        "4333562141",
        "3425146364 6544126232 4514234565 6355445342 1422345624 3563151244 3453312564 6364434114 1413424363 3211133262 3513124465 "
        "1322233544",
    ),
    "kalah:4x3": (
        "132412134 431421414 413122214 144334224 422431411 141243114 241223114 342144332 244123112 432431412 231212344 413244232",
        "211314343 244142324 244121434 234411223 443142413 144131221 441234421 331443211 214132431 131241322 212321314 242132442",
    ),
}
"""Positions from random play that their movers win (in Connect within five plies), and positions
that they lose. No move ends the game at once. The engines proved them; `tests/test_school.py`
verifies that."""


def won_and_lost(game: str) -> tuple[list[Position], list[Position]]:
    """The won and the lost positions of a game."""
    won, lost = (
        [Position(game).play(moves) for moves in side.split()] for side in WON_AND_LOST[game]
    )
    return won, lost


def _knows(candidate: Candidate, game: str, wanted: float) -> str:
    """Check that won positions are rated above lost ones in the wanted share of all pairs, where
    ties count half; return what was wrong, or an empty text."""
    won, lost = ([candidate.value(position) for position in side] for side in won_and_lost(game))
    share = sum(
        1.0 if high > low else 0.5 if high == low else 0.0 for high in won for low in lost
    ) / (len(won) * len(lost))
    return (
        ""
        if share >= wanted
        else f"gave won positions more than lost ones in {100 * share:.0f} % of pairs; chance is 50 %"
    )


def _agrees(game: str, *shares: float) -> list[Case]:
    return [Case.of(_knows, game, wanted, title=f"{100 * wanted:.0f} %") for wanted in shares]


HEURISTIC = (
    Check(
        "numbers",
        3,
        "Return a finite number for every position of Connect and Kalah of any size, always the same for the same "
        "position.",
        [
            Case.of(_repeats, position, title=told(position))
            for position in (Position(game).play(moves) for game, moves in SOME)
        ],
    ),
    Check(
        "Connect: mirrored board",
        2,
        "Left and right are alike in Connect: look at lines in all directions.",
        _same(
            [
                (position, _mirrored(position))
                for game, moves in SIDED
                for position in [Position(game).play(moves)]
            ]
        ),
    ),
    Check(
        "Kalah: either player",
        2,
        "The value is for the mover, whoever that is: the same board with the other player to move, seen "
        "from that player's side, is worth the same.",
        _same([(_position(literal), _position(literal + "o")) for literal in SEATED]),
    ),
    Check(
        "Connect: own lines",
        4,
        "More for the mover's lines, less for the opponent's: exchange the colours and the value must "
        "turn round.",
        [Case.of(_prefers, *pair) for pair in CONNECT_PAIRS],
    ),
    Check(
        "Kalah: fuller store",
        4,
        "Seeds in the mover's store are good, seeds in the other store are bad.",
        [Case.of(_prefers, *pair) for pair in KALAH_PAIRS],
    ),
    Check(
        "Connect: knows who wins",
        2,
        "Count lines that can still become four; three with an empty cell are worth much more than two.",
        _agrees("connect4:5x6", 0.65, 0.8),
    ),
    Check(
        "Kalah: knows who wins",
        3,
        "Stores decide; seeds on one's own side and the chance to move again help.",
        _agrees("kalah:4x3", 0.6, 0.7, 0.75),
    ),
)
