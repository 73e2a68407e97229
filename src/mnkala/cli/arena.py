"""`mnkala arena`: tournaments of engines, and the ratings of all players."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from mnkala.cli.arguments import AsJson, OutFile, Processes, Retry, Scheduler, flag, show
from mnkala.errors import MnkalaError, unknown
from mnkala.folders import write_text
from mnkala.jobs import PlainProgress
from mnkala.numbers import counted, read_decimal, shortened

if TYPE_CHECKING:
    from mnkala.arena.tournament import Tournament

arena = App(
    name="arena",
    help="Tournaments of engines, with ratings: `mnkala arena tournament connect4 easy medium hard`.",
)
TournamentFile = Annotated[
    Path | None,
    Parameter(
        help="The file that keeps the games; if not given, one in the user's data folder, where the page finds it."
    ),
]
ClockText = Annotated[
    str | None,
    Parameter(
        help="A clock for both sides, SECONDS or SECONDS+INCREMENT, such as 10+0.1. Engines share their time out over the game."
    ),
]
Adjudicate = Annotated[
    int | None,
    Parameter(
        help="From this move on end a game as soon as a solver has proved its result; only exact proofs count."
    ),
]
BySwap2 = Annotated[
    bool, flag("Gomoku: the engines make the openings themselves, by the rule Swap2.")
]
Anew = Annotated[
    bool,
    flag("Discard what was played under this name, and begin again."),
]


@arena.command
def tournament(
    game: Annotated[
        str, Parameter(help="A game string, or several with commas between them: connect4,kalah.")
    ],
    *players: Annotated[
        str,
        Parameter(
            help="Levels (easy, medium, hard, strongest; perfect where every move is exact) or engine strings; "
            "gomocup:/path/to/brain is a program that plays Gomoku, kaggle:agent.py an agent of ConnectX, "
            "open_spiel:mcts a bot, kgp:client {host} {port} a client of Kalah's protocol."
        ),
    ],
    format: Annotated[
        Literal["round-robin", "gauntlet", "swiss"],
        Parameter(
            help="Everyone meets everyone; the first player meets all others; neighbours in the table meet, round by round."
        ),
    ] = "round-robin",
    games: Annotated[
        int, Parameter(help="Games of each pairing, two from every opening with the sides changed.")
    ] = 10,
    rounds: Annotated[
        int | None,
        Parameter(
            help="Rounds of a Swiss tournament; if not given, one more than a knock-out would take."
        ),
    ] = None,
    challengers: Annotated[
        int,
        Parameter(help="Challengers of a gauntlet: how many of the first players meet all others."),
    ] = 1,
    names: Annotated[
        str,
        Parameter(
            show_default=False,
            help="What the players are called, in their order, with commas between them.",
        ),
    ] = "",
    time: Annotated[
        float | None,
        Parameter(help="Seconds per move, for engine strings without a limit of their own."),
    ] = None,
    nodes: Annotated[
        int | None,
        Parameter(help="Nodes per move, for engine strings without a limit of their own."),
    ] = None,
    depth: Annotated[
        int | None,
        Parameter(help="Plies to look ahead, for engine strings without a limit of their own."),
    ] = None,
    clock: ClockText = None,
    openings: Annotated[
        str,
        Parameter(
            help="auto: the set that comes with the game, if there is one, and balanced random ones after it; "
            "random: only these; plies:4: four random moves; or a file that `mnkala openings` "
            "wrote."
        ),
    ] = "auto",
    seed: Annotated[int, Parameter(help="The seed of the openings.")] = 1,
    swap2: BySwap2 = False,
    adjudicate: Adjudicate = None,
    grace: Annotated[
        float,
        Parameter(
            help="Seconds that a move may be late before the flag falls: pipes, a busy machine."
        ),
    ] = 1.0,
    anchor: Annotated[
        str | None,
        Parameter(
            help="NAME=RATING: this player has this rating, and the others follow. Without it the mean "
            "is 0."
        ),
    ] = None,
    name: Annotated[
        str | None,
        Parameter(
            help="What the tournament is called; if not given, a name is made from what is played."
        ),
    ] = None,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: TournamentFile = None,
    retry: Retry = False,
    anew: Anew = False,
    json: AsJson = False,
) -> int:
    """Play a tournament: `mnkala arena tournament connect4 easy medium hard --games 20`.

    Every game is kept as it ends; after Ctrl-C (or worse) the same command continues. Crashes, flag
    falls and illegal moves lose the game and are named. Ratings are by Bradley, Terry and Davidson,
    with 95 % intervals from pairs of games. `mnkala web` shows the same table live, under
    Tournaments, with every game to replay. The exit status is 0 if all games could be played.
    """
    from mnkala.arena.plan import make_plan
    from mnkala.arena.tournament import read_tournament, run_tournament, tournament_path
    from mnkala.cli.arena_table import print_table, progress_of, tell_faults
    from mnkala.play.engine_game import Conditions, read_clock
    from mnkala.play.opening_rule import SWAP2
    from mnkala.search import Limit

    limit = None if depth is nodes is time is None else Limit(depth=depth, nodes=nodes, time=time)
    conditions = Conditions(
        None if clock is None else read_clock(clock), SWAP2 if swap2 else None, adjudicate, grace
    )
    plan = make_plan(
        [each for each in game.split(",") if each.strip()],
        players,
        names=names.split(",") if names else (),
        limit=limit,
        format=format,
        games_each=games,
        rounds=rounds,
        challengers=challengers,
        openings=openings,
        seed=seed,
        conditions=conditions,
    )
    held = read_anchor(anchor, plan.names)
    path = data or tournament_path(name or plan.usual_name)
    progress, watch = progress_of(path.stem, title_of)
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
            tell=lambda text: print(f"mnkala: {text} …", file=sys.stderr, flush=True),
        )
    except KeyboardInterrupt:
        with contextlib.suppress(MnkalaError):  # it may not have begun
            kept = read_tournament(path)
            print_table(title_of(kept), kept.standings(held))
            print(
                f"\n{counted(len(kept.games), 'game')} kept in {path}; the same command continues",
                file=sys.stderr,
            )
        raise
    tell_faults(played)
    if json:
        show(json, as_json(played, held), ())
    else:
        print_table(title_of(played), played.standings(held))
    return 1 if played.failures else 0


@arena.command
def ladder(
    game: Annotated[str | None, Parameter(help="Only games of this game string.")] = None,
    *,
    name: Annotated[
        str | None, Parameter(help="Only this tournament; `mnkala arena list` names them.")
    ] = None,
    current: Annotated[
        bool,
        flag("Only games by the engines as they are now, not by those of other versions."),
    ] = False,
    json: AsJson = False,
) -> None:
    """Rate all players by all games that were played so far: `mnkala arena ladder connect4`.

    One table for each game, over all tournaments and matches; a player is its engine string.
    """
    from mnkala.arena.calibrate import ladders
    from mnkala.arena.tournament import read_all, read_tournament, tournament_path
    from mnkala.cli.arena_table import print_table
    from mnkala.core import parse_game

    if name is not None:
        read = [read_tournament(tournament_path(name))]
    else:
        read = read_all(read_tournament, lambda error: print(f"mnkala: {error}", file=sys.stderr))
    found = ladders(read, None if game is None else parse_game(game).game_string(), current=current)
    if json:
        show(json, [each.as_json() for each in found], ())
        return
    if not found:
        raise MnkalaError(
            "no games were played yet; for example: mnkala arena tournament connect4 easy medium hard"
        )
    for each in found:
        print_table(each.game, each.standings)
        for note in each.notes:
            print(note)


@arena.command(name="list")
def list_(*, json: AsJson = False) -> None:
    """List the tournaments and matches that are kept, the latest first."""
    from mnkala.arena.tournament import read_all, read_summary

    found = read_all(read_summary, lambda error: print(f"mnkala: {error}", file=sys.stderr))
    values = [
        {
            "name": one.name,
            "games": one.plan.games,
            "players": one.plan.names,
            "format": one.plan.format,
            "played": one.played,
            "total": one.plan.total,
        }
        for one in found
    ]
    show(
        json,
        values,
        (
            f"{one.name}  {', '.join(one.plan.games)}  {one.plan.format} of {len(one.plan.players)}  "
            f"{one.played} of {counted(one.plan.total, 'game')}"
            for one in found
        ),
    )
    if not found and not json:
        print("none yet", file=sys.stderr)


@arena.command
def games(
    name: Annotated[str, Parameter(help="The tournament; `mnkala arena list` names them.")],
    *,
    out: OutFile = None,
) -> None:
    """Write the games of a tournament as records: `mnkala arena games NAME --out games.txt`, also
    for `mnkala saved import`.
    """
    from mnkala.arena.tournament import read_tournament, tournament_path

    found = read_tournament(tournament_path(name))
    text = "".join(game.record(found.plan.names) for game in found.games)
    if out is None:
        print(text, end="")
    else:
        print(write_text(out, text), file=sys.stderr)


@arena.command
def calibrate(
    game: Annotated[str, Parameter(help="A game string.")],
    *,
    games: Annotated[
        int, Parameter(help="Games of each pairing, two from every opening with the sides changed.")
    ] = 40,
    top_games: Annotated[
        int | None,
        Parameter(
            help="Games of each pairing with the top level, which may be slow; as many if not given."
        ),
    ] = None,
    rounds: Annotated[
        int,
        Parameter(
            help="Tournaments; after each but the last the settings are moved to even steps."
        ),
    ] = 2,
    seed: Annotated[int, Parameter(help="The seed of the openings and of what is overlooked.")] = 1,
    out: OutFile = None,
    jobs: Processes = None,
    cluster: Scheduler = None,
) -> None:
    """Measure the levels of a game, and move them to even steps of Elo: `mnkala arena calibrate
    connect4 --out connect4.json`.

    The ten levels play those one and two above them. The file has settings, results, and ratings
    with their 95 % intervals; those that come with mnkala were made so. After Ctrl-C the same
    command continues.
    """
    from mnkala.arena.calibrate import calibrate as measure
    from mnkala.arena.calibrate import ladder_text
    from mnkala.core import parse_game

    found = measure(
        parse_game(game),
        games=games,
        top_games=top_games,
        rounds=rounds,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        progress=lambda label: PlainProgress(label, noun="game"),
    )
    if out is None:
        print(ladder_text(found), end="")
    else:
        print(write_text(out, ladder_text(found)), file=sys.stderr)


def title_of(played: Tournament) -> str:
    """The title of a tournament's table."""
    return f"{', '.join(played.plan.games)}: {len(played.games):,} of {counted(played.plan.total, 'game')}"


def as_json(played: Tournament, anchor: tuple[int, float] | None = None) -> dict[str, object]:
    """A tournament as JSON values."""
    table = played.standings(anchor)
    plan = played.plan
    cross = [[[each.wins, each.draws, each.losses] for each in row] for row in table.cross]
    return {
        "name": played.name,
        "games": list(plan.games),
        "format": plan.format,
        "played": len(played.games),
        "total": plan.total,
        "players": [row.as_json() for row in table.rows],
        "names": list(plan.names),
        "cross": cross,
        "draw_share": table.ratings.draw_share,
        "dispersion": table.ratings.dispersion,
        "faults": played.faults,
        "failures": list(played.failures),
    }


def read_anchor(text: str | None, names: tuple[str, ...]) -> tuple[int, float] | None:
    """Read NAME=RATING."""
    if text is None:
        return None
    name, equals, rating = text.rpartition("=")
    if not equals:
        raise MnkalaError(f"--anchor {shortened(text)}; it reads NAME=RATING")
    if name not in names:
        raise MnkalaError(unknown("player", name, names))
    try:
        return names.index(name), read_decimal(rating)
    except ValueError as error:
        raise MnkalaError(f"--anchor {shortened(text)}: {error}") from None
