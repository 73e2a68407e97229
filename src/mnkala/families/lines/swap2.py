"""Swap2, the opening rule that makes Gomoku fair: the player who places the first stones does not
know which side he will play.

The first player places three stones on the board, x, o and x. The second then takes x, or takes o
and moves, or places two more stones, o and x, and leaves the choice of sides to the first. Whoever
has o moves next. (Rule of the Gomoku World Championships since 2009.)

An engine places three stones from a list, then takes the side that its search prefers. The list has
stones near a corner, where the first move is worth least; they are turned and mirrored at random.
An engine that has to choose searches the position with half of the time. If it is about even, the
other half is used to try pairs of stones, and the pair after which the position stays most even is
placed: the choice that follows is then worth little.
"""

from __future__ import annotations

import dataclasses
import enum
import random
from collections.abc import Iterator
from typing import ClassVar

from mnkala.core import Position, Rules
from mnkala.errors import BadRecord
from mnkala.explain.chances import chance
from mnkala.families.lines.gomocup import SWAP, Gomocup
from mnkala.families.lines.rules import Mnk, code_at
from mnkala.numbers import shortened
from mnkala.play.opening_rule import OVER, SWAP2, Decision, OpeningRule
from mnkala.programs.process import Fault, Forfeit
from mnkala.search import Analysis, Engine, Limit, Search, Task

FIRST_STONES, ALL_STONES = 3, 5
SHORTEST_LINE = SMALLEST_SIDE = 5
"""The shortest line and the smallest side for which the rule makes sense."""


class Stage(enum.StrEnum):
    """The stages of the opening."""

    PLACE = "place"
    """The first player places three stones on the board."""
    CHOOSE = "choose"
    """The second player takes a side, or asks to place two more stones."""
    MORE = "more"
    """The second player places two more stones."""
    DECIDE = "decide"
    """The first player takes a side."""
    OVER = OVER


class Side(enum.StrEnum):
    """The choices, as they are typed."""

    FIRST = "x"
    SECOND = "o"
    TWO = "two"


CHOICES = {
    Stage.CHOOSE: (Side.FIRST, Side.SECOND, Side.TWO),
    Stage.DECIDE: (Side.FIRST, Side.SECOND),
}


@dataclasses.dataclass(frozen=True)
class Swap2(OpeningRule):
    """The current state of an opening."""

    name = SWAP2
    boards = "Gomoku: five or more in a row on 5 rows and columns or more"
    synonyms: ClassVar = {"black": Side.FIRST, "white": Side.SECOND, "2": Side.TWO}

    stage: Stage = Stage.PLACE

    def fits(self, rules: Rules) -> bool:
        return (
            isinstance(rules, Mnk)
            and rules.line >= SHORTEST_LINE
            and min(rules.rows, rules.cols) >= SMALLEST_SIDE
        )

    @property
    def actor(self) -> int:
        return int(self.stage in (Stage.CHOOSE, Stage.MORE))

    @property
    def choices(self) -> tuple[Side, ...]:
        return CHOICES.get(self.stage, ())

    def left(self, position: Position) -> int:
        wanted = {Stage.PLACE: FIRST_STONES, Stage.MORE: ALL_STONES}.get(self.stage, 0)
        return max(0, wanted - len(position.history_codes))

    def placed(self, position: Position) -> Swap2:
        if position.is_over or self.left(position):
            return self
        return dataclasses.replace(
            self, stage=Stage.CHOOSE if self.stage is Stage.PLACE else Stage.DECIDE
        )

    def chosen(self, choice: str, position: Position) -> tuple[Swap2, bool]:
        if choice == Side.TWO:
            return dataclasses.replace(self, stage=Stage.MORE), False
        swapped = (choice == Side.FIRST) == (self.actor == 1)
        return Swap2(Stage.OVER, len(position.history_codes)), swapped

    def thinker(self, engine: Engine) -> Engine:
        return Swap2Engine(Swap2Search(engine.search, self), engine.limit)

    def state(self) -> str:
        return f"{self.stage} {self.stones}"

    def resumed(self, state: str) -> Swap2:
        stage, _, stones = state.partition(" ")
        if stage not in [*Stage] or not stones.isdecimal():
            raise BadRecord(f"'{shortened(state)}' is no stage of Swap2")
        return Swap2(Stage(stage), int(stones))


EVEN = 0.06
"""A chance this close to one half counts as even."""
PAIRS_TRIED = 8
"""The number of pairs of stones that are tried; each gets its share of half the time."""
OPENINGS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((1, 1), (2, 3), (4, 3)),
    ((3, 0), (4, 0), (2, 2)),
    ((0, 0), (4, 0), (3, 2)),
    ((1, 1), (1, 3), (4, 1)),
    ((2, 4), (4, 2), (3, 1)),
    ((1, 1), (1, 4), (3, 3)),
    ((4, 2), (2, 4), (1, 3)),
    ((4, 1), (2, 3), (3, 2)),
)
"""The places of x, o, x as column and row from a corner, found by `python -m bench.swap2_openings`."""


