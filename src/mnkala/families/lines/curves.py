"""The meaning of heuristics' numbers as chances in (m,n,k)-games, fitted by `python -m
bench.fit_chances` as `explain/chances.py` explains."""

from __future__ import annotations

from mnkala.explain.chances import Curve

LINES = {3: Curve(2600, 27.9), 4: Curve(31_600, 27.9)}
"""Curves of the heuristic `lines` where the length of the line makes a difference. The curve for
three is not fitted, because such boards are solved at once: it is the one for four in `lines`' own
steps of twelve."""
