"""The only way from a text to an engine on the server: requests, records, saved games and
messages on sockets all come through here.

An engine string may ask for gigabytes of memory, for a minute or a day, for a program of this
computer, or for a file on its disk. It comes from strangers, so a text may contain only words
and numbers, and the engine is limited by `Limits`. A saved game is never lost because of this:
it opens, and an engine that is not allowed here is `Unavailable` in it.

`check_allowed` is called a second time where engines are put to work (`Workers.compiled`), so
that no way in can be forgotten.
"""

from __future__ import annotations

import dataclasses
import re
from typing import NoReturn

from mnkala.core import Rules
from mnkala.errors import BadEngine, MnkalaError, unknown
from mnkala.numbers import shortened
from mnkala.play import Player, parse_player
from mnkala.search import Engine, heuristics, parse_engine, searches
from mnkala.search.engine import RESOURCES, Search, program_searches
from mnkala.web.limits import Limits

AUTO = "auto"
LONGEST = 200
"""The most letters of an engine string."""
PLAIN = re.compile(r"[\w:+-]*|[+-]?[0-9]*\.?[0-9]*(e[+-]?[0-9]+)?", re.IGNORECASE)
"""A word or a number: the values that an option can have without naming a file."""


@dataclasses.dataclass(frozen=True)
class Unavailable(Search):
    """The engine of a saved game in which it may not play, because it asks for more than the
    server allows or does not exist."""

    name = "unavailable"
    text: str = ""
    """The engine string as it was saved."""
    why: MnkalaError = dataclasses.field(default_factory=MnkalaError)

    @property
    def refusal(self) -> BadEngine:
        """The message to those who open the game."""
        text = shortened(self.text, 60)
        return BadEngine(
            f"'{text}' does not play on this page: {self.why}. The game is kept as it is: "
            "you can look at it, review it and export it, and you can continue it from its record in a terminal",
            "error.unavailable",
            text=text,
            why=self.why,
        )

    def check(self, rules: Rules) -> None:
        raise self.refusal

    def prepare(self, rules: Rules) -> None:
        self.check(rules)


# ---- Reading ----


def read_engine(text: str, limits: Limits) -> Engine:
    """The engine that a client asks for."""
    _check_words(text)
    engine = _without_tree(parse_engine(text))
    check_allowed(engine, limits)
    return engine


def read_player(text: str, rules: Rules, limits: Limits) -> Player:
    """A player of a new game, as a client asks for it; engines must fit the game."""
    _check_words(text)
    player = parse_player(text, rules)
    if player.engine is None:
        return player
    engine = _without_tree(player.engine)
    check_allowed(engine, limits)
    engine.search.check(rules)
    return dataclasses.replace(player, engine=engine)


def kept_player(text: str, rules: Rules, limits: Limits) -> Player:
    """A player of a saved game. The game opens whatever its engines ask for; an engine that is
    not allowed does not play."""
    try:
        return read_player(text, rules, limits)
    except MnkalaError as error:
        return Player(text, Engine(Unavailable(text, error)))


def recorded_player(text: str, rules: Rules, limits: Limits) -> Player:
    """A player as a record names it: as in a saved game, but only if the name is that of an
    engine."""
    name, known = text.partition(":")[0].strip().lower(), {**searches(), **program_searches()}
    if name in known and len(text) <= LONGEST and text.isprintable():
        return kept_player(text, rules, limits)
    return read_player(text, rules, limits)


def read_heuristic(name: str) -> str:
    """The registered heuristic that a client names; raises BadEngine for anything else, such as a
    file."""
    known = Search.heuristic_names()
    if name not in known:
        raise BadEngine(
            unknown("heuristic", name, known),
            "error.unknown_heuristic",
            name=shortened(name),
            heuristics=", ".join(known),
        )
    return name


# ---- What is allowed ----


def check_allowed(engine: Engine, limits: Limits) -> None:
    """Raise an error that says what is allowed if this server may not run an engine."""
    search, seconds = engine.search, engine.limit.time
    if isinstance(search, Unavailable):
        raise search.refusal
    if search.runs_program:
        _refuse_program(search.name)
    for option, most in zip(
        RESOURCES, (limits.threads, limits.table_bits, limits.tree_nodes), strict=True
    ):
        if (given := getattr(search, option, 0)) > most:
            text = f"{option}={given}; this server allows up to {most}"
            raise BadEngine(text, "error.option_most", option=option, given=given, most=most)
    heuristic, known = getattr(search, "heuristic", AUTO), search.heuristic_names()
    if heuristic not in known:
        raise BadEngine(
            f"heuristic={shortened(heuristic)}; here {search.name} evaluates by {', '.join(known)}",
            "error.heuristic_here",
            name=shortened(heuristic),
            engine=search.name,
            heuristics=", ".join(known),
        )
    if seconds is not None and seconds > limits.seconds_per_move:
        raise BadEngine(
            f"time={seconds:g}; this server allows {limits.seconds_per_move:g} seconds a move",
            "error.seconds_a_move",
            seconds=f"{seconds:g}",
            most=f"{limits.seconds_per_move:g}",
        )


def _check_words(text: str) -> None:
    """Refuse programs and file names before a text is interpreted, so that nobody can learn
    whether a file exists."""
    name, _, options = text.strip().partition(":")
    if name.strip() in program_searches():
        _refuse_program(name.strip())
    for word in options.split(","):
        key, equals, value = (part.strip() for part in word.partition("="))
        value = value if equals else key
        if not PLAIN.fullmatch(value) and value not in (entry.name for entry in heuristics()):
            raise BadEngine(
                f"'{shortened(word.strip())}': this server reads no files; an option is a number or a plain word",
                "error.no_files",
                option=shortened(word.strip()),
            )


def _refuse_program(name: str) -> NoReturn:
    raise BadEngine(
        f"{name} runs a program of this computer, which a page may not ask for; `mnkala play` and `mnkala match` may",
        "error.runs_program",
        engine=name,
    )


def _without_tree(engine: Engine) -> Engine:
    """The engine without keeping its tree between moves, which would take hundreds of megabytes
    in each of many games."""
    if not getattr(engine.search, "keep", False):
        return engine
    return dataclasses.replace(engine, search=dataclasses.replace(engine.search, keep=False))  # type: ignore[call-arg]
