"""Engines: a search with its options and a limit, named by an engine string `NAME[:KEY=VALUE,…]`.

`deepening`, `alphabeta:depth=6,heuristic=zero-sum`, `deepening:time=2,threads=2`. The keys `depth`,
`nodes` and `time` set the limit; the others are options of the search. A search that runs a program
of the user's takes its command line first: `gomocup:/path/to/brain --fast,time=2`; only what the
user typed may name one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from mnkala.core import Position, Rules
from mnkala.core.plugin_trial import require_sound
from mnkala.core.plugins import blaming, new_register, note_plugin
from mnkala.core.registry import load
from mnkala.core.score import Score
from mnkala.errors import BadEngine, did_you_mean, first_sentence, unknown
from mnkala.native.kernels import loading, mark_compiled
from mnkala.numbers import read_decimal, read_whole, shortened
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.buffers import make_buffers
from mnkala.search.candidates import BEST, Candidates, parse_candidates
from mnkala.search.heuristic import Heuristic, heuristic_for, heuristics
from mnkala.search.limit import Limit, Stop, nodes_to_depth
from mnkala.search.root import Root, Task
from mnkala.search.runner import stream, stream_at_once
from mnkala.search.table import KEPT_BITS, check_bits

AT_ONCE = 3000
"""A query without a clock that visits at most this many nodes, some milliseconds of work, is
answered in the caller's own thread."""
LIMIT_KEYS = {"depth": "int", "nodes": "int", "time": "float"}


RESOURCES = ("threads", "table_bits", "memory")
"""The names of options by which a search takes more of the machine: threads, a table of 2^n
entries, the nodes of a tree. A server limits them, and turns off `keep`, by which a tree or a
table is held between the moves of a game."""


@dataclasses.dataclass(frozen=True)
class Tunable:
    """A number that steers a search."""

    value: float
    whole: bool
    """Whether only whole numbers are allowed."""
    span: tuple[float, float] | None = None
    """The usual range for tuning; None for a number that is tuned only on request."""


@dataclasses.dataclass(frozen=True)
class Search:
    """Base class of every search: a frozen dataclass whose fields are its options."""

    name: ClassVar[str]
    first_option: ClassVar[str] = ""
    """The option that engine strings give first, without its name, and that may hold any text."""
    runs_program: ClassVar[bool] = False
    """Whether it runs an external program, which only the user's own typing may ask for
    (`parse_engine`)."""
    plays_out_best: ClassVar[bool] = False
    """Whether the line after a move with an exact score is best play by both sides, as a
    principal variation is. The most visited moves of a Monte-Carlo search are not, and for
    external engines nobody knows."""
    most_threads: ClassVar[int] = 2
    """The most that the option `threads` may be, if there is one."""

    def __post_init__(self) -> None:
        threads = getattr(self, "threads", 1)
        if not 1 <= threads <= self.most_threads:
            raise BadEngine(f"{threads} threads; {self.name} runs on 1 to {self.most_threads}")
        check_bits(getattr(self, "table_bits", KEPT_BITS))

    def check(self, rules: Rules) -> None:
        """Raise an error with the reason if this search cannot play a game."""

    def parts(self, rules: Rules) -> tuple[object, ...]:
        """Everything that runs in a search of this game, so that errors can be attributed."""
        return (self, rules)

    def described(self, rules: Rules) -> str:
        """The search and the game, in words."""
        return f"{self.name} on {rules.game_string()}"

    def prepare(self, rules: Rules) -> None:
        """Compile (or load) everything that a search of this game needs, before any clock runs;
        by default `_compile`, once for each `kernel_key`."""
        require_sound(rules)
        with blaming(lambda: self.parts(rules), self.described(rules)):
            key = self.kernel_key(rules)
            if key not in _prepared:
                with loading():
                    self._compile(rules)
                _prepared.add(key)
                mark_compiled(key)

    def _compile(self, rules: Rules) -> None:
        """Run once everything that a search of this game may run, so that it is compiled; by
        default there is nothing to compile.
        """

    def kernel_key(self, rules: Rules) -> str:
        """A text that identifies the kernels which `prepare` compiles, the same for all questions
        that share them; '' if nothing is compiled."""
        return ""

    def run(self, task: Task) -> Analysis:
        """Search until a limit is reached or `task.stop` is set, and return the answer. The
        position is not finished."""
        raise NotImplementedError

    @classmethod
    def chance(cls, value: int) -> float | None:
        """The expected result, from 0 to 1, for the player whom a value of this search favours;
        None where that depends on the heuristic."""
        return None

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        """An upper bound on the nodes of any search within a limit; infinite if there is none."""
        return math.inf

    @classmethod
    def heuristic_names(cls) -> tuple[str, ...]:
        """The values of the option `heuristic` that name no file, which are all that a server
        allows."""
        return ("auto", *(entry.name for entry in heuristics()))

    def numbers(self) -> dict[str, Tunable]:
        """The numbers that can be tuned by play; by default the options that are numbers and no
        `RESOURCES`.
        """
        options = [
            option for option in options_of(type(self)) if kind_of(option) in ("int", "float")
        ]
        return {
            option.name: Tunable(getattr(self, option.name), kind_of(option) == "int")
            for option in options
            if option.name not in (*RESOURCES, "seed")
        }

    def with_numbers(self, values: Mapping[str, float]) -> Search:
        """This search with other values of `numbers`."""
        return dataclasses.replace(self, **values)

    def close(self) -> None:
        """Release external resources, such as a process; the search stays usable."""


