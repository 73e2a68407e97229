"""Study files: small declarative TOML files that say what varies, what is measured and how it is drawn.

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
    kind = "line"                                  # line, bar, scatter, heat
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
    mark = 0.5                                     # a thin line across at this height
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

Instead of measure, vary, … at the top there may be several `[[part]]` tables, each with a `name` and all of the above.

Every mistake gets a message with the file and the line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.folders import is_file
from mnkala.lab.model import KINDS, LOGS, Part, Plot, Reference, Study, TableSpec, seeds_of
from mnkala.lab.registry import Row, UnknownName, find_measure, load_code
from mnkala.lab.study_reader import BadStudy, Reader


def studies_folder() -> Path:
    """Where the shipped studies are."""
    return Path(str(resources.files("mnkala.lab"))) / "studies"


def study_names() -> list[str]:
    """The shipped studies."""
    return sorted(path.stem for path in studies_folder().glob("*.toml"))


def all_studies() -> list[Study]:
    """The shipped studies, read."""
    return [load_study(name) for name in study_names()]


def load_study(name: str | Path) -> Study:
    """A shipped study by its name, or anyone's by the path of its file."""
    text = str(name)
    is_path = isinstance(name, Path) or text.endswith(".toml") or "/" in text or "\\" in text
    path = Path(text) if is_path else studies_folder() / f"{text}.toml"
    if not is_file(path):
        names = ", ".join(study_names())
        raise MnkalaError(f"there is no study file {path}" if is_path
                          else f"there is no study {text!r}; there are {names}, or give the path of a .toml file")
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MnkalaError(f"cannot read {path}: {error}") from None
    return parse_study(source, path)


