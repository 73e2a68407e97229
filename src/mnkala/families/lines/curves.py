"""What the numbers of heuristics mean as chances in (m,n,k)-games: fitted by `python -m bench.fit_chances`, as
`explain/chances.py` explains."""

from __future__ import annotations

from mnkala.explain.chances import Curve

LINES = {3: Curve(2600, 27.9), 4: Curve(31_600, 27.9)}
"""The heuristic `lines` by the length of the line that wins, where that makes a difference. That of three
is not fitted, for such boards are solved at once: it is that of four in `lines`' own steps of twelve."""