@dataclasses.dataclass(frozen=True)
class HeuristicSearch(Search):
    """A search that uses a heuristic at its leaves."""

    heuristic: str = "auto"
    """The heuristic's name; auto is the game's own choice."""
    candidates: str = "auto"
    """The moves that are considered: all, near:R, best:Q, or auto for the game's own choice."""

    def heuristic_for(self, rules: Rules) -> Heuristic:
        """The heuristic, made for a game."""
        return heuristic_for(rules.heuristic if self.heuristic == "auto" else self.heuristic, rules)

    def candidates_for(self, rules: Rules) -> Candidates:
        """The choice of moves for a game."""
        return parse_candidates(self.candidates, rules)

    def check(self, rules: Rules) -> None:
        self.heuristic_for(rules)
        self.candidates_for(rules)

    def parts(self, rules: Rules) -> tuple[object, ...]:
        return (*super().parts(rules), self.heuristic_for(rules))

    def described(self, rules: Rules) -> str:
        return f"{self.name} with the heuristic {rules.heuristic if self.heuristic == 'auto' else self.heuristic} on {rules.game_string()}"

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return min(limit.nodes or math.inf, nodes_to_depth(rules, limit))

    def trial(self) -> HeuristicSearch:
        """A quick version of the same search, which is run once in order to compile it."""
        return self

    def kernel_key(self, rules: Rules) -> str:
        return " ".join(
            (self.name, rules.native_identity(), self.heuristic_for(rules).native_identity())
        )

    def _compile(self, rules: Rules) -> None:
        # Searching the start of the game one ply deep compiles the kernels of the search; the root
        # lists candidates only where moves are left out, so one move at most is asked for as well.
        task = Task(Position(rules), Limit(depth=1), Stop(), lambda analysis: None, engine="")
        self.trial().run(task)
        Root(
            task, self.heuristic_for(rules), Candidates(BEST, 1), make_buffers(rules, 1, task.stop)
        )


_prepared: set[str] = set()
"""The combinations that this process has compiled or loaded."""
_searches: dict[str, type[Search]] = new_register()
_programs: dict[str, type[Search]] = new_register()


def register_search(cls: type[Search]) -> type[Search]:
    """Register a search under its name; also a decorator for plug-ins."""
    note_plugin(cls)
    _searches[cls.name] = cls
    return cls


def searches() -> dict[str, type[Search]]:
    """All searches, including those of plug-ins."""
    load("searches")
    return dict(sorted(_searches.items()))


def register_program(cls: type[Search]) -> type[Search]:
    """Register a search that runs external programs. Menus, servers and saved games do not offer
    it."""
    _programs[cls.name] = cls
    return cls


def program_searches() -> dict[str, type[Search]]:
    """All searches that run programs."""
    load("programs")
    return dict(sorted(_programs.items()))


def options_of(cls: type[Search]) -> list[dataclasses.Field[Any]]:
    """The fields of a search that an engine string may set."""
    return [
        field
        for field in dataclasses.fields(cls)
        if field.init and field.metadata.get("option", True)
    ]


def kind_of(option: dataclasses.Field[Any]) -> str:
    """The type of an option as it is written: int, float, bool or str."""
    return option.type if isinstance(option.type, str) else option.type.__name__


def summary(cls: type[Search]) -> str:
    """The first sentence of a search's docstring."""
    return first_sentence(cls)


class _Depths:
    """Attaches to each answer the moves of one depth before."""

    def __init__(self) -> None:
        self.last: Analysis | None = None
        self.earlier: tuple[RootMove, ...] = ()

    def noted(self, answer: Analysis) -> Analysis:
        """Complete an answer by the moves of one depth before."""
        if self.last is None or answer.depth != self.last.depth:
            self.earlier = (
                self.last.moves
                if self.last is not None and answer.depth == self.last.depth + 1
                else ()
            )
        self.last = answer
        return dataclasses.replace(answer, earlier=self.earlier) if self.earlier else answer


