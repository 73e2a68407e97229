"""Grade a folder: test every file, let those that pass climb the ladder, keep every result as soon as it is known.

Results are kept in a JSON file under the digest of the student's file, the bounds and the graders' own sources. So an interrupted run
goes on where it stopped, a file that was handed in again is graded again, and nothing else is.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.school.checks import Check, CheckResult, Disqualified, run_checks
from mnkala.school.exercises import FULL_MARKS, checks_of
from mnkala.school.ladder import REFERENCES, Match, against_each_other, against_references, pairings, reference_engine, total
from mnkala.school.process import DISQUALIFYING, Bounds, StudentError, StudentProcess
from mnkala.school.submission import Submission, find_submissions

PASS_SHARE = 0.5
"""The share of the points from which a file passes and may climb the ladder."""
KEPT_NAME = ".mnkala-class.json"


@dataclasses.dataclass(frozen=True)
class Settings:
    """How to grade."""

    bounds: Bounds = Bounds()
    games: int = 4
    """Games of each match on the ladder; 0 for no ladder."""
    jobs: int = 1
    """Files graded at the same time."""


@dataclasses.dataclass(frozen=True)
class Grade:
    """All that is known about one file."""

    name: str
    exercise: str
    checks: tuple[CheckResult, ...] = ()
    reason: str = ""
    """Why nothing of it counts, if so."""
    references: tuple[Match, ...] = ()
    peers: tuple[Match, ...] = ()
    printed: str = ""
    same_as: str = ""
    """A file before it with the same text."""

    @property
    def student(self) -> str:
        """Whose it is."""
        return self.name.rpartition("/")[0] or self.name

    @property
    def points(self) -> float:
        """The sum of the tests; nothing counts of a file that broke the rules."""
        return 0.0 if self.reason else round(sum(check.points for check in self.checks), 1)

    @property
    def passed(self) -> bool:
        """Whether it has enough points."""
        return self.points >= PASS_SHARE * FULL_MARKS

    @property
    def note(self) -> str:
        """What a teacher should know in one line: why it failed, else the first test that it did not pass in full, and copies."""
        lost = next((check for check in self.checks if check.failures), None)
        wrong = self.reason or (f"{lost.name}: {lost.failures[0]}" if lost else "")
        forfeits = sum(match.forfeits for match in self.references)
        copy = f"same text as {self.same_as}" if self.same_as else ""
        late = f"{forfeits} games lost without an answer" if forfeits else ""
        return "; ".join(note for note in (wrong, copy, late) if note)

    @property
    def status(self) -> str:
        """One word."""
        return "passed" if self.passed else "failed"


Watch = Callable[[int, int, str], None]
"""Told what is done, what there is to do, and what was done last."""


class Kept:
    """Results on disk."""

    def __init__(self, path: Path) -> None:
        self.path, self._lock = path, threading.Lock()
        self._values: dict[str, Any] = {}
        try:
            read = json.loads(path.read_text(encoding="utf-8"))
            self._values = read if isinstance(read, dict) else {}
        except FileNotFoundError:
            pass
        except (OSError, ValueError):
            self._values = {}  # broken: everything is graded again

    def get(self, key: str) -> Any:
        """What is known, or None."""
        return self._values.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a result: the file is replaced in one step, so that it is whole whenever the program ends."""
        with self._lock:
            self._values[key] = value
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".mnkala-class-")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self._values, file)
            Path(name).replace(self.path)


