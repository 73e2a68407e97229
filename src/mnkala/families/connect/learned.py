"""The heuristic `learned`: an evaluation of Connect whose every number comes from the results of
games.

For each window of a line a table says what it is worth to the first player that so many discs of
either side stand in it (n-tuples: Samuel 1967; Thill, Koch and Konen 2012 for Connect Four). Who
moves first matters, because the rows that the players get to fill differ. A window's table is one
for all windows plus one of its own, which mirror images share; on boards that nothing was learned
on, the first alone speaks. `mnkala tune weights connect4` learns the numbers and writes them to a
file; that of Connect Four is shipped in `data`, and a file of one's own is named in place of the
heuristic: `deepening:heuristic=mine.json`.

While it learns (`mnkala tune weights`), every table starts at zero, so nothing of the hand-made
heuristics enters except their vocabulary. The tables of single windows are kept small, so that a
few games teach the value of three discs in a window, and many games teach where it is higher.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from mnkala.arena.models import Seen, look_ups
from mnkala.core import Position, Rules
from mnkala.core.rules import State
from mnkala.errors import BadEngine
from mnkala.families.connect.bits import Connect
from mnkala.folders import file_errors
from mnkala.native import native, popcount
from mnkala.native.objects import IntArray
from mnkala.search import Analysis, Engine
from mnkala.search.heuristic import Heuristic, register_heuristic
from mnkala.search.windows import zero_sum

if TYPE_CHECKING:
    from scipy import sparse

SHIPPED = Path(__file__).with_name("data") / "learned-connect4.json"
SCALE = 1000
"""Weights are whole numbers: thousandths of a logit."""


@native
class LearnedWindows(Heuristic):
    """A table for every window, with values for the first player."""

    weights: IntArray
    """The value of each window, by the first and the second player's discs in it."""
    tempo: int
    """The value of being to move."""

    def evaluate(self, rules: Any, state: State) -> int:
        own, other = state.own, state.own ^ state.all
        sign = 1
        if rules.mover(state) == 1:
            own, other, sign = other, own, -1
        size = rules.line + 1
        total = 0
        for i in range(len(rules.windows)):
            window = np.uint64(rules.windows[i])
            total += self.weights[
                (i * size + popcount(own & window)) * size + popcount(other & window)
            ]
        return sign * total + self.tempo


@dataclasses.dataclass(frozen=True)
class WindowWeights:
    """Learned weights, as a file has them; `made` describes how they came about."""

    game: str
    line: int
    shared: tuple[int, ...]
    """The table for all windows, by the first and the second player's discs."""
    own: tuple[tuple[int, ...], ...]
    """The table of each group of windows that are mirror images of each other: what a single window
    adds."""
    tempo: int
    made: dict[str, Any] = dataclasses.field(default_factory=dict)


def groups_of_windows(rules: Connect) -> IntArray:
    """For each window, the number of the group with which it shares a table: itself and its mirror
    image."""
    height = rules.rows + 1
    column = (1 << height) - 1
    known: dict[int, int] = {}
    found = []
    for mask in map(int, rules.windows):
        mirrored = sum(
            ((mask >> (col * height)) & column) << ((rules.cols - 1 - col) * height)
            for col in range(rules.cols)
        )
        found.append(known.setdefault(min(mask, mirrored), len(known)))
    return np.array(found, dtype=np.int64)


def by_windows(rules: Connect, weights: WindowWeights) -> LearnedWindows:
    """Make the heuristic of a board. On a board on which nothing was learned, only the table for
    all windows counts."""
    size = (weights.line + 1) ** 2
    if rules.line != weights.line:
        raise BadEngine(
            f"what was learned on {weights.game} is of lines of {weights.line}, those of {rules.game_string()} are of "
            f"{rules.line}; `mnkala tune weights {rules.game_string()}` learns others"
        )
    groups = groups_of_windows(rules)
    same_board = weights.game == rules.game_string()
    if (
        len(weights.shared) != size
        or any(len(table) != size for table in weights.own)
        or (same_board and len(weights.own) <= groups.max())
    ):
        raise BadEngine(
            f"the weights of {weights.game} do not fit its windows: a table has {size} numbers"
        )
    tables = np.tile(np.array(weights.shared, dtype=np.int64), (len(groups), 1))
    if same_board:
        tables += np.array(weights.own, dtype=np.int64)[groups]
    return LearnedWindows(np.ascontiguousarray(tables.reshape(-1)), weights.tempo)


@functools.lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> WindowWeights:
    try:
        return msgspec.json.decode(path.read_bytes(), type=WindowWeights)
    except msgspec.DecodeError as error:
        raise BadEngine(f"{path.name} has no weights of Connect: {error}") from None


