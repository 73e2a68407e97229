"""Identifies an engine by its engine string in a standard form, the files that it names, and the
code that chooses its moves.

A stored game belongs to the engines as they were. After an edit they count as other engines, and
their games are played again.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mnkala.core import Rules
from mnkala.core.registry import families, family_of, read_game
from mnkala.errors import MnkalaError
from mnkala.folders import is_file
from mnkala.play.engine_game import engine_for, play_game
from mnkala.play.human_errors import Overlooking
from mnkala.search.engine import options_of
from mnkala.sources import ENGINE, code_digest, place_of


def program_digest(game: str) -> str:
    """A digest of the code that plays a game."""
    return digest_for(game, play_game)


@functools.cache
def digest_for(game: str | None, *functions: Callable[..., Any]) -> str:
    """A digest of the code that some functions need to play a game: the engines, the family of the
    game, and the functions themselves.

    Without a game, or with one that is unknown here, it covers all families, or the one to which a
    function belongs.
    """
    try:
        rules = read_game(game) if game is not None else None
    except MnkalaError:
        rules = None
    if rules is not None:
        known = [type(family_of(rules)), *type(rules).__mro__]
    else:
        own = [family for family in families() for each in functions if each.__module__.startswith(f"{type(family).__module__}.")]
        known = [cls for family in own or families() for cls in (type(family), *family.rules)]
    places = {place for cls in known if (place := place_of(cls))}
    return code_digest(frozenset(places) | frozenset(ENGINE), (*functions, Overlooking))


def engine_identity(player: str, rules: Rules) -> str:
    """The engine string in a standard form, with a digest of each file that it names."""
    engine = engine_for(player, rules)
    values = [getattr(engine.search, option.name) for option in options_of(type(engine.search))]
    files = [hashlib.sha256(Path(value).expanduser().read_bytes()).hexdigest()[:12]
             for value in values if isinstance(value, str) and is_file(value)]
    return " ".join((str(engine), *files))
