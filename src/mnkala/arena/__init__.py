"""Engines against each other: tournaments with ratings, tests of whether a change makes an engine
stronger, and tuning.

`tournament` plays a `plan`, each game as a job (`game_job`); `ratings` makes the table and rates
the players, `calibrate` the ladder of all tournaments and the levels. `openings` has starting
positions that favour nobody, and `sprt` is the sequential test over pairs of games. `models` and
`tune_weights` learn the weights of an evaluation from the results of games (Texel's method);
`tune_settings` looks for the numbers that steer a search.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnkala.arena.game_job import GameResult
    from mnkala.arena.plan import TournamentPlan, make_plan
    from mnkala.arena.ratings import Standings, TableRow
    from mnkala.arena.sprt import PairShares, Sprt, Standing, run_sprt
    from mnkala.arena.tournament import Tournament, read_tournament, run_tournament, tournament_path
else:
    from mnkala.lazily import names_of

    __getattr__ = names_of(
        "mnkala.arena",
        {
            "mnkala.arena.game_job": ("GameResult",),
            "mnkala.arena.plan": ("TournamentPlan", "make_plan"),
            "mnkala.arena.ratings": ("Standings", "TableRow"),
            "mnkala.arena.sprt": ("PairShares", "Sprt", "Standing", "run_sprt"),
            "mnkala.arena.tournament": (
                "Tournament",
                "read_tournament",
                "run_tournament",
                "tournament_path",
            ),
        },
    )

__all__ = [
    "GameResult",
    "PairShares",
    "Sprt",
    "Standing",
    "Standings",
    "TableRow",
    "Tournament",
    "TournamentPlan",
    "make_plan",
    "read_tournament",
    "run_sprt",
    "run_tournament",
    "tournament_path",
]
