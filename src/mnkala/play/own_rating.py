"""A person's rating from games against the levels, on the same scale, and where its results are
kept.

The rating is the most likely strength by Elo's (1978) curve under a wide normal prior around the
middle of the ladder, with the 95 % interval from the curvature. A draw counts as half a win and
half a loss. Games in which a move was taken back or help was used (a hint, an analysis, the
book, threats) do not count. Results of the terminal are kept in the user's data folder, those of
the page in the browser; nothing is sent anywhere. `mnkala levels --forget` deletes the former, a
button of the page the latter.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING

from mnkala.core import Rules
from mnkala.errors import MnkalaError
from mnkala.explain.words import say
from mnkala.folders import data_folder, file_errors
from mnkala.play.levels import ladder_of, level_of, read_level

if TYPE_CHECKING:
    from mnkala.play.game_state import GameState

ENOUGH_GAMES = 3
"""The fewest games for a rating."""
KEPT_GAMES = 200
"""Only the latest games of each game string count, because people learn."""
PRIOR_ELO = 300.0
"""The prior standard deviation of a person's strength."""
PER_POINT = math.log(10) / 400


@dataclasses.dataclass(frozen=True)
class OwnRating:
    """An estimated rating, with its 95 % interval."""

    rating: float
    low: float
    high: float
    games: int

    def words(self, language: str = "en") -> str:
        """The rating as a sentence."""
        numbers = {name: round(value) for name, value in dataclasses.asdict(self).items()}
        return say("game.own_rating", language, **numbers)


def estimate(results: Sequence[tuple[float, float]], middle: float) -> OwnRating | None:
    """The rating of a person who made these points (0, ½ or 1) against opponents of these
    ratings; None after too few games."""
    if len(results) < ENOUGH_GAMES:
        return None
    rating, precision = middle, 1 / PRIOR_ELO**2
    for _ in range(50):  # Newton's method on a concave function
        expected = [1 / (1 + math.exp(PER_POINT * (opponent - rating))) for opponent, _ in results]
        slope = PER_POINT * sum(
            points - each for (_, points), each in zip(results, expected, strict=True)
        ) - precision * (rating - middle)
        curvature = PER_POINT**2 * sum(each * (1 - each) for each in expected) + precision
        step = max(-200.0, min(200.0, slope / curvature))
        rating += step
        if abs(step) < 0.01:
            break
    half = NormalDist().inv_cdf(0.975) / math.sqrt(curvature)
    return OwnRating(rating, rating - half, rating + half, len(results))


def own_rating(rules: Rules, results: Sequence[tuple[str, float]]) -> OwnRating | None:
    """The rating from results against levels of a game; None also if its levels were not
    calibrated."""
    ratings = [level.rating for level in ladder_of(rules) if level.rating is not None]
    if not ratings:
        return None
    rated = [
        (level_of(level, rules).rating or 0.0, points) for level, points in results[-KEPT_GAMES:]
    ]
    return estimate(rated, (ratings[0] + ratings[-1]) / 2)


# ---- The terminal's results ----


def results_file() -> Path:
    """The file of results, one line each, so that two games which end at the same time lose
    nothing."""
    return data_folder() / "own_results.jsonl"


def kept_results(game: str | None = None) -> list[tuple[str, float]]:
    """The results for a game string, or all of them, the latest last. Unreadable lines are
    skipped."""
    try:
        lines = results_file().read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    found = []
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, KeyError):
            entry = json.loads(line)
            if game in (None, entry["game"]) and read_level(str(entry["level"])) is not None:
                found.append((str(entry["level"]), min(1.0, max(0.0, float(entry["points"])))))
    return found


def result_against_level(game: GameState) -> tuple[str, float] | None:
    """The level against which a person played a whole game without help, and the person's
    points; None for any other game."""
    seats = [seat for seat in (0, 1) if game.players[seat].is_human]
    if (
        len(seats) != 1
        or not game.is_over
        or not game.unaided
        or game.position.start_literal is not None
        or game.outcome is None
    ):
        return None
    level = read_level(game.players[1 - seats[0]].name)
    if level is None or level_of(level, game.position.rules).rating is None:
        return None
    winner = game.outcome.winner
    return level_of(level, game.position.rules).player, 0.5 if winner is None else float(
        winner == seats[0]
    )


def note_result(game: GameState) -> OwnRating | None:
    """Keep the result of a finished game if it counts, and return the estimate that includes it."""
    found = result_against_level(game)
    if found is None:
        return None
    rules, path = game.position.rules, results_file()
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(
                json.dumps({"game": rules.game_string(), "level": found[0], "points": found[1]})
                + "\n"
            )
    return own_rating(rules, kept_results(rules.game_string()))


def forget_results() -> int:
    """Delete all results that are kept, and return how many there were."""
    count = len(kept_results())
    try:
        results_file().unlink(missing_ok=True)
    except OSError as error:
        raise MnkalaError(f"{results_file()} cannot be deleted: {error.strerror}") from None
    return count