def parse_study(text: str, path: Path) -> Study:
    """Read the text of a study file and check all of it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadStudy(f"{path}: {error}") from None
    return _StudyParser(text, path, data).study()


PART_KEYS = {"measure": str, "vary": dict, "fixed": dict, "quick": dict, "skip": list, "repeat": int, "seeds": list, "reference": list,
             "plot": list, "table": list, "labels": dict, "units": dict}
TOP_KEYS = {"title": str, "question": str, "source": str, "code": str, "part": list}
PLOT_KEYS = {"kind": str, "x": str, "y": (str, list), "series": (str, list), "facet": str, "where": dict, "log": str, "error": (str, list),
             "error_label": str, "band": list, "band_label": str, "mark": (int, float), "value": str, "title": str, "x_label": str,
             "y_label": str, "reference": bool}
TABLE_KEYS = {"title": str, "rows": (str, list), "columns": str, "show": (str, list), "where": dict, "interval": list}


class _StudyParser:
    """Turns TOML data into a Study; a `Reader` knows the lines."""

    def __init__(self, text: str, path: Path, data: dict[str, Any]) -> None:
        self.reader, self.path, self.data = Reader(text, path), path, data

    def study(self) -> Study:
        """Read the file from top to bottom."""
        reader, data = self.reader, self.data
        has_parts = "part" in data
        more = {"labels": dict, "units": dict} if has_parts else PART_KEYS
        reader.check_keys(data, (), TOP_KEYS | more, required=("title", "question"))
        code = None
        if "code" in data:
            code = (self.path.parent / data["code"]).resolve()
            if not code.is_file():
                reader.fail(("code",), f"there is no file {code}")
            load_code(code)
        if has_parts:
            if not data["part"]:
                reader.fail(("part",), "a study needs at least one part")
            parts = tuple(self.part(table, ("part", index), code) for index, table in enumerate(data["part"]))
            names = [part.name for part in parts]
            for index, name in enumerate(names):
                if name in names[:index]:
                    reader.fail(("part", index, "name"), f"two parts are called {name!r}")
        else:
            parts = (self.part(data, (), code),)
        return Study(self.path.stem, self.path, data["title"], data["question"], data.get("source", ""), parts,
                     shipped=self.path.parent == studies_folder())

    def part(self, data: dict[str, Any], at: tuple[Any, ...], code: Path | None) -> Part:
        """Read one part: a [[part]] table, or the whole file."""
        reader = self.reader
        if at:
            reader.check_keys(data, at, PART_KEYS | {"name": str, "title": str}, required=("name", "measure"))
        else:
            reader.require(data, at, ("measure",))
        try:
            measure = find_measure(data["measure"])
        except UnknownName as error:
            reader.fail((*at, "measure"), str(error))
        vary, fixed = data.get("vary", {}), data.get("fixed", {})
        self.check_vary(vary, (*at, "vary"))
        names = [name for joined in vary for name in joined.split("+")]
        for table, keys in (("vary", vary), ("fixed", fixed)):
            for key in keys:
                for name in key.split("+"):
                    if not measure.takes(name):
                        takes = ", ".join(measure.parameters)
                        reader.fail((*at, table, key), f"the measure {measure.name!r} takes no {name!r}; it takes {takes}")
        for name in fixed:
            if name in names:
                reader.fail((*at, "fixed", name), f"{name!r} is both varied and fixed")
        if "repeat" in data and "seeds" in data:
            reader.fail((*at, "repeat"), "give repeat or seeds, not both")
        seeds = self.seeds(data, at)
        seeded = "seed" in measure.parameters and "seed" not in names and "seed" not in fixed
        self.check_quick(data.get("quick", {}), (*at, "quick"), vary, fixed, bool(seeds))
        given = {*names, *fixed, *(["seed"] if seeds and seeded else [])}
        if lacking := [name for name in measure.required if name not in given]:
            reader.fail((*at, "measure"), f"the measure {measure.name!r} needs {', '.join(lacking)}: name it in [vary] or [fixed]")
        skip = tuple(self.skip(rule, (*at, "skip", index), given) for index, rule in enumerate(data.get("skip", [])))
        labels, units = (self.words(data, at, name) for name in ("labels", "units"))
        references = tuple(reference for index, table in enumerate(data.get("reference", []))
                           for reference in self.references(table, (*at, "reference", index), given))
        plots = tuple(self.plot(table, (*at, "plot", index)) for index, table in enumerate(data.get("plot", [])))
        tables = tuple(self.table(table, (*at, "table", index)) for index, table in enumerate(data.get("table", [])))
        part = Part(data.get("name", ""), measure.name, vary, reader.line(at), data.get("title", "") if at else "", fixed,
                    data.get("quick", {}), skip, seeds, seeded, references, plots, tables, labels, units, code)
        for quick in (False, True):
            if not part.work(quick):
                reader.fail((*at, "skip"), "everything is skipped: nothing is left to measure" + (" in a quick run" if quick else ""))
        return part

    def check_vary(self, vary: dict[str, Any], at: tuple[Any, ...]) -> None:
        """Lists that are not empty; joined names have lists of that many values."""
        for joined, values in vary.items():
            where = (*at, joined)
            if not isinstance(values, list):
                self.reader.fail(where, f"{joined!r} must be a list of the values to try, not {values!r}; a constant belongs in [fixed]")
            if not values:
                self.reader.fail(where, f"{joined!r} is an empty list: nothing would be measured")
            width = joined.count("+") + 1
            for value in values if width > 1 else ():
                if not isinstance(value, list) or len(value) != width:
                    self.reader.fail(where, f"{joined!r} needs lists of {width} values each, not {value!r}")

    def check_quick(self, quick: Row, at: tuple[Any, ...], vary: dict[str, Any], fixed: Row, has_seeds: bool) -> None:
        """Overrides of what is there."""
        self.check_vary({name: value for name, value in quick.items() if name in vary}, at)
        for name, value in quick.items():
            if name in ("repeat", "seeds"):
                if not has_seeds:
                    self.reader.fail((*at, name), f"[quick] gives {name}, but the study has neither repeat nor seeds")
                self.seeds(quick, at)
            elif name not in vary and name not in fixed:
                allowed = ", ".join([*vary, *fixed, *(["repeat", "seeds"] if has_seeds else [])])
                self.reader.fail((*at, name), f"[quick] gives {name!r}, which is neither varied nor fixed; it may give {allowed}")
            elif name in fixed and isinstance(value, list) and not isinstance(fixed[name], list):
                self.reader.fail((*at, name), f"{name!r} is fixed, so [quick] must give one value, not the list {value!r}")

    def seeds(self, data: Row, at: tuple[Any, ...]) -> tuple[int, ...]:
        """The seeds of `repeat` or `seeds`."""
        for name in ("repeat", "seeds"):
            if name in data:
                value = data[name]
                good = (isinstance(value, int) and value > 0) if name == "repeat" else (
                    isinstance(value, list) and value and all(isinstance(seed, int) for seed in value))
                if not good or isinstance(value, bool):
                    wanted = "a whole number, 1 or more" if name == "repeat" else "a list of whole numbers"
                    self.reader.fail((*at, name), f"{name} must be {wanted}, not {value!r}")
                return seeds_of(name, value)
        return ()

    def skip(self, rule: Row, at: tuple[Any, ...], given: set[str]) -> Row:
        """A combination to leave out."""
        for name in rule:
            if name not in given:
                self.reader.fail((*at, name), f"[[skip]] names {name!r}, which is neither varied nor fixed")
        return rule

    def words(self, data: Row, at: tuple[Any, ...], key: str) -> dict[str, str]:
        """Labels or units: those of the whole file, then those of the part."""
        found: dict[str, str] = {}
        for table, where in ((self.data.get(key, {}), (key,)), (data.get(key, {}), (*at, key))):
            for name, value in table.items():
                if not isinstance(value, str):
                    self.reader.fail((*where, name), f"{name!r} must be a text, not {value!r}")
                found[name] = value
        return found

    def references(self, table: Row, at: tuple[Any, ...], given: set[str]) -> Iterator[Reference]:
        """The rows of one [[reference]] table."""
        reader = self.reader
        if not isinstance(table, dict):
            reader.fail(at, "[[reference]] must be a table")
        values = {name: value for name, value in table.items() if name != "on"}
        on = table.get("on", [name for name in values if name in given])
        if not isinstance(on, list) or not all(name in values for name in on):
            reader.fail((*at, "on"), f"on must list names that the reference gives: {', '.join(values)}")
        if len(on) == len(values):
            reader.fail(at, f"the reference gives no figure: {', '.join(values)} are all names to join on")
        lengths = {name: len(value) for name, value in values.items() if isinstance(value, list)}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
            reader.fail((*at, list(lengths)[-1]), f"lists side by side must be of one length: {told}")
        for index in range(next(iter(lengths.values()), 1)):
            row = {name: value[index] if isinstance(value, list) else value for name, value in values.items()}
            row = {name: value for name, value in row.items() if value != "" or name in on}
            if len(row) > len(on):
                yield Reference(tuple(on), row)

    def plot(self, table: Row, at: tuple[Any, ...]) -> Plot:
        """One [[plot]]."""
        reader = self.reader
        reader.check_keys(table, at, PLOT_KEYS, required=("kind", "x", "y"))
        reader.choice(table, at, "kind", KINDS)
        reader.choice(table, at, "log", LOGS)
        y, series, error, band = (reader.names(table, at, name) for name in ("y", "series", "error", "band"))
        if band and len(band) != 2:
            reader.fail((*at, "band"), "band must be two columns of the report's figures, the low and the high end")
        if error and error != ("ci",) and len(error) != 2:
            reader.fail((*at, "error"), 'error must be "ci" or two columns, the low and the high end')
        if (table["kind"] == "heat") != ("value" in table):
            reader.fail((*at, "value" if "value" in table else "kind"), "a heat plot, and no other, needs value: the column of the colour")
        others = {name: table[name] for name in ("kind", "x", "facet", "where", "log", "value", "title", "x_label", "y_label", "reference",
                                             "error_label", "band_label", "mark") if name in table}
        return Plot(y=y, series=series, error=error, band=band, line=reader.line(at), **others)

    def table(self, table: Row, at: tuple[Any, ...]) -> TableSpec:
        """One [[table]]."""
        reader = self.reader
        reader.check_keys(table, at, TABLE_KEYS)
        rows, show, interval = (reader.names(table, at, name) for name in ("rows", "show", "interval"))
        if table.get("columns") and not (rows and show):
            reader.fail((*at, "columns"), "a table that spreads a column needs rows and show too")
        if interval and (len(interval) != 2 or len(show) != 1 or not table.get("columns")):
            reader.fail((*at, "interval"), "interval must be two columns, the low and the high end, in a table that spreads a single value")
        return TableSpec(reader.line(at), table.get("title", ""), rows, table.get("columns", ""), show, table.get("where", {}), interval)
