"""`mnkala tune`: weights from the results of games, settings by play."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from mnkala.cli.arguments import AsJson, GameString, Processes, Retry, Scheduler
from mnkala.cli.sprt import GamesFile, Openings
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.arena.tune_settings import Tuned

tune = App(name="tune", help="Look for numbers that make an engine stronger: the weights of its evaluation, the settings of its search.\n\n"
           "What it finds is a proposal: `mnkala sprt` says whether it plays better.")


@tune.command
def weights(
    game: GameString,
    *,
    engine: Annotated[str | None, Parameter(help="Who plays the games; if not given, threats:nodes=1000, in Connect "
                                                 "deepening:nodes=500.")] = None,
    games: Annotated[int, Parameter(help="How many games to learn from; a fifth of them is held out.")] = 1000,
    seed: Annotated[int, Parameter(help="Fixes openings and random moves.")] = 1,
    out: Annotated[Path | None, Parameter(help="The file to write; if not given, weights-GAME.json here.")] = None,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: GamesFile = None,
    retry: Retry = False,
    json: AsJson = False,
) -> None:
    """Learn the weights of an evaluation from self-played games: `mnkala tune weights gomoku --games 2000`.

    The results are regressed on the features of quiet positions (Texel's method). It tells, in bits, how well the results of games that
    were held out are foretold, by the weights before and by those that were learned, and writes a file that engine strings name:
    threats:heuristic=FILE, and in Connect deepening:heuristic=FILE. Games are kept; after Ctrl-C the same command goes on.
    """
    import dataclasses
    import json as json_module

    from mnkala.arena.models import model_for
    from mnkala.arena.pairs import default_data
    from mnkala.arena.tune_weights import tune_weights
    from mnkala.core import parse_game
    from mnkala.folders import write_text
    from mnkala.jobs import shown_on

    rules = parse_game(game)
    model = model_for(rules)
    played_by = engine or model.self_play
    command = f"mnkala tune weights {rules.game_string()} --engine {played_by} --games {games} --seed {seed}"
    try:
        learned, file = tune_weights(rules, played_by, games=games, seed=seed, data=data, jobs=jobs, cluster=cluster, retry=retry,
                                     progress=shown_on(f"self-play of {played_by}"), command=command)
    except KeyboardInterrupt:
        print(f"\nwhat was played is kept in {data or default_data()}; the same command goes on", file=sys.stderr)
        raise
    path = write_text(out or Path(f"weights-{rules.game_string().replace(':', '-')}.json"), file.decode() + "\n")
    if json:
        told = {name: value for name, value in dataclasses.asdict(learned).items() if name not in ("weights", "tempo")}
        print(json_module.dumps({**told, "file": str(path), "engine": model.player(str(path))}))
        return
    print(f"{counted(learned.positions, 'quiet position')} of {counted(learned.games, 'game')} (data {learned.digest}); "
          f"{counted(learned.held_out, 'position')} held out\n"
          f"bits a result: {learned.bits_before:.4f} by what was guessed, {learned.bits_after:.4f} by what was learned\n"
          f"play it: {model.player(str(path))}")


@tune.command
def settings(
    game: GameString,
    *,
    engine: Annotated[str, Parameter(help="The engine to tune, with its limit; its own numbers are the start.")] = "threats:nodes=2000",
    vary: Annotated[list[str] | None, Parameter(help="A number and its range, late:1..10; may be given several times. All settings of "
                                                     "threats if none is given.")] = None,
    pairs: Annotated[int, Parameter(help="How many pairs of games.")] = 2000,
    batch: Annotated[int, Parameter(help="Pairs that are played before the numbers move.")] = 16,
    rate: Annotated[float, Parameter(help="How far a won pair moves the numbers, in steps, at the end.")] = 0.02,
    openings: Openings = "auto",
    seed: Annotated[int, Parameter(help="Fixes openings and directions.")] = 1,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: GamesFile = None,
    retry: Retry = False,
    json: AsJson = False,
) -> None:
    """Tune the numbers that steer a search: `mnkala tune settings gomoku --vary late:1..10 --vary width:4..40`.

    Simultaneous perturbation (SPSA): all numbers move a step in random directions, and play against the opposite. Games are kept; after
    Ctrl-C the same command goes on. Prints the engine string with the best numbers; `mnkala sprt` says whether it is stronger.
    """
    import json as json_module

    from mnkala.arena.pairs import default_data
    from mnkala.arena.tune_settings import tune_settings
    from mnkala.core import parse_game

    rules = parse_game(game)

    def tell(so_far: Tuned) -> None:
        listed = " ".join(f"{name} {value:g}" for name, value in so_far.values.items())
        print(f"{so_far.pairs} of {counted(pairs, 'pair')}: {listed}", file=sys.stderr, flush=True)

    try:
        tuned = tune_settings(rules, engine, ranges=vary or (), pairs=pairs, batch=min(batch, pairs), rate=rate, openings=openings,
                              seed=seed, data=data, jobs=jobs, cluster=cluster, retry=retry, tell=tell)
    except KeyboardInterrupt:
        print(f"\nwhat was played is kept in {data or default_data()}; the same command goes on", file=sys.stderr)
        raise
    for failure in tuned.failures[:5]:
        print(f"failed: {failure}", file=sys.stderr)
    if json:
        print(json_module.dumps({"engine": tuned.engine, "values": tuned.values, "pairs": tuned.pairs, "failures": list(tuned.failures)}))
        return
    print(f"{tuned.engine}\nis it stronger? mnkala sprt {tuned.engine} {engine} --game {rules.game_string()}")
