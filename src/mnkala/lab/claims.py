"""Claims of the reports, each judged by the rows of a study.

A *claim* is a function under `@claim("study", report="003", says="the higher level always wins")`. It takes the rows of the study (and its
`references`, if it has such a parameter), and returns a `Judgement`: a verdict, and the figures that carry it in a short clause. Where the
rows do not carry a verdict either way, the claim is not decidable; a study without rows judges nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeVar

from mnkala.lab.registry import Row, load_shipped


class Verdict(StrEnum):
    """What the data say of a claim."""

    REPRODUCED = "reproduced"
    REFUTED = "refuted"
    NOT_DECIDABLE = "not decidable"


class Judgement(NamedTuple):
    """A verdict with its evidence: `84 % (77 to 90 %) of the points`."""

    verdict: Verdict
    evidence: str


def judged(holds: bool, fails: bool, evidence: str) -> Judgement:
    """Reproduced if it holds, refuted if it fails; where the rows carry neither, it is not decidable."""
    return Judgement(Verdict.REPRODUCED if holds else Verdict.REFUTED if fails else Verdict.NOT_DECIDABLE, evidence)


NOT_TOLD = Judgement(Verdict.NOT_DECIDABLE, "the rows do not tell")
"""Where what is needed was not measured, as in many a quick run."""

JudgeFunction = Callable[..., Judgement]
J = TypeVar("J", bound=JudgeFunction)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a report that can be true or false."""

    study: str
    report: str
    """Its number: 000 to 004."""
    says: str
    """In our words, a clause without a full stop."""
    function: JudgeFunction

    def judge(self, rows: list[Row], references: list[Row]) -> Judgement:
        """What the data say of it."""
        more = {"references": references} if "references" in inspect.signature(self.function).parameters else {}
        return self.function(rows, **more)


_claims: dict[tuple[str, str], Claim] = {}
"""By study and words, so that a module that is loaded again replaces its own."""


def claim(study: str, *, report: str, says: str) -> Callable[[J], J]:
    """Register a function as the judge of a report's claim."""

    def register(function: J) -> J:
        _claims[study, says] = Claim(study, report, says, function)
        return function

    return register


def claims() -> list[Claim]:
    """All claims, by report, in the order of their studies' modules."""
    load_shipped()
    return sorted(_claims.values(), key=lambda one: one.report)


def claims_of(study: str) -> list[Claim]:
    """The claims that a study judges."""
    return [one for one in claims() if one.study == study]
