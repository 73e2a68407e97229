"""Games of an engine against itself, as jobs, to learn from: varied by random openings and now and then a move that is not the best."""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from mnkala.arena.identity import engine_identity, program_digest
from mnkala.arena.models import Seen, model_for
from mnkala.arena.openings import random_start
from mnkala.core import Position, Rules, parse_game
from mnkala.jobs import Job, Outcome
from mnkala.play.engine_game import engine_for, points_of
from mnkala.search import Analysis

BEST_FEW = 5
VERSION = 2
"""Of what a job tells; raise it when that changes, and games are played anew."""


def play_for_learning(game: str, engine: str, seed: int, number: int) -> dict[str, Any]:
    """A job: one game, the plies after which its positions are quiet, and the first player's points."""
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
    return {"number": number, "moves": position.moves, "quiet": quiet, "points": points_of(position, 0)}


def _choice(answer: Analysis, rng: random.Random, surprises: float) -> int:
    if rng.random() < surprises and len(answer.moves) > 1:
        return rng.choice(sorted(answer.moves, key=lambda move: -move.score.value)[:BEST_FEW]).code
    return answer.line_codes[0]


def learning_jobs(rules: Rules, engine: str, games: int, seed: int) -> list[Job]:
    """The games as jobs."""
    game, name = rules.game_string(), engine_identity(engine, rules)
    key, function = f"self-play {VERSION} {program_digest(game)} {game} | {name} | seed {seed}", f"{__name__}:{play_for_learning.__name__}"
    return [Job(f"{key} {number}", function, {"game": game, "engine": engine, "seed": seed, "number": number}) for number in range(games)]


@dataclasses.dataclass(frozen=True)
class Lessons:
    """The quiet positions of some games."""

    seen: Seen
    points: np.ndarray
    """What the mover of each position made of it."""
    games: np.ndarray
    """The number of the game that it comes from."""
    digest: str
    """Of the games."""


def lessons_of(rules: Rules, outcomes: Sequence[Outcome]) -> Lessons:
    """The quiet positions of games that were played."""
    digest = hashlib.sha256()
    states, movers, points, games = [], [], [], []
    for found in sorted((outcome.value for outcome in outcomes if not outcome.failed), key=lambda found: found["number"]):
        digest.update(f"{found['number']} {found['moves']} {found['quiet']} {found['points']}\n".encode())
        position, quiet = Position(rules), set(found["quiet"])
        for ply, code in enumerate(Position(rules).play(found["moves"]).history_codes):
            if ply in quiet:
                states.append(position.state())
                movers.append(position.mover)
                points.append(found["points"] if position.mover == 0 else 1 - found["points"])
                games.append(found["number"])
            position = position.play_codes([code])
    return Lessons(Seen(states, movers), np.array(points), np.array(games), digest.hexdigest()[:16])
