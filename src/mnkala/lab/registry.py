"""The names that study files use: measures (what is measured), findings (what the data say, in
words) and claims of the reports.

A *measure* is a function under `@measure("name")`. It takes the varied and fixed values of a study
as keyword arguments of JSON types and returns a dict of JSON values, one row of the study's table
(or a list of such dicts, if one piece of work yields several rows). It runs in a worker process and
is deterministic for given arguments, times aside.

Rows are kept under the measure's version. Raise it, `@measure("name", version=2)`, with every edit
that makes the old rows wrong: a study then measures again, and the old rows stay in the data file,
unused. An edit that changes no result needs no new version. In a file of one's own the version may
be left out; then every edit of the file counts as a new one.

A *finding* is a function under `@finding("study")`. It takes the rows of a study and returns a text
computed from them: first the answer to the study's question in at most two sentences, then, after
an empty line, what else there is to say; 120 words at most. If it has a second parameter
`references`, it also gets the reports' own figures that the study file holds. The sentences of our
studies are templates beside the study files (`lab/judging.py`). Claims of the reports are at the
end of this file.

Studies lie in packages: `lab/studies`, and the one that a family names (`Family.studies`). Their
modules, one for each study, are imported when a name is first asked for. A study in a folder of
one's own names a Python file beside it by `code = "my_measures.py"`; the file uses the same
decorators.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from mnkala.core.plugins import PluginWarning
from mnkala.core.registry import families
from mnkala.errors import BadPlugin, MnkalaError, in_one_line, unknown
from mnkala.folders import file_errors
from mnkala.native.objects import is_foreign

Row = dict[str, Any]
MeasureFunction = Callable[..., Row | list[Row]]
FindingFunction = Callable[..., str]
A = TypeVar("A")
M = TypeVar("M", bound=MeasureFunction)
F = TypeVar("F", bound=FindingFunction)
G = TypeVar("G")
K = TypeVar("K")
V = TypeVar("V")


class UnknownName(MnkalaError):
    """A measure or a finding that nobody registered."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its name, and what its signature says about the arguments."""

    name: str
    function: MeasureFunction
    version: int | None = None

    @property
    def summary(self) -> str:
        """The first paragraph of the function's docstring, on one line."""
        return " ".join((inspect.getdoc(self.function) or "").partition("\n\n")[0].split())

    @property
    def shipped(self) -> bool:
        """Whether it comes with the package or with a plug-in."""
        return self.function.__module__.rpartition(".")[0] in study_packages()

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The arguments that the measure takes."""
        return dict(inspect.signature(self.function).parameters)

    def takes(self, name: str) -> bool:
        """Whether a study may vary or fix `name`."""
        parameters = self.parameters.values()
        return any(
            parameter.name == name or parameter.kind is parameter.VAR_KEYWORD
            for parameter in parameters
        )

    @property
    def required(self) -> list[str]:
        """The arguments without a default: a study must give them."""
        variadic = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        return [
            name
            for name, parameter in self.parameters.items()
            if parameter.default is parameter.empty and parameter.kind not in variadic
        ]


_measures: dict[str, Measure] = {}
_findings: dict[str, FindingFunction] = {}
_own_code: dict[str, str] = {}
"""Files of users that were loaded: path and digest. A file that changed is loaded again."""


def _entered(table: dict[K, V], key: K, entry: Callable[[Any], V]) -> Callable[[G], G]:
    """Make a decorator that enters a function in a table under a key."""

    def enter(function: G) -> G:
        table[key] = entry(function)
        return function

    return enter


def measure(name: str, version: int | None = None) -> Callable[[M], M]:
    """Register a function as the measure `name`; `version` is raised when its old rows are no
    longer right.
    """
    return _entered(_measures, name, lambda function: Measure(name, function, version))


def finding(study: str) -> Callable[[F], F]:
    """Register a function as the one that says in words what the data of `study` show."""
    return _entered(_findings, study, lambda function: function)


@dataclass(frozen=True)
class Brief:
    """A study's answer in brief, to a report or to a question of our own, for the front page: one
    sentence, and one plot for a report."""

    report: str
    """The number of the report; empty for a question of our own."""
    study: str
    plot: str
    """The title of the plot; empty for a question of our own."""
    values: Callable[[list[Row]], Row]
    """The figures of the sentence, from the rows; empty where the rows do not have them."""

    @property
    def words(self) -> str:
        """The key of its texts: the question is `KEY.about`, the sentence `KEY.brief`."""
        return f"reports.{self.report}" if self.report else f"questions.{self.study}"


_briefs: dict[str, Brief] = {}


def brief(study: str, *, report: str = "", plot: str = "") -> Callable[[V], V]:
    """Register a function that computes the figures for a sentence on the front page from the rows.
    The sentence answers a report or, without one, a question of our own."""
    return _entered(_briefs, report or study, lambda function: Brief(report, study, plot, function))


def briefs() -> list[Brief]:
    """The sentences of all reports, by report, and then those of our own questions."""
    load_shipped()
    return sorted(_briefs.values(), key=lambda each: (not each.report, each.report, each.study))


def find_measure(name: str) -> Measure:
    """The measure of that name; modules are imported as needed. Raises UnknownName if there is
    none."""
    if name not in _measures:
        load_shipped()
    if name not in _measures:
        raise UnknownName(unknown("measure", name, sorted(_measures)))
    return _measures[name]


def find_finding(study: str) -> FindingFunction | None:
    """The function that words the finding of a study, if there is one."""
    if study not in _findings:
        load_shipped()
    return _findings.get(study)


def asked(function: Callable[..., A], rows: list[Row], references: list[Row]) -> A:
    """Call a finding or a judge with the rows and return its answer. The reports' own figures are
    passed only to a function with the parameter `references`."""
    more = (
        {"references": references} if "references" in inspect.signature(function).parameters else {}
    )
    return function(rows, **more)


def measures() -> list[Measure]:
    """All measures, by name."""
    load_shipped()
    return [_measures[name] for name in sorted(_measures)]


def study_packages() -> list[str]:
    """The packages that studies lie in."""
    return ["mnkala.lab.studies", *(family.studies for family in families() if family.studies)]


def study_folders() -> list[Path]:
    """The folders of those packages."""
    return [
        Path(path)
        for package in study_packages()
        for path in importlib.import_module(package).__path__
    ]


@functools.cache
def load_shipped() -> None:
    """Import the measures and findings of all studies that come with the package or with plug-ins."""
    for package in study_packages():
        try:
            for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
                importlib.import_module(f"{package}.{module.name}")
        except Exception as error:
            if not is_foreign(package):
                raise
            warnings.warn(
                f"the studies in {package} were left out: {in_one_line(error)}",
                PluginWarning,
                stacklevel=2,
            )


def digest_of(path: Path) -> str:
    """A few digits that change when a user's file changes."""
    with file_errors(path, "read", BadPlugin):
        return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def load_code(path: Path) -> str:
    """Run a user's file of measures and findings, once for each version of it, and return the
    digest of what was run."""
    path = path.resolve()
    version = digest_of(path)
    if _own_code.get(str(path)) == version:
        return version
    name = f"mnkala_lab_code_{path.stem}_{version}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadPlugin(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except MnkalaError:
        raise
    except Exception as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise BadPlugin(f"{path}{where}: {in_one_line(error)}") from None
    _own_code[str(path)] = version
    return version


