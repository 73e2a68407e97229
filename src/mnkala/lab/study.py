"""Study files: small declarative TOML files that say what varies, what is measured and how it is
drawn.

    title = "Nodes with and without pruning"      # required
    question = "How much does pruning save?"       # required, one sentence
    source = "report 002"                          # where the question comes from
    code = "my_measures.py"                        # only in a folder of one's own: Python file beside it with measures and findings

    measure = "nodes"                              # a registered measure; its signature says what may vary
    repeat = 3                                     # or seeds = [7, 8]: varies `seed` over 1, 2, 3 (just repeats, if the measure takes none)

    [vary]                                         # the product of these lists is the work
    board = ["6x7", "10x11"]
    depth = [1, 2, 3]
    "one+other" = [["a", "b"], ["a", "c"]]         # two names that vary together

    [fixed]                                        # constant arguments, part of every row too
    heuristic = "zero-sum"

    [quick]                                        # replaces lists of [vary], values of [fixed], or repeat/seeds in quick runs
    depth = [1, 2]

    [[skip]]                                       # combinations to leave out: all named values must match (a list: any of them)
    board = "10x11"
    depth = [3]

    [[reference]]                                  # the report's own figures: columns report_*, joined on the varied names given here
    board = "6x7"
    depth = [1, 2, 3]                              # lists are read side by side: three rows; "" stands for a missing figure
    nodes = [8, 57, 400]                           # becomes report_nodes
    on = ["board", "depth"]                        # optional: what to join on (measured columns too)

    [labels]                                       # words for columns, used by axes and table heads
    nodes = "nodes visited"
    [units]
    seconds = "s"

    [[plot]]
    kind = "line"                                  # line, bar, dot, scatter, heat; bars begin at zero, so none on a logarithmic axis: dots
    x = "depth"
    y = "nodes"                                    # a column or a list of columns
    series = "pruning"                             # a column or a list of columns: one line each
    facet = "board"                                # one panel each
    where = { heuristic = "zero-sum" }             # only these rows
    log = "y"                                      # "x", "y" or "xy"
    error = "ci"                                   # "ci": 95 % interval of the mean over equal points; or ["low", "high"] columns
    error_label = "bars: all rounds"               # what the bars mean, where they are no 95 % intervals
    band = ["least", "most"]                       # two figures of the report: a range on the y axis that it claims, shaded
    band_label = "the report's claim"
    mark = 0.5                                     # a thin line across at this height; heat: where the colours part (shares: 0.5 anyway)
    value = "share"                                # heat only: the colour, x and y being the axes
    x_label = "depth (plies)"
    y_label = "nodes"
    title = "Nodes by depth"
    reference = true                               # false hides the report's figures

    [[table]]                                      # none: one table of all rows
    title = "Nodes"
    rows = ["board", "pruning"]                    # what tells the rows apart (values are means over the rest)
    columns = "depth"                              # optional: spread this column over columns
    show = ["nodes", "report_nodes"]               # which values
    interval = ["low", "high"]                     # with columns and one value only: its interval behind each value
    where = { pruning = true }

Instead of measure, vary, … at the top there may be several `[[part]]` tables, each with a `name`
and all of the above; `code`, labels and units at the top hold for all of them.

The structs below are this description as types: `study_file.py` reads a file into them, and what is
not as they say is refused with the file and the line.
"""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mnkala.lab.registry import Row, digest_of, find_measure


class Columns(tuple[str, ...]):
    """Names of columns; a file may give a single one without a list."""

    __slots__ = ()


# Each type with the words that tell what a file must give.
DOUBLE = Meta(description="written in double brackets, as [[…]]")
Text = Annotated[str, Meta(description="a text")]
Table = Annotated[dict[str, Any], Meta(description="a table")]
Tables = Annotated[tuple[dict[str, Any], ...], DOUBLE]
Words = Annotated[dict[str, Text], Meta(description="a table of texts")]
Names = Annotated[Columns, Meta(description="the name of a column or a list of such names")]
Ends = Annotated[tuple[str, str] | None, Meta(description="two columns, the low and the high end")]
Repeat = Annotated[Annotated[int, Meta(ge=1)] | None, Meta(description="a whole number, 1 or more")]
Seeds = Annotated[
    Annotated[tuple[int, ...], Meta(min_length=1)] | None,
    Meta(description="a list of whole numbers"),
]


