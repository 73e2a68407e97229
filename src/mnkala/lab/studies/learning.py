"""An evaluation learned from self-play, which is future work in report 002: tables of look-ups
(`arena/models.py`), which each family defines for its own boards. They start at zero, so the only
thing taken from hand-made heuristics is their vocabulary: windows of a line, houses and stores.

Learning goes in rounds. In each round a shallow alpha-beta search plays games against itself with
what it has learned so far, and now and then makes a random move. (In the first round it knows
nothing and sees only wins and losses within its depth.) Then the tables are fitted to the results
of all games so far, by logistic regression with a penalty for large weights. All random numbers
come from seeds, so that every worker learns the same.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from mnkala.arena.models import Tables, expected, fit, log_loss
from mnkala.core import Position, Rules
from mnkala.core.registry import family_of
from mnkala.errors import BadEngine, BadGame
from mnkala.lab.judging import (
    Sentences,
    carried,
    grouped,
    having,
    result_of,
    results,
    verdicts,
    where,
)
from mnkala.lab.measuring import seed_of_pair, series, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesResult
from mnkala.search import Engine, Heuristic, Stop, parse_engine, register_heuristic

HELD_OUT = 5
"""Every fifth game is held out from learning, to see how well the results of unseen games are
predicted.
"""
RANDOM_MOVES = 0.1
LONGEST_OPENING = 6
SELF_PLAY = "alphabeta:depth=4"


def tables_of(rules: Rules) -> Tables:
    """The tables that are learned for a game."""
    tables = family_of(rules).tables(rules)
    if tables is None:
        raise BadGame(
            f"there is no evaluation to learn for {rules.game_string()}: its family has no tables"
        )
    return tables


# ---- Self-play and regression ----


@dataclasses.dataclass(frozen=True)
class Games:
    """Positions of self-played games, and how the games ended."""

    states: tuple[Any, ...]
    points: np.ndarray
    """The points of each position's mover."""
    game: np.ndarray
    """The number of the game from which each position comes."""


def self_play(rules: Rules, engine: Engine, games: int, first_number: int, seed: int) -> Games:
    """Let an engine play games against itself, with random openings and a few random moves."""
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


@dataclasses.dataclass(frozen=True)
class Learned:
    """Weights, and how well they predict the results of the games that were learned from and of
    those held out.
    """

    weights: np.ndarray
    tempo: float
    positions: int
    train_loss: float
    test_loss: float
    test_right: float
    """The share of held-out positions of decided games whose winner is predicted."""
    seconds: float
    """The processor time of self-play and regression in all rounds."""


@functools.cache
def games_of_round(game: str, round_number: int, games: int, seed: int) -> Games:
    """The games of a round, played with what was learned in the rounds before it."""
    known = learned_name(game, round_number - 1, games, seed) if round_number > 1 else "nothing"
    return self_play(
        Position(game).rules,
        parse_engine(f"{SELF_PLAY},heuristic={known}"),
        games,
        (round_number - 1) * games,
        seed,
    )


@functools.cache
def learn(game: str, rounds: int, games: int, seed: int) -> Learned:
    """Fit the weights of an evaluation to the games of `rounds` rounds of self-play, `games` in each,
    and test them on the games that were held out."""
    started = time.thread_time()
    before = learn(game, rounds - 1, games, seed).seconds if rounds > 1 else 0.0
    so_far = time.thread_time() - started
    played = [games_of_round(game, number, games, seed) for number in range(1, rounds + 1)]
    model = tables_of(Position(game).rules)
    design = model.design([state for part in played for state in part.states])
    points = np.concatenate([part.points for part in played])
    held = np.concatenate([part.game for part in played]) % HELD_OUT == HELD_OUT - 1
    weights, tempo = fit(design[~held], points[~held], model.penalty())
    train, test = (expected(design[chosen], weights, tempo) for chosen in (~held, held))
    decided = points[held] != 0.5
    right = (
        float(np.mean((test[decided] > 0.5) == (points[held][decided] == 1)))
        if decided.any()
        else 0.5
    )
    return Learned(
        weights,
        tempo,
        len(points),
        log_loss(train, points[~held]),
        log_loss(test, points[held]),
        right,
        before + time.thread_time() - started - so_far,
    )


@functools.cache
def learned_name(game: str, rounds: int, games: int, seed: int) -> str:
    """Learn, unless this process has done so already, and register the evaluation as a heuristic;
    return its name.
    """
    learned = learn(game, rounds, games, seed)
    rules = Position(game).rules
    heuristic = tables_of(rules).heuristic(learned.weights, learned.tempo)
    name = f"learned-{rounds}x{games}-{seed}-{game.replace(':', '-')}"

    def make(asked: Rules) -> Heuristic:
        if asked.game_string() != rules.game_string():
            raise BadEngine(
                f"{name} was learned for {rules.game_string()}, not for {asked.game_string()}"
            )
        return heuristic

    register_heuristic(name, f"learned from {rounds * games} games of self-play", make)
    return name


