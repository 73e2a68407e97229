"""A trace as a file: what the page's buttons and `mnkala think` save."""

from __future__ import annotations

import re

from mnkala.errors import MnkalaError
from mnkala.trace.model import Trace

FORMATS = {"svg": "image/svg+xml", "dot": "text/vnd.graphviz; charset=utf-8", "json": "application/json"}
"""The media type of each format."""


def export(trace: Trace, format: str) -> tuple[bytes, str, str]:
    """The file, its media type and a name for it."""
    if format not in FORMATS:
        raise MnkalaError(f"a tree cannot be saved as '{format}'; formats are {', '.join(FORMATS)}")
    content = trace.json() if format == "json" else (trace.svg() if format == "svg" else trace.dot()).encode()
    size = f"{trace.iterations}" if trace.algorithm == "mcts" else f"depth{trace.depth}"
    played = re.sub(r"[^A-Za-z0-9]+", "", trace.position.moves)[:40]
    words = [re.sub(r"[^A-Za-z0-9]+", "-", trace.position.game), played, trace.algorithm, size]
    return content, FORMATS[format], "-".join(filter(None, words)) + f".{format}"
