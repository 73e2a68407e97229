"""The players of a match (a person, a level or an engine), and the names that people choose:
beside the board, in lists and in records."""

from __future__ import annotations

import dataclasses
import unicodedata

from mnkala.core import Rules
from mnkala.errors import BadEngine, MnkalaError, unknown
from mnkala.numbers import counted, shortened
from mnkala.play.levels import (
    PERFECT,
    STRONGEST,
    asks_solver,
    engine_of_level,
    is_perfect,
    ladder_of,
    levels_of,
    read_level,
)
from mnkala.search import Engine, parse_engine, searches
from mnkala.search.engine import program_searches

HUMAN = "human"
USUAL_ENGINE = "auto:time=1"
"""The engine that plays if nobody chooses one."""


@dataclasses.dataclass(frozen=True)
class Player:
    """One player of a match: a person or an engine."""

    name: str
    """`human`, a level or an engine string, as it is parsed."""
    engine: Engine | None = None
    nickname: str | None = None
    """The name that a person chose."""

    @property
    def is_human(self) -> bool:
        """Whether moves come from a person."""
        return self.engine is None

    def called(self, nickname: str | None) -> Player:
        """A person under a chosen name; engines keep their own."""
        return (
            dataclasses.replace(self, nickname=read_nickname(nickname)) if self.is_human else self
        )


def parse_player(text: str, rules: Rules, *, programs: bool = False) -> Player:
    """Make a player from a text: `human`, a level (`1` to `10`; `easy`, `medium`, `hard`,
    `strongest`; `perfect` where it is), or the engine string of an engine that plays the game. With
    `programs` it may run a program (`parse_engine`). Raises BadEngine for any other text."""
    word = text.strip().lower()
    if word == HUMAN:
        return Player(HUMAN)
    level = read_level(word)
    if level is not None and (level != PERFECT or asks_solver(rules)):
        name = STRONGEST if level == PERFECT and not is_perfect(rules) else level
        return Player(name, parse_engine(engine_of_level(level, rules)))
    known = searches() | program_searches()
    if (name := word.partition(":")[0].strip()) not in known:
        if name.isdecimal():
            most = len(ladder_of(rules))
            text = f"there is no level {shortened(name)}; levels are 1 to {most}"
            raise BadEngine(text, "error.no_level", level=shortened(name), most=most)
        players = [*dict.fromkeys((HUMAN, *levels_of(rules), *known))]
        raise BadEngine(
            unknown("player", name, players),
            "error.unknown_player",
            name=shortened(name),
            players=", ".join(players),
        )
    engine = parse_engine(text, programs=programs)
    engine.search.check(rules)
    return Player(str(engine), engine)


def level_word(engine: str, rules: Rules) -> str | None:
    """The word for the level of a game that is this engine; None if no level is."""
    return next(
        (
            level.name or level.player
            for level in ladder_of(rules)
            if str(parse_engine(level.engine)) == engine
        ),
        None,
    )


def same_player(player: Player, rules: Rules) -> Player:
    """The player for another game who stands for this one: a level becomes that of the new game,
    and a program that was allowed to run stays allowed."""
    if player.engine is None or not player.engine.search.runs_program:
        return dataclasses.replace(parse_player(player.name, rules), nickname=player.nickname)
    player.engine.search.check(rules)
    return player


LONGEST = 24


def read_nickname(text: str | None) -> str | None:
    """A name that somebody typed, or None if it is empty. Records have it in the place of an
    engine string, so it must not look like one."""
    name = " ".join(unicodedata.normalize("NFC", text or "").split())
    if len(name) > LONGEST:
        raise MnkalaError(f"a name of {counted(len(name), 'letter')}; a name has up to {LONGEST}")
    if not name.isprintable():
        raise MnkalaError(
            f"the name {name!a} has characters that cannot be seen; letters, digits, signs and spaces are fine"
        )
    if name.partition(":")[0].lower() in {"human", *searches()} or read_level(name) is not None:
        raise MnkalaError(
            f"'{name}' is what a computer player is called; choose another name",
            "error.name_of_computer",
            name=name,
        )
    return name or None
