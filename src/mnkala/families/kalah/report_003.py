"""Report 003's computer player of Kalah as an engine, so that its games can be played again:
`report-003:level=3,heuristic=stores`.

The report gives the depth of its hardest level only, 8, and no tie-break. Its tables come out best
if its levels are read as depths 1, 4 and 8, a finished game is worth its margin like any other
position, and the rightmost on the board of equally good moves is played.
"""

from __future__ import annotations

import dataclasses

from mnkala.core import Rules
from mnkala.errors import BadEngine
from mnkala.families.kalah.rules import Kalah
from mnkala.search.analysis import Analysis
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.limit import Limit
from mnkala.search.minimax import AlphaBeta, FixedDepth, Minimax
from mnkala.search.root import Root, RootNode, Task
from mnkala.search.values import EndValues

DEPTH_OF_LEVEL = {1: 1, 2: 4, 3: 8}
"""The depth of each level. Report 003 gives only the last; its games reveal the others."""
BY_MARGIN = EndValues(0, 1, 0)
"""Values by which a finished game is worth its margin."""


class FromTheRight(FixedDepth):
    """Searches root moves from right to left; a later one must be better to replace an earlier one."""

    @property
    def ends(self) -> EndValues:
        return BY_MARGIN

    def _search_root(self, root: Root, depth: int) -> RootNode | None:
        # Houses are numbered in the direction of sowing: the first player's last house is on the
        # right, and the second player's first.
        root.nodes.sort(key=lambda node: node.move, reverse=root.mover == 0)
        return super()._search_root(root, depth)


@dataclasses.dataclass(frozen=True)
class Pruned(FromTheRight, AlphaBeta):
    """Report 003's player with pruning."""


@dataclasses.dataclass(frozen=True)
class Unpruned(FromTheRight, Minimax):
    """Report 003's player without pruning."""


@dataclasses.dataclass(frozen=True)
class Report003(HeuristicSearch):
    """Report 003's player of Kalah: levels 1 to 3 (depths 1, 4 and 8), the rightmost of equal
    moves, finished games worth their margin."""

    name = "report-003"
    heuristic: str = "stores"
    """The heuristic: own-side is the report's first, stores its second."""
    candidates: str = dataclasses.field(default="all", metadata={"option": False})
    level: int = 3
    """The level, 1, 2 or 3; a limit of depth gives a depth between the levels."""
    pruning: bool = True
    """Whether moves that cannot matter are cut, which changes no move."""

    def __post_init__(self) -> None:
        if self.level not in DEPTH_OF_LEVEL:
            raise BadEngine(f"level={self.level}; the levels of report 003 are 1, 2 and 3")

    @property
    def player(self) -> FixedDepth:
        """The search that does the work."""
        return (Pruned if self.pruning else Unpruned)(self.heuristic, self.candidates)

    def limit(self, given: Limit) -> Limit:
        """A limit with the depth of the level, unless it has one."""
        return (
            given
            if given.depth is not None
            else dataclasses.replace(given, depth=DEPTH_OF_LEVEL[self.level])
        )

    def check(self, rules: Rules) -> None:
        if not isinstance(rules, Kalah):
            raise BadEngine(f"report-003 plays Kalah, and {rules.game_string()} is none")
        super().check(rules)

    def kernel_key(self, rules: Rules) -> str:
        return self.player.kernel_key(rules) if isinstance(rules, Kalah) else ""

    def prepare(self, rules: Rules) -> None:
        self.check(rules)
        self.player.prepare(rules)

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return super().most_nodes(rules, self.limit(limit))

    def run(self, task: Task) -> Analysis:
        return self.player.run(dataclasses.replace(task, limit=self.limit(task.limit)))


register_search(Report003)