# ---- The measures ----


@measure("learning-curve", version=1)
def learning_curve(*, game: str, rounds: int, games_a_round: int, seed: int = 1) -> Row:
    """How well the results of held-out games are predicted after so many rounds of self-play."""
    learned = learn(game, rounds, games_a_round, seed)
    return {
        "games": rounds * games_a_round,
        "positions": learned.positions,
        "weights": int(np.count_nonzero(learned.weights)),
        "train_loss": round(learned.train_loss, 4),
        "test_loss": round(learned.test_loss, 4),
        "test_right": round(learned.test_right, 4),
        "learning_seconds": round(learned.seconds, 2),
    }


@measure("learned-against", version=1)
def learned_against(
    *,
    game: str,
    rounds: int,
    games_a_round: int,
    other: str,
    limit: str,
    games: int,
    search: str = "alphabeta",
    seed: int = 1,
) -> Row:
    """The evaluation learned in so many rounds against a hand-made heuristic, with the same limit
    (see `heuristics`).
    """
    learned = learned_name(game, rounds, games_a_round, seed)
    pair = [(f"{search}:heuristic={name}", limit) for name in (learned, other)]
    return {
        "learned_from": rounds * games_a_round,
        **summary(series(game, pair[0], pair[1], games, seed_of_pair(seed, "learned", other))),
    }


# ---- What the rows say ----


SAY = Sentences(__file__)


@finding("learning")
def in_words(rows: list[Row]) -> str:
    """Say whether the learned evaluation beats hand-made ones."""
    play = having(rows, "learned_from", "share")
    amounts = sorted({row["learned_from"] for row in play})
    curve = [
        (game, max(some, key=lambda row: int(row["games"]))["test_loss"])
        for game, some in grouped(having(rows, "test_loss"), "game").items()
    ]
    first = (
        {"games": amounts[0], "series": _counted(where(play, learned_from=amounts[0]))}
        if len(amounts) > 1
        else None
    )
    return SAY.finding(
        series=_counted(_most(play)),
        hardest=_hardest(_most(play)),
        first=first,
        curve=curve,
        windows=_windows(having(rows, "discs", "ratio")),
    )


@brief("learning")
def in_brief(rows: list[Row]) -> Row:
    """In how many series the learned evaluation is clearly ahead after all its training."""
    found = _counted(_most(having(rows, "learned_from", "share")))
    return {name: sum(one[name] for one in found) for name in ("ahead", "behind", "of")}


def _most(rows: Sequence[Row]) -> list[Row]:
    """The rows of what was learned from most games, for each game."""
    return [
        row
        for some in grouped(rows, "game").values()
        for row in where(some, learned_from=max(row["learned_from"] for row in some))
    ]


def _counted(rows: Sequence[Row]) -> list[Row]:
    """For each game, how often the learned evaluation is clearly ahead and how often clearly
    behind, counted in series. A series is an opponent and a limit."""
    return [
        {"game": game, **verdicts(result_of([row]) for row in some)}
        for game, some in grouped(rows, "game").items()
    ]


def _hardest(rows: Sequence[Row]) -> list[Row]:
    """For each game, the rival against which the learned evaluation scores least, with its lowest
    and highest share."""
    found = []
    for game, some in grouped(rows, "game").items():
        shares = {
            rival: sorted(result_of([row]).share for row in same)
            for rival, same in grouped(some, "other").items()
        }
        rival = min(shares, key=lambda name: fmean(shares[name]))
        found.append(
            {"game": game, "rival": rival, "low": shares[rival][0], "high": shares[rival][-1]}
        )
    return found


def _windows(rows: Sequence[Row]) -> Row | None:
    """The worth of windows by their discs, as learned and in the report."""
    if not rows:
        return None
    last = grouped(where(rows, rounds=max(row["rounds"] for row in rows)), "discs")
    theirs = {row["discs"]: row["report_ratio"] for row in having(rows, "report_ratio")}
    return {
        "ours": [fmean(row["ratio"] for row in last[discs]) for discs in sorted(last)],
        "theirs": [theirs[discs] for discs in sorted(theirs)],
    }


@claim(
    "learning",
    report="002",
    says="machine learning would improve the player (future work): learned against its own zero-sum",
    needs=("learned_from", "share"),
)
def learned_is_better(rows: list[Row]) -> Judgement:
    """Judge the evaluation that was learned from most games, by the results under all limits added
    up and by most limits taken singly."""
    duels = results(
        [row for row in where(_most(rows), other="zero-sum") if row["game"].startswith("connect4")],
        "limit",
    )
    if not duels:
        return NOT_TOLD
    return judged(
        *carried(duels.values()),
        SAY.against(duels=list(duels.items()), together=sum(duels.values(), SeriesResult())),
    )
