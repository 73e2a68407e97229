"""A sequential test at work: pairs on the runner until they tell which engine is stronger; and the log of what was tested.

Pairs count in the order of their openings, whoever finishes first, so with engines that always answer alike a test has one result.
"""

from __future__ import annotations

import dataclasses
import datetime
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mnkala.arena.identity import engine_identity
from mnkala.arena.openings import AUTO, choose
from mnkala.arena.pairs import Enough, Pair, default_data, pair_job, run_pairs
from mnkala.arena.sprt import Pairs, Sprt, Verdict
from mnkala.core import Rules
from mnkala.errors import MnkalaError
from mnkala.folders import file_errors, write_text
from mnkala.jobs import Progress, Store
from mnkala.play.engine_game import engine_for

MOST_PAIRS = 1_000_000
HEAD = "| date | change | game | engines | games | won, drawn, lost | Elo (95 %) | LLR | verdict |"
RULE = "|---|---|---|---|---|---|---|---|---|"


@dataclasses.dataclass(frozen=True)
class Standing:
    """How a test stands, or how it ended."""

    game: str
    new: str
    old: str
    test: Sprt
    pairs: Pairs = Pairs()
    verdict: Verdict = "not decided"
    faults: tuple[str, ...] = ()
    """Games that were not lost by the rules."""
    failures: tuple[str, ...] = ()
    """Why some pairs could not be played at all."""

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio."""
        return self.test.llr(self.pairs)

    def hear(self, pair: Pair) -> Standing:
        """The test after one more pair; one that is decided is deaf."""
        if self.verdict != "not decided":
            return self
        pairs = self.pairs.add(*pair.points)
        named = tuple(f"pair {pair.number + 1}, game {number}: {fault}" for number, fault in enumerate(pair.faults, start=1) if fault)
        return dataclasses.replace(self, pairs=pairs, verdict=self.test.verdict(pairs), faults=self.faults + named)

    def __str__(self) -> str:
        low, high = self.test.bounds
        return f"{self.pairs}  LLR {self.llr:+.2f} ({low:.2f} to {high:.2f})"

    def as_json(self) -> dict[str, Any]:
        """All numbers, for programs; an infinite Elo is null."""
        low, high = self.pairs.interval
        elo, low, high = (None if math.isinf(number) else round(number, 2) for number in (self.pairs.elo, low, high))  # type: ignore[assignment]
        return {"game": self.game, "new": self.new, "old": self.old, **dataclasses.asdict(self.test), "pairs": self.pairs.number,
                "pentanomial": list(self.pairs.counts), "wins": self.pairs.wins, "draws": self.pairs.draws, "losses": self.pairs.losses,
                "elo": elo, "low": low, "high": high, "llr": round(self.llr, 4), "bounds": [round(end, 4) for end in self.test.bounds],
                "verdict": self.verdict, "faults": list(self.faults), "failures": list(self.failures)}


def run_sprt(rules: Rules, new: str, old: str, test: Sprt, *, openings: str = AUTO, seed: int = 1, most: int = 1000,
             data: Path | None = None, jobs: int | None = None, cluster: str | None = None, retry: bool = False,
             progress: Progress | None = None, watch: Callable[[Standing], None] | None = None) -> Standing:
    """Play pairs until the test is decided, or `most` of them. Ctrl-C raises KeyboardInterrupt; the same call goes on from there, and
    `watch` has seen how the test stood after every pair."""
    if not 1 <= most <= MOST_PAIRS:
        raise MnkalaError(f"at most {most} pairs; 1 to {MOST_PAIRS:,} are possible")
    for engine in (new, old):
        engine_for(engine, rules).search.check(rules)
    opening, count = choose(rules, openings, seed)
    names = engine_identity(new, rules), engine_identity(old, rules)
    if names[0] == names[1]:
        raise MnkalaError(f"{names[0]} against itself; nothing can come of that")
    each = [pair_job(rules, new, old, number, seed, opening(number), names) for number in range(min(most, count or most))]
    work = list({job.key: job for job in each}.values())  # an opening that a file names twice would tell the same games twice
    state = Standing(rules.game_string(), new, old, test)

    def hear(pair: Pair) -> str:
        nonlocal state
        state = state.hear(pair)
        if watch:
            watch(state)
        if state.verdict != "not decided":
            raise Enough
        return str(state)

    with Store(data or default_data()) as store:
        failures = run_pairs(work, store, hear, workers=jobs, cluster=cluster, progress=progress, retry=retry)
    return dataclasses.replace(state, failures=tuple(failures))


# ---- The log ----


def log_row(tested: Standing, change: str, day: datetime.date | None = None) -> str:
    """A test as a row of the log."""
    pairs = tested.pairs
    cells = (f"{day or datetime.date.today():%Y-%m-%d}", change, tested.game, f"`{tested.new}` against `{tested.old}`",
             f"{2 * pairs.number:,}", f"{pairs.wins}, {pairs.draws}, {pairs.losses}", pairs.elo_text,
             f"{tested.llr:+.2f} for {tested.test.elo1:+g} rather than {tested.test.elo0:+g}", tested.verdict)
    return f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in cells)} |"


def append_to_log(path: Path, tested: Standing, change: str, day: datetime.date | None = None) -> Path:
    """Add a row to the table in the game's section of a Markdown file; file, section and table are made if they are not there."""
    heading = f"## {tested.game.partition(':')[0].capitalize()}"
    lines: list[str] = ["# The log of the engines"]
    if path.exists():
        with file_errors(path, "read"):
            lines = path.read_text(encoding="utf-8").rstrip().splitlines()
    if heading not in lines:
        lines += ["", heading]
    begin = lines.index(heading) + 1
    end = next((i for i in range(begin, len(lines)) if lines[i].startswith(("# ", "## "))), len(lines))
    if HEAD not in lines[begin:end]:
        while not lines[end - 1].strip():
            end -= 1
        lines[end:end] = ["", HEAD, RULE]
        end += 3
    row = next(i for i in range(begin, end) if lines[i] == HEAD) + 1
    while row + 1 < end and lines[row + 1].startswith("|"):
        row += 1
    lines.insert(row + 1, log_row(tested, change, day))
    return write_text(path, "\n".join(lines) + "\n")
