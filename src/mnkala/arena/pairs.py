"""Pairs of games as jobs: two engines play an opening twice, with the sides changed.

The jobs of a test lie in one store of results, so that an interrupted test goes on where it stopped, and nothing is played twice. A result
belongs to the engines as they are: its key has a digest of the code that plays the game and of the files that the engine strings name, so
after an edit games are played anew.
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
    """Where games are kept unless another file is named."""
    return data_folder() / "arena.sqlite"


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two games, as the new engine sees them."""

    number: int
    opening: str
    points: tuple[float, float]
    """Of the game in which the new engine sits in the first seat, and of the other."""
    games: tuple[str, str]
    """All moves of each."""
    faults: tuple[str, str]
    """Who lost otherwise than by the rules, and how; '' for nobody."""


def play_pair(game: str, new: str, old: str, number: int, seed: int, opening: str | None = None) -> dict[str, Any]:
    """A job: two games from an opening, from a balanced random one if none is given."""
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
    """What a job found."""
    found = outcome.value
    return Pair(found["number"], found["opening"], tuple(found["points"]), tuple(found["games"]), tuple(found["faults"]))


def pair_job(rules: Rules, new: str, old: str, number: int, seed: int, opening: str | None, names: tuple[str, str] | None = None) -> Job:
    """The job of a pair; `names` are the engines' identities, where they are known."""
    game = rules.game_string()
    one, other = names or (engine_identity(new, rules), engine_identity(old, rules))
    start = f"opening {opening}" if opening is not None else f"seed {seed} {number}"
    return Job(f"pair {program_digest(game)} {game} | {one} | {other} | {start}", f"{__name__}:{play_pair.__name__}",
               {"game": game, "new": new, "old": old, "number": number, "seed": seed, "opening": opening})


class Enough(Exception):
    """Raised by a listener that needs no more pairs."""


class _Hearer(Progress):
    """Lets a listener hear every pair, in the order of their numbers, and what it says be shown."""

    def __init__(self, keys: Sequence[str], hear: Callable[[Pair], str], shown: Progress) -> None:
        self.keys, self.hear, self.shown = list(keys), hear, shown
        self.waiting: dict[str, Outcome] = {}
        self.next = 0

    def take(self, outcome: Outcome) -> None:
        """Hear what has come in order; a pair that failed is passed over."""
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
    """Play what the store does not hold yet. `hear` gets each pair in the order of the jobs, whoever finishes first, and returns a line on
    how things stand; when it raises `Enough` the rest is not played. The errors of pairs that could not be played."""
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
