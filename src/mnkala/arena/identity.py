"""What tells one engine from another: its engine string in one form, the files that it names, and the sources that choose its moves.

A stored game belongs to the engines as they were: after an edit they are others, and their games are played anew.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from mnkala.core import Rules
from mnkala.folders import is_file
from mnkala.play.engine_game import engine_for
from mnkala.search.engine import options_of
from mnkala.sources import ENGINE, source_digest


def program_digest() -> str:
    """Tells one state of the engines from another."""
    return source_digest(*ENGINE)


def engine_identity(player: str, rules: Rules) -> str:
    """An engine string in its one form, with a digest of each file that it names."""
    engine = engine_for(player, rules)
    values = [getattr(engine.search, option.name) for option in options_of(type(engine.search))]
    files = [hashlib.sha256(Path(value).expanduser().read_bytes()).hexdigest()[:12]
             for value in values if isinstance(value, str) and is_file(value)]
    return " ".join((str(engine), *files))
