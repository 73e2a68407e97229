"""mnkala's own heuristic for Connect: windows, and the threats that decide the end of the game.

A *threat* is an empty cell that completes a line. When a board with an even number of rows fills
up, the first player gets to play in odd rows and the second in even ones, so a threat of the first
player in an odd row, or of the second in an even one, wins unless it is undone (Allis 1988). Other
threats are worth less. For other boards see `zugzwang.good_rows`.

The name stands for two implementations: on boards of bits everything is counted anew at each
evaluation; on boards of arrays `heuristic_wide.py` updates it move by move and knows more.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.core.rules import State
from mnkala.errors import BadEngine
from mnkala.families.connect.heuristic_wide import make_wide
from mnkala.families.connect.zugzwang import good_rows
from mnkala.native import native, popcount, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import Heuristic, register_heuristic

STEP = 2.75
"""How much more a window is worth for each further disc in it. This and the next values were chosen
by matches."""
GOOD_ROW, OTHER_ROW = 25, 5
"""The values of a threat in a row that its owner will get to play in, and in any other row."""
LARGEST = 1 << 12


@shared
def threat_worth(threats: np.uint64, good_rows: np.uint64, good: int, other: int) -> int:
    """The value of a side's threats for that side."""
    return good * popcount(threats & good_rows) + other * popcount(threats & ~good_rows)


@native
class Threats(Heuristic):
    """Windows and threats on boards of bits."""

    weights: IntArray
    """The value of a window by the number of one side's discs in it, where the other side has none."""
    firsts_rows: np.uint64
    """The cells of the rows in which the first player wants threats."""
    good_row: int = GOOD_ROW
    other_row: int = OTHER_ROW

    def evaluate(self, rules: Any, state: State) -> int:
        own, other = state.own, state.own ^ state.all
        total = 0
        mine = theirs = np.uint64(0)
        for i in range(len(rules.windows)):
            window = np.uint64(rules.windows[i])
            ours, others = popcount(own & window), popcount(other & window)
            if others == 0:
                total += self.weights[ours]
                if ours == rules.line - 1:
                    mine |= window & ~state.all
            elif ours == 0:
                total -= self.weights[others]
                if others == rules.line - 1:
                    theirs |= window & ~state.all
        if rules.mover(state) == 0:
            good_for_me, good_for_them = self.firsts_rows, ~self.firsts_rows
        else:
            good_for_me, good_for_them = ~self.firsts_rows, self.firsts_rows
        return (total + threat_worth(mine, good_for_me, self.good_row, self.other_row)
                - threat_worth(theirs, good_for_them, self.good_row, self.other_row))


def _make(rules: Rules) -> Heuristic:
    from mnkala.families.connect.bits import Connect
    from mnkala.families.connect.wide import WideConnect

    if not isinstance(rules, Connect | WideConnect):
        raise BadEngine(f"{rules.game_string()} is not a Connect board, so it has no odd and even threats")
    return _made(rules.rows, rules.cols, rules.line, isinstance(rules, WideConnect))


@functools.lru_cache(maxsize=32)
def _made(rows: int, cols: int, line: int, wide: bool) -> Heuristic:
    """Make the heuristic of a board. It is cached, because a small search takes less time than
    making it."""
    weights = tuple(min(LARGEST, round(STEP ** (discs - 1))) if discs else 0 for discs in range(line + 1))
    if wide:
        return make_wide(rows, cols, line, weights)
    firsts = good_rows(rows, cols)
    return Threats(np.array(weights, dtype=np.int64), np.uint64(sum(firsts << (col * (rows + 1)) for col in range(cols))))


register_heuristic("threats", "ours for Connect: windows, threats by the parity of their row, on large boards zugzwang", _make)
