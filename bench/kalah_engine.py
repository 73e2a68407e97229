"""How strong the engine of Kalah is: matches at equal time against deepening search with the other
heuristics.

    python -m bench.kalah_engine                      400 games against each of kalah, stores and own-side, 0.03 s a move
    python -m bench.kalah_engine --games 100 --time 0.1 --clock wall --one perfect --others kalah --game kalah:standard

Openings are three to six random turns whose exact value is -2, 0 or 2 (`bench.kalah_openings` found
them): from most random openings one side wins whoever plays it, so that the better engine scores
one of two. Each is played with both colours. Those that were used while the engine was made (TUNED)
are left out. Time is that of the processor, so that a busy machine takes nothing from either side,
or that of the wall (`perfect` knows no other). Told are the engine's share of the points, with the
interval, and by how many seeds it won on average.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import processor_clock
from mnkala.core import Position
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesResult
from mnkala.search import Engine, Limit, parse_engine

OPENINGS = Path(__file__).with_name("data") / "kalah_openings.txt"
TUNED = {"kalah": 60}
"""How many of a game's openings, the first, were used while the engine was made."""
TOLD = 25
"""So many openings pass between two words on how it goes."""
OLD = ("kalah", "stores", "own-side")


def openings(game: str) -> list[Position]:
    """The even openings of a game, in the order in which they were found."""
    rules = Position(game).rules
    lines = (line.split() for line in OPENINGS.read_text().splitlines() if not line.startswith("#"))
    return [Position(rules).play(moves) for name, moves, _ in lines if name == rules.game_string()]


def choose(engine: Engine, position: Position, seconds: float, by_processor: bool) -> int:
    """The move of an engine that may think so long."""
    if by_processor:
        return processor_clock.choose(engine, position, seconds)
    return engine.analyse(position, Limit(time=seconds)).line_codes[0]


def play(
    starts: Sequence[Position], one: Engine, other: Engine, seconds: float, by_processor: bool
) -> tuple[SeriesResult, float]:
    """Two games from each opening, and the mean margin."""
    result, margins = SeriesResult(), []
    for number, start in enumerate(starts):
        if number and number % TOLD == 0:
            print(f"# {result}", file=sys.stderr, flush=True)
        for seat in (0, 1):
            position = start
            while not position.is_over:
                engine = one if position.mover == seat else other
                position = position.play_codes([choose(engine, position, seconds, by_processor)])
            outcome = position.outcome
            assert outcome is not None
            result = result.add(points_of(position, seat))
            margins.append(outcome.margin if seat == 0 else -outcome.margin)
    return result, statistics.fmean(margins)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.kalah_engine")
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--time", type=float, default=0.03)
    parser.add_argument("--clock", choices=("processor", "wall"), default="processor")
    parser.add_argument("--one", default="sowing")
    parser.add_argument("--others", nargs="+", default=OLD)
    parser.add_argument(
        "--tuned",
        action="store_true",
        help="play from the openings that were used while the engine was made",
    )
    parser.add_argument(
        "--skip", type=int, default=0, help="leave out so many openings, to go on with a match"
    )
    asked = parser.parse_args(arguments)
    starts = openings(asked.game)
    used = TUNED.get(starts[0].rules.game_string(), 0)
    starts = (starts[:used] if asked.tuned else starts[used:])[asked.skip :]
    if len(starts) < asked.games // 2:
        parser.error(f"there are {len(starts)} openings of {asked.game}, two games each")
    engines = [
        parse_engine(text)
        for text in (asked.one, *(f"deepening:heuristic={heuristic}" for heuristic in asked.others))
    ]
    for engine in engines:
        engine.search.prepare(starts[0].rules)
    for other in engines[1:]:
        result, margin = play(
            starts[: asked.games // 2], engines[0], other, asked.time, asked.clock == "processor"
        )
        print(
            f"{engines[0]} against {other} on {asked.game}, {asked.time} s of {asked.clock} time: {result}, "
            f"by {margin:+.1f} seeds a game",
            flush=True,
        )


if __name__ == "__main__":
    main()
