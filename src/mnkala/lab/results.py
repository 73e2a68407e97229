"""The data of a study as plain rows, which the store returns and which tables, plots, exports and
the report read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mnkala.jobs import RunSummary
from mnkala.lab.registry import Claim, Judgement, Row, asked, claims_of, find_finding
from mnkala.lab.study import Part, Study

FULL, QUICK, PARTIAL, NONE = "full", "quick", "partial", "none"


def columns_of(rows: list[Row]) -> list[str]:
    """All columns, in the order in which they first appear."""
    return list(dict.fromkeys(name for row in rows for name in row))


@dataclass(frozen=True)
class Failure:
    """A job that gave no result."""

    values: Row
    error: str


@dataclass(frozen=True)
class PartResults:
    """The data of one part."""

    part: Part
    rows: list[Row]
    references: list[Row]
    """The report's own figures under their own names, with what they are joined on."""


@dataclass(frozen=True)
class Results:
    """The data of a study."""

    study: Study
    parts: list[PartResults]
    state: str
    """full, quick (all of a quick run), partial or none."""
    done: int
    total: int
    """The number of finished jobs, and of all jobs, of the run to which the state belongs."""
    failures: list[Failure] = field(default_factory=list)
    machines: list[str] = field(default_factory=list)
    dates: tuple[str, str] | None = None
    seconds: float = 0.0
    """The computing time of all jobs."""
    earlier: int = 0
    """The number of jobs that the data file holds only from another version of a measure; they are
    not among the rows.
    """
    stale: int = 0
    """The number of jobs whose rows were measured with other code than the present one, mostly with
    an older engine.
    """
    commits: list[str] = field(default_factory=list)
    """The commits of the code that measured the rows; '' where it was not recorded."""
    summary: RunSummary | None = None
    """The summary of the run, if these are its results."""

    @property
    def rows(self) -> list[Row]:
        """All rows; in a study of several parts each says its `part`."""
        return [row for part in self.parts for row in part.rows]

    @property
    def again_if_stale(self) -> str:
        """The command that measures stale rows again."""
        return f"{self.study.command}{' --quick' if self.state == QUICK else ''} --stale"

    @property
    def references(self) -> list[Row]:
        """All figures of the reports that the study file quotes."""
        return [row for part in self.parts for row in part.references]

    @property
    def finding(self) -> str | None:
        """The finding: an answer in words, computed from the data."""
        function = find_finding(self.study.name)
        return (
            asked(function, self.rows, self.references)
            if function is not None and self.rows
            else None
        )

    @property
    def judgements(self) -> list[tuple[Claim, Judgement]]:
        """The judgements on the claims that this study can judge; none without data."""
        return (
            [
                (claim, claim.judge(self.rows, self.references))
                for claim in claims_of(self.study.name)
            ]
            if self.rows
            else []
        )
