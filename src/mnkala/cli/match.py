"""`mnkala match`: two engines play a series, and the result comes with its confidence. It is a
tournament of two.
"""

from __future__ import annotations

import contextlib
import json as json_module
import math
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mnkala.cli.arena import Adjudicate, Anew, BySwap2, ClockText, TournamentFile, title_of
from mnkala.cli.arguments import (
    AsJson,
    GameString,
    Processes,
    Retry,
    Scheduler,
    Within,
    tell_failures,
)
from mnkala.errors import MnkalaError
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.arena.game_job import GameResult
    from mnkala.arena.tournament import Tournament
    from mnkala.play.series import SeriesResult


def match(
    game: GameString,
    one: Annotated[
        str,
        Parameter(
            help="A level (1 to 10; easy, medium, hard, strongest; perfect where every move is exact) or an engine "
            "string; gomocup:/path/to/brain is a program that plays Gomoku, kaggle:agent.py an agent of "
            "ConnectX, "
            "open_spiel:mcts a bot, kgp:client {host} {port} a client of Kalah's protocol."
        ),
    ],
    other: Annotated[str, Parameter(help="The opponent: a level or an engine string.")],
    *,
    games: Annotated[
        int,
        Parameter(
            validator=Within(1, 1_000_000), help="How many games; an even number keeps it fair."
        ),
    ] = 100,
    opening: Annotated[
        int, Parameter(validator=Within(0, 1000), help="Random moves before the engines take over.")
    ] = 4,
    openings: Annotated[
        str | None,
        Parameter(
            help="Balanced openings instead: auto, random, or a file that `mnkala openings` wrote."
        ),
    ] = None,
    seed: Annotated[int, Parameter(help="The seed of the openings.")] = 1,
    swap2: BySwap2 = False,
    clock: ClockText = None,
    adjudicate: Adjudicate = None,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: TournamentFile = None,
    retry: Retry = False,
    anew: Anew = False,
    json: AsJson = False,
) -> int:
    """Let two engines play many games: `mnkala match connect4 alphabeta:depth=4
    mcts:iterations=1000`.

    Games start from random openings, each played twice with the sides changed. The result is the
    first engine's, with a 95 % confidence interval. Games are kept, and after Ctrl-C the same
    command continues; `mnkala web` shows them under Tournaments.
    """
    from mnkala.arena.openings import BY_PLIES
    from mnkala.arena.plan import label_of, make_plan
    from mnkala.arena.tournament import read_tournament, run_tournament, tournament_path
    from mnkala.cli.arena_table import UNPLAYED, progress_of
    from mnkala.core import parse_game
    from mnkala.play.engine_game import Conditions, read_clock
    from mnkala.play.opening_rule import SWAP2
    from mnkala.terminal.environment import print_wrapped

    rules = parse_game(game)
    names = label_of(one, rules), label_of(other, rules)
    plan = make_plan(
        [rules.game_string()],
        [one, other],
        names=names if names[0] != names[1] else (names[0], f"{names[1]} (2)"),
        format="match",
        games_each=games,
        openings=openings or f"{BY_PLIES}{opening}",
        seed=seed,
        conditions=Conditions(
            None if clock is None else read_clock(clock), SWAP2 if swap2 else None, adjudicate
        ),
    )
    path = data or tournament_path(plan.usual_name)
    progress, watch = progress_of(f"{names[0]} against {names[1]}", title_of)
    try:
        played = run_tournament(
            plan,
            path,
            jobs=jobs,
            cluster=cluster,
            retry=retry,
            anew=anew,
            progress=progress,
            watch=watch,
        )
    except KeyboardInterrupt:
        with contextlib.suppress(MnkalaError):  # it may not have begun
            kept = read_tournament(path)
            print(
                f"stopped after {len(kept.games)} of {counted(games, 'game')}, which are kept; the same command continues",
                file=sys.stderr,
            )
            print_wrapped(*in_words(kept, one, other).splitlines())
        raise
    faults = [
        {
            "game": 1 + found.fixture.number,
            "loser": (one, other)[found.faulty],
            "fault": found.fault,
        }
        for found in in_order(played)
        if found.faulty is not None
    ]
    for fault in faults:
        print(f"game {fault['game']}: {fault['loser']} lost by {fault['fault']}", file=sys.stderr)
    tell_failures(played.failures, UNPLAYED)
    if json:
        print(json_module.dumps(as_json(played, one, other) | {"faults": faults}))
    else:
        print_wrapped(*in_words(played, one, other).splitlines())
    return 1 if played.failures else 0


def in_order(played: Tournament) -> list[GameResult]:
    """The games in the order of their numbers."""
    return sorted(played.games, key=lambda game: game.fixture.number)


def result_of(played: Tournament) -> SeriesResult:
    """The result of all games from the first engine's point of view; a pair has both its games."""
    from mnkala.arena.ratings import encounters_of
    from mnkala.play.series import SeriesResult

    return sum((met.result for met in encounters_of(played.games)), SeriesResult())


def in_words(played: Tournament, one: str, other: str) -> str:
    """The result, and what each side spent, in words."""
    from mnkala.arena.sprt import PairShares

    result = result_of(played)
    lines = [f"{one} against {other} on {played.plan.games[0]}: {result}"]
    if any(result.pairs):
        lines.append(
            f"  Elo {PairShares.of(result)} by {counted(sum(result.pairs), 'pair')} ({' '.join(map(str, result.pairs))})"
        )
    lines += [f"  {name}: {spent}" for name, spent in zip((one, other), played.spent, strict=True)]
    return "\n".join(lines)


def as_json(played: Tournament, one: str, other: str) -> dict[str, object]:
    """All numbers for programs; an infinite Elo is null."""
    from mnkala.arena.sprt import PairShares

    result = result_of(played)
    pairs = PairShares.of(result)
    low, high = result.interval
    elo = [
        None if math.isinf(number) else round(number, 2) for number in (pairs.elo, *pairs.interval)
    ]
    return {
        "game": played.plan.games[0],
        "one": one,
        "other": other,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "share": result.share,
        "low": low,
        "high": high,
        "pentanomial": list(result.pairs),
        "elo": elo[0],
        "elo_low": elo[1],
        "elo_high": elo[2],
        "spent": [spent.as_json() for spent in played.spent],
        "name": played.name,
    }