class Plot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a part of a study is drawn."""

    kind: Annotated[
        Literal["line", "bar", "dot", "scatter", "heat"],
        Meta(description="one of line, bar, dot, scatter, heat"),
    ]
    x: Text
    y: Names
    series: Names = Columns()
    facet: Text = ""
    where: Table = {}
    log: Annotated[Literal["", "x", "y", "xy"], Meta(description="one of x, y, xy")] = ""
    error: Annotated[
        Literal["ci"] | tuple[str, str] | None,
        Meta(description='"ci" or two columns, the low and the high end'),
    ] = None
    error_label: Text = ""
    band: Annotated[
        tuple[str, str] | None,
        Meta(description="two columns of the report's figures, the low and the high end"),
    ] = None
    band_label: Text = ""
    mark: Annotated[float | None, Meta(description="a number")] = None
    value: Text = ""
    title: Text = ""
    x_label: Text = ""
    y_label: Text = ""
    reference: Annotated[bool, Meta(description="true or false")] = True

    @property
    def columns(self) -> list[str]:
        """All columns that the plot needs."""
        ends = self.error if isinstance(self.error, tuple) else ()
        return [
            name
            for name in (
                self.x,
                *self.y,
                *self.series,
                self.facet,
                *self.where,
                *ends,
                *(self.band or ()),
                self.value,
            )
            if name
        ]


class TableSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a part of a study is tabulated."""

    title: Text = ""
    rows: Names = Columns()
    spread: Text = msgspec.field(default="", name="columns")
    show: Names = Columns()
    where: Table = {}
    interval: Ends = None

    @property
    def columns(self) -> list[str]:
        """All columns that the table needs."""
        return [
            name
            for name in (*self.rows, self.spread, *self.show, *self.where, *(self.interval or ()))
            if name
        ]


@dataclass(frozen=True, slots=True)
class Reference:
    """One row of a report's own figures."""

    on: tuple[str, ...]
    values: Row
    """The values on which the row is joined, and the figures under their own names."""

    @property
    def figures(self) -> Row:
        """The figures as columns report_*."""
        return {
            f"report_{name}": value for name, value in self.values.items() if name not in self.on
        }

    def matches(self, row: Row) -> bool:
        """Whether a row of ours is the same case."""
        return all(row.get(name) == self.values[name] for name in self.on)