def read_window_weights(path: Path) -> WindowWeights:
    """Read weights from a file that `mnkala tune weights` wrote."""
    with file_errors(path, "read", BadEngine):
        return _read(path, path.stat().st_mtime_ns)


def learned_from(path: Path, rules: Rules) -> Heuristic:
    """Make the heuristic of a file's weights for a game."""
    if not isinstance(rules, Connect):
        raise BadEngine(
            f"nothing was learned for {rules.game_string()}; `learned` plays Connect on boards of up to 64 bits"
        )
    return by_windows(rules, read_window_weights(path))


register_heuristic(
    "learned",
    "learned from the results of self-played games: a table of weights for every window of Connect",
    lambda rules: learned_from(SHIPPED, rules),
)


SHARED_PENALTY, OWN_PENALTY = 1.0, 600.0
"""Penalties on half the squared weight, against the summed loss of all positions, for the table of
all windows and for those of single windows. They were chosen by the loss on games that were held
out."""


def whole(weights: Any) -> np.ndarray:
    """Round weights to the whole numbers that compiled code takes."""
    return np.rint(SCALE * np.asarray(weights)).astype(np.int64)


class ConnectModel:
    """The tables of a board as a model."""

    self_play = "deepening:nodes=500"
    surprises = 0.1
    with_tempo = True
    lowest: float | None = None

    def __init__(self, rules: Connect) -> None:
        self.rules, self.table = rules, (rules.line + 1) ** 2
        self.groups = groups_of_windows(rules)
        self.size = (2 + int(self.groups.max())) * self.table

    def design(self, states: Sequence[Any]) -> sparse.csr_array:
        """The look-ups of positions: a matrix with one row for each."""
        own, all_discs = (
            np.array([getattr(state, name) for state in states], dtype=np.uint64)
            for name in ("own", "all")
        )
        second_moves = np.bitwise_count(all_discs) % 2 == 1
        first = np.where(second_moves, own ^ all_discs, own)
        windows = self.rules.windows.astype(np.uint64)
        counts = [
            np.bitwise_count(discs[:, None] & windows).astype(np.int64)
            for discs in (first, first ^ all_discs)
        ]
        cell = counts[0] * (self.rules.line + 1) + counts[1]
        index = np.hstack([cell, (1 + self.groups) * self.table + cell])
        return look_ups(index, np.where(second_moves, -1.0, 1.0), self.size)

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        """The heuristic with these weights, for searches."""
        shared, *own = weights.reshape(-1, self.table)
        tables = whole(shared + np.array(own)[self.groups])
        return LearnedWindows(np.ascontiguousarray(tables.reshape(-1)), int(whole(tempo)))

    def penalty(self) -> np.ndarray:
        """The penalty on large weights; the first table is the one for all windows."""
        return np.where(np.arange(self.size) < self.table, SHARED_PENALTY, OWN_PENALTY)

    # ---- As a model ----

    def is_quiet(self, position: Position, answer: Analysis) -> bool:
        """True for every position, because a search that ends at a depth evaluates positions with
        open threats too.

        A first attempt, which used only positions where the search saw no end and fewer surprises,
        was rejected against zero-sum; which of the two mattered was not tested.
        """
        return True

    def features(self, seen: Seen) -> sparse.csr_array:
        return self.design(seen.states)

    def guess(self, engine: Engine) -> np.ndarray:
        """The weights of report 002's heuristic zero-sum, the same for every window."""
        line = self.rules.line
        shared = [
            zero_sum(first, second, line) if first + second <= line else 0
            for first in range(line + 1)
            for second in range(line + 1)
        ]
        return np.concatenate([shared, np.zeros(self.size - self.table)])

    def start(self, guess: np.ndarray, scale: float) -> np.ndarray:
        return np.zeros(self.size)

    def rounded(self, weights: np.ndarray, tempo: float) -> tuple[np.ndarray, float]:
        return whole(weights) / SCALE, float(whole(tempo)) / SCALE

    def written(
        self, weights: np.ndarray, tempo: float, engine: Engine, made: dict[str, Any]
    ) -> bytes:
        shared, *own = whole(weights).reshape(-1, self.table).tolist()
        found = WindowWeights(
            self.rules.game_string(),
            self.rules.line,
            tuple(shared),
            tuple(map(tuple, own)),
            int(whole(tempo)),
            made,
        )
        return msgspec.json.encode(dataclasses.asdict(found))

    def player(self, file: str) -> str:
        return f"deepening:heuristic={file}"
