"""Pairs of games as jobs: two engines play an opening twice, with the sides changed.

The jobs of a test are kept in one store, so that an interrupted test continues where it stopped and
nothing is played twice. A result belongs to the engines as they are: its key contains a digest of
the code that plays the game and of the files that the engine strings name, so games are played
again after an edit.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mnkala.arena.identity import engine_identity, program_digest
from mnkala.arena.openings import balanced_opening
from mnkala.core import Position, Rules, parse_game
from mnkala.folders import data_folder
from mnkala.jobs import Job, Outcome, Progress, Run, Store
from mnkala.play.engine_game import Played, engine_for, play_game


def default_data() -> Path:
    """The file in which games are kept unless another is named."""
    return data_folder() / "arena.sqlite"


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two games from one opening, from the new engine's view."""

    number: int
    opening: str
    points: tuple[float, float]
    """The new engine's points in the game in which it has the first seat, and in the other."""
    games: tuple[str, str]
    """The moves of each game."""
    faults: tuple[str, str]
    """For each game, who lost otherwise than by the rules, and how; '' for nobody."""


def play_pair(game: str, new: str, old: str, number: int, seed: int, opening: str | None = None) -> dict[str, Any]:
    """Play two games from an opening, by default a balanced random one; a job for `mnkala.jobs`."""
    rules = parse_game(game)
    moves = balanced_opening(rules, seed, number).moves if opening is None else opening
    start = Position(rules).play(moves) if moves else Position(rules)
    played: list[Played] = []
    for first in (True, False):
        engines = engine_for(new, rules), engine_for(old, rules)
        played.append(play_game(start, engines if first else (engines[1], engines[0])))
    faults = [f"{new if one.points[seat] == 0 else old} lost by {one.fault}" if one.fault else "" for seat, one in enumerate(played)]
    return {"number": number, "opening": moves, "points": [played[0].points[0], played[1].points[1]],
            "games": [one.end.moves for one in played], "faults": faults}


def pair_of(outcome: Outcome) -> Pair:
    """Convert the outcome of a job to a pair."""
    found = outcome.value
    return Pair(found["number"], found["opening"], tuple(found["points"]), tuple(found["games"]), tuple(found["faults"]))


def pair_job(rules: Rules, new: str, old: str, number: int, seed: int, opening: str | None, names: tuple[str, str] | None = None) -> Job:
    """Make the job of a pair; `names` are the engines' identities, where they are known already."""
    game = rules.game_string()
    one, other = names or (engine_identity(new, rules), engine_identity(old, rules))
    start = f"opening {opening}" if opening is not None else f"seed {seed} {number}"
    return Job(f"pair {program_digest(game)} {game} | {one} | {other} | {start}", f"{__name__}:{play_pair.__name__}",
               {"game": game, "new": new, "old": old, "number": number, "seed": seed, "opening": opening})


def play_pairs(jobs: Sequence[Job], store: Store, *, workers: int | None = None, cluster: str | None = None,
               progress: Progress | None = None, retry: bool = False) -> Generator[Pair, None, None]:
    """Play what the store does not hold yet, and yield all pairs in the order of the jobs, whichever is
    finished first. Pairs that could not be played are left out. Closing the generator
    (`contextlib.closing`) ends the work."""
    keys = [job.key for job in jobs]

    def outcomes() -> Iterator[Outcome]:
        yield from (outcome for outcome in store.outcomes(keys).values() if not (retry and outcome.failed))
        with Run(jobs, store, workers=workers, cluster=cluster, progress=progress, retry=retry) as run:
            yield from run

    yield from pairs_in_order(keys, outcomes())


def pairs_in_order(keys: Sequence[str], outcomes: Iterable[Outcome]) -> Iterator[Pair]:
    """Yield pairs in the order of their keys, each as soon as it and all before it have come. Failed ones
    are left out."""
    waiting: dict[str, Outcome] = {}
    left = collections.deque(keys)
    for outcome in outcomes:
        waiting[outcome.key] = outcome
        while left and left[0] in waiting:
            come = waiting.pop(left.popleft())
            if not come.failed:
                yield pair_of(come)