@dataclass(frozen=True, slots=True)
class Work:
    """One call of a measure."""

    measure: str
    values: Row
    """The arguments of the call."""
    repetition: int | None = None
    """Tells equal calls apart, for measures that take no seed."""
    code: Path | None = None

    @property
    def key(self) -> str:
        """The text that identifies this work in a file of results. Quick and full runs, and studies
        with a measure in common, share results.

        The measure's version counts; without one, all of the file of one's own that holds it.
        """
        measure = find_measure(self.measure)
        own = self.code if self.code and not measure.shipped else None
        version = measure.version or (digest_of(own) if own else 0)
        again = f" #{self.repetition}" if self.repetition is not None else ""
        values = json.dumps(self.values, sort_keys=True, ensure_ascii=False)
        return f"{f'{own.name}:' if own else ''}{self.measure}@{version} {values}{again}"

    @property
    def cells(self) -> Row:
        """The columns that the work adds to its rows."""
        return (
            self.values
            if self.repetition is None
            else {**self.values, "repetition": self.repetition}
        )


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One measure and what varies."""

    name: Text
    measure: Text
    title: Text = ""
    code: Text = ""
    vary: Table = {}
    fixed: Table = {}
    quick: Table = {}
    skip: Tables = ()
    repeat: Repeat = None
    seeds: Seeds = None
    reference: Tables = ()
    labels: Words = {}
    units: Words = {}
    plots: Annotated[tuple[Plot, ...], DOUBLE] = msgspec.field(default=(), name="plot")
    tables: Annotated[tuple[TableSpec, ...], DOUBLE] = msgspec.field(default=(), name="table")

    @property
    def repetitions(self) -> tuple[int, ...]:
        """The seeds, or the numbers of repetitions where the measure takes no seed."""
        return self.seeds or tuple(range(1, (self.repeat or 0) + 1))

    @property
    def seeded(self) -> bool:
        """Whether repetitions vary the measure's seed; else they are only numbered."""
        return "seed" in find_measure(self.measure).parameters and "seed" not in {
            *self.names,
            *self.fixed,
        }

    @property
    def names(self) -> list[str]:
        """The names under [vary], those that vary together one by one."""
        return [name for joined in self.vary for name in joined.split("+")]

    @property
    def varied(self) -> list[str]:
        """The names that vary, seed or repetition included."""
        return self.names + (
            [("seed" if self.seeded else "repetition")] if self.repetitions else []
        )

    @property
    def given(self) -> set[str]:
        """The arguments that the measure gets."""
        return {*self.names, *self.fixed, *(["seed"] if self.repetitions and self.seeded else [])}

    @property
    def references(self) -> list[Reference]:
        """The report's figures; lists in a table are read side by side, and "" stands for a missing
        figure.
        """
        found = []
        for table in self.reference:
            values = {name: value for name, value in table.items() if name != "on"}
            on = tuple(table.get("on", [name for name in values if name in self.given]))
            for index in range(
                next((len(value) for value in values.values() if isinstance(value, list)), 1)
            ):
                row = {
                    name: value[index] if isinstance(value, list) else value
                    for name, value in values.items()
                }
                row = {name: value for name, value in row.items() if value != "" or name in on}
                if len(row) > len(on):
                    found.append(Reference(on, row))
        return found

    def work(self, quick: bool = False) -> list[Work]:
        """Everything to be measured, in the order of the file."""
        if not quick:
            return list(self._product())
        own = {name: self.quick[name] for name in ("repeat", "seeds") if name in self.quick}
        if own:
            own = {"repeat": None, "seeds": None, **own}
        vary = {name: self.quick.get(name, values) for name, values in self.vary.items()}
        fixed = {name: self.quick.get(name, value) for name, value in self.fixed.items()}
        return list(msgspec.structs.replace(self, vary=vary, fixed=fixed, **own)._product())

    def _product(self) -> Iterator[Work]:
        """Yield the work for every combination of the varied values that is not skipped, once for
        each repetition."""
        code, seeded = Path(self.code) if self.code else None, self.seeded
        for chosen in itertools.product(*self.vary.values()):
            values: Row = {}
            for joined, value in zip(self.vary, chosen, strict=True):
                values |= (
                    dict(zip(joined.split("+"), value, strict=True))
                    if "+" in joined
                    else {joined: value}
                )
            values |= self.fixed
            if any(matches(values, rule) for rule in self.skip):
                continue
            for number in self.repetitions or (None,):
                if seeded and number is not None:
                    yield Work(self.measure, {**values, "seed": number}, None, code)
                else:
                    yield Work(self.measure, values, number, code)


class StudyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a study file."""

    title: Text
    question: Text
    source: Text = ""
    code: Text = ""
    labels: Words = {}
    units: Words = {}
    parts: Annotated[tuple[Part, ...], Meta(min_length=1, description="one [[part]] or more")] = (
        msgspec.field(name="part")
    )


@dataclass(frozen=True, slots=True)
class Study:
    """A study as its file says."""

    path: Path
    title: str
    question: str
    source: str
    parts: tuple[Part, ...]
    shipped: bool = False
    """Whether it comes with the package."""
    lines: dict[tuple[Any, ...], int] = field(default_factory=dict, repr=False)
    """The lines of the file by keys, for errors that are noticed only when there are data, such as
    a column that does not exist.
    """

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.stem

    @property
    def command(self) -> str:
        """The command that runs the study."""
        return f"mnkala lab run {self.name if self.shipped else shlex.quote(str(self.path))}"

    def work(self, quick: bool = False) -> list[Work]:
        """Everything to be measured, part by part."""
        return [work for part in self.parts for work in part.work(quick)]


def matches(row: Row, where: Row) -> bool:
    """Whether a row has the wanted values; a list means any of them."""
    return all(
        row.get(name) in wanted if isinstance(wanted, list) else row.get(name) == wanted
        for name, wanted in where.items()
    )
