"""Tunes the numbers that steer a search by playing games (SPSA).

Trials are pairs of games that run as jobs and are kept in the same store as those of a test. The
tuner depends only on its seed and the results, so an interrupted run continues from the stored
ones. The search itself says which of its numbers can be tuned (`Search.numbers`).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mnkala.arena.identity import engine_identity
from mnkala.arena.openings import AUTO, choose
from mnkala.arena.pairs import default_data, pair_job, play_pairs
from mnkala.arena.spsa import Number, Spsa, Trial
from mnkala.core import Rules
from mnkala.errors import BadEngine, MnkalaError, unknown
from mnkala.jobs import Job, Store
from mnkala.numbers import counted, read_decimal, shortened
from mnkala.play.engine_game import engine_for
from mnkala.search import Engine

BATCH = 16
"""Trials played before the numbers change: they can run at once, and starting workers costs a
second."""
MOST_PAIRS = 1_000_000


def with_numbers(engine: Engine, values: Mapping[str, float]) -> str:
    """The engine string with other numbers."""
    return str(Engine(engine.search.with_numbers(values), engine.limit))


def numbers_to_tune(engine: Engine, ranges: Sequence[str]) -> list[Number]:
    """The numbers named as in `late:1..10`; without names, all that have a range of their own."""
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
            asked[name] = (read_decimal(low), read_decimal(high)) if usual is None or dots else usual
        except ValueError as error:
            raise MnkalaError(f"--vary {shortened(text)}: {error}") from None
    asked = asked or {name: number.span for name, number in known.items() if number.span is not None}
    if not asked:
        raise MnkalaError(f"which numbers of {engine.search.name}? Say --vary NAME:LOW..HIGH; there are {', '.join(known)}")
    return [Number(name, *_start(known[name].value, low, high), low, high, known[name].whole) for name, (low, high) in asked.items()]


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


def tune_settings(rules: Rules, engine: str, *, ranges: Sequence[str] = (), pairs: int = 2000, batch: int = BATCH, rate: float = 0.02,
                  openings: str = AUTO, seed: int = 1, data: Path | None = None, jobs: int | None = None, cluster: str | None = None,
                  retry: bool = False, tell: Callable[[Tuned], None] = lambda so_far: None) -> Tuned:
    """Play a number of trials; `tell` is called with the numbers after each batch. Ctrl-C raises
    KeyboardInterrupt; the same call continues."""
    base = engine_for(engine, rules)
    if not 1 <= pairs <= MOST_PAIRS or not 1 <= batch <= pairs:
        raise MnkalaError(f"{counted(pairs, 'pair')} in batches of {batch}; 1 to {MOST_PAIRS:,} pairs are possible, and batches of no more")
    tuner = Spsa(numbers_to_tune(base, ranges), pairs, rate, seed)
    opening, count = choose(rules, openings, seed)
    failures: set[str] = set()
    so_far = Tuned(with_numbers(base, tuner.best), tuner.best, 0)
    with Store(data or default_data()) as store:
        for begin in range(0, pairs, batch):
            trials = [(number, tuner.trial(number)) for number in range(begin, min(pairs, begin + batch))]
            work = {number: job for number, trial in trials
                    if (job := _job(rules, base, tuner, number, trial, seed, opening(number if count is None else number % count)))}
            played = play_pairs(list(work.values()), store, workers=jobs, cluster=cluster, retry=retry)
            results = {pair.number: 2 * sum(pair.points) - 2 for pair in played}
            failures.update(store.errors(job.key for job in work.values()))
            for number, trial in trials:
                tuner.hear(number, trial, results.get(number, 0.0))
            so_far = Tuned(with_numbers(base, tuner.best), tuner.best, min(pairs, begin + batch), tuple(sorted(failures)))
            tell(so_far)
    return so_far


def _job(rules: Rules, base: Engine, tuner: Spsa, number: int, trial: Trial, seed: int, opening: str | None) -> Job | None:
    """The job of a trial's pair; None if rounding made both sides equal."""
    names = [each.name for each in tuner.numbers]
    plus, minus = (with_numbers(base, dict(zip(names, side, strict=True))) for side in (trial.plus, trial.minus))
    return None if plus == minus else pair_job(rules, plus, minus, number, seed, opening, (engine_identity(plus, rules),
                                                                                          engine_identity(minus, rules)))
