"""The weights of an evaluation from the results of games (Texel's method: Österlund 2014).

An engine plays itself; the result of each game is regressed on the features of its quiet positions; every fifth game is held out, and
tells in bits how much better than before its result is foretold.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from mnkala.arena.models import Model, model_for
from mnkala.arena.pairs import default_data
from mnkala.arena.regression import bits, expected, fit, fit_scale
from mnkala.arena.self_play import Lessons, learning_jobs, lessons_of
from mnkala.core import Rules
from mnkala.errors import MnkalaError
from mnkala.jobs import Progress, Store, run_jobs
from mnkala.numbers import counted
from mnkala.play.engine_game import engine_for
from mnkala.search import Engine

HELD_OUT = 5
MOST_STEPS = 2000
"""Steps of the regression: kinds of line are so differently common that hundreds are needed."""
FEWEST_GAMES, MOST_GAMES = 2 * HELD_OUT, 1_000_000


@dataclasses.dataclass(frozen=True)
class Learned:
    """Weights, and what they are good for."""

    weights: np.ndarray
    """In logits, rounded as they will be played."""
    tempo: float
    positions: int
    games: int
    held_out: int
    """Positions of games that nothing was learned from."""
    bits_before: float
    """Mean surprise at the results of those, by the weights that were guessed, in the best unit."""
    bits_after: float
    """The same by those that were learned."""
    digest: str
    """Of the games."""

    def made(self, command: str) -> dict[str, Any]:
        """How the weights came about, for their file."""
        return {"command": command, "data": self.digest, "games": self.games, "positions": self.positions,
                "bits_guessed": round(self.bits_before, 4), "bits_learned": round(self.bits_after, 4)}


def learn(model: Model, engine: Engine, lessons: Lessons) -> Learned:
    """Fit the weights."""
    held, games = lessons.games % HELD_OUT == HELD_OUT - 1, len(set(lessons.games.tolist()))
    if not held.any() or held.all():
        raise MnkalaError(f"{counted(len(held), 'quiet position')} in {counted(games, 'game')}; there is nothing to learn from so few, "
                          "play more --games")
    features, points, guess = model.features(lessons.seen), lessons.points, model.guess(engine)
    scale, tempo = fit_scale(features[~held] @ guess, points[~held], with_tempo=model.with_tempo)
    before = bits(expected(features[held], guess * scale, tempo), points[held])
    found = fit(features[~held], points[~held], model.penalty(), model.start(guess, scale), lowest=model.lowest,
                with_tempo=model.with_tempo, steps=MOST_STEPS)
    weights, tempo = model.rounded(*found)
    after = bits(expected(features[held], weights, tempo), points[held])
    return Learned(weights, tempo, len(points), games, int(held.sum()), before, after, lessons.digest)


def tune_weights(rules: Rules, engine: str | None = None, *, games: int = 1000, seed: int = 1, data: Path | None = None,
                 jobs: int | None = None, cluster: str | None = None, retry: bool = False, progress: Progress | None = None,
                 command: str = "") -> tuple[Learned, bytes]:
    """Play what is not played yet, and learn from it; the file of weights too. Ctrl-C raises KeyboardInterrupt; the same call goes on."""
    if not FEWEST_GAMES <= games <= MOST_GAMES:
        raise MnkalaError(f"{counted(games, 'game')} to learn from; {FEWEST_GAMES} to {MOST_GAMES:,} are possible")
    model = model_for(rules)
    player = engine or model.self_play
    made = engine_for(player, rules)
    model.guess(made)
    work = learning_jobs(rules, player, games, seed)
    with Store(data or default_data()) as store:
        run_jobs(work, store, workers=jobs, cluster=cluster, progress=progress, retry=retry)
        outcomes = list(store.outcomes(job.key for job in work).values())
    failures = sorted({outcome.error for outcome in outcomes if outcome.error})
    if failures:
        raise MnkalaError(f"some games could not be played; --retry tries them again: {failures[0]}")
    learned = learn(model, made, lessons_of(rules, outcomes))
    return learned, model.written(learned.weights, learned.tempo, made, learned.made(command))
