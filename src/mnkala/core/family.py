"""The contract of a family of games: everything that is known about a game beyond its rules.

A game needs no family. Bare rules (`rules.py`) can be played, analysed, solved by full search,
drawn and measured. A family adds what its author knows: heuristics and engines, an exact solver,
words for what a move does, puzzles, a rulebook, levels. Each of these is a *facet*, a method of the
class below. Every facet has a sound default, so a family implements only what it has.

**How a family is found.** A package names one module under the entry point `mnkala.games`.
Importing that module registers the rules (`@game`, or `register_name` where game strings need more
than sizes) and the family (`register_family`). The families that come with mnkala
(`mnkala.families`) are found in the same way. All other code asks `family_of(rules)` and never
looks at the class of the rules, so nothing outside a family needs to know that it exists.

**How it stays light.** The module of the entry point imports its rules and this contract, nothing
else: the rules never load Numba. A facet imports what it returns only when it is called, so that
`mnkala --help` pays for none of them.

**Commands.** The file `commands.json` in the family's folder `data` adds commands to `mnkala`:
names with `where`, a `module:function` or `module:app` of Cyclopts, and `summary`, the first
sentence of its docstring. It is a file and not a method because `mnkala --help` reads it without
importing the family (`cli/commands.py`).

Facets that apply only to some boards of a family are given the rules and return None for the
others.
"""

from __future__ import annotations

import dataclasses
import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import random

    from mnkala.arena.calibrate import LevelPath
    from mnkala.arena.models import Model, Tables
    from mnkala.core.paste import GameFile
    from mnkala.core.position import Position
    from mnkala.core.rules import Rules
    from mnkala.explain.chances import Curve
    from mnkala.explain.contract import Explanations
    from mnkala.explain.rulebook import Section, Writer
    from mnkala.play.fair_starts import FairStart
    from mnkala.play.opening_rule import OpeningRule
    from mnkala.play.puzzle_contract import PuzzleFamily
    from mnkala.search import Stop
    from mnkala.search.heuristic import Heuristic
    from mnkala.solve.books import Books


@dataclasses.dataclass(frozen=True)
class Example:
    """An example position, and how deep its search tree may be shown."""

    game: str
    moves: str = ""
    depth: int = 0
    """The plies up to which its tree is small enough to be shown; 0 if it is not offered for
    that."""


