"""The reference tests: each has a name, points, a sentence that helps, and cases that each give their share of the points.

The grader asks and judges; the student's process only answers. A case that gets no answer fails with the reason, and a fresh process
takes the next one. The positions are in `positions.py`; what is right comes from `reference.py`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mnkala.core import Position
from mnkala.school.process import DISQUALIFYING, Answer, StudentError, StudentProcess, Trouble

MOST_TROUBLES = 3
"""After so many ended processes no more questions are asked: the rest would take as long and tell no more."""
SHOWN_FAILURES = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """One question and its judgement: the empty text if the answer is right, else what was wrong."""

    judge: Callable[[Candidate], str]
    title: str = ""


@dataclasses.dataclass(frozen=True)
class Check:
    """A test: several cases for some points."""

    name: str
    points: int
    help: str
    """One sentence for the student whose file fails."""
    cases: Sequence[Case]
    allowed_failures: int = 0
    """How many cases may fail without costing points, where chance has a part."""
    by_luck: int = 0
    """How many cases anyone passes by luck: they earn nothing."""

    def points_for(self, passed: int) -> float:
        """The points for some cases passed, to a tenth."""
        needed = len(self.cases) - self.allowed_failures - self.by_luck
        return round(self.points * max(0.0, min(1.0, (passed - self.by_luck) / needed)), 1)


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """How a file did in a test."""

    name: str
    points: float
    of: int
    passed: int
    cases: int
    help: str = ""
    failures: tuple[str, ...] = ()


class Disqualified(Exception):
    """The file did what a search never needs to do."""


class NotAsked(StudentError):
    """The file had its chances."""


TROUBLE_HELP: dict[Trouble, str] = {
    "time": "Is there a loop that never ends, or a search that does not stop at depth 0 and at the end of the game?",
    "memory": "Keep less: a depth-first search needs only the positions on the way from the root to where it is.",
    "raised": "Ask your function about the position named above, on your own computer, and read the whole traceback.",
    "exit": "Return an answer; leave ending the program to others.",
    "died": "Does the function call itself without end?",
}
"""What helps if there was no answer at all."""


class Candidate:
    """A student's function, as the checks call it."""

    def __init__(self, process: StudentProcess) -> None:
        self.process, self.troubles = process, 0

    def move(self, position: Position, **arguments: Any) -> Answer:
        """A legal move, or a StudentError that says what came instead."""
        answer = self._ask("move", position, arguments)
        if answer.value not in position.legal_moves:
            shown = str(answer.value)[:40]
            raise StudentError("answer", f"returned {shown!r}; legal moves were {' '.join(position.legal_moves[:20])}")
        return answer

    def value(self, position: Position) -> float:
        """The number that a heuristic gives."""
        value = self._ask("value", position, {}).value
        assert isinstance(value, float)
        if not math.isfinite(value):
            raise StudentError("answer", f"returned {value}; a heuristic gives finite numbers")
        return value

    def _ask(self, do: Any, position: Position, arguments: dict[str, Any]) -> Answer:
        if self.troubles >= MOST_TROUBLES:
            raise NotAsked("died", f"not asked any more: {MOST_TROUBLES} times there was no answer and the process had to be ended")
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
    return CheckResult(check.name, points, check.points, passed, len(check.cases), hint, tuple(failures[:SHOWN_FAILURES]))


def run_checks(checks: Sequence[Check], process: StudentProcess) -> Iterator[CheckResult]:
    """Run the tests one after the other. Raises Disqualified."""
    candidate = Candidate(process)
    for check in checks:
        yield run_check(check, candidate)


def told(position: Position) -> str:
    """A position in a few words."""
    return f"{position.game} after {position.moves}" if position.history else f"{position.game} at the start"


def among(position: Position, right: Sequence[str], answer: str | float) -> str:
    """The judgement of a move that should be one of `right`."""
    return "" if answer in right else f"played {answer}, right is {' or '.join(right)}"
