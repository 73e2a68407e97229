"""The meaning of heuristics' numbers as chances in Kalah, fitted by `python -m bench.fit_chances`
as `explain/chances.py` explains.

`margin` leaves 0.47 bits of uncertainty about a result, and `kalah` 0.58.
"""

from __future__ import annotations

from mnkala.explain.chances import Curve

CURVES = {
    "margin": Curve(178, 1.14),
    "kalah": Curve(1780, 34),
    "stores": Curve(100, 27.3),
    "own-side": Curve(10, 1.75),
}
"""The curve of each heuristic, by its name."""
