"""`mnkala sprt`: is the new engine stronger than the old one? And `mnkala openings`, the starts for such games."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import AsJson, GameString, Processes, Retry, Scheduler
from mnkala.numbers import counted

GamesFile = Annotated[Path | None, Parameter(help="The file that keeps the games; if not given, arena.sqlite in the user's data folder.")]
Openings = Annotated[str, Parameter(help="auto: the set that comes with the game, if there is one, and random ones after it; random: "
                                         "balanced ones by --seed; or a file that `mnkala openings` wrote.")]
MOST_SHOWN = 10


def sprt(
    new: Annotated[str, Parameter(help="The engine that is to be accepted: an engine string, with its limit: threats:nodes=5000.")],
    old: Annotated[str, Parameter(help="The engine that it must beat.")],
    *,
    game: GameString = "gomoku",
    elo0: Annotated[float, Parameter(help="Reject the new engine if it is no more than this stronger, …")] = 0.0,
    elo1: Annotated[float, Parameter(help="… and accept it if it is as much as this.")] = 10.0,
    alpha: Annotated[float, Parameter(help="The chance of accepting wrongly.")] = 0.05,
    beta: Annotated[float, Parameter(help="The chance of rejecting wrongly.")] = 0.05,
    openings: Openings = "auto",
    seed: Annotated[int, Parameter(help="Fixes the openings.")] = 1,
    most: Annotated[int, Parameter(help="Pairs of games to play at most.")] = 1000,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: GamesFile = None,
    log: Annotated[Path | None, Parameter(help="A Markdown file to add the result to, such as docs/engine-log.md.")] = None,
    change: Annotated[str, Parameter(help="What was changed, for the log.")] = "",
    retry: Retry = False,
    json: AsJson = False,
) -> int:
    """Test whether an engine is stronger than another: `mnkala sprt threats:nodes=2000,tuning=late:4 threats:nodes=2000`.

    Plays pairs of games, each opening with both colours, until a sequential test says which of elo0 and elo1 is nearer to the truth. Games
    are kept as they come; after Ctrl-C (or worse) the same command goes on. The exit status is 0 if the new engine is accepted, else 1.
    """
    from mnkala.arena.pairs import default_data
    from mnkala.arena.sprt import Sprt
    from mnkala.arena.testing import Standing, append_to_log, run_sprt
    from mnkala.core import parse_game
    from mnkala.jobs import shown_on

    rules, test = parse_game(game), Sprt(elo0, elo1, alpha, beta)
    last = Standing(rules.game_string(), new, old, test)

    def watch(state: Standing) -> None:
        nonlocal last
        last = state

    try:
        tested = run_sprt(rules, new, old, test, openings=openings, seed=seed, most=most, data=data, jobs=jobs, cluster=cluster,
                          retry=retry, progress=shown_on(f"{new} against {old}"), watch=watch)
    except KeyboardInterrupt:
        print(f"\n{last}\n{counted(last.pairs.number, 'pair')} kept in {data or default_data()}; the same command goes on", file=sys.stderr)
        raise
    for fault in tested.faults[:MOST_SHOWN]:
        print(fault, file=sys.stderr)
    if tested.failures:
        print("some pairs could not be played and are left alone until the same command with --retry:", file=sys.stderr)
    for failure in tested.failures[:MOST_SHOWN]:
        print(f"failed: {failure}", file=sys.stderr)
    if log is not None:
        append_to_log(log, tested, change or f"{new} for {old}")
    print(json_module.dumps(tested.as_json()) if json else f"{new} against {old} on {tested.game}: {tested}\n{tested.verdict}")
    return 0 if tested.verdict == "accepted" else 1


def openings(
    game: GameString,
    *,
    count: Annotated[int, Parameter(alias="-n", help="How many.")] = 20,
    seed: Annotated[int, Parameter(help="Fixes what is drawn.")] = 1,
    judge: Annotated[str | None, Parameter(help="The engine string of the search that must find them even; if not given, the game's "
                                                "strongest with 20,000 nodes.")] = None,
    even: Annotated[float, Parameter(help="How far from a half the chance of the player to move may be.")] = 0.15,
    out: Annotated[Path | None, Parameter(help="The file to write; standard output if not given.")] = None,
) -> None:
    """Find openings that favour nobody: `mnkala openings gomoku -n 200 --out FILE`, for `mnkala sprt --openings FILE`."""
    from mnkala.arena.openings import CAREFUL_NODES, judge_for, make_set, write_set
    from mnkala.core import parse_game
    from mnkala.errors import MnkalaError
    from mnkala.play.engine_game import engine_for

    if not 1 <= count <= 100_000 or not 0 < even <= 0.5:
        raise MnkalaError(f"{counted(count, 'opening')} within {even:g} of even; 1 to 100,000 are possible, within 0 to 0.5")
    rules = parse_game(game)
    judge = judge or judge_for(rules, CAREFUL_NODES)
    engine_for(judge, rules)
    found = []
    for one in make_set(rules, count, seed, judge, even):
        found.append(one)
        if out is None:
            print(f"{one.moves}  {one.chance:.3f}", flush=True)
        elif len(found) % MOST_SHOWN == 0:
            print(f"{len(found)} of {counted(count, 'opening')}", file=sys.stderr)
    if out is not None:
        made_by = f"mnkala openings {rules.game_string()} --count {count} --seed {seed} --judge {judge} --even {even:g} --out {out.name}"
        print(write_set(out, rules, found, made_by), file=sys.stderr)