def perform(
    measure: str, values: Row, code: str | None = None, repetition: int | None = None
) -> list[Row]:
    """Call a measure and return its rows: one piece of a study's work, done in a worker.
    `repetition` only tells repeated work apart."""
    if code is not None:
        load_code(Path(code))
    result = find_measure(measure).function(**values)
    rows = result if isinstance(result, list) else [result]
    if not all(isinstance(row, dict) for row in rows):
        raise BadPlugin(
            f"the measure {measure!r} must return a dict or a list of dicts, not {type(result).__name__}"
        )
    return rows


# ---- Claims of the reports ----
#
# A *claim* is a function under `@claim("study", report="003", says="the higher level always
# wins")`. It takes the rows that it can judge (those of a `part` of the study, those with a value
# in each column that it `needs`), and the `references` if it has such a parameter, and returns a
# `Judgement`: a verdict, and the figures that support it in a short clause. It is not called
# without any such row; then, and where the rows support no verdict, the claim is not decidable.


class Verdict(StrEnum):
    """The verdict of the data on a claim."""

    REPRODUCED = "reproduced"
    REFUTED = "refuted"
    NOT_DECIDABLE = "not decidable"


class Judgement(NamedTuple):
    """A verdict with its evidence: `84 % (77 to 90 %) of the points`."""

    verdict: Verdict
    evidence: str


def judged(holds: bool, fails: bool, evidence: str) -> Judgement:
    """Judge a claim: reproduced if it holds, refuted if it fails, and not decidable if the rows
    show neither."""
    return Judgement(
        Verdict.REPRODUCED if holds else Verdict.REFUTED if fails else Verdict.NOT_DECIDABLE,
        evidence,
    )


NOT_TOLD = Judgement(Verdict.NOT_DECIDABLE, "the rows do not tell")
"""The judgement of a claim for which the data were not measured, as in many quick runs."""

JudgeFunction = Callable[..., Judgement]
J = TypeVar("J", bound=JudgeFunction)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a report that can be true or false."""

    study: str
    report: str
    """The number of the report: 000 to 004."""
    says: str
    """The claim in our words: a clause without a full stop."""
    function: JudgeFunction
    part: str = ""
    needs: tuple[str, ...] = ()

    def judge(self, rows: list[Row], references: list[Row]) -> Judgement:
        """Judge the claim by the data."""
        known = [
            row
            for row in rows
            if self.part in ("", row.get("part"))
            and all(row.get(name) is not None for name in self.needs)
        ]
        return asked(self.function, known, references) if known else NOT_TOLD


_claims: dict[tuple[str, str], Claim] = {}
"""All claims, by study and words, so that a module that is loaded again replaces its own."""


def claim(
    study: str, *, report: str, says: str, part: str = "", needs: tuple[str, ...] = ()
) -> Callable[[J], J]:
    """Register a function as the judge of a report's claim, by the rows of a `part` that have a
    value in the columns `needs`.
    """
    return _entered(
        _claims, (study, says), lambda function: Claim(study, report, says, function, part, needs)
    )


def claims() -> list[Claim]:
    """All claims, by report, in the order of their studies' modules."""
    load_shipped()
    return sorted(_claims.values(), key=lambda one: one.report)


def claims_of(study: str) -> list[Claim]:
    """The claims that a study judges."""
    return [one for one in claims() if one.study == study]
