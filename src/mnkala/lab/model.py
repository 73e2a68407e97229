"""What a study is once its file is read: parts, each with a measure, what varies, plots, tables and a report's own figures."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnkala.lab.registry import Row, digest_of, find_measure

KINDS = ("line", "bar", "scatter", "heat")
LOGS = ("", "x", "y", "xy")


@dataclass(frozen=True, slots=True)
class Plot:
    """How a part is drawn."""

    kind: str
    x: str
    y: tuple[str, ...]
    line: int
    """Where the study file says so: a column that does not exist is only noticed when there are data."""
    series: tuple[str, ...] = ()
    facet: str = ""
    where: Row = field(default_factory=dict)
    log: str = ""
    error: tuple[str, ...] = ()
    error_label: str = ""
    """What the bars mean, if not what the plot would say by itself."""
    band: tuple[str, ...] = ()
    """Two columns of the report's figures: a range on the y axis that it claims."""
    band_label: str = ""
    mark: float | None = None
    """A thin line across, where something is even."""
    value: str = ""
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    reference: bool = True

    @property
    def columns(self) -> list[str]:
        """All columns that the plot needs."""
        error = () if self.error == ("ci",) else self.error
        return [name for name in (self.x, *self.y, *self.series, self.facet, *self.where, *error, *self.band, self.value) if name]


@dataclass(frozen=True, slots=True)
class TableSpec:
    """How a part is tabulated."""

    line: int
    title: str = ""
    rows: tuple[str, ...] = ()
    columns: str = ""
    show: tuple[str, ...] = ()
    where: Row = field(default_factory=dict)
    interval: tuple[str, ...] = ()
    """Two columns, the ends of an interval that stands behind the value of a cell."""

    @property
    def names(self) -> list[str]:
        """All columns that the table needs."""
        return [name for name in (*self.rows, self.columns, *self.show, *self.where, *self.interval) if name]


@dataclass(frozen=True, slots=True)
class Reference:
    """One row of a report's own figures."""

    on: tuple[str, ...]
    values: Row
    """What it is joined on, and the figures by their own names."""

    @property
    def figures(self) -> Row:
        """The figures as columns report_*."""
        return {f"report_{name}": value for name, value in self.values.items() if name not in self.on}

    def matches(self, row: Row) -> bool:
        """Whether a row of ours is the same case."""
        return all(row.get(name) == self.values[name] for name in self.on)


@dataclass(frozen=True, slots=True)
class Work:
    """One call of a measure."""

    measure: str
    values: Row
    """All arguments."""
    repetition: int | None = None
    """Tells equal calls apart, for measures that take no seed."""
    code: Path | None = None

    @property
    def key(self) -> str:
        """What identifies the work: quick and full runs, and studies with a measure in common, share results.

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
        """What the work adds to its rows."""
        return self.values if self.repetition is None else {**self.values, "repetition": self.repetition}


@dataclass(frozen=True, slots=True)
class Part:
    """One measure and what varies."""

    name: str
    measure: str
    vary: dict[str, list[Any]]
    line: int
    title: str = ""
    fixed: Row = field(default_factory=dict)
    quick: Row = field(default_factory=dict)
    skip: tuple[Row, ...] = ()
    seeds: tuple[int, ...] = ()
    seeded: bool = False
    """Whether the measure takes a seed; else repetitions are only numbered."""
    references: tuple[Reference, ...] = ()
    plots: tuple[Plot, ...] = ()
    tables: tuple[TableSpec, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    code: Path | None = None

    @property
    def varied(self) -> list[str]:
        """The names that vary, seed or repetition included."""
        names = [name for joined in self.vary for name in joined.split("+")]
        return names + ([("seed" if self.seeded else "repetition")] if self.seeds else [])

    def work(self, quick: bool = False) -> list[Work]:
        """Everything to be measured, in the order of the file."""
        vary, fixed, seeds = dict(self.vary), dict(self.fixed), self.seeds
        for name, value in self.quick.items() if quick else ():
            if name in ("repeat", "seeds"):
                seeds = seeds_of(name, value)
            elif name in vary:
                vary[name] = value
            else:
                fixed[name] = value
        return list(self._product(vary, fixed, seeds))

    def _product(self, vary: dict[str, list[Any]], fixed: Row, seeds: tuple[int, ...]) -> Iterator[Work]:
        for chosen in itertools.product(*vary.values()):
            values: Row = {}
            for joined, value in zip(vary, chosen, strict=True):
                values |= dict(zip(joined.split("+"), value, strict=True)) if "+" in joined else {joined: value}
            values |= fixed
            if any(_matches(rule, values) for rule in self.skip):
                continue
            for seed in seeds or (None,):
                if seed is None:
                    yield Work(self.measure, values, None, self.code)
                elif self.seeded:
                    yield Work(self.measure, {**values, "seed": seed}, None, self.code)
                else:
                    yield Work(self.measure, values, seed, self.code)


@dataclass(frozen=True, slots=True)
class Study:
    """A study as its file says."""

    name: str
    path: Path
    title: str
    question: str
    source: str
    parts: tuple[Part, ...]

    shipped: bool = False
    """Whether it comes with the package."""

    @property
    def command(self) -> str:
        """What to type to run it."""
        return f"mnkala lab run {self.name if self.shipped else self.path}"


def seeds_of(name: str, value: Any) -> tuple[int, ...]:
    """The seeds that `repeat = N` or `seeds = [...]` mean."""
    return tuple(range(1, value + 1)) if name == "repeat" else tuple(value)


def matches(row: Row, where: Row) -> bool:
    """Whether a row has the wanted values; a list means any of them."""
    return _matches(where, row)


def _matches(rule: Row, values: Row) -> bool:
    return all(values.get(name) in wanted if isinstance(wanted, list) else values.get(name) == wanted for name, wanted in rule.items())
