"""An evaluation learned from self-play, report 002's future work, for Connect and Kalah; its form is told in `learning_tables`.

Learning goes in rounds. In each round a shallow alpha-beta plays games against itself with what it has learned so far (with nothing in the
first round: it sees wins and losses within its depth only) and now and then a random move; then the tables are fitted to the results of all
games so far, by logistic regression with a penalty for large weights. Everything is drawn from seeds, so that every worker learns the same.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from mnkala.arena.connect_model import ConnectModel
from mnkala.arena.regression import expected, fit, log_loss
from mnkala.errors import BadEngine, BadGame
from mnkala.games import Position, Rules
from mnkala.lab.matches import seed_of_pair, series, summary
from mnkala.lab.registry import Row, finding, measure
from mnkala.lab.strength import by_verdict, result_of, told, verdict, with_shares
from mnkala.lab.studies.learning_tables import model_of
from mnkala.lab.wording import having, listed, number, percent
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


# ---- The finding ----


@finding("learning")
def in_words(rows: list[Row]) -> str:
    """Whether what was learned beats what was made by hand."""
    curve, play, windows = having(rows, "test_loss"), having(rows, "learned_from", "share"), having(rows, "discs", "ratio")
    return "\n\n".join([*_curve(curve), *_against(play), *_windows(windows)])


def _curve(rows: Sequence[Row]) -> list[str]:
    said = []
    for game in dict.fromkeys(row["game"] for row in rows):
        some = sorted((row for row in rows if row["game"] == game), key=lambda row: row["games"])
        last = some[-1]
        said.append(f"{game}: after {number(last['games'])} games of self-play the {last['weights']} weights foretell the winner of "
                    f"{percent(last['test_right'])} of positions of games held out, with a log loss of {last['test_loss']:.3f} "
                    f"({last['train_loss']:.3f} on the games learned from; knowing nothing gives {math.log(2):.3f}).")
    return said


def _against(rows: Sequence[Row]) -> list[str]:
    said = []
    for game in dict.fromkeys(row["game"] for row in rows):
        most = max(row["learned_from"] for row in rows if row["game"] == game)
        some = [row for row in rows if row["game"] == game and row["learned_from"] == most]
        parts = []
        for limit in dict.fromkeys(row["limit"] for row in some):
            results = {row["other"]: result_of([row]) for row in some if row["limit"] == limit}
            sure = by_verdict(results)
            words = [f"{verb} {with_shares(sure[key], results)}" for key, verb in
                     (("ahead", "beats"), ("behind", "loses to"), ("undecided", "is not decided against")) if sure[key]]
            parts.append(f"With {limit} it {listed(words)}.")
        everything = [row for row in rows if row["game"] == game]
        fewest = min(row["learned_from"] for row in everything)
        first, last = (result_of(row for row in everything if row["learned_from"] == amount) for amount in (fewest, most))
        trend = f" From {number(fewest)} to {number(most)} games its share over all opponents and limits went from {told(first)} to " \
            f"{told(last)}." if fewest < most else ""
        against = {name: result_of(row for row in some if row["other"] == name) for name in dict.fromkeys(row["other"] for row in some)}
        strongest = min(against, key=lambda name: against[name].share)
        result = against[strongest]
        end = {"ahead": "It beats even its hardest opponent", "behind": "It does not reach its hardest opponent",
               "undecided": "Nothing is decided against its hardest opponent"}[verdict(result)] + f", {strongest}"
        said.append(f"{game}: {' '.join(parts)} {end}: {told(result)} over all limits.{trend}")
    return said


def _windows(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    most = max(row["rounds"] for row in rows)
    worth = {discs: sum(row["ratio"] for row in some) / len(some) for discs in sorted({row["discs"] for row in rows})
             if (some := [row for row in rows if row["discs"] == discs and row["rounds"] == most])}
    reported = {row["discs"]: row["report_ratio"] for row in rows if row.get("report_ratio") is not None}
    theirs = f" Report 002's own weights are {' : '.join(number(reported[discs]) for discs in sorted(reported))}." if reported else ""
    ours = " : ".join(f"{value:.1f}" for value in worth.values())
    return [f"What one, two and three discs in a window are worth by what was learned, the mean of both players: {ours}.{theirs}"]
