"""Plug-ins with a mistake, as source: a sound game of Nim in which one thing is replaced."""

from __future__ import annotations

SOUND = '''
import os, sys
from typing import NamedTuple
import numpy as np
from mnkala import GOING_ON, Heuristic, Rules, game, heuristic, mix

class Pile(NamedTuple):
    stones: np.int64
    mover: np.int64

@game
class Faulty(Rules):
    """Take one to three stones."""
    name = "faulty"
    stones: int = 9
    def start(self):
        return Pile(np.int64(self.stones), np.int64(0))
    def moves(self, state, out):
        count = min(3, state.stones)
        for i in range(count):
            out[i] = i
        return count
    def play(self, state, move):
        return Pile(np.int64(state.stones - move - 1), np.int64(1 - state.mover))
    def mover(self, state):
        return state.mover
    def result(self, state):
        return -1 if state.stones == 0 else GOING_ON
    def key(self, state):
        return mix(np.uint64(2 * state.stones + state.mover + 1))
    def most_moves(self):
        return 3
    def longest_game(self):
        return self.stones
    def cell(self, state, row, column):
        return 1 + int(state.stones) % 2

@heuristic
class Guess(Heuristic):
    """Prefers small piles."""
    name = "guess"
    def evaluate(self, rules, state):
        return -state.stones
'''


def faulty(old: str, new: str) -> str:
    """The sound game with a mistake."""
    assert SOUND.count(old) == 1, old
    return SOUND.replace(old, new)


WRITES_TOO_MANY = faulty(
    "        return count\n",
    "        for i in range(4000000):\n            out[i] = 0\n        return count\n",
)
COUNTS_TOO_MANY = faulty("        return count\n", "        return 500000\n")
NEVER_ENDS = faulty("np.int64(state.stones - move - 1)", "np.int64(state.stones)")
ASKS_FOR_TERABYTES = faulty("return self.stones\n", "return 10**12\n")
LOOPS = faulty(
    "        return -1 if state.stones == 0",
    "        while state.stones == 9:\n            pass\n        return -1 if state.stones == 0",
)
DIVIDES_BY_ZERO = faulty(
    "        return mix(", "        1 // (state.stones - 5)\n        return mix("
)
LEAVES = faulty("        return state.mover\n", "        os._exit(3)\n")
EXITS = faulty("        return state.mover\n", "        sys.exit(4)\n")
STEERS_THE_TERMINAL = faulty(
    '"""Take one to three stones."""',
    '"""Take \\x1b[31mred\\x07 stones."""\n    players = ("\\x1b]0;title\\x07", "o")',
)
PAINTS_ON_THE_PAGE = faulty(
    '"""Take one to three stones."""',
    '''"""Take <img/src=x/onerror=hacked=1>."""
    EVIL = "<img/src=x/onerror=hacked=1></script><script>hacked=1</script>\\"'><svg/onload=hacked=1>\\u202e\\u2028\\x1b\\n" + "W" * 10000
    summary, rules_text, players = EVIL, EVIL, (EVIL, "</title><script>hacked=1</script>")
    def move_text(self, move): return ("<img/src=x/onerror=hacked=1>", "\\u202e\\"'&", "W" * 500)[move]
    def parse_move(self, text): return [self.move_text(move) for move in range(3)].index(text)
    def picture(self, state):
        from mnkala.core.picture import Picture
        return Picture(((1 + int(state.stones) % 2,),), column_labels=(self.EVIL,), row_labels=(self.EVIL,))''',
)
"""Every text of the game would run a script, turn the page around or burst it, if the page let it."""
HEURISTIC_RAISES = faulty(
    "        return -state.stones", "        return 1 // (state.stones - state.stones)"
)
HEURISTIC_RAISES_LATER = faulty(
    "        return -state.stones", "        return 1 // (state.stones - 1)"
)
"""At the end of a game only: its trial on a large pile does not get there."""
HEURISTIC_OF_WORDS = faulty(
    "        return -state.stones", '        return "many" if state.stones > 3 else "few"'
)
HEURISTIC_OF_MIXED_TYPES = faulty(
    "        return -state.stones", "        return state.stones + 'few'"
)
HEURISTIC_NOT_TYPED = faulty(
    "        return -state.stones", '        return int(format(int(state.stones), "d"))'
)
"""Sound in plain Python; the compiler knows no `format`."""
HEURISTIC_OF_ONE_FAMILY = faulty(
    "        return -state.stones", "        return int(state[0].sum())"
)
"""Sound in plain Python for any game; compiled only where a state begins with an array."""
HEURISTIC_RAISES_WHEN_COMPILED = (
    faulty("        return -state.stones", "        return -counted(state.stones)")
    + """
from numba.extending import overload

def counted(stones):
    return int(stones)

@overload(counted)
def _counted(stones):
    raise ValueError("not today")
"""
)
ASKS_FOR_MANY_MOVES = faulty("        return 3\n", "        return 1000000\n")
ENDLESS_WHEN_LARGE = faulty(
    "np.int64(state.stones - move - 1)", "np.int64(state.stones - (move + 1) * (state.stones < 20))"
)
RAISES_WHEN_LARGE = faulty(
    "    def play(self, state, move):\n",
    "    def play(self, state, move):\n        if state.stones > 20:\n"
    "            raise ValueError('too many stones')\n",
)
CRASHES = faulty(
    "        return Pile(np.int64(self.stones), np.int64(0))",
    "        import ctypes\n        ctypes.string_at(0)",
)
LEAVES_AT_ONCE = "import os\nos._exit(0)\n"
LOOPS_COMPILED = (
    faulty(
        "        return count\n",
        """        if is_compiled():
            print("in the loop")
            while out[0] < 2:
                out[0] = 1 - out[0]
        return count
""",
    )
    + """
from numba.extending import overload

def is_compiled():
    return False

@overload(is_compiled)
def _is_compiled():
    return lambda: True
"""
)
SEARCH_RAISES = """
import dataclasses
from mnkala.search.engine import Search, register_search

@register_search
@dataclasses.dataclass(frozen=True)
class Hasty(Search):
    name = "hasty"
    def prepare(self, rules):
        pass
    def run(self, task):
        raise KeyError("no plan")
"""
