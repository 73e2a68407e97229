"""Pairs of games as jobs: two engines play an opening twice, with the sides changed.

The jobs of a test are kept in one store, so that an interrupted test continues where it stopped and
nothing is played twice. A result belongs to the engines as they are: its key contains a digest of
the code that plays the game and of the files that the engine strings name, so games are played
again after an edit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mnkala.arena.identity import engine_identity, program_digest
from mnkala.arena.openings import balanced_opening
from mnkala.core import Position, Rules, parse_game
from mnkala.folders import data_folder
from mnkala.jobs import Job, Outcome, Progress, Store, run_jobs
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


class Enough(Exception):
    """Raised by a listener that needs no more pairs."""


class _Hearer(Progress):
    """Passes pairs to a listener in the order of their numbers, and shows the lines that it
    returns."""

    def __init__(self, keys: Sequence[str], hear: Callable[[Pair], str], shown: Progress) -> None:
        self.keys, self.hear, self.shown = list(keys), hear, shown
        self.waiting: dict[str, Outcome] = {}
        self.next = 0

    def take(self, outcome: Outcome) -> None:
        """Pass on all pairs that are next in order; a pair that failed is skipped."""
        self.waiting[outcome.key] = outcome
        while self.next < len(self.keys) and self.keys[self.next] in self.waiting:
            come = self.waiting.pop(self.keys[self.next])
            self.next += 1
            if not come.failed:
                self.shown.label = self.hear(pair_of(come))

    def begin(self, total: int, kept: int) -> None:
        self.shown.begin(total, kept)

    def done(self, outcome: Outcome) -> None:
        try:
            self.take(outcome)
        finally:
            self.shown.done(outcome)

    def end(self) -> None:
        self.shown.end()


def run_pairs(jobs: Sequence[Job], store: Store, hear: Callable[[Pair], str], *, workers: int | None = None, cluster: str | None = None,
              progress: Progress | None = None, retry: bool = False) -> list[str]:
    """Play the pairs that the store does not hold yet; return the errors of those that could not be
    played.

    `hear` gets each pair in the order of the jobs, whichever finishes first, and returns a line
    about the state of the test. When it raises `Enough`, the rest is not played.
    """
    hearer = _Hearer([job.key for job in jobs], hear, progress or Progress())
    known = store.outcomes(hearer.keys)
    try:
        for key in hearer.keys:
            if key in known and not (retry and known[key].failed):
                hearer.take(known[key])
        run_jobs(jobs, store, workers=workers, cluster=cluster, progress=hearer, retry=retry)
    except Enough:
        pass
    return sorted({outcome.error for outcome in store.outcomes(hearer.keys).values() if outcome.error})
