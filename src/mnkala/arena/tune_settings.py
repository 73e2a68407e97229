"""Tunes the numbers that steer a search by playing games, with simultaneous perturbation stochastic
approximation (SPSA, Spall 1992): many numbers are tuned at once by noisy comparisons.

Each trial moves all numbers a step in random directions, plays the result against the opposite, and
moves the numbers a little towards the winner. However many numbers there are, a trial costs one
pair of games. Steps shrink as trial^-0.101 and the learning rate as trial^-0.602, Spall's practical
choice; as in Fishtest both are given by their final values.

Trials are pairs of games that run as jobs and are kept in the same store as those of a test. The
tuner depends only on its seed and the results, so an interrupted run continues from the stored
ones. The search itself says which of its numbers can be tuned (`Search.numbers`).
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mnkala.arena.game_job import default_data, engine_identity, pair_job, play_pairs
from mnkala.arena.openings import AUTO, choose
from mnkala.core import Rules
from mnkala.errors import BadEngine, MnkalaError, unknown
from mnkala.jobs import Job, Store
from mnkala.numbers import counted, read_decimal, shortened
from mnkala.play.engine_game import engine_for
from mnkala.search import Engine

STEP_DECAY, RATE_DECAY = 0.101, 0.602
STABILITY = 0.1
"""The share of all trials that is added to the number of a trial in the learning rate, so that the
first ones do not jump."""
STEPS_IN_RANGE = 12
"""The last step of a number is its range divided by this, unless one is given."""


@dataclasses.dataclass(frozen=True)
class Number:
    """A number to tune."""

    name: str
    start: float
    low: float
    high: float
    whole: bool = True
    """Whether only whole numbers can be used."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise MnkalaError(
                f"{self.name} from {self.low:g} to {self.high:g}; the first must be less than the second"
            )
        if not self.low <= self.start <= self.high:
            raise MnkalaError(
                f"{self.name} is {self.start:g} to begin with, which does not lie between {self.low:g} and {self.high:g}"
            )

    @property
    def step(self) -> float:
        """The size of the last step. For a whole number it must be large enough to make a
        difference."""
        size = (self.high - self.low) / STEPS_IN_RANGE
        return max(0.75, size) if self.whole else size

    def clamped(self, value: float) -> float:
        """Limit a value to the range."""
        return min(self.high, max(self.low, value))


@dataclasses.dataclass(frozen=True)
class Trial:
    """Two sets of values to play against each other."""

    signs: tuple[int, ...]
    plus: tuple[float, ...]
    minus: tuple[float, ...]


class Spsa:
    """The tuner. It depends only on its seed and the results, so it can be run again from stored
    results."""

    def __init__(
        self, numbers: Sequence[Number], trials: int, rate: float = 0.02, seed: int = 1
    ) -> None:
        if not numbers:
            raise MnkalaError("there is nothing to tune; name at least one number")
        if trials < 1 or not 0 < rate <= 1:
            raise MnkalaError(
                f"{trials} trials at a rate of {rate:g}; there must be a trial, and the rate lies between 0 and 1"
            )
        self.numbers, self.trials, self.rate, self.seed = tuple(numbers), trials, rate, seed
        self.values = [number.start for number in numbers]
        self._sum = [0.0] * len(numbers)
        self._heard = 0

    def trial(self, number: int) -> Trial:
        """Trial `number`, counted from 0, around the current values."""
        rng = random.Random(f"{self.seed} {number}")
        signs = tuple(rng.choice((-1, 1)) for _ in self.numbers)
        shrink = (self.trials / (number + 1)) ** STEP_DECAY
        sides = tuple(
            tuple(
                self._playable(each, value + way * sign * each.step * shrink, rng)
                for each, value, sign in zip(self.numbers, self.values, signs, strict=True)
            )
            for way in (1, -1)
        )
        return Trial(signs, sides[0], sides[1])

    @staticmethod
    def _playable(number: Number, value: float, rng: random.Random) -> float:
        """A value within its range. A whole number is rounded up or down at random, so that it is
        right on average."""
        value = number.clamped(value)
        if not number.whole:
            return value
        return int(value) if value == math.floor(value) else math.floor(value + rng.random())

    def hear(self, number: int, trial: Trial, result: float) -> None:
        """Learn from a trial: `result` is the points of plus less those of minus in a pair, from -2
        to 2."""
        shrink = (self.trials / (number + 1)) ** STEP_DECAY
        ahead = STABILITY * self.trials
        rate = self.rate * ((ahead + self.trials) / (ahead + number + 1)) ** RATE_DECAY
        self.values = [
            each.clamped(value + rate * each.step * shrink * result * sign)
            for each, value, sign in zip(self.numbers, self.values, trial.signs, strict=True)
        ]
        self._heard += 1
        if number >= self.trials // 2:
            self._sum = [total + value for total, value in zip(self._sum, self.values, strict=True)]

    @property
    def best(self) -> dict[str, float]:
        """The result: the mean over the second half of the trials (Polyak and Juditsky 1992), or
        before that the current values."""
        averaged = self._heard - self.trials // 2
        found = [total / averaged for total in self._sum] if averaged > 0 else self.values
        return {
            each.name: round(value) if each.whole else value
            for each, value in zip(self.numbers, found, strict=True)
        }