@dataclasses.dataclass(frozen=True)
class Engine:
    """A search, and the limit that it keeps unless another is given."""

    search: Search
    limit: Limit = Limit()

    def stream(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        all_moves: bool = False,
        stop: Stop | None = None,
    ) -> Iterator[Analysis]:
        """Yield better and better answers; the last is final, though it may say what the one before
        it said, with the time of the whole search. Closing the iterator stops the search, and so
        does `stop`, which is not a limit known to the search."""
        limit = limit or self.limit
        if position.is_over:
            yield finished(position, str(self))
            return
        with self.ready(position.rules):
            started = time.perf_counter()

            def work(stop: Stop, give: Callable[[Analysis], None]) -> None:
                give(self._run(Task(position, limit, stop, give, str(self), all_moves, started)))

            stop = stop or limit.stop
            at_once = (
                limit.time is None and self.search.most_nodes(position.rules, limit) <= AT_ONCE
            )
            until = None if limit.time is None else started + limit.time
            yield from (
                stream_at_once(work, stop=stop) if at_once else stream(work, stop=stop, until=until)
            )

    def analyse(
        self, position: Position, limit: Limit | None = None, *, all_moves: bool = False
    ) -> Analysis:
        """Search and return the final answer."""
        *_, last = self.stream(position, limit, all_moves=all_moves)
        return last

    def answer(self, position: Position, stop: Stop) -> Analysis:
        """Return the final answer, found in the calling thread. The caller enforces a time limit
        by setting `stop`."""
        if position.is_over:
            return finished(position, str(self))
        with self.ready(position.rules):
            return self._run(
                Task(position, self.limit, stop, lambda analysis: None, engine=str(self))
            )

    def _run(self, task: Task) -> Analysis:
        """The final answer, with the time and the nodes of the whole search."""
        depths = _Depths()
        found = self.search.run(
            dataclasses.replace(task, report=lambda answer: task.report(depths.noted(answer)))
        )
        return dataclasses.replace(depths.noted(found), seconds=time.perf_counter() - task.started)

    @contextlib.contextmanager
    def ready(self, rules: Rules) -> Iterator[None]:
        """A block in which the engine may search a game: everything is compiled, and plug-ins
        are named for their mistakes."""
        require_sound(rules)
        with blaming(lambda: self.search.parts(rules), self.search.described(rules)):
            self.search.prepare(rules)
            yield

    def __str__(self) -> str:
        return self._text

    @functools.cached_property
    def _text(self) -> str:
        options = {
            field.name: getattr(self.search, field.name)
            for field in options_of(type(self.search))
            if getattr(self.search, field.name) != field.default
        }
        options |= {
            key: getattr(self.limit, key)
            for key in LIMIT_KEYS
            if getattr(self.limit, key) is not None
        }
        first = (
            [str(options.pop(self.search.first_option))]
            if self.search.first_option in options
            else []
        )
        listed = ",".join([*first, *(f"{key}={_write(value)}" for key, value in options.items())])
        return f"{self.search.name}:{listed}" if listed else self.search.name


def finished(position: Position, engine: str) -> Analysis:
    """The analysis of a game that is over."""
    return Analysis(position, engine, Score.final(position), moves=(), line_codes=())


def parse_engine(text: str, *, programs: bool = False) -> Engine:
    """The engine that an engine string names. External programs are allowed, by `programs=True`,
    only if the user typed the string."""
    name, colon, rest = text.strip().partition(":")
    known = _searches if name in _searches else searches() | program_searches()
    if name not in known:
        raise BadEngine(
            unknown("engine", name, sorted(known)),
            "error.unknown_engine",
            name=shortened(name),
            engines=", ".join(sorted(known)),
        )
    cls = known[name]
    kinds = {field.name: kind_of(field) for field in options_of(cls)}
    allowed = kinds | LIMIT_KEYS
    options: dict[str, Any] = {}
    words = rest.split(",") if colon else []
    if cls.first_option:
        count = len(words)
        while count > 1 and words[count - 1].partition("=")[0].strip() in allowed.keys() - {
            cls.first_option
        }:
            count -= 1
        options[cls.first_option], words = ",".join(words[:count]).strip(), words[count:]
    if cls.runs_program:
        options["allowed"] = programs
    for word in words:
        key, equals, value = (part.strip() for part in word.partition("="))
        if not equals or key not in allowed:
            options_there = ", ".join(f"{key}=" for key in allowed)
            likely = did_you_mean(key, allowed, f"options are {options_there}")
            raise BadEngine(
                f"'{shortened(word)}' is not an option of {name}; {likely}",
                "error.engine_option",
                option=shortened(word),
                engine=name,
                options=options_there,
            )
        if key in options:
            raise BadEngine(f"{key} is given twice", "error.twice", option=key)
        options[key] = _read(key, value, allowed[key])
    limit = Limit(
        **{key: options.pop(key) for key in LIMIT_KEYS if key in options and key not in kinds}
    )
    return Engine(cls(**options), limit)


_SWITCH = {
    "on": True,
    "yes": True,
    "true": True,
    "1": True,
    "off": False,
    "no": False,
    "false": False,
    "0": False,
}


def _read(key: str, value: str, kind: str) -> Any:
    try:
        if kind == "bool":
            return _SWITCH[value.lower()]
        return {"int": read_whole, "float": read_decimal}.get(kind, str)(value)
    except KeyError:
        wanted, why = "on or off", ""
    except ValueError as error:
        wanted, why = {"int": "a whole number", "float": "a number"}[kind], f": {error}"
    given = shortened(value)
    raise BadEngine(
        f"{key}={given}; {key} takes {wanted}{why}",
        f"error.value_{kind}",
        option=key,
        given=given,
    )


def _write(value: Any) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else str(value)
