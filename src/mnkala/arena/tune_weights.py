"""Learns the weights of an evaluation from the results of games (Texel's method: Österlund 2014).

An engine plays itself, and the result of each game is regressed on the features of its quiet
positions. Every fifth game is held out; it shows, in bits, how much better its result is predicted
than before.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mnkala.arena.game_job import default_data, engine_identity, program_digest
from mnkala.arena.models import Model, Seen, bits, expected, fit, fit_scale, model_for
from mnkala.arena.openings import random_start
from mnkala.core import Position, Rules, parse_game
from mnkala.errors import MnkalaError
from mnkala.jobs import Job, Outcome, Progress, Store
from mnkala.jobs.run import finished
from mnkala.numbers import counted
from mnkala.play.engine_game import engine_for, points_of
from mnkala.search import Analysis, Engine

# ---- Games to learn from ----
#
# An engine plays itself, in jobs. Random openings and occasional second-best moves vary the games.


BEST_FEW = 5
VERSION = 2
"""Version of a job's results. Raise it when they change, and games are played again."""


def play_for_learning(game: str, engine: str, seed: int, number: int) -> dict[str, Any]:
    """Play one game; return the plies after which its positions are quiet, and the first player's
    points. A job for `mnkala.jobs`."""
    rules = parse_game(game)
    player, model = engine_for(engine, rules), model_for(rules)
    player.search.prepare(rules)
    rng = random.Random(f"{game} {seed} {number}")
    position = random_start(rules, rng)
    quiet = []
    while not position.is_over:
        answer = player.analyse(position)
        if model.is_quiet(position, answer):
            quiet.append(len(position.history_codes))
        position = position.play_codes([_choice(answer, rng, model.surprises)])
    return {
        "number": number,
        "moves": position.moves,
        "quiet": quiet,
        "points": points_of(position, 0),
    }


def _choice(answer: Analysis, rng: random.Random, surprises: float) -> int:
    if rng.random() < surprises and len(answer.moves) > 1:
        return rng.choice(sorted(answer.moves, key=lambda move: -move.score.value)[:BEST_FEW]).code
    return answer.line_codes[0]


def learning_jobs(rules: Rules, engine: str, games: int, seed: int) -> list[Job]:
    """Make the jobs that play the games."""
    game, name = rules.game_string(), engine_identity(engine, rules)
    key, function = (
        f"self-play {VERSION} {program_digest(game)} {game} | {name} | seed {seed}",
        f"{__name__}:{play_for_learning.__name__}",
    )
    return [
        Job(
            f"{key} {number}",
            function,
            {"game": game, "engine": engine, "seed": seed, "number": number},
        )
        for number in range(games)
    ]


@dataclasses.dataclass(frozen=True)
class Lessons:
    """The quiet positions of some games."""

    seen: Seen
    points: np.ndarray
    """The points that the mover of each position made."""
    games: np.ndarray
    """The number of the game from which each position comes."""
    digest: str
    """A digest of the games."""


def lessons_of(rules: Rules, outcomes: Sequence[Outcome]) -> Lessons:
    """The quiet positions of games that were played."""
    digest = hashlib.sha256()
    states, movers, points, games = [], [], [], []
    for found in sorted(
        (outcome.value for outcome in outcomes if not outcome.failed),
        key=lambda found: found["number"],
    ):
        digest.update(
            f"{found['number']} {found['moves']} {found['quiet']} {found['points']}\n".encode()
        )
        position, quiet = Position(rules), set(found["quiet"])
        for ply, code in enumerate(Position(rules).play(found["moves"]).history_codes):
            if ply in quiet:
                states.append(position.state())
                movers.append(position.mover)
                points.append(found["points"] if position.mover == 0 else 1 - found["points"])
                games.append(found["number"])
            position = position.play_codes([code])
    return Lessons(Seen(states, movers), np.array(points), np.array(games), digest.hexdigest()[:16])


# ---- Learning ----


HELD_OUT = 5
MOST_STEPS = 2000
"""The most steps of the regression. Kinds of line differ so much in frequency that hundreds are
needed."""
FEWEST_GAMES, MOST_GAMES = 2 * HELD_OUT, 1_000_000


@dataclasses.dataclass(frozen=True)
class Learned:
    """The learned weights, and how good they are."""

    weights: np.ndarray
    """The weights in logits, rounded as they will be used."""
    tempo: float
    positions: int
    games: int
    held_out: int
    """The number of positions in the games that were held out."""
    bits_before: float
    """The mean surprise at the held-out results with the initial weights, in the best unit."""
    bits_after: float
    """The mean surprise at the held-out results with the learned weights."""
    digest: str
    """A digest of the games."""

    def made(self, command: str) -> dict[str, Any]:
        """How the weights came about, for their file."""
        return {
            "command": command,
            "data": self.digest,
            "games": self.games,
            "positions": self.positions,
            "bits_guessed": round(self.bits_before, 4),
            "bits_learned": round(self.bits_after, 4),
        }


def learn(model: Model, engine: Engine, lessons: Lessons) -> Learned:
    """Fit the weights; raises MnkalaError if there are too few positions to learn from."""
    held, games = lessons.games % HELD_OUT == HELD_OUT - 1, len(set(lessons.games.tolist()))
    if not held.any() or held.all():
        raise MnkalaError(
            f"{counted(len(held), 'quiet position')} in {counted(games, 'game')}; there is nothing to learn from so few, "
            "play more --games"
        )
    features, points, guess = model.features(lessons.seen), lessons.points, model.guess(engine)
    scale, tempo = fit_scale(features[~held] @ guess, points[~held], with_tempo=model.with_tempo)
    before = bits(expected(features[held], guess * scale, tempo), points[held])
    found = fit(
        features[~held],
        points[~held],
        model.penalty(),
        model.start(guess, scale),
        lowest=model.lowest,
        with_tempo=model.with_tempo,
        steps=MOST_STEPS,
    )
    weights, tempo = model.rounded(*found)
    after = bits(expected(features[held], weights, tempo), points[held])
    return Learned(
        weights, tempo, len(points), games, int(held.sum()), before, after, lessons.digest
    )


def tune_weights(
    rules: Rules,
    engine: str | None = None,
    *,
    games: int = 1000,
    seed: int = 1,
    data: Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    progress: Progress | None = None,
    command: str = "",
) -> tuple[Learned, bytes]:
    """Play the games that are still missing and learn from all of them; also return the file of
    weights. Ctrl-C raises KeyboardInterrupt; the same call continues."""
    if not FEWEST_GAMES <= games <= MOST_GAMES:
        raise MnkalaError(
            f"{counted(games, 'game')} to learn from; {FEWEST_GAMES} to {MOST_GAMES:,} are possible"
        )
    model = model_for(rules)
    player = engine or model.self_play
    made = engine_for(player, rules)
    model.guess(made)
    work = learning_jobs(rules, player, games, seed)
    with Store(data or default_data()) as store:
        outcomes = finished(
            work,
            store,
            advice="some games could not be played; --retry tries them again: ",
            workers=jobs,
            cluster=cluster,
            progress=progress,
            retry=retry,
        )
    learned = learn(model, made, lessons_of(rules, outcomes))
    return learned, model.written(learned.weights, learned.tempo, made, learned.made(command))
