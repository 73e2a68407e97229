"""Report 003's games between its levels, and what a deeper search is worth in Kalah.

Its games are met to the seed with its levels read as depths 1, 4 and 8 (it gives only the last), a finished game worth its margin like any
other position, and the rightmost on the board of equally good moves: see `mnkala.search.kalah_heuristics`.
"""

from __future__ import annotations

import dataclasses

from mnkala.errors import BadEngine
from mnkala.games import Position
from mnkala.games.kalah import Kalah
from mnkala.lab.matches import Player, Spent, seed_of_pair, series, summary
from mnkala.lab.registry import Row, measure
from mnkala.search import Engine, Limit
from mnkala.search.fixed_depth import AlphaBeta, FixedDepth, Minimax
from mnkala.search.values import EndValues

DEPTH_OF_LEVEL = {1: 1, 2: 4, 3: 8}
"""Report 003 gives only the last; its games give away the others."""
BY_MARGIN = EndValues(0, 1, 0)
"""A finished game is worth its margin, like any other position."""


@dataclasses.dataclass(frozen=True)
class ReportAlphaBeta(AlphaBeta):
    """Report 003's search with cuts."""

    @property
    def ends(self) -> EndValues:
        return BY_MARGIN


@dataclasses.dataclass(frozen=True)
class ReportMinimax(Minimax):
    """The same without."""

    @property
    def ends(self) -> EndValues:
        return BY_MARGIN


class ReportPlayer(Player):
    """A computer player of report 003."""

    def __init__(self, level: int, heuristic: str, pruning: bool) -> None:
        search: type[FixedDepth] = ReportAlphaBeta if pruning else ReportMinimax
        self.engine = Engine(search(heuristic), Limit(depth=DEPTH_OF_LEVEL[level]))


def read_levels(text: str) -> tuple[int, int]:
    """`1 v 3` as two levels."""
    words = text.split(" v ")
    if len(words) != 2 or not all(word.isdigit() and int(word) in DEPTH_OF_LEVEL for word in words):
        raise BadEngine(f"levels {text!r}; write 'A v B' with levels 1, 2 and 3")
    return int(words[0]), int(words[1])


@measure("report-003-game", version=1)
def report_003_game(*, levels: str, heuristic: str, pruning: bool, game: str = "kalah") -> Row:
    """Report 003's game between two levels (`1 v 3`): scores, moves and mean time a move of either side."""
    first, second = read_levels(levels)
    players = [ReportPlayer(level, heuristic, pruning) for level in (first, second)]
    position, spent = Position(game), [Spent(), Spent()]
    for one in players:
        one.engine.search.prepare(position.rules)
    while not position.is_over:
        mover, right = position.mover, 1 - 2 * position.mover
        answer, seconds = players[mover].ask(position, all_moves=True)
        valued = [(move.score.value, right * move.code, move.code) for move in answer.moves]
        position = position.play_codes([max(valued)[-1]])
        spent[mover] += Spent(1, answer.nodes, seconds)
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