# ---- Tuning a search ----


BATCH = 16
"""Trials played before the numbers change: they can run at once, and starting workers costs a
second."""
MOST_PAIRS = 1_000_000


def with_numbers(engine: Engine, values: Mapping[str, float]) -> str:
    """The engine string with other numbers."""
    return str(Engine(engine.search.with_numbers(values), engine.limit))


def numbers_to_tune(engine: Engine, ranges: Sequence[str]) -> list[Number]:
    """The numbers to tune, named as in `late:1..10`; without names, all that have a range of their
    own. Raises an error that says which numbers there are."""
    known = engine.search.numbers()
    if not known:
        raise BadEngine(f"{engine.search.name} has no numbers to tune")
    asked: dict[str, tuple[float, float]] = {}
    for text in ranges:
        name, _, span = text.partition(":")
        if name not in known:
            raise BadEngine(unknown("number", name, known))
        low, dots, high = span.partition("..")
        usual = known[name].span
        if not dots and (span or usual is None):
            raise MnkalaError(f"--vary {shortened(text)}; a number and its range read {name}:1..10")
        try:
            asked[name] = (
                (read_decimal(low), read_decimal(high)) if usual is None or dots else usual
            )
        except ValueError as error:
            raise MnkalaError(f"--vary {shortened(text)}: {error}") from None
    asked = asked or {
        name: number.span for name, number in known.items() if number.span is not None
    }
    if not asked:
        raise MnkalaError(
            f"which numbers of {engine.search.name}? Say --vary NAME:LOW..HIGH; there are {', '.join(known)}"
        )
    return [
        Number(name, *_start(known[name].value, low, high), low, high, known[name].whole)
        for name, (low, high) in asked.items()
    ]


def _start(value: float, low: float, high: float) -> tuple[float]:
    return (float(min(high, max(low, value))),) if math.isfinite(value) else (low,)


@dataclasses.dataclass(frozen=True)
class Tuned:
    """The current state of tuning."""

    engine: str
    """The engine string with the best numbers so far."""
    values: dict[str, float]
    pairs: int
    failures: tuple[str, ...] = ()


def tune_settings(
    rules: Rules,
    engine: str,
    *,
    ranges: Sequence[str] = (),
    pairs: int = 2000,
    batch: int = BATCH,
    rate: float = 0.02,
    openings: str = AUTO,
    seed: int = 1,
    data: Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    tell: Callable[[Tuned], None] = lambda so_far: None,
) -> Tuned:
    """Play a number of trials; `tell` is called with the numbers after each batch. Ctrl-C raises
    KeyboardInterrupt; the same call continues."""
    base = engine_for(engine, rules)
    if not 1 <= pairs <= MOST_PAIRS or not 1 <= batch <= pairs:
        raise MnkalaError(
            f"{counted(pairs, 'pair')} in batches of {batch}; 1 to {MOST_PAIRS:,} pairs are possible, and batches of no more"
        )
    tuner = Spsa(numbers_to_tune(base, ranges), pairs, rate, seed)
    opening, count = choose(rules, openings, seed)
    failures: set[str] = set()
    so_far = Tuned(with_numbers(base, tuner.best), tuner.best, 0)
    with Store(data or default_data()) as store:
        for begin in range(0, pairs, batch):
            trials = [
                (number, tuner.trial(number)) for number in range(begin, min(pairs, begin + batch))
            ]
            work = {
                number: job
                for number, trial in trials
                if (
                    job := _job(
                        rules,
                        base,
                        tuner,
                        number,
                        trial,
                        seed,
                        opening(number if count is None else number % count),
                    )
                )
            }
            played = play_pairs(
                list(work.values()), store, workers=jobs, cluster=cluster, retry=retry
            )
            results = {pair.number: 2 * sum(pair.points) - 2 for pair in played}
            failures.update(store.errors(job.key for job in work.values()))
            for number, trial in trials:
                tuner.hear(number, trial, results.get(number, 0.0))
            so_far = Tuned(
                with_numbers(base, tuner.best),
                tuner.best,
                min(pairs, begin + batch),
                tuple(sorted(failures)),
            )
            tell(so_far)
    return so_far


def _job(
    rules: Rules,
    base: Engine,
    tuner: Spsa,
    number: int,
    trial: Trial,
    seed: int,
    opening: str | None,
) -> Job | None:
    """Make the job that plays the two sides of a trial against each other; None if rounding has
    made both sides equal."""
    names = [each.name for each in tuner.numbers]
    plus, minus = (
        with_numbers(base, dict(zip(names, side, strict=True)))
        for side in (trial.plus, trial.minus)
    )
    return (
        None
        if plus == minus
        else pair_job(
            rules,
            plus,
            minus,
            number,
            seed,
            opening,
            (engine_identity(plus, rules), engine_identity(minus, rules)),
        )
    )
