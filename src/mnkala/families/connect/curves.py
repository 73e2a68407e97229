"""What the numbers of heuristics mean as chances in Connect: fitted by `python -m bench.fit_chances`, as `explain/chances.py` explains.

`threats` leaves 0.87 bits open on 6x7 and 0.79 on 10x11. `lines` was hardly better than a coin (80 games on 10x11 scored at 20,000
nodes, for at 600 the fit found nothing).
"""

from __future__ import annotations

from mnkala.explain.chances import Curve
from mnkala.families.connect.learned import SCALE as LEARNED_LOGIT

CURVES = {
    "threats": Curve(1000, 33.5),
    "lines": Curve(1_000_000, 9),
    "learned": Curve(10 * LEARNED_LOGIT, 10),
}
"""By the name of the heuristic."""
WIDE_CURVES = {"threats": Curve(10_000, 31.6)}
"""The same on boards that do not fit two words."""
