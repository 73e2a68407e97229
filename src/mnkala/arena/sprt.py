"""A sequential test of which of two engines is stronger: it ends as soon as the games tell.

Wald's sequential probability ratio test (1945) between two hypotheses on the difference in Elo,
elo0 and elo1. Results come in *pairs*: two games from one opening with the sides changed. The five
results of a pair (0, ½, 1, 1½, 2 points: the pentanomial) are counted as they are, for an opening
that one side wins anyway gives one point each, and its two games are no independent evidence. The
likelihood ratio is the generalised one in its normal approximation (Van den Bergh's, as in
Fishtest): with n pairs whose mean share of points has the mean m and the variance v,

    LLR = n (s1 - s0) (2 m - s0 - s1) / (2 v)        s0, s1: the shares of points that elo0 and elo1 promise.

The variance of a few pairs may be far too small: five drawn ones have none, and would end the test.
So it is estimated as if one more pair had been won and one lost by two to nothing, which many pairs
outweigh.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import math
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist
from typing import Any, Literal

from mnkala.arena.game_job import Pair, default_data, engine_identity, pair_job, play_pairs
from mnkala.arena.openings import AUTO, choose
from mnkala.core import Rules
from mnkala.errors import MnkalaError
from mnkala.folders import file_errors, write_text
from mnkala.jobs import Progress, Store
from mnkala.play.engine_game import engine_for
from mnkala.play.intervals import CONFIDENCE, pair_moments
from mnkala.play.series import SeriesResult

HIGHEST_ELO = 2000.0
Verdict = Literal["accepted", "rejected", "not decided"]


def share_of_elo(elo: float) -> float:
    """The share of points that a difference in Elo promises (the logistic curve)."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_share(share: float) -> float:
    """The difference in Elo of a share of points; infinite for all and for none."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return -400 * math.log10(1 / share - 1)


def cautious_variance(number: Any, mean: Any, squares: Any) -> Any:
    """The variance of shares with this mean and sum of squares, with one won and one lost pair
    added (see above)."""
    return (squares + mean**2 + (1 - mean) ** 2) / (number + 2)


@dataclasses.dataclass(frozen=True)
class PairShares:
    """The shares of points of all pairs, from the numbers of pairs with each result."""

    number: int
    share: float
    """The mean; one half if there are no pairs."""
    squares: float
    """The sum of the squared distances from the mean."""

    @classmethod
    def of(cls, result: SeriesResult) -> PairShares:
        """The pairs of a result."""
        return cls(*pair_moments(result.pairs))

    @property
    def elo(self) -> float:
        """The likeliest difference in Elo."""
        return elo_of_share(self.share)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference in Elo."""
        variance = cautious_variance(self.number, self.share, self.squares)
        half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * math.sqrt(
            variance / max(1, self.number)
        )
        return elo_of_share(self.share - half), elo_of_share(self.share + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{_signed(self.elo)} ({_signed(low)} to {_signed(high)})"


def _signed(elo: float) -> str:
    return ("-∞" if elo < 0 else "+∞") if math.isinf(elo) else f"{round(elo):+d}"


@dataclasses.dataclass(frozen=True)
class Sprt:
    """The test: is the new engine stronger by elo1 rather than by elo0? The chances of a wrong
    answer are given."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """The probability of accepting an engine that is only elo0 stronger."""
    beta: float = 0.05
    """The probability of rejecting an engine that is elo1 stronger."""

    def __post_init__(self) -> None:
        if not -HIGHEST_ELO <= self.elo0 < self.elo1 <= HIGHEST_ELO:
            raise MnkalaError(
                f"elo0 {self.elo0:g} and elo1 {self.elo1:g}; elo0 must be less than elo1, both within ±{HIGHEST_ELO:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise MnkalaError(
                f"alpha {self.alpha:g} and beta {self.beta:g}; the chances of an error lie between 0 and 0.5"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds: below the first the engine is rejected, above the second it is accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, result: SeriesResult) -> float:
        """The logarithm of the likelihood ratio of elo1 to elo0."""
        pairs = PairShares.of(result)
        return float(self.llr_of(pairs.number, pairs.share, pairs.squares))

    def llr_of(self, number: Any, mean: Any, squares: Any) -> Any:
        """The logarithm of the likelihood ratio for shares with this mean and sum of squares; also
        for arrays."""
        s0, s1 = share_of_elo(self.elo0), share_of_elo(self.elo1)
        return (
            number
            * (s1 - s0)
            * (2 * mean - s0 - s1)
            / (2 * cautious_variance(number, mean, squares))
        )

    def verdict(self, result: SeriesResult) -> Verdict:
        """The test's verdict on the pairs of a result."""
        low, high = self.bounds
        llr = self.llr(result)
        return "accepted" if llr >= high else "rejected" if llr <= low else "not decided"


# ---- Running a test ----
#
# Pairs count in the order of their openings, whichever finishes first, so a test of deterministic
# engines has one result.


MOST_PAIRS = 1_000_000
HEAD = "| date | change | game | engines | games | won, drawn, lost | Elo (95 %) | LLR | verdict |"
RULE = "|---|---|---|---|---|---|---|---|---|"


@dataclasses.dataclass(frozen=True)
class Standing:
    """The state of a test, or its end."""

    game: str
    new: str
    old: str
    test: Sprt
    result: SeriesResult = SeriesResult()
    verdict: Verdict = "not decided"
    faults: tuple[str, ...] = ()
    """Games that were not lost by the rules."""
    failures: tuple[str, ...] = ()
    """The reasons why some pairs could not be played at all."""

    @property
    def llr(self) -> float:
        """The current logarithm of the likelihood ratio."""
        return self.test.llr(self.result)

    @property
    def pairs(self) -> PairShares:
        """The pairs that count."""
        return PairShares.of(self.result)

    def hear(self, pair: Pair) -> Standing:
        """The test after one more pair; a decided test ignores it."""
        if self.verdict != "not decided":
            return self
        result = self.result.add_pair(*pair.points)
        named = tuple(
            f"pair {pair.number + 1}, game {number}: {fault}"
            for number, fault in enumerate(pair.faults, start=1)
            if fault
        )
        return dataclasses.replace(
            self, result=result, verdict=self.test.verdict(result), faults=self.faults + named
        )

    def __str__(self) -> str:
        low, high = self.test.bounds
        pairs = " ".join(map(str, self.result.pairs))
        return f"{self.result.counts}  pairs {pairs}  Elo {self.pairs}  LLR {self.llr:+.2f} ({low:.2f} to {high:.2f})"

    def as_json(self) -> dict[str, Any]:
        """All numbers as JSON values; an infinite Elo is null."""
        low, high = self.pairs.interval
        elo, low, high = (  # type: ignore[assignment]
            None if math.isinf(number) else round(number, 2)
            for number in (self.pairs.elo, low, high)
        )
        return {
            "game": self.game,
            "new": self.new,
            "old": self.old,
            **dataclasses.asdict(self.test),
            "pairs": self.pairs.number,
            "pentanomial": list(self.result.pairs),
            "wins": self.result.wins,
            "draws": self.result.draws,
            "losses": self.result.losses,
            "elo": elo,
            "low": low,
            "high": high,
            "llr": round(self.llr, 4),
            "bounds": [round(end, 4) for end in self.test.bounds],
            "verdict": self.verdict,
            "faults": list(self.faults),
            "failures": list(self.failures),
        }


def run_sprt(
    rules: Rules,
    new: str,
    old: str,
    test: Sprt,
    *,
    openings: str = AUTO,
    seed: int = 1,
    most: int = 1000,
    data: Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    progress: Progress | None = None,
    watch: Callable[[Standing], None] | None = None,
) -> Standing:
    """Play pairs until the test is decided, or at most `most` of them.

    Ctrl-C raises KeyboardInterrupt; the same call continues from there, and `watch` has seen the
    state after every pair.
    """
    if not 1 <= most <= MOST_PAIRS:
        raise MnkalaError(f"at most {most} pairs; 1 to {MOST_PAIRS:,} are possible")
    for engine in (new, old):
        engine_for(engine, rules).search.check(rules)
    opening, count = choose(rules, openings, seed)
    names = engine_identity(new, rules), engine_identity(old, rules)
    if names[0] == names[1]:
        raise MnkalaError(f"{names[0]} against itself; nothing can come of that")
    each = [
        pair_job(rules, new, old, number, seed, opening(number), names)
        for number in range(min(most, count or most))
    ]
    work = list(
        {job.key: job for job in each}.values()
    )  # An opening that a file names twice would count the same games twice.
    state = Standing(rules.game_string(), new, old, test)

    shown = progress or Progress()
    with Store(data or default_data()) as store:
        with contextlib.closing(
            play_pairs(work, store, workers=jobs, cluster=cluster, progress=shown, retry=retry)
        ) as pairs:
            for pair in pairs:
                state = state.hear(pair)
                shown.label = str(state)
                if watch:
                    watch(state)
                if state.verdict != "not decided":
                    break
        failures = store.errors(job.key for job in work)
    return dataclasses.replace(state, failures=tuple(failures))


# ---- The log ----


def log_row(tested: Standing, change: str, day: datetime.date | None = None) -> str:
    """A test as a row of the log."""
    result = tested.result
    cells = (
        f"{day or datetime.date.today():%Y-%m-%d}",
        change,
        tested.game,
        f"`{tested.new}` against `{tested.old}`",
        f"{result.games:,}",
        f"{result.wins}, {result.draws}, {result.losses}",
        str(tested.pairs),
        f"{tested.llr:+.2f} for {tested.test.elo1:+g} rather than {tested.test.elo0:+g}",
        tested.verdict,
    )
    return f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in cells)} |"


def append_to_log(
    path: Path, tested: Standing, change: str, day: datetime.date | None = None
) -> Path:
    """Add a row to the table in the game's section of a Markdown file; create file, section and
    table if they are missing."""
    heading = f"## {tested.game.partition(':')[0].capitalize()}"
    lines: list[str] = ["# The log of the engines"]
    if path.exists():
        with file_errors(path, "read"):
            lines = path.read_text(encoding="utf-8").rstrip().splitlines()
    if heading not in lines:
        lines += ["", heading]
    begin = lines.index(heading) + 1
    end = next(
        (i for i in range(begin, len(lines)) if lines[i].startswith(("# ", "## "))), len(lines)
    )
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
