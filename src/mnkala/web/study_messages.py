"""What the server sends about studies. What a report says (questions, findings, tables) is in English: it is computed from rows."""

from __future__ import annotations

from typing import Literal

from mnkala.web.messages import Answer

DataState = Literal["full", "quick", "partial", "none"]


class StudySummary(Answer, frozen=True, kw_only=True):
    """A study in the list."""

    name: str
    title: str
    question: str
    source: str
    """The report that asked, if one did."""
    state: DataState
    """What there is of its data."""
    done: int
    total: int
    """Jobs."""
    stale: int
    """Of these, measured with other code than the one that runs here."""
    answer: str
    """The first paragraph of the finding."""
    measured: str
    """The last day of measuring; '' without data."""


class ClaimView(Answer, frozen=True, kw_only=True):
    """A claim of a report, and what the data say of it."""

    report: str
    study: str
    says: str
    verdict: Literal["reproduced", "refuted", "not decidable", "not measured"]
    evidence: str


class QuickRunView(Answer, frozen=True, kw_only=True):
    """The quick study that this server runs, or the last one that it ran."""

    study: str
    state: Literal["idle", "running", "done", "cancelled", "failed"]
    done: int
    total: int
    """Jobs; 0 until that is known."""
    failed: int
    seconds: float
    """Since the start, or that it took."""
    left: float | None
    """About how many seconds more."""
    error: str
    yours: bool
    """Whether you started it, and so may cancel it."""


class Studies(Answer, frozen=True):
    """All studies, as the report that comes with the package has them."""

    studies: list[StudySummary]
    claims: list[ClaimView]
    how_to_read: str
    limitations: list[tuple[str, str]]
    """What the report does not show, each with its heading."""
    facts: list[tuple[str, str]]
    """Where and how it was measured."""
    quick: dict[str, str]
    """The studies that were run quickly here, and the last day of it."""


class FigureView(Answer, frozen=True):
    """A plot. It has no style attributes, which the content policy forbids; its ink is currentColor, and it says what it shows."""

    title: str
    svg: str
    narrow: str
    """The same for a narrow screen; '' if it is legible there as it is."""


class TableView(Answer, frozen=True):
    """A table, all texts."""

    title: str
    note: str
    head: list[str]
    numeric: list[bool]
    """Columns that are set to the right."""
    rows: list[list[str]]


class PartView(Answer, frozen=True):
    """A part of a study."""

    title: str
    figures: list[FigureView]
    tables: list[TableView]


class StudyView(Answer, frozen=True, kw_only=True):
    """A study with its data: those of the report, or of a quick run on this computer."""

    summary: StudySummary
    data: Literal["report", "quick"]
    finding: list[str]
    """Paragraphs."""
    parts: list[PartView]
    claims: list[ClaimView]
    about: str
    """What there is of the data, in a sentence."""
    command: str
    """How to repeat it."""
    failures: list[str]
    quick: str
    """The last day of a quick run on this computer; '' if there was none."""
