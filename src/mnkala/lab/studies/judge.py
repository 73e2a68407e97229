"""The exact solver as a judge: how often an engine gives a proved result away, move by move.

The reports could not measure this, and judged players by their games against each other. Where a
solver reaches every position of a game, it is known before each move who wins with best play, and
after the move whether that still holds.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from statistics import fmean

from mnkala.core import Position, Rules
from mnkala.errors import BadGame
from mnkala.lab.judging import Sentences, clustered_share, grouped, having, where
from mnkala.lab.measuring import MeasuredPlayer
from mnkala.lab.registry import Row, brief, finding, measure
from mnkala.play.levels import level_of, read_level
from mnkala.play.series import opening
from mnkala.search import parse_engine
from mnkala.search.engine import options_of
from mnkala.solve import solver_for
from mnkala.solve.oracle import Oracle, open_oracle

WORTH = {"loss": 0, "draw": 1, "win": 2}
NAMES = ("loss", "draw", "win")
ALL = "all"
"""Stands for the whole game in place of a range of plies."""
MOST_TRIES = 50
"""The number of games that are begun to find one that lasts long enough."""


@dataclasses.dataclass(frozen=True)
class Judged:
    """A move in a position that was not lost."""

    game: str
    """The moves with which the game began. Moves of one game are not independent."""
    ply: int
    """The number of moves made before."""
    before: int
    after: int
    """The worth of the position to the mover before and after the move, in the units of `WORTH`."""
    blind: float
    """The share of all legal moves that would have given something away."""

    @property
    def given(self) -> bool:
        """Whether a result was given away."""
        return self.after < self.before


@measure("given-away", version=1)
def given_away(
    *,
    game: str,
    engine: str,
    opponent: str,
    plies: int,
    starts: list[int],
    games: int,
    seed: int = 1,
) -> list[Row]:
    """How often an engine (or a level, such as `level 3`) gives a proved result away against an
    opponent, by ply.

    So many games begin at each of the plies `starts`, in positions reached by random moves and then
    by the opponent playing itself. They are the same for every engine, which gets the side that has
    something to lose. Only its own moves are judged, and only while it still has something to lose.
    There is a row for the plies from each start to the next, and one for all of them.
    """
    rules = Position(game).rules
    solver_for(rules).prepare(rules)
    judged: list[Judged] = []
    for index, start in enumerate(starts):
        for number in range(games):
            begins = start_of(rules, opponent, plies, start, 10_000 * seed + 1000 * index + number)
            judged += _game(rules, engine, opponent, begins, number)
    rows: list[Row] = []
    for first, end in zip(starts, [*starts[1:], None], strict=True):
        some = [move for move in judged if first <= move.ply and (end is None or move.ply < end)]
        rows.append(
            {
                "ply": first + 1,
                "plies": f"{first + 1} on" if end is None else f"{first + 1} to {end}",
                **_row(some),
            }
        )
    level: Row = {} if read_level(engine) is None else {"level": level_of(engine, rules).number}
    return [level | row for row in (*rows, {"ply": None, "plies": ALL, **_row(judged)})]


def _row(moves: list[Judged]) -> Row:
    by_game: dict[str, list[Judged]] = {}
    for move in moves:
        by_game.setdefault(move.game, []).append(move)
    share, low, high = clustered_share(
        [(sum(move.given for move in some), len(some)) for some in by_game.values()]
    )
    row: Row = {
        "chances": len(moves),
        "given": sum(move.given for move in moves),
        "share": round(share, 4) if moves else None,
        "low": round(low, 4),
        "high": round(high, 4),
        "blind": round(fmean(move.blind for move in moves), 4) if moves else None,
    }
    kinds = [(2, 1), (2, 0), (1, 0)]
    return row | {
        f"{NAMES[before]}_to_{NAMES[after]}": sum(
            (move.before, move.after) == (before, after) for move in moves
        )
        for before, after in kinds
    }


@functools.lru_cache(maxsize=1000)
def start_of(rules: Rules, opponent: str, plies: int, start: int, seed: int) -> Position:
    """A position after `start` moves: some random ones, then those of the opponent against itself.
    A game that ends earlier is replaced by another.
    """
    for attempt in range(MOST_TRIES):
        position = opening(rules, plies, MOST_TRIES * seed + attempt)
        player = seeded(opponent, rules, seed)
        player.engine.search.prepare(rules)
        while len(position.history) < start and not position.is_over:
            position = position.play_codes(player.ask(position)[0].line_codes[:1])
        if not position.is_over:
            return position
    raise BadGame(f"no game of {rules.game_string()} lasted {start} moves")


def _game(
    rules: Rules, engine: str, opponent: str, position: Position, number: int
) -> Iterator[Judged]:
    """Play one game and judge the engine's moves in it. From a drawn position the engine moves
    first in every other game.
    """
    players = [
        seeded(text, rules, seed=2 * number + 1 + index)
        for index, text in enumerate((engine, opponent))
    ]
    for player in players:
        player.engine.search.prepare(rules)
    with open_oracle(rules) as oracle:
        worth = _worth(oracle, position, position.mover)
        moves_first = number % 2 == 0 if worth == WORTH["draw"] else worth == WORTH["win"]
        own = position.mover if moves_first else 1 - position.mover
        start = position.moves
        while not position.is_over:
            ours = position.mover == own
            move = players[0 if ours else 1].ask(position)[0].line_codes[0]
            if ours and (judged := _judge(oracle, position, move, start)) is not None:
                yield judged
            position = position.play_codes([move])


def _judge(oracle: Oracle, position: Position, move: int, start: str) -> Judged | None:
    """Judge a move; None where nothing could be lost."""
    worths = {
        code: _worth(oracle, position.play_codes([code]), position.mover)
        for code in position.legal_codes
    }
    best = max(worths.values())
    if best == WORTH["loss"]:
        return None
    blind = sum(worth < best for worth in worths.values()) / len(worths)
    return Judged(start, len(position.history), best, worths[move], blind)


def _worth(oracle: Oracle, position: Position, player: int) -> int:
    """The proved worth of a position to a player."""
    return WORTH[oracle.answer(position, weak=True).seen_by(player).result]


def seeded(text: str, rules: Rules, seed: int) -> MeasuredPlayer:
    """A level or an engine as a player whose chances are fixed by a seed."""
    name = text if read_level(text) is None else level_of(text, rules).engine
    has_seed = any(option.name == "seed" for option in options_of(type(parse_engine(name).search)))
    return MeasuredPlayer(f"{name}{',' if ':' in name else ':'}seed={seed}" if has_seed else name)


# ---- What the rows say ----


SAY = Sentences(__file__)
TOLD_LEVELS = (1, 10)
"""The levels that the finding mentions."""


@finding("judge")
def in_words(rows: list[Row]) -> str:
    """Say how often each level and each engine gives results away, and when in the game."""
    whole = where(having(rows, "share"), plies=ALL)
    if not whole:
        return SAY.nothing()
    games = {
        game: {int(row["level"]): row for row in some}
        for game, some in grouped(having(whole, "level"), "game").items()
    }
    levels = [
        level for level in TOLD_LEVELS if games and all(level in some for some in games.values())
    ]
    engines = [row for row in whole if not row.get("level")]
    return SAY.finding(
        levels=levels,
        games=[(game, [_share(some[level]) for level in levels]) for game, some in games.items()],
        when=_when([row for row in rows if row["game"] in games]),
        best=_best(engines),
    )


@brief("judge")
def in_brief(rows: list[Row]) -> Row:
    """The share of moves with which the lowest and the highest level give a result away."""
    shares = {
        int(row["level"]): 100 * row["share"]
        for row in where(having(rows, "level", "share"), plies=ALL, game="connect4")
    }
    return (
        {"lowest": round(shares[1]), "highest": round(shares[10])} if {1, 10} <= set(shares) else {}
    )


def _share(row: Row) -> tuple[float, float, float]:
    return row["share"], row["low"], row["high"]


def _when(rows: Sequence[Row]) -> list[Row]:
    """The earliest moves of each game beside the latest, with all players added up."""
    found = []
    for game, some in grouped(
        [row for row in having(rows, "ply") if row["chances"]], "game"
    ).items():
        early, late = (where(some, ply=end(row["ply"] for row in some)) for end in (min, max))
        if early != late:
            found.append(
                {
                    "game": game,
                    "early": _together(early),
                    "first": early[0]["plies"],
                    "late": _together(late),
                    "last": late[0]["plies"],
                }
            )
    return found


def _together(rows: Sequence[Row]) -> float:
    """The share of results given away in some rows, added up."""
    return float(sum(row["given"] for row in rows) / sum(row["chances"] for row in rows))


def _best(rows: Sequence[Row]) -> list[Row]:
    """For each game, the engine that gives results away least often, and the number of engines that
    are not clearly worse."""
    found = []
    for game, some in grouped(rows, "game").items():
        best = min(some, key=lambda row: float(row["share"]))
        found.append(
            {
                "game": game,
                "engine": best["engine"],
                "share": _share(best),
                "tied": sum(row is not best and row["low"] <= best["high"] for row in some),
            }
        )
    return found