@functools.cache
def graders_digest() -> str:
    """What the tests and the ladder are: when they change, all is graded again."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def grade_folder(folder: Path, settings: Settings | None = None, *, kept: Path | None = None, watch: Watch | None = None) -> list[Grade]:
    """Grade every file of a folder; the best first within each exercise. Ctrl-C ends all processes and keeps what was graded."""
    settings = settings or Settings()
    submissions = find_submissions(folder)
    store = _open_kept(kept or folder / KEPT_NAME)
    stop = threading.Event()
    run = Run(settings, store, stop, watch or (lambda done, of, text: None))
    try:
        return run.grade(submissions)
    finally:
        stop.set()


def _open_kept(path: Path) -> Kept:
    if not path.parent.is_dir() or path.is_dir() or not os.access(path.parent, os.W_OK):
        raise MnkalaError(f"results cannot be kept in {path}; name a file in a folder that can be written with --keep")
    return Kept(path)


class Run:
    """One run over a class."""

    def __init__(self, settings: Settings, kept: Kept, stop: threading.Event, watch: Watch) -> None:
        self.settings, self.kept, self.stop, self.watch = settings, kept, stop, watch

    def grade(self, submissions: list[Submission]) -> list[Grade]:
        """Test all, then play."""
        done = list(self._parallel("tests", submissions, self._test))
        grades = {grade.name: grade for grade in _marked_copies(submissions, done)}
        if self.settings.games:
            by_name = {submission.name: submission for submission in submissions}
            able = [by_name[grade.name] for grade in grades.values() if grade.passed]
            if able:
                self.watch(0, len(able), "preparing the reference players")
                for rung in REFERENCES:
                    reference_engine(rung)
            for submission, matches in zip(able, self._parallel("ladder", able, self._climb), strict=True):
                grades[submission.name] = dataclasses.replace(grades[submission.name], references=matches)
            self._meet(grades, by_name)
        return sorted(grades.values(), key=_place)

    def _meet(self, grades: dict[str, Grade], by_name: dict[str, Submission]) -> None:
        """The matches of neighbours, within each exercise."""
        ranked = sorted((grade for grade in grades.values() if grade.passed), key=_place)
        exercises = sorted({grade.exercise for grade in ranked})
        pairs = [pair for exercise in exercises for pair in pairings([grade.name for grade in ranked if grade.exercise == exercise])]
        met = self._parallel("matches", [(by_name[one], by_name[other]) for one, other in pairs], lambda pair: self._pair(*pair))
        for (one, other), match in zip(pairs, met, strict=True):
            match = dataclasses.replace(match, opponent=other)
            grades[one] = dataclasses.replace(grades[one], peers=(*grades[one].peers, match))
            grades[other] = dataclasses.replace(grades[other], peers=(*grades[other].peers, match.turned(one)))

    def _parallel(self, stage: str, items: list[Any], work: Callable[[Any], Any]) -> Iterable[Any]:
        """Work on all items, some at a time; the results in order. The main thread only waits, so that Ctrl-C reaches it."""
        with concurrent.futures.ThreadPoolExecutor(max_workers=self.settings.jobs) as pool:
            futures = {pool.submit(work, item): item for item in items}
            try:
                waiting = set(futures)
                while waiting:
                    ready, waiting = concurrent.futures.wait(waiting, timeout=0.2, return_when=concurrent.futures.FIRST_COMPLETED)
                    for future in ready:
                        future.result()
                        self.watch(len(futures) - len(waiting), len(futures), f"{stage}: {_named(futures[future])}")
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
        return [future.result() for future in futures]

    # ---- One piece of work, looked up or done ----

    def _key(self, stage: str, *parts: object) -> str:
        return " ".join([stage, *map(str, parts), hashlib.sha256(repr((self.settings.bounds, graders_digest())).encode()).hexdigest()[:8]])

    def _test(self, submission: Submission) -> Grade:
        key = self._key("tests", submission.digest())
        known = self.kept.get(key)
        if known is None:
            grade = check_file(submission, self.settings.bounds, self.stop)
            self.kept.put(key, dataclasses.asdict(grade))
            return grade
        checks = tuple(CheckResult(**(check | {"failures": tuple(check["failures"])})) for check in known["checks"])
        return Grade(submission.name, submission.exercise, checks, known["reason"], printed=known["printed"])

    def _climb(self, submission: Submission) -> tuple[Match, ...]:
        key = self._key("ladder", submission.digest(), self.settings.games)
        known = self.kept.get(key)
        if known is None:
            matches = against_references(submission, self.settings.bounds, self.settings.games, self.stop)
            known = [dataclasses.asdict(match) for match in matches]
            self.kept.put(key, known)
        return tuple(Match(**match) for match in known)

    def _pair(self, one: Submission, other: Submission) -> Match:
        key = self._key("match", one.digest(), other.digest(), self.settings.games)
        known = self.kept.get(key)
        if known is None:
            known = dataclasses.asdict(against_each_other(one, other, self.settings.bounds, self.settings.games, self.stop))
            self.kept.put(key, known)
        return Match(**known)


def check_file(submission: Submission, bounds: Bounds, stop: threading.Event | None = None, tests: Sequence[Check] | None = None) -> Grade:
    """Run the reference tests on one file: all of its exercise, or those that are given."""
    if submission.fault:
        return Grade(submission.name, submission.exercise, reason=submission.fault)
    checks: list[CheckResult] = []
    reason = ""
    with StudentProcess(submission.source, submission.exercise, bounds, stop) as process:
        try:
            process.start()
            checks.extend(run_checks(checks_of(submission.exercise) if tests is None else tests, process))
        except Disqualified as error:
            reason = str(error)
        except StudentError as error:
            reason = error.text if error.kind in DISQUALIFYING else f"cannot be loaded: it {error.text}"
        return Grade(submission.name, submission.exercise, tuple(checks), reason, printed=process.printed)


def _named(item: Any) -> str:
    return " - ".join(part.name for part in item) if isinstance(item, tuple) else str(item.name)


def _marked_copies(submissions: list[Submission], grades: list[Grade]) -> list[Grade]:
    """Note files with the same text as an earlier one."""
    first: dict[str, str] = {}
    marked = []
    for submission, grade in zip(submissions, grades, strict=True):
        text = "".join(submission.source.split())
        before = first.setdefault(text, submission.name)
        marked.append(grade if before == submission.name else dataclasses.replace(grade, same_as=before))
    return marked


def _place(grade: Grade) -> tuple[object, ...]:
    """The order of the table: by exercise, then by points, the ladder, the matches, the name."""
    shares = (total(grade.references).share, total(grade.peers).share)
    return (grade.exercise or "~", not grade.passed, -shares[0], -shares[1], -grade.points, grade.name.casefold())


