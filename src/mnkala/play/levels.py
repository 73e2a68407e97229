"""Levels of play, 1 to 10, for people who do not want to choose an engine; easy, medium, hard,
strongest and perfect are names for some of them.

A level is a search with human oversights (`human_errors.py`): the higher the level, the more it
sees and the further it looks. All but the top are limited in nodes, so that a level is equally
strong on every machine and quick on every board. The top is the strongest search or, where a
solver reaches the start of the game, the engine `perfect`, which is exact as soon as the score
is found in the time of a move. The level is called perfect only where that is certain from the
first move on (`Solver.is_always_sure`); elsewhere it says from where on (`Solver.sure_from`).

How much each level sees is measured, not guessed: `mnkala arena calibrate GAME` plays a
tournament of levels, moves the settings to even steps of Elo, and writes a *ladder*, a file with
settings, results and ratings that lies with the family of the game. A game without a ladder of
its own has the settings of the nearest one, and no ratings.

Report 003's three levels are an engine of Kalah, `report-003`: alpha-beta to depths 1, 4 and 8
as the lab reads the report. They are not among the ten, because they always answer alike and
overlook nothing within their depth, unlike any person.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from pathlib import Path
from typing import Any

from mnkala.core import Position, Rules
from mnkala.core.registry import families, family_of
from mnkala.errors import BadEngine, unknown
from mnkala.explain.words import say
from mnkala.solve import open_book
from mnkala.solve.oracle import out_of_reach
from mnkala.solve.solver import lent_solver

COUNT = 10
LEVELS = tuple(f"level{number}" for number in range(1, COUNT + 1))
"""The names of levels as players; `7` and `level 7` mean the same."""
NAMES = {"easy": 2, "medium": 5, "hard": 8}
PERFECT = "perfect"
"""The name of the top level where every move of it is exact, from the first one on."""
STRONGEST = "strongest"
"""The name of the top level elsewhere."""
ALL_NAMES = (*LEVELS, *NAMES, STRONGEST, PERFECT)
SOLVER_SECONDS = 10
"""The time limit for levels that ask a solver; where one is asked, it seldom needs a second."""
PERFECT_ENGINE, STRONGEST_ENGINE = f"perfect:time={SOLVER_SECONDS}", "auto:nodes=200000"
LADDERS = "ladders"
"""The kind of files in which families keep their ladders."""
SOLVER, NODES_WITHOUT_SOLVER = "engine=perfect", 250
"""The solver that the upper levels of a ladder may ask, and its replacement on other boards: a
limit of nodes, doubled with each level."""
NUMBERED = re.compile(r"(?:level\s*)?(\d{1,2})")


@dataclasses.dataclass(frozen=True)
class Level:
    """One level of a game."""

    number: int
    name: str
    """easy, medium, hard, and strongest or perfect; '' for a level without a name."""
    engine: str
    rating: float | None = None
    """The rating in points of Elo; level 1 has 1000. None if the game was not calibrated."""
    low: float | None = None
    high: float | None = None
    """The 95 % interval of the rating."""
    exact_from: tuple[str, int] | None = None
    """For a level that asks a solver but is not perfect, a unit and the amount of it from which
    on a position is certain to be solved."""

    @property
    def player(self) -> str:
        """The name of the level as a player."""
        return LEVELS[self.number - 1]


@functools.lru_cache(maxsize=256)
def ladder_of(rules: Rules) -> tuple[Level, ...]:
    """The levels of a game, the weakest first."""
    kept = read_ladder(ladder_file(rules))
    rated = kept["game"] == rules.game_string()
    solved = (
        SOLVER in kept["levels"][0]["engine"]
    )  # even the lowest level asks the solver of such boards
    names = {number: name for name, number in NAMES.items()}
    found = []
    for number, each in enumerate(kept["levels"], start=1):
        engine, name = each["engine"], names.get(number, "")
        if number == COUNT:
            engine, name = (
                PERFECT_ENGINE if asks_solver(rules) else STRONGEST_ENGINE,
                PERFECT if is_perfect(rules) else STRONGEST,
            )
        elif (
            SOLVER in engine and not rated and not solved
        ):  # it is quick on the ladder's own board, but perhaps not here
            engine = f"overlooking:sight=1,nodes={NODES_WITHOUT_SOLVER * 2**number}"
        level = Level(
            number, name, engine, *((each["rating"], each["low"], each["high"]) if rated else ())
        )
        if (name, engine) == (STRONGEST, PERFECT_ENGINE):
            with lent_solver(rules) as solver:
                level = dataclasses.replace(level, exact_from=solver.sure_from(SOLVER_SECONDS))
        found.append(level)
    return tuple(found)


def read_ladder(path: Path) -> dict[str, Any]:
    """Read a file that `mnkala arena calibrate` wrote."""
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def ladder_files() -> list[Path]:
    """The files of all ladders that come with the families of games."""
    return [
        path for family in families() for path in sorted(family.folder.glob(f"{LADDERS}/*.json"))
    ]


def ladder_file(rules: Rules) -> Path:
    """The file of a game's ladder or, if it has none, of the ladder of the game most like it."""
    family = family_of(rules)
    alike = family.like(rules)
    own = family.file(LADDERS, rules.game_string()) or (
        family.file(LADDERS, alike) if alike is not None else None
    )
    return own or ladder_files()[0]


@functools.lru_cache(maxsize=256)
def asks_solver(rules: Rules) -> bool:
    """Whether the top level asks a solver: it is exact at some time in every game."""
    return out_of_reach(Position(rules)) is None


@functools.lru_cache(maxsize=256)
def is_perfect(rules: Rules) -> bool:
    """Whether every move of the top level is exact, whatever position a game comes to."""
    if not asks_solver(rules):
        return False
    with lent_solver(rules) as solver:
        return solver.is_always_sure(SOLVER_SECONDS, open_book(rules))


def levels_of(rules: Rules) -> tuple[str, ...]:
    """Every word that is offered for a level of a game."""
    return (*LEVELS, *NAMES, STRONGEST, *((PERFECT,) if is_perfect(rules) else ()))


def exact_words(level: Level, language: str = "en") -> str:
    """The words that say from where on the moves of a level are exact; '' for a level that
    always estimates."""
    if level.name == PERFECT:
        return say("game.level_exact", language)
    if level.exact_from is None:
        return ""
    unit, most = level.exact_from
    return say(f"game.level_exact_from.{unit}", language, most=most)


def read_level(text: str) -> str | None:
    """The standard form of a level that somebody typed (`7`, `level 7`, `easy`), or None if no
    game has such a level."""
    word = text.strip().lower()
    if word in ALL_NAMES:
        return word
    matched = NUMBERED.fullmatch(word)
    return (
        None
        if matched is None or not 1 <= int(matched[1]) <= COUNT
        else LEVELS[int(matched[1]) - 1]
    )


def level_of(text: str, rules: Rules) -> Level:
    """The level of a game by its name or number; raises BadEngine if the game has no such level."""
    word = read_level(text)
    if word is None or (word == PERFECT and not asks_solver(rules)):
        raise BadEngine(unknown("level", text, levels_of(rules)))
    number = (
        COUNT
        if word in (STRONGEST, PERFECT)
        else NAMES[word]
        if word in NAMES
        else LEVELS.index(word) + 1
    )
    return ladder_of(rules)[number - 1]


def engine_of_level(level: str, rules: Rules) -> str:
    """The engine string of a level, for a game."""
    return level_of(level, rules).engine