@dataclasses.dataclass(frozen=True)
class Swap2Search(Search):
    """A search that decides about an opening instead of a move."""

    name = Swap2.name
    inner: Search = dataclasses.field(default_factory=Search)
    opening: Swap2 = dataclasses.field(default_factory=Swap2)

    def check(self, rules: Rules) -> None:
        self.inner.check(rules)

    def parts(self, rules: Rules) -> tuple[object, ...]:
        return self.inner.parts(rules)

    def described(self, rules: Rules) -> str:
        return self.inner.described(rules)

    def prepare(self, rules: Rules) -> None:
        self.inner.prepare(rules)

    def kernel_key(self, rules: Rules) -> str:
        return self.inner.kernel_key(rules)

    def run(self, task: Task) -> Decision:
        if isinstance(self.inner, Gomocup):
            return ask_brain(self.inner, self.opening, task)
        match self.opening.stage:
            case Stage.PLACE:
                return decision(task, *first_stones(task.position))
            case Stage.MORE:
                return decision(task, *even_pair(self.inner, task, 1.0))
            case _:
                return self.choose(task)

    def choose(self, task: Task) -> Decision:
        """Choose the better side or, if none is better, place two more stones where that is
        allowed."""
        share = 0.5 if self.opening.stage is Stage.CHOOSE else 1.0
        found = Engine(self.inner, part_of(task.limit, share)).analyse(
            task.position, dataclasses.replace(part_of(task.limit, share), stop=task.stop)
        )
        chance = chance_of(found)
        if self.opening.stage is Stage.CHOOSE and abs(chance - 0.5) < EVEN:
            return decision(task, *even_pair(self.inner, task, 1 - share), side=Side.TWO)
        side = Side.SECOND if chance >= 0.5 else Side.FIRST
        known = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)} | {
            "engine": task.engine
        }
        return Decision(
            **known | ({} if side is Side.SECOND else {"line_codes": ()}),
            rule=Swap2.name,
            choice=side,
        )


def decision(task: Task, *codes: int, side: Side | None = None, note: str = "") -> Decision:
    """A decision to place stones, without an opinion about the position."""
    return Decision(
        task.position, task.engine, None, (), codes, rule=Swap2.name, choice=side, note=note
    )


class Swap2Engine(Engine):
    """An engine that decides about an opening and is called like any other."""

    def __str__(self) -> str:
        return (
            str(Engine(self.search.inner, self.limit))
            if isinstance(self.search, Swap2Search)
            else super().__str__()
        )


def part_of(limit: Limit, share: float) -> Limit:
    """A limit with this share of the time and of the nodes of another."""
    return dataclasses.replace(
        limit,
        time=limit.time and limit.time * share,
        nodes=limit.nodes and max(1, int(limit.nodes * share)),
    )


def chance_of(found: Analysis) -> float:
    """The chance of the player to move, also if the search has no opinion."""
    return 0.5 if found.score is None else chance(found.score, found.position, found.engine)


def first_stones(position: Position) -> list[int]:
    """The missing stones of an opening in the list that begins as this one does; if there is none,
    any cells."""
    rules, rng = position.rules, random.Random()
    assert isinstance(rules, Mnk)
    placed = list(position.history_codes)
    fitting = [codes for codes in all_openings(rules) if codes[: len(placed)] == placed]
    if fitting:
        return rng.choice(fitting)[len(placed) :]
    return rng.sample(position.legal_codes, 3 - len(placed))


def all_openings(rules: Mnk) -> Iterator[list[int]]:
    """The list, turned and mirrored in every way that the board allows."""
    for stones in OPENINGS:
        for way in range(8):
            points = [(y, x) if way & 4 else (x, y) for x, y in stones]
            yield [
                code_at(
                    rules,
                    rules.cols - 1 - x if way & 1 else x,
                    rules.rows - 1 - y if way & 2 else y,
                )
                for x, y in points
            ]


def even_pair(search: Search, task: Task, share: float) -> list[int]:
    """Two stones, or the second of them, after which the position stays most even."""
    position, rng = task.position, random.Random()
    engine = Engine(search, part_of(task.limit, share / PAIRS_TRIED))
    tried: list[tuple[float, list[int]]] = []
    for _ in range(PAIRS_TRIED):
        stones: list[int] = []
        after = position
        while len(after.history_codes) < 5:
            state = after.state()
            near = [code for code in after.legal_codes if after.rules.near(state, code, 2)]
            stones.append(rng.choice(near or after.legal_codes))
            after = after.play_codes(stones[-1:])
        found = engine.analyse(after, dataclasses.replace(engine.limit, stop=task.stop))
        tried.append((abs(chance_of(found) - 0.5), stones))
        if task.stop.is_set():
            break
    return min(tried)[1]


def ask_brain(brain: Gomocup, opening: Swap2, task: Task) -> Decision:
    """The decision of a program. It answers as the protocol demands, or it has lost."""
    talk, seconds = brain.talk(task.rules), brain.seconds(task)
    answer = talk.swap2(task.position, seconds, lambda: brain.is_wanted(task, seconds))
    if answer is None:
        return decision(task, side=Side.FIRST if opening.choices else None, note="stopped")
    what, message = answer
    stones = () if isinstance(what, str) else what
    allowed = {Stage.PLACE: (3,), Stage.CHOOSE: (0, 1, 2), Stage.DECIDE: (0, 1)}.get(
        opening.stage, ()
    )
    if len(stones) not in allowed or (what == SWAP) != (not stones):
        brain.close()
        raise Forfeit(Fault.BAD_LINE, f"{len(stones)} stones are no answer to this stage of Swap2")
    side = (
        None
        if opening.stage is Stage.PLACE
        else {0: Side.FIRST, 1: Side.SECOND, 2: Side.TWO}[len(stones)]
    )
    return decision(task, *stones, side=side, note=message)