class Family:
    """Base class of all families; every facet has a default."""

    rules: ClassVar[tuple[type[Rules], ...]] = ()
    """The classes of rules that belong to the family."""
    place: ClassVar[int] = 100
    """The rank of the family in menus: the families that people most likely mean come first."""

    # ---- Files ----

    @property
    def name(self) -> str:
        """The name of the family's module, which is part of the keys of its texts."""
        return type(self).__module__.rpartition(".")[2]

    @property
    def folder(self) -> Path:
        """The folder `data` beside the family's own module. It has files about single games by
        kind: `ladders/GAME.json` (levels), `openings/GAME.jsonl` (starts for engines),
        `fair/GAME.jsonl` (starts that neither side wins), `puzzles/GAME.jsonl`, `books`; and the
        family's own texts in `words/*.json` (`explain/words.py`)."""
        return Path(str(sys.modules[type(self).__module__].__file__)).with_name("data")

    def file(self, kind: str, game: str) -> Path | None:
        """The file of a kind for the game of a game string, if there is one."""
        found = next(self.folder.glob(f"{kind}/{game.replace(':', '-')}.json*"), None)
        return found if found is not None and found.is_file() else None

    def lessons(self) -> tuple[Path, ...]:
        """The files of lessons in playing, one for each game that has some (`play/lessons.py`)."""
        return tuple(sorted(self.folder.glob("lessons/*.toml")))

    # ---- Examples ----

    examples: ClassVar[Mapping[str, Example]] = {}
    """Positions by name. Those with a depth are offered where people watch a search think, under
    the text FAMILY.example.NAME; the tours of the searches use the others."""

    # ---- Engines ----

    modules: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The modules whose decorators register what the family has, by kind: "heuristics", "searches",
    "solvers", and "programs", which let external programs play its games as engines. A name that
    begins with a dot is relative to the family's own package."""

    def register(self, kind: str) -> None:
        """Import the modules of a kind."""
        for name in self.modules.get(kind, ()):
            importlib.import_module(name, type(self).__module__)

    def weights(self, path: Path, rules: Rules) -> Heuristic | None:
        """The heuristic that a file of weights describes, for games whose weights can be learned;
        raises BadEngine for a bad file.
        """
        return None

    def books(self) -> Books | None:
        """The family's opening books: how to build and how to read them."""
        return None

    def curve(self, heuristic: str, rules: Rules) -> Curve | None:
        """The curve from a heuristic's numbers to chances on a board, where it differs from the
        one used elsewhere (`explain/chances.py`)."""
        return None

    # ---- Levels, tournaments, learning ----

    def like(self, rules: Rules) -> str | None:
        """The game string of the board whose levels are used for a board without its own."""
        return None

    def level_path(self, rules: Rules) -> LevelPath | None:
        """The path on which `mnkala arena calibrate` looks for even levels; None for the usual
        path."""
        return None

    def random_start(self, rules: Rules, rng: random.Random) -> Position | None:
        """A position after a few random moves, from which engines can begin; None for the
        general method."""
        return None

    def model(self, rules: Rules) -> Model | None:
        """The evaluation whose weights `mnkala tune weights` learns."""
        return None

    # ---- Studies ----

    studies: ClassVar[str | None] = None
    """The package of the family's own studies: files `NAME.toml` (`lab/study.py`), each with a
    module of the same name."""

    def tables(self, rules: Rules) -> Tables | None:
        """The evaluation in tables that the study `learning` learns."""
        return None

    # ---- For people ----

    def explanations(self, rules: Rules) -> Explanations | None:
        """The explanations of moves on a board, and of why they are good or bad; None for those
        of any game."""
        return None

    def rulebook(self, rules: Rules, write: Writer) -> tuple[Section, ...] | None:
        """The rules in sections for people who do not know the game; None for `summary` and
        `rules_text`."""
        return None

    reads_literals: ClassVar[bool] = False
    """Whether `games_of_literal` knows the literals of all games of the family."""

    def games_of_literal(self, literal: str) -> Iterator[str]:
        """The game strings of boards that a position literal may describe, by its form and size."""
        return iter(())

    def game_files(self) -> tuple[GameFile, ...]:
        """The file formats of other programs in which games of the family are read and written."""
        return ()

    def puzzles(self) -> tuple[PuzzleFamily[Any], ...]:
        """The puzzles of the family. The first whose `fits` accepts a board is used for it."""
        return ()

    def opening_rules(self) -> tuple[OpeningRule, ...]:
        """The rules by which players settle before the game who has which side, each at its
        beginning; their `fits` says on which boards."""
        return ()

    def fair_start(self, rules: Rules, stop: Stop) -> FairStart | None:
        """Find a start that neither side wins with best play, for a board without a file of the
        kind `fair`; an error says why there is none. None if the family does not look for any."""
        return None

    # ---- The same games in packages of others ----

    spiel_games: ClassVar[str] = ""
    """OpenSpiel's games with the same rules, in words for people."""

    def spiel_name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        """OpenSpiel's name and parameters of a game; None if it has no such game."""
        return None

    def spiel_rules(self, name: str, parameters: dict[str, Any]) -> Rules | None:
        """The rules of OpenSpiel's game of this name and parameters; None if it does not belong to
        the family."""
        return None

    def spiel_action(self, code: int, mover: int) -> int:
        """The number of a move in OpenSpiel."""
        return code

    def spiel_code(self, action: int) -> int:
        """The code of a move that OpenSpiel numbers `action`."""
        return action


PLAIN = Family()
"""The family of games that belong to no other."""
