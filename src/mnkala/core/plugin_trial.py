"""The trial of a plug-in's game on its first use: the clauses that plain Python can check, in a
fraction of a second.

A mistake in a game would otherwise show as a traceback, an endless loop or a crash of compiled
code. What has passed is remembered on disk by the digest of its source, so that the next start does
not wait; what has not is tried again, for the reason may lie outside of it.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path

from mnkala.core import contract_checks
from mnkala.core.contract_checks import (
    PLAIN_CLAUSES,
    Clause,
    PlayedMove,
    check_random_games,
    problem_of,
    sample_games,
)
from mnkala.core.rules import Rules
from mnkala.errors import BadPlugin
from mnkala.folders import cache_base
from mnkala.native.disk_cache import DiskCache
from mnkala.native.objects import is_foreign

SAMPLE_SECONDS = 0.05
"""Time for playing random games; checking them against the other clauses takes several times as
long."""
PATIENCE_SECONDS = 10.0
"""The longest time that a clause may take on a busy machine. Beyond it the game's own code is in an
endless loop."""
SEED = 1
PASSED = "passed"
"""The name under which the notes about games that passed are kept on disk."""

_problems: dict[tuple[type, str], str | None] = {}


def require_sound(rules: Rules) -> None:
    """Raise BadPlugin with the words of the first broken clause if a plug-in's game breaks one. The
    package's own games are not tried.
    """
    cls = type(rules)
    if not is_foreign(cls.__module__):
        return
    sizes = _sizes(rules)
    if (cls, sizes) not in _problems:
        note = _note_of(cls, sizes)
        if note is not None and _notes().load(PASSED, note) is not None:
            _problems[cls, sizes] = None
        else:
            _problems[cls, sizes] = _try(rules)
            if note is not None and _problems[cls, sizes] is None:
                _notes().save(PASSED, note, b"")
    problem = _problems[cls, sizes]
    if problem is not None:
        raise BadPlugin(
            f"the game {cls.name} cannot be played, it breaks the contract: {problem} (see `mnkala check {cls.native_name}`)"
        )


def trust(rules: Rules) -> None:
    """Exempt these rules from the trial, because their clauses and their searches are being
    checked one by one."""
    _problems[type(rules), _sizes(rules)] = None


def _sizes(rules: Rules) -> str:
    return ",".join(f"{name}={getattr(rules, name)}" for name, _ in rules.native_fields)


def _try(rules: Rules) -> str | None:
    """The first broken clause in words, or None if all hold."""
    samples: list[list[PlayedMove]] = []
    for clause in PLAIN_CLAUSES:
        if clause.check is check_random_games:
            clause = Clause(
                clause.text, clause.needed, functools.partial(sample_games, seconds=SAMPLE_SECONDS)
            )
        problem = problem_of(clause, rules, samples, SEED, PATIENCE_SECONDS)
        if problem:
            return f"{clause.text.partition(':')[0]}: {problem}"
    return None


def _note_of(cls: type[Rules], sizes: str) -> str | None:
    """The key under which a game that passed is noted; None for a class that its source does not
    identify, as in a notebook."""
    module = sys.modules.get(cls.__module__)
    if (
        getattr(module, "__file__", None) is None
        or getattr(module, cls.__qualname__, None) is not cls
    ):
        return None
    return "|".join((cls.native_name, cls.native_digest, sizes, _stamp()))


def _notes() -> DiskCache:
    return DiskCache(cache_base() / "plugins")


@functools.cache
def _stamp() -> str:
    """A digest of the clauses: when they change, every plug-in is tested again."""
    return hashlib.sha256(Path(contract_checks.__file__).read_bytes()).hexdigest()
