"""An evaluation learned from self-play, report 002's future work, for Connect and Kalah; its form is told in `learning_tables`.

Learning goes in rounds. In each round a shallow alpha-beta plays games against itself with what it has learned so far (with nothing in the
first round: it sees wins and losses within its depth only) and now and then a random move; then the tables are fitted to the results of all
games so far, by logistic regression with a penalty for large weights. Everything is drawn from seeds, so that every worker learns the same.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import time
from typing import Any

import numpy as np

from mnkala.arena.regression import expected, fit, log_loss
from mnkala.core import Position, Rules
from mnkala.errors import BadEngine, BadGame
from mnkala.families.connect.model import ConnectModel
from mnkala.lab.matches import seed_of_pair, series, summary
from mnkala.lab.registry import Row, measure
from mnkala.lab.studies.learning_tables import model_of
from mnkala.play.engine_game import points_of
from mnkala.search import Engine, Heuristic, Stop, parse_engine, register_heuristic

HELD_OUT = 5
"""Every fifth game is kept from learning, to see how well the results of unseen games are foretold."""
RANDOM_MOVES = 0.1
LONGEST_OPENING = 6
SELF_PLAY = "alphabeta:depth=4"


# ---- Self-play ----


@dataclasses.dataclass(frozen=True)
class Games:
    """Positions of self-played games, and how the games ended."""

    states: tuple[Any, ...]
    points: np.ndarray
    """For each position's mover."""
    game: np.ndarray
    """The number of the game that it comes from."""


def self_play(rules: Rules, engine: Engine, games: int, first_number: int, seed: int) -> Games:
    """Games of an engine against itself, with random openings and a few random moves."""
    states, points, numbers = [], [], []
    engine.search.prepare(rules)
    for game in range(first_number, first_number + games):
        rng = random.Random(f"{rules.game_string()} {seed} {game}")
        position, seen, opening = Position(rules), [], rng.randint(1, LONGEST_OPENING)
        while not position.is_over:
            if len(position.history) >= opening:
                seen.append((position.state(), position.mover))
            if len(position.history) < opening or rng.random() < RANDOM_MOVES:
                move = rng.choice(position.legal_codes)
            else:
                move = engine.answer(position, Stop()).line_codes[0]
            position = position.play_codes([move])
        for state, mover in seen:
            states.append(state)
            points.append(points_of(position, mover))
            numbers.append(game)
    return Games(tuple(states), np.array(points), np.array(numbers))


# ---- What was learned ----


@dataclasses.dataclass(frozen=True)
class Learned:
    """Weights, and how well they foretell the results of games: those learned from, and those held out."""

    weights: np.ndarray
    tempo: float
    positions: int
    train_loss: float
    test_loss: float
    test_right: float
    """Of the held-out positions from decided games, the share whose winner is foretold."""
    seconds: float
    """Processor time of self-play and regression, all rounds together."""


# ---- Rounds ----


@functools.cache
def games_of_round(game: str, round_number: int, games: int, seed: int) -> Games:
    """The self-played games of a round, by what the rounds before taught."""
    known = learned_name(game, round_number - 1, games, seed) if round_number > 1 else "nothing"
    return self_play(Position(game).rules, parse_engine(f"{SELF_PLAY},heuristic={known}"), games, (round_number - 1) * games, seed)


@functools.cache
def learn(game: str, rounds: int, games: int, seed: int) -> Learned:
    """What so many rounds of so many games teach."""
    started = time.thread_time()
    before = learn(game, rounds - 1, games, seed).seconds if rounds > 1 else 0.0
    so_far = time.thread_time() - started
    played = [games_of_round(game, number, games, seed) for number in range(1, rounds + 1)]
    model = model_of(Position(game).rules)
    design = model.design([state for part in played for state in part.states])
    points = np.concatenate([part.points for part in played])
    held = np.concatenate([part.game for part in played]) % HELD_OUT == HELD_OUT - 1
    weights, tempo = fit(design[~held], points[~held], model.penalty())
    train, test = (expected(design[chosen], weights, tempo) for chosen in (~held, held))
    decided = points[held] != 0.5
    right = float(np.mean((test[decided] > 0.5) == (points[held][decided] == 1))) if decided.any() else 0.5
    return Learned(weights, tempo, len(points), log_loss(train, points[~held]), log_loss(test, points[held]), right,
                   before + time.thread_time() - started - so_far)


@functools.cache
def learned_name(game: str, rounds: int, games: int, seed: int) -> str:
    """Learn, unless this process has, and register what was learned as a heuristic; its name."""
    learned = learn(game, rounds, games, seed)
    rules = Position(game).rules
    heuristic = model_of(rules).heuristic(learned.weights, learned.tempo)
    name = f"learned-{rounds}x{games}-{seed}-{game.replace(':', '-')}"

    def make(asked: Rules) -> Heuristic:
        if asked.game_string() != rules.game_string():
            raise BadEngine(f"{name} was learned for {rules.game_string()}, not for {asked.game_string()}")
        return heuristic

    register_heuristic(name, f"learned from {rounds * games} games of self-play", make)
    return name


# ---- The measures ----


@measure("learning-curve", version=1)
def learning_curve(*, game: str, rounds: int, games_a_round: int, seed: int = 1) -> Row:
    """How well the results of games that were held out are foretold, after so many rounds of self-play."""
    learned = learn(game, rounds, games_a_round, seed)
    return {"games": rounds * games_a_round, "positions": learned.positions, "weights": int(np.count_nonzero(learned.weights)),
            "train_loss": round(learned.train_loss, 4), "test_loss": round(learned.test_loss, 4),
            "test_right": round(learned.test_right, 4), "learning_seconds": round(learned.seconds, 2)}


@measure("learned-against", version=1)
def learned_against(*, game: str, rounds: int, games_a_round: int, other: str, limit: str, games: int, search: str = "alphabeta",
                    seed: int = 1) -> Row:
    """What was learned in so many rounds against a hand-made heuristic, under the same limit (see `heuristics`)."""
    learned = learned_name(game, rounds, games_a_round, seed)
    pair = [(f"{search}:heuristic={name}", limit) for name in (learned, other)]
    return {"learned_from": rounds * games_a_round, **summary(series(game, pair[0], pair[1], games, seed_of_pair(seed, "learned", other)))}


@measure("learned-windows", version=1)
def learned_windows(*, game: str, rounds: int, games_a_round: int, seed: int = 1) -> list[Row]:
    """What a window of one, two, … discs is worth to the first and to the second player, by what was learned; one disc of both is 1."""
    rules = Position(game).rules
    model = model_of(rules)
    if not isinstance(model, ConnectModel):
        raise BadGame(f"{game} has no windows; take a Connect board")
    shared = learn(game, rounds, games_a_round, seed).weights[: model.table].reshape(rules.line + 1, rules.line + 1)  # type: ignore[attr-defined]
    worth = [(discs, float(shared[discs, 0]), float(-shared[0, discs])) for discs in range(1, len(shared) - 1)]
    unit = (worth[0][1] + worth[0][2]) / 2 or 1.0
    return [{"discs": discs, "player": player, "logits": round(value, 4), "ratio": round(value / unit, 3)}
            for discs, first, second in worth for player, value in (("first player", first), ("second player", second))]
