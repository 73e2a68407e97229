"""Grades a folder: test every file, let those that pass climb the ladder, and keep every result as
soon as it is known.

Files are jobs for `mnkala.jobs`, stored under the digest of the student's text, the limits and the
grader's own sources. An interrupted run therefore continues where it stopped, and only files that
were handed in again are graded again.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mnkala.jobs import Job, Progress, Store
from mnkala.jobs.run import finished
from mnkala.jobs.store import BadStore
from mnkala.numbers import counted
from mnkala.school.checks import Check, CheckResult, Disqualified, run_checks
from mnkala.school.exercises import FULL_MARKS, checks_of
from mnkala.school.ladder import Match, against_each_other, against_references, pairings, total
from mnkala.school.process import DISQUALIFYING, Bounds, StudentError, StudentProcess
from mnkala.school.submission import Submission, find_submissions

PASS_SHARE = 0.5
"""The share of the points from which a file passes and may climb the ladder."""
KEPT_NAME = ".mnkala-class.sqlite"


@dataclasses.dataclass(frozen=True)
class GradingSettings:
    """Options of a grading run."""

    bounds: Bounds = Bounds()
    games: int = 4
    """The number of games in each match on the ladder; 0 for no ladder."""
    jobs: int = 1
    """The number of files graded at the same time. With 1 the grader itself does the work."""


@dataclasses.dataclass(frozen=True)
class Grade:
    """The result of one file."""

    name: str
    exercise: str
    checks: tuple[CheckResult, ...] = ()
    reason: str = ""
    """The reason if nothing in the file counts."""
    references: tuple[Match, ...] = ()
    peers: tuple[Match, ...] = ()
    printed: str = ""
    same_as: str = ""
    """The name of an earlier file with the same text."""

    @property
    def student(self) -> str:
        """The student: the name of the folder if there is one, otherwise that of the file."""
        return self.name.rpartition("/")[0] or self.name

    @property
    def points(self) -> float:
        """The sum of the tests' points; 0 for a file that broke the rules."""
        return 0.0 if self.reason else round(sum(check.points for check in self.checks), 1)

    @property
    def passed(self) -> bool:
        """Whether the file has enough points to pass."""
        return self.points >= PASS_SHARE * FULL_MARKS

    @property
    def note(self) -> str:
        """One line for the teacher: why the file failed, or else the first test that it did not
        pass in full, and copies."""
        lost = next((check for check in self.checks if check.failures), None)
        wrong = self.reason or (f"{lost.name}: {lost.failures[0]}" if lost else "")
        forfeits = sum(match.forfeits for match in self.references)
        copy = f"same text as {self.same_as}" if self.same_as else ""
        late = f"{counted(forfeits, 'game')} lost without an answer" if forfeits else ""
        return "; ".join(note for note in (wrong, copy, late) if note)

    @property
    def status(self) -> str:
        """The result of the grading in one word."""
        return "passed" if self.passed else "failed"


