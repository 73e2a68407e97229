"""The one grammar of game strings: `NAME`, `NAME:SIZES` or `NAME:SIZES,OPTION,…`, sizes joined by
`x`, rows before columns.

`connect4`, `connect4:10x11`, `connect:8x9x5`. A plug-in adds its own by the decorator `@game`;
`plugins` finds plug-ins.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar, dataclass_transform

from mnkala.core import plugins
from mnkala.core.family import PLAIN, Family
from mnkala.core.plugin_guards import make_printable
from mnkala.core.plugins import is_plugin, name_of
from mnkala.core.rules import Rules
from mnkala.errors import (
    BadGame,
    BadPlugin,
    MnkalaError,
    first_sentence,
    in_one_line,
    printable,
    unknown,
)
from mnkala.native import native
from mnkala.native.objects import is_foreign
from mnkala.numbers import counted, shortened

Kind = Literal["heuristics", "searches", "solvers", "programs"]
RulesClass = TypeVar("RulesClass", bound=type[Rules])

LONGEST_STRING = 200
FAMILIES = "mnkala.families"
MOST_WORDS = 4
"""The longest names that people use for a game: `four in a row`."""
OTHERS = 100
"""The place in menus of games that do not set one."""


@dataclasses.dataclass(frozen=True)
class GameName:
    """A name at the start of game strings, and what it stands for."""

    name: str
    summary: str
    grammar: str
    """The form of its game strings, for help and error messages."""
    example: str
    """A valid game string, for help and error messages."""
    build: Callable[[tuple[int, ...], tuple[str, ...]], Rules]
    """Make rules from sizes and options; raise BadGame if there are no such rules."""
    names: tuple[str, ...] = ()
    """Common game strings, to be listed and compiled ahead."""
    place: int = OTHERS
    """The place in menus; names with the same number are sorted alphabetically."""
    sizes: tuple[int, ...] = ()
    """The sizes that a game string without sizes stands for; empty where sizes are required."""
    aliases: tuple[str, ...] = ()
    """Other names that people use for it, in lower case: `four in a row`. Blanks and hyphens in
    them are ignored."""
    sample: tuple[str, str] | None = None
    """A game string and moves whose position shows at a glance what the game is like; the start if
    there is none.
    """


_names: dict[str, GameName] = plugins.new_register()
_aliases: dict[str, str] = plugins.new_register()
_families: dict[type[Rules], Family] = plugins.new_register()


def register_name(name: GameName) -> None:
    """Add a name of games, or replace an older version of it."""
    _names[name.name] = name
    _aliases.update((_without_gaps(each), name.name) for each in (name.name, *name.aliases))


def register_family(family: Family) -> Family:
    """Register a family for its classes of rules, or replace an older version of it."""
    for rules in family.rules:
        _families[rules] = family
    return family


def family_of(rules: Rules) -> Family:
    """The family of a game. A class derived from a family's rules has rules of its own and does
    not belong to the family."""
    plugins.load("mnkala.games")
    return _families.get(type(rules), PLAIN)


def families() -> list[Family]:
    """All families, those of plug-ins too, the likeliest first."""
    plugins.load("mnkala.games")
    return sorted(dict.fromkeys(_families.values()), key=lambda family: family.place)


@dataclass_transform(frozen_default=True)
def game(cls: RulesClass) -> RulesClass:
    """Make a class of rules a game that every interface knows by its `name`.

    The whole-number fields of the class are the sizes in its game strings, in their order, and
    their defaults are the defaults of the game string.
    """
    made = native(cls)
    name = name_of(made)
    parts = [field for field in dataclasses.fields(made) if field.init]  # type: ignore[arg-type]
    fields = [field.name for field in parts]
    sizes = tuple(field.default for field in parts if isinstance(field.default, int))
    grammar = f"{name}[:{'x'.join(field.upper() for field in fields)}]" if fields else name

    def build(sizes: tuple[int, ...], options: tuple[str, ...]) -> Rules:
        if options:
            text = f"{name} has no option '{options[0]}'; write {grammar}"
            raise BadGame(text, "error.game_option", name=name, option=options[0], grammar=grammar)
        if sizes and len(sizes) != len(fields):
            text = f"{counted(len(sizes), 'size')} for {name}; write {grammar}"
            raise BadGame(text, "error.sizes", name=name, count=len(sizes), grammar=grammar)
        try:
            return made(*sizes)
        except MnkalaError:
            raise
        except Exception as error:
            raise BadGame(
                f"{name} cannot be made with {'x'.join(map(str, sizes)) or 'its default sizes'}: {in_one_line(error)}"
            ) from error

    made.summary = made.summary or first_sentence(cls)
    if is_foreign(cls.__module__):
        make_printable(made)
    register_name(
        GameName(
            name,
            printable(made.summary),
            grammar,
            example=name,
            build=build,
            names=(name,),
            sizes=sizes if len(sizes) == len(fields) else (),
        )
    )
    return made


def rules_files() -> frozenset[str]:
    """The files of the families of mnkala that a game needs to be played, and no file of theirs
    with a search or a solver.
    """
    classes = {base for family in families() for rules in family.rules for base in rules.__mro__}
    modules = {type(family).__module__ for family in families()} | {
        cls.__module__ for cls in classes
    }
    packages = {name.rpartition(".")[0] for name in modules}
    files = {
        getattr(sys.modules.get(name), "__file__", None)
        for name in modules | packages
        if name.startswith(FAMILIES)
    }
    return frozenset(os.path.realpath(file) for file in files if file)


@functools.cache
def load(kind: Kind) -> None:
    """Register everything of one kind, once: what families and plug-ins offer, the latter by
    their own entry points."""
    for family in families():
        try:
            family.register(kind)
        except Exception as error:
            if not is_foreign(type(family).__module__):
                raise
            warnings.warn(
                f"the {kind} of {type(family).__module__} were left out: {in_one_line(error)}",
                plugins.PluginWarning,
                stacklevel=2,
            )
    plugins.load(f"mnkala.{kind}")


KINDS: tuple[Kind, ...] = ("heuristics", "searches", "solvers", "programs")


@contextlib.contextmanager
def forgetting() -> Iterator[None]:
    """Run a block and then forget everything that was registered in it, together with the plug-ins
    that did so. Imported again, they register again."""
    for kind in KINDS:
        load(kind)  # What comes with the package stays registered, and only once.
    before = [dict(register) for register in plugins.registered()]
    modules = set(sys.modules)
    try:
        yield
    finally:
        for name in [name for name in set(sys.modules) - modules if is_plugin(sys.modules[name])]:
            del sys.modules[name]
        for register, kept in zip(plugins.registered(), before, strict=False):
            register.clear()
            register.update(kept)


def game_names() -> list[GameName]:
    """All games, those of plug-ins too, by name."""
    plugins.load("mnkala.games")
    return sorted(_names.values(), key=lambda name: name.name)


def first_game() -> str:
    """The usual game string of the game that menus offer first, for users who do not name a game."""
    first = min(game_names(), key=lambda name: name.place)
    return (*first.names, first.example)[0]


def sound_game_names() -> list[GameName]:
    """All games that can be played, in the order of menus; a plug-in's game that breaks its
    contract is left out with a warning."""
    sound = []
    for name in sorted(game_names(), key=lambda name: name.place):
        try:
            parse_game(name.example)
        except BadPlugin as error:
            warnings.warn(str(error), plugins.PluginWarning, stacklevel=2)
        else:
            sound.append(name)
    return sound


def is_game(text: str) -> bool:
    """Whether a text starts with the name of a game."""
    return _named(text.partition(":")[0]) is not None


def named_words(words: Sequence[str]) -> int:
    """How many of the first words name a game, with sizes or a literal after its name: 4 of
    `four in a row 44`."""
    most = next(
        (
            count
            for count, word in enumerate(words[:MOST_WORDS], start=1)
            if ":" in word or "@" in word
        ),
        MOST_WORDS,
    )
    return next(
        (
            count
            for count in range(min(len(words), most), 0, -1)
            if is_game("".join(words[:count]).partition("@")[0])
        ),
        0,
    )


def _named(name: str) -> GameName | None:
    """The game with this name or alias."""
    plain = name.strip().lower()
    if plain not in _names:
        plugins.load("mnkala.games")
    return _names.get(plain) or _names.get(_aliases.get(_without_gaps(plain), ""))


def _without_gaps(name: str) -> str:
    return re.sub(r"[\s_'’-]", "", name)


def parse_game(text: str) -> Rules:
    """The rules that a game string names. A plug-in's game that breaks the contract is refused
    (`plugin_trial.py`)."""
    rules = read_game(text)
    if is_foreign(type(rules).__module__):
        from mnkala.core.plugin_trial import require_sound

        require_sound(_usual(rules))
    return rules


def _usual(rules: Rules) -> Rules:
    """The rules of the same game in its default sizes, if it has them; otherwise the given ones.
    Only these are tested, not each size; an engine tests the size that it plays."""
    fields = dataclasses.fields(rules)  # type: ignore[arg-type]
    return (
        type(rules)()
        if all(field.default is not dataclasses.MISSING for field in fields if field.init)
        else rules
    )


def read_game(text: str) -> Rules:
    """The rules that a game string names, without testing them."""
    if len(text) > LONGEST_STRING:
        raise BadGame(
            f"a game string of {len(text)} characters; the longest allowed is {LONGEST_STRING}",
            "error.long_game",
            length=len(text),
            most=LONGEST_STRING,
        )
    name, colon, rest = text.strip().lower().partition(":")
    known = _named(name)
    if known is None:
        others = [alias for each in _names.values() for alias in each.aliases]
        raise BadGame(
            unknown("game", name, sorted(_names), others),
            "error.unknown_game",
            name=shortened(name),
            games=", ".join(sorted(_names)),
        )
    words = rest.split(",") if colon else []
    sizes: tuple[int, ...] = ()
    if words and re.fullmatch(r"\d{1,6}(x\d{1,6})*", words[0]):
        sizes = tuple(int(size) for size in words.pop(0).split("x"))
    if any(not re.fullmatch(r"[a-z][a-z0-9-]*", word) for word in words):
        raise BadGame(
            f"'{rest}' cannot be read; write {known.grammar}, for example {known.example}",
            "error.game_unreadable",
            text=rest,
            grammar=known.grammar,
            example=known.example,
        )
    return known.build(sizes, tuple(words))
