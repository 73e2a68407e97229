"""An evaluation learned from self-play, report 002's future work: tables of look-ups (`arena/models.py`), which each family has for its
own boards. They start at zero, so nothing of the hand-made heuristics goes in but their vocabulary: windows of a line, houses and stores.

Learning goes in rounds. In each round a shallow alpha-beta plays games against itself with what it has learned so far (with nothing in the
first round: it sees wins and losses within its depth only) and now and then a random move; then the tables are fitted to the results of all
games so far, by logistic regression with a penalty for large weights. Everything is drawn from seeds, so that every worker learns the same.
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
from mnkala.lab.matches import seed_of_pair, series, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.lab.rows import grouped, having
from mnkala.lab.strength import carried, result_of, verdict
from mnkala.lab.wording import Sentences
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesResult
from mnkala.search import Engine, Heuristic, Stop, parse_engine, register_heuristic

HELD_OUT = 5
"""Every fifth game is kept from learning, to see how well the results of unseen games are foretold."""
RANDOM_MOVES = 0.1
LONGEST_OPENING = 6
SELF_PLAY = "alphabeta:depth=4"


def tables_of(rules: Rules) -> Tables:
    """The tables that are learned for a game."""
    tables = family_of(rules).tables(rules)
    if tables is None:
        raise BadGame(f"there is no evaluation to learn for {rules.game_string()}: its family has no tables")
    return tables


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
    model = tables_of(Position(game).rules)
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
    heuristic = tables_of(rules).heuristic(learned.weights, learned.tempo)
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


# ---- What the rows say ----


SAY = Sentences(__file__)


@finding("learning")
def in_words(rows: list[Row]) -> str:
    """Whether what was learned beats what was made by hand."""
    play = having(rows, "learned_from", "share")
    curve = [(game, max(some, key=lambda row: int(row["games"]))["test_loss"])
             for (game,), some in grouped(having(rows, "test_loss"), "game").items()]
    return SAY.finding(series=_counted(_most(play)), hardest=_hardest(_most(play)), first=_first(play), curve=curve,
                       windows=_windows(having(rows, "discs", "ratio")))


def _most(rows: Sequence[Row]) -> list[Row]:
    """The series of what was learned from most games, by game."""
    found = []
    for _, some in grouped(rows, "game").items():
        most = max(row["learned_from"] for row in some)
        found += [row for row in some if row["learned_from"] == most]
    return found


def _counted(rows: Sequence[Row]) -> list[Row]:
    """By game: series in which it is clearly ahead and clearly behind, and all of them. A series is an opponent and a limit."""
    found = []
    for (game,), some in grouped(rows, "game").items():
        sure = [verdict(result_of([row])) for row in some]
        found.append({"game": game, "ahead": sure.count("ahead"), "behind": sure.count("behind"), "of": len(sure)})
    return found


def _hardest(rows: Sequence[Row]) -> list[Row]:
    """By game: the rival that it scores least against, with the lowest and the highest share."""
    found = []
    for (game,), some in grouped(rows, "game").items():
        shares = {rival: sorted(result_of([row]).share for row in same) for (rival,), same in grouped(some, "other").items()}
        rival = min(shares, key=lambda name: fmean(shares[name]))
        found.append({"game": game, "rival": rival, "low": shares[rival][0], "high": shares[rival][-1]})
    return found


def _first(rows: Sequence[Row]) -> Row | None:
    """How it was after the first round, if there were more."""
    amounts = sorted({row["learned_from"] for row in rows})
    if len(amounts) < 2:
        return None
    return {"games": amounts[0], "series": _counted([row for row in rows if row["learned_from"] == amounts[0]])}


def _windows(rows: Sequence[Row]) -> Row | None:
    """What windows are worth by their discs, to us and to the report."""
    if not rows:
        return None
    most = max(row["rounds"] for row in rows)
    ours = {discs: fmean(row["ratio"] for row in some) for discs in sorted({row["discs"] for row in rows})
            if (some := [row for row in rows if row["discs"] == discs and row["rounds"] == most])}
    theirs = {row["discs"]: row["report_ratio"] for row in having(rows, "report_ratio")}
    return {"ours": list(ours.values()), "theirs": [theirs[discs] for discs in sorted(theirs)]}


@claim("learning", report="002", says="machine learning would improve the player (future work): learned against its own zero-sum")
def learned_is_better(rows: list[Row]) -> Judgement:
    """With all limits together and most by themselves, by what was learned from most games."""
    duels = {str(row["limit"]): result_of([row]) for row in _most(having(rows, "learned_from", "share"))
             if row["other"] == "zero-sum" and str(row["game"]).startswith("connect4")}
    if not duels:
        return NOT_TOLD
    return judged(*carried(list(duels.values())), SAY.against(duels=list(duels.items()), together=sum(duels.values(), SeriesResult())))
