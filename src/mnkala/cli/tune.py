"""`mnkala tune` and `mnkala sprt`: weights from the results of games, settings by play, and
sequential tests of two engines.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from mnkala.cli.arguments import (
    AsJson,
    GameString,
    OutFile,
    Processes,
    Retry,
    Scheduler,
    Within,
    resumable,
    show,
    tell_failures,
)
from mnkala.folders import write_text
from mnkala.jobs import shown_on
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.arena.tune_settings import Tuned

GamesFile = Annotated[
    Path | None,
    Parameter(
        help="The file that keeps the games; if not given, arena.sqlite in the user's data folder."
    ),
]
Openings = Annotated[
    str,
    Parameter(
        help="auto: the set that comes with the game, if there is one, and random ones after it; random: "
        "balanced ones by --seed; plies:4: four random moves; or a file that `mnkala openings` wrote."
    ),
]
MOST_SHOWN = 10
UNPLAYED = "some pairs could not be played and are left alone until the same command with --retry:"

tune = App(
    name="tune",
    help="Look for numbers that make an engine stronger: the weights of its evaluation, the settings of its search.\n\n"
    "What it finds is a proposal: `mnkala sprt` says whether it plays better.",
)


@tune.command
def weights(
    game: GameString,
    *,
    engine: Annotated[
        str | None,
        Parameter(
            help="Who plays the games; if not given, threats:nodes=1000, in Connect "
            "deepening:nodes=500."
        ),
    ] = None,
    games: Annotated[
        int, Parameter(help="How many games to learn from; a fifth of them is held out.")
    ] = 1000,
    seed: Annotated[int, Parameter(help="The seed of the openings and random moves.")] = 1,
    out: Annotated[
        Path | None, Parameter(help="The file to write; if not given, weights-GAME.json here.")
    ] = None,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: GamesFile = None,
    retry: Retry = False,
    json: AsJson = False,
) -> None:
    """Learn the weights of an evaluation from self-played games: `mnkala tune weights gomoku
    --games 2000`.

    The results are regressed on the features of quiet positions (Texel's method). It prints,
    in bits, how well the weights before and those that were learned predict the results of games
    that were held out, and writes a file that engine strings name: threats:heuristic=FILE, and in
    Connect deepening:heuristic=FILE. Games are kept; after Ctrl-C the same command
    continues.
    """
    from mnkala.arena.game_job import default_data
    from mnkala.arena.models import model_for
    from mnkala.arena.tune_weights import tune_weights
    from mnkala.core import parse_game

    rules = parse_game(game)
    model = model_for(rules)
    played_by = engine or model.self_play
    command = f"mnkala tune weights {rules.game_string()} --engine {played_by} --games {games} --seed {seed}"
    with resumable(
        f"what was played is kept in {data or default_data()}; the same command continues"
    ):
        learned, file = tune_weights(
            rules,
            played_by,
            games=games,
            seed=seed,
            data=data,
            jobs=jobs,
            cluster=cluster,
            retry=retry,
            progress=shown_on(f"self-play of {played_by}"),
            command=command,
        )
    path = write_text(
        out or Path(f"weights-{rules.game_string().replace(':', '-')}.json"), file.decode() + "\n"
    )
    told = {
        name: value
        for name, value in dataclasses.asdict(learned).items()
        if name not in ("weights", "tempo")
    }
    words = (
        f"{counted(learned.positions, 'quiet position')} of {counted(learned.games, 'game')} (data {learned.digest}); "
        f"{counted(learned.held_out, 'position')} held out\n"
        f"bits a result: {learned.bits_before:.4f} by what was guessed, {learned.bits_after:.4f} by what was learned\n"
        f"play it: {model.player(str(path))}"
    )
    show(json, {**told, "file": str(path), "engine": model.player(str(path))}, [words])


@tune.command
def settings(
    game: GameString,
    *,
    engine: Annotated[
        str, Parameter(help="The engine to tune, with its limit; its own numbers are the start.")
    ] = "threats:nodes=2000",
    vary: Annotated[
        list[str] | None,
        Parameter(
            help="A number and its range, late:1..10; may be given several times. All settings of "
            "threats if none is given."
        ),
    ] = None,
    pairs: Annotated[int, Parameter(help="How many pairs of games.")] = 2000,
    batch: Annotated[int, Parameter(help="Pairs that are played before the numbers move.")] = 16,
    rate: Annotated[
        float, Parameter(help="How far a won pair moves the numbers, in steps, at the end.")
    ] = 0.02,
    openings: Openings = "auto",
    seed: Annotated[int, Parameter(help="The seed of the openings and directions.")] = 1,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: GamesFile = None,
    retry: Retry = False,
    json: AsJson = False,
) -> None:
    """Tune the numbers that steer a search: `mnkala tune settings gomoku --vary late:1..10 --vary
    width:4..40`.

    Simultaneous perturbation (SPSA): all numbers move a step in random directions, and play against
    the opposite. Games are kept; after Ctrl-C the same command continues. Prints the engine string
    with the best numbers; `mnkala sprt` says whether it is stronger.
    """
    from mnkala.arena.game_job import default_data
    from mnkala.arena.tune_settings import tune_settings
    from mnkala.core import parse_game

    rules = parse_game(game)

    def tell(so_far: Tuned) -> None:
        listed = " ".join(f"{name} {value:g}" for name, value in so_far.values.items())
        print(f"{so_far.pairs} of {counted(pairs, 'pair')}: {listed}", file=sys.stderr, flush=True)

    with resumable(
        f"what was played is kept in {data or default_data()}; the same command continues"
    ):
        tuned = tune_settings(
            rules,
            engine,
            ranges=vary or (),
            pairs=pairs,
            batch=min(batch, pairs),
            rate=rate,
            openings=openings,
            seed=seed,
            data=data,
            jobs=jobs,
            cluster=cluster,
            retry=retry,
            tell=tell,
        )
    tell_failures(tuned.failures, UNPLAYED)
    show(
        json,
        {
            "engine": tuned.engine,
            "values": tuned.values,
            "pairs": tuned.pairs,
            "failures": list(tuned.failures),
        },
        [
            tuned.engine,
            f"is it stronger? mnkala sprt {tuned.engine} {engine} --game {rules.game_string()}",
        ],
    )


def sprt(
    new: Annotated[
        str,
        Parameter(
            help="The engine that is to be accepted: an engine string, with its limit: threats:nodes=5000."
        ),
    ],
    old: Annotated[str, Parameter(help="The engine that it must beat.")],
    *,
    game: GameString,
    elo0: Annotated[
        float,
        Parameter(
            help="Reject the new engine if it is stronger by no more than this many points of Elo."
        ),
    ] = 0.0,
    elo1: Annotated[
        float,
        Parameter(
            help="Accept the new engine if it is stronger by at least this many points of Elo."
        ),
    ] = 10.0,
    alpha: Annotated[
        float, Parameter(help="The chance of wrongly accepting the new engine.")
    ] = 0.05,
    beta: Annotated[
        float, Parameter(help="The chance of wrongly rejecting the new engine.")
    ] = 0.05,
    openings: Openings = "auto",
    seed: Annotated[int, Parameter(help="The seed of the openings.")] = 1,
    most: Annotated[int, Parameter(help="Pairs of games to play at most.")] = 1000,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: GamesFile = None,
    log: Annotated[
        Path | None,
        Parameter(help="A Markdown file to add the result to, such as docs/engine-log.md."),
    ] = None,
    change: Annotated[str, Parameter(help="What was changed, for the log.")] = "",
    retry: Retry = False,
    json: AsJson = False,
) -> int:
    """Test whether an engine is stronger than another: `mnkala sprt
    threats:nodes=2000,tuning=late:4 threats:nodes=2000 --game gomoku`.

    Plays pairs of games, each opening with both colours, until a sequential test says which of elo0
    and elo1 is nearer to the truth. Games are kept as they come; after Ctrl-C (or worse) the same
    command continues. The exit status is 0 if the new engine is accepted, else 1.
    """
    from mnkala.arena.game_job import default_data
    from mnkala.arena.sprt import Sprt, Standing, append_to_log, run_sprt
    from mnkala.core import parse_game

    rules, test = parse_game(game), Sprt(elo0, elo1, alpha, beta)
    last = Standing(rules.game_string(), new, old, test)

    def watch(state: Standing) -> None:
        nonlocal last
        last = state

    with resumable(
        lambda: (
            f"{last}\n{counted(last.pairs.number, 'pair')} kept in {data or default_data()}; the same command continues"
        )
    ):
        tested = run_sprt(
            rules,
            new,
            old,
            test,
            openings=openings,
            seed=seed,
            most=most,
            data=data,
            jobs=jobs,
            cluster=cluster,
            retry=retry,
            progress=shown_on(f"{new} against {old}"),
            watch=watch,
        )
    for fault in tested.faults[:MOST_SHOWN]:
        print(fault, file=sys.stderr)
    tell_failures(tested.failures, UNPLAYED)
    if log is not None:
        append_to_log(log, tested, change or f"{new} for {old}")
    words = f"{new} against {old} on {tested.game}: {tested}"
    show(json, tested.as_json(), [words, tested.verdict])
    return 0 if tested.verdict == "accepted" else 1


def openings(
    game: GameString,
    *,
    count: Annotated[
        int, Parameter(alias="-n", validator=Within(1, 100_000), help="How many openings.")
    ] = 20,
    seed: Annotated[int, Parameter(help="The seed of the random openings.")] = 1,
    judge: Annotated[
        str | None,
        Parameter(
            help="The engine string of the search that must find them even; if not given, the game's "
            "strongest with 20,000 nodes."
        ),
    ] = None,
    even: Annotated[
        float,
        Parameter(
            validator=Within(0.001, 0.5),
            help="How far from a half the chance of the player to move may be.",
        ),
    ] = 0.15,
    out: OutFile = None,
) -> None:
    """Find openings that favour nobody: `mnkala openings gomoku -n 200 --out FILE`, for `mnkala
    sprt --openings FILE`.
    """
    from mnkala.arena.openings import CAREFUL_NODES, judge_for, make_set, write_set
    from mnkala.core import parse_game
    from mnkala.play.engine_game import engine_for

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
