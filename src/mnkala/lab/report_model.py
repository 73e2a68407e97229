"""What the report says, before it is a page or Markdown: the summary of claims, the index by report, the state of the data, limitations."""

from __future__ import annotations

import importlib.metadata
import platform
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources

import mnkala
from mnkala.jobs.progress import in_words
from mnkala.jobs.worker import machine
from mnkala.lab.claims import Claim, Verdict, claims_of
from mnkala.lab.results import FULL, NONE, PARTIAL, QUICK, Results
from mnkala.lab.tables import show
from mnkala.lab.wording import count, listed
from mnkala.numbers import counted

TITLE = "The lab: what the reports measured, measured again"
REPORTS = {"000": "Connect Four with Minimax, Alpha-Beta and MCTS", "001": "(m,n,k)-games of any size",
           "002": "Connect Four on large boards", "003": "Mancala (Kalah)", "004": "Gomoku"}
NO_REPORT = "Questions of our own"
NOT_MEASURED = "not measured"
MARKS = {Verdict.REPRODUCED.value: "✓", Verdict.REFUTED.value: "✗", Verdict.NOT_DECIDABLE.value: "?", NOT_MEASURED: "–"}
"""A mark beside each verdict, so that colour is not all that tells them apart."""
HOW_TO_READ = (
    "Each study asks one question, answers it in two sentences, and shows what the answer rests on; every number comes from the rows. "
    "Intervals are 95 %. “Clearly” means that the interval of a share of points, counted by openings, lies on one side of a half, or that "
    "two intervals do not touch; of twenty such intervals about one misses the truth. A claim on several series holds if all games "
    "together are clearly on its side, most series by themselves, and none clearly on the other. A claim is not decidable where the rows "
    "carry it neither way, or where the report does not tell what would be needed.")
PACKAGES = ("numpy", "numba", "scipy", "matplotlib")


@dataclass(frozen=True, slots=True)
class Line:
    """A claim in the summary."""

    claim: Claim
    verdict: str
    evidence: str
    results: Results

    @property
    def words(self) -> str:
        """The verdict with its mark: `✓ reproduced`."""
        return f"{MARKS[self.verdict]} {self.verdict}"


def summary(results: Sequence[Results]) -> dict[str, list[Line]]:
    """The claims that these studies judge, by report."""
    lines: list[Line] = []
    for one in results:
        lines += [Line(claim, judgement.verdict.value, judgement.evidence, one) for claim, judgement in one.judgements]
        if not one.rows:
            lines += [Line(claim, NOT_MEASURED, "there are no data yet", one) for claim in claims_of(one.study.name)]
    reports = sorted({line.claim.report for line in lines} | ({*REPORTS} if len(results) > 1 and lines else set()))
    return {report: [line for line in lines if line.claim.report == report] for report in reports}


def counts(lines: dict[str, list[Line]]) -> str:
    """`12 claims: 9 reproduced, 1 refuted and 2 not decidable`."""
    found = Counter(line.verdict for some in lines.values() for line in some)
    return f"{count(found.total(), 'claim')}: {listed([f'{found[verdict]} {verdict}' for verdict in MARKS if found[verdict]])}."


def report_title(report: str) -> str:
    """`Report 000: Connect Four …`."""
    return f"Report {report}: {REPORTS[report]}" if report in REPORTS else f"Report {report}" if report else NO_REPORT


def index(results: Sequence[Results]) -> dict[str, list[Results]]:
    """The studies by the reports that they speak of: those that their source names, and those whose claims they judge."""
    found: dict[str, list[Results]] = {report: [] for report in (*REPORTS, "")}
    for one in results:
        named = {report for report in re.findall(r"\b\d{3}\b", one.study.source) if report in REPORTS}
        named |= {claim.report for claim in claims_of(one.study.name)}
        for report in sorted(named) or [""]:
            found.setdefault(report, []).append(one)
    return {report: some for report, some in found.items() if some}


def paragraphs(results: Results) -> list[str]:
    """The finding: the answer first."""
    return [paragraph for paragraph in (results.finding or "").split("\n\n") if paragraph]


def limitations() -> list[tuple[str, str]]:
    """What the report does not show, each with its heading."""
    text = resources.files("mnkala.lab").joinpath("templates/limitations.txt").read_text(encoding="utf-8")
    lines = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    return [(heading, rest) for heading, _, rest in (line.partition(": ") for line in lines)]


# ---- The data ----


def about_data(results: Results) -> str:
    """What there is of a study's data, in a sentence."""
    if results.state == NONE:
        return f"There are no data yet: {results.study.command}{_earlier(results)}"
    jobs = {FULL: f"All {counted(results.total, 'job')} of the study", QUICK: f"A quick run only, {counted(results.total, 'job')}",
            PARTIAL: f"Incomplete: {show(results.done)} of {counted(results.total, 'job')}"}[results.state]
    failed = f"; {len(results.failures)} failed" if results.failures else ""
    dates = ""
    if results.dates:
        first, last = (moment[:10] for moment in results.dates)
        dates = f", measured {first}" if first == last else f", measured {first} to {last}"
    return f"{jobs}{failed}, {in_words(results.seconds)} of computing{dates}.{_stale(results)}{_earlier(results)}"


def _stale(results: Results) -> str:
    """That some data are of an older engine, if they are."""
    if not results.stale:
        return ""
    return f" Measured with older code: {count(results.stale, 'job')}; `{results.again_if_stale}` measures them again."


def _earlier(results: Results) -> str:
    """That some data are left out, if they are."""
    if not results.earlier:
        return ""
    return f" Left out: {count(results.earlier, 'job')} that another version of the measure did."


def environment(results: Sequence[Results]) -> list[tuple[str, str]]:
    """Where the data were measured, and what wrote the report."""
    machines = list(dict.fromkeys(name for one in results for name in one.machines))
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    dates = sorted(moment for one in results if one.dates for moment in one.dates)
    return [
        ("measured on", "; ".join(machines) or "nothing measured yet"),
        ("measured", " to ".join(dict.fromkeys((dates[0][:10], dates[-1][:10]))) if dates else "–"),
        ("code", ", ".join(dict.fromkeys(f"commit {name}" if name else "not told" for one in results for name in one.commits)) or "–"),
        ("jobs", show(sum(one.done for one in results))),
        ("computing time", in_words(sum(one.seconds for one in results))),
        ("written by", f"mnkala {mnkala.__version__}, Python {platform.python_version()}, {versions}"),
        ("written on", f"{machine()}, {datetime.now(UTC):%Y-%m-%d}"),
    ]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def gaps(results: Sequence[Results]) -> list[str]:
    """The studies without full data of today's code, in words."""
    words = {NONE: "no data", QUICK: "quick data only", PARTIAL: "incomplete data"}
    found = [f"{one.study.name}: {words[one.state]}" for one in results if one.state in words]
    old = [one.study.name for one in results if one.stale]
    return [*found, *([f"measured with older code: {listed(old)}"] if old else [])]