@functools.cache
def graders_digest() -> str:
    """A digest of the tests and the ladder: when they change, everything is graded again."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def grade_folder(
    folder: Path,
    settings: GradingSettings | None = None,
    *,
    kept: Path | None = None,
    progress: Callable[[str], Progress] | None = None,
) -> list[Grade]:
    """Grade every file of a folder; the best come first within each exercise.

    Ctrl-C ends all processes and keeps what was graded. `kept` is the file for the results, by
    default one in the graded folder; `progress` makes an object that shows how far a stage is.
    """
    submissions = find_submissions(folder)
    try:
        store = Store(kept or folder / KEPT_NAME)
    except BadStore as error:
        raise BadStore(f"{error}; name another file with --keep") from None
    with store:
        return Run(
            settings or GradingSettings(), store, progress or (lambda stage: Progress())
        ).grade(submissions)


class Run:
    """One run over the files of a class."""

    def __init__(
        self, settings: GradingSettings, store: Store, progress: Callable[[str], Progress]
    ) -> None:
        self.settings, self.store, self.progress = settings, store, progress

    def grade(self, submissions: list[Submission]) -> list[Grade]:
        """Test all files, then play the ladder and the matches."""
        tested = self._results("tests", do_tests, [(submission,) for submission in submissions])
        grades = {
            grade.name: grade
            for grade in _named(submissions, [msgspec.convert(grade, Grade) for grade in tested])
        }
        if self.settings.games:
            by_name = {submission.name: submission for submission in submissions}
            able = [name for name, grade in grades.items() if grade.passed]
            climbed = self._results(
                "ladder", do_ladder, [(by_name[name],) for name in able], games=self.settings.games
            )
            for name, matches in zip(able, climbed, strict=True):
                grades[name] = dataclasses.replace(
                    grades[name], references=msgspec.convert(matches, tuple[Match, ...])
                )
            self._meet(grades, by_name)
        return sorted(grades.values(), key=_place)

    def _meet(self, grades: dict[str, Grade], by_name: dict[str, Submission]) -> None:
        """Play the matches between neighbours, within each exercise."""
        ranked = sorted((grade for grade in grades.values() if grade.passed), key=_place)
        exercises = sorted({grade.exercise for grade in ranked})
        pairs = [
            pair
            for exercise in exercises
            for pair in pairings([grade.name for grade in ranked if grade.exercise == exercise])
        ]
        met = self._results(
            "matches",
            do_match,
            [(by_name[one], by_name[other]) for one, other in pairs],
            games=self.settings.games,
        )
        for (one, other), result in zip(pairs, met, strict=True):
            match = dataclasses.replace(msgspec.convert(result, Match), opponent=other)
            grades[one] = dataclasses.replace(grades[one], peers=(*grades[one].peers, match))
            grades[other] = dataclasses.replace(
                grades[other], peers=(*grades[other].peers, match.turned(one))
            )

    def _results(
        self,
        stage: str,
        work: Callable[..., Any],
        entrants: Sequence[tuple[Submission, ...]],
        **more: int,
    ) -> list[Any]:
        """The results of a stage, in order, from the store or from jobs done now. Names do not
        matter: files with the same text share their result."""
        if not entrants:
            return []
        jobs = []
        for entry in entrants:
            files = [dataclasses.asdict(submission) | {"name": ""} for submission in entry]
            arguments = {"files": files, "bounds": dataclasses.asdict(self.settings.bounds), **more}
            digest = hashlib.sha256(json.dumps([arguments, graders_digest()]).encode()).hexdigest()
            jobs.append(Job(f"{stage} {digest}", f"{__name__}:{work.__name__}", arguments))
        workers = self.settings.jobs if self.settings.jobs > 1 else 0
        return [
            outcome.value
            for outcome in finished(
                jobs, self.store, workers=workers, progress=self.progress(stage), retry=True
            )
        ]


# ---- Functions that `mnkala.jobs` calls ----


def do_tests(files: list[dict[str, str]], bounds: dict[str, Any]) -> Any:
    """Grade one file."""
    return msgspec.to_builtins(check_file(Submission(**files[0]), Bounds(**bounds)))


def do_ladder(files: list[dict[str, str]], bounds: dict[str, Any], games: int) -> Any:
    """Play one file's matches against the reference players."""
    return msgspec.to_builtins(against_references(Submission(**files[0]), Bounds(**bounds), games))


def do_match(files: list[dict[str, str]], bounds: dict[str, Any], games: int) -> Any:
    """Play the match of two files."""
    one, other = (Submission(**file) for file in files)
    return msgspec.to_builtins(against_each_other(one, other, Bounds(**bounds), games))


def check_file(
    submission: Submission, bounds: Bounds, tests: Sequence[Check] | None = None
) -> Grade:
    """Run the reference tests on one file: those of its exercise, or those that are given."""
    if submission.fault:
        return Grade(submission.name, submission.exercise, reason=submission.fault)
    checks: list[CheckResult] = []
    reason = ""
    with StudentProcess(submission.source, submission.exercise, bounds) as process:
        try:
            process.start()
            checks.extend(
                run_checks(checks_of(submission.exercise) if tests is None else tests, process)
            )
        except Disqualified as error:
            reason = str(error)
        except StudentError as error:
            reason = (
                error.text if error.kind in DISQUALIFYING else f"cannot be loaded: it {error.text}"
            )
        return Grade(
            submission.name, submission.exercise, tuple(checks), reason, printed=process.printed
        )


def _named(submissions: list[Submission], grades: list[Grade]) -> list[Grade]:
    """Put each grade under its file's name and mark files with the same text as an earlier one."""
    first: dict[str, str] = {}
    named = []
    for submission, grade in zip(submissions, grades, strict=True):
        before = first.setdefault("".join(submission.source.split()), submission.name)
        named.append(
            dataclasses.replace(
                grade, name=submission.name, same_as="" if before == submission.name else before
            )
        )
    return named


def _place(grade: Grade) -> tuple[object, ...]:
    """The sort key of the table: exercise, then points, ladder, matches, name."""
    shares = (total(grade.references).share, total(grade.peers).share)
    return (
        grade.exercise or "~",
        not grade.passed,
        -shares[0],
        -shares[1],
        -grade.points,
        grade.name.casefold(),
    )
