"""A small plug-in with a game and a heuristic, installed the way pip would install it; and the
plug-ins among the examples, loaded in this process.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnkala.core.registry import forgetting

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@contextlib.contextmanager
def example_plugins(*names: str, folder: Path = EXAMPLES) -> Iterator[None]:
    """Register the games, heuristics, searches and solvers of some examples, and forget them after
    the block.
    """
    with forgetting(), pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for name in names:
            importlib.import_module(name)
        yield


PLUGIN = '''
from typing import NamedTuple
import numpy as np
from mnkala import GOING_ON, Heuristic, Rules, game, heuristic, mix

class Pile(NamedTuple):
    stones: np.int64
    mover: np.int64

@game
class PluginNim(Rules):
    """Take one to three stones."""
    name = "pluginnim"
    stones: int = 9
    def start(self): return Pile(np.int64(self.stones), np.int64(0))
    def moves(self, state, out):
        count = min(3, state.stones)
        for i in range(count):
            out[i] = i
        return count
    def play(self, state, move): return Pile(np.int64(state.stones - move - 1), np.int64(1 - state.mover))
    def mover(self, state): return state.mover
    def result(self, state): return -1 if state.stones == 0 else GOING_ON
    def key(self, state): return mix(np.uint64(2 * state.stones + state.mover + 1))
    def most_moves(self): return 3
    def longest_game(self): return self.stones
    def cell(self, state, row, column): return 1 + int(state.stones) % 2

@heuristic
class FewStones(Heuristic):
    """Prefers small piles."""
    name = "few-stones"
    def evaluate(self, rules, state): return BONUS - state.stones

BONUS = 0
'''


def install_plugin(folder: Path, source: str = PLUGIN) -> None:
    """Put a plug-in on the path the way pip would: a module, and metadata with its entry points."""
    metadata = folder / "nim_plugin-1.0.dist-info"
    metadata.mkdir(parents=True, exist_ok=True)
    (folder / "nim_plugin.py").write_text(source)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[mnkala.games]\nnim = nim_plugin\n[mnkala.heuristics]\nfew = nim_plugin\n"
    )
