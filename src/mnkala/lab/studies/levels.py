"""Report 003's games between its levels, and what a deeper search is worth in Kalah.

Its games are those of the engine `report-003`, with which they can be played again: `mnkala match kalah report-003:level=1
report-003:level=3`.
"""

from __future__ import annotations

from mnkala.core import Position
from mnkala.errors import BadEngine
from mnkala.families.kalah.report_003 import DEPTH_OF_LEVEL
from mnkala.families.kalah.rules import Kalah
from mnkala.lab.matches import Player, play_out, seed_of_pair, series, summary
from mnkala.lab.registry import Row, measure


def report_player(level: int, heuristic: str, pruning: bool) -> Player:
    """A computer player of report 003, clocked."""
    return Player(f"report-003:level={level},heuristic={heuristic},pruning={'on' if pruning else 'off'}")


def read_levels(text: str) -> tuple[int, int]:
    """`1 v 3` as two levels."""
    words = text.split(" v ")
    if len(words) != 2 or not all(word.isdigit() and int(word) in DEPTH_OF_LEVEL for word in words):
        raise BadEngine(f"levels {text!r}; write 'A v B' with levels 1, 2 and 3")
    return int(words[0]), int(words[1])


@measure("report-003-game", version=2)
def report_003_game(*, levels: str, heuristic: str, pruning: bool, game: str = "kalah") -> Row:
    """Report 003's game between two levels (`1 v 3`): scores, moves and mean time a move of either side."""
    first, second = read_levels(levels)
    one, other = (report_player(level, heuristic, pruning) for level in (first, second))
    start = Position(game)
    for player in (one, other):
        player.engine.search.prepare(start.rules)
    position, spent = play_out(start, (one, other))
    assert isinstance(position.rules, Kalah)
    stores = position.rules.picture(position.state()).stores
    row: Row = {"depth_first": DEPTH_OF_LEVEL[first], "depth_second": DEPTH_OF_LEVEL[second], "played": position.moves}
    for seat, name in enumerate(("first", "second")):
        row |= {f"score_{name}": stores[seat], f"moves_{name}": spent[seat].moves, f"nodes_{name}": spent[seat].nodes,
                f"seconds_{name}": round(spent[seat].seconds / max(1, spent[seat].moves), 6)}
    return row


@measure("depths", version=1)
def depths(*, game: str, heuristic: str, one: int, other: int, games: int, seed: int = 1) -> Row:
    """A series between two depths of alpha-beta with the same heuristic."""
    engine = f"alphabeta:heuristic={heuristic}"
    return summary(series(game, (engine, f"depth {one}"), (engine, f"depth {other}"), games, seed_of_pair(seed, str(one), str(other))))
