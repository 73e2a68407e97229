"""Reads study files: TOML into the structs of `study.py`, and checks of what types cannot express.
Every mistake is reported with the file and the line.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from mnkala.errors import MnkalaError, did_you_mean, unknown
from mnkala.folders import file_errors, is_file, write_text
from mnkala.lab.registry import Row, UnknownName, find_measure, load_code, study_folders
from mnkala.lab.results import Results, columns_of
from mnkala.lab.study import Columns, Part, Plot, Study, StudyFile, TableSpec

# ---- Lines ----
#
# tomllib reports the line of a mistake in the syntax only, so the text is scanned once more. The
# scan knows table headers and keys at the beginning of a line, which is how people write TOML;
# anything deeper, such as an inline table, is reported at the line of what contains it.


Place = tuple[Any, ...]
"""A path of keys, with the number of each [[table]]: ("plot", 1, "x")."""

_HEADER = re.compile(r"^\s*(\[\[|\[)\s*([^\]]+?)\s*\]{1,2}\s*(#.*)?$")
_KEY = re.compile(
    r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_KEY_WORD = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


def key_lines(text: str) -> dict[Place, int]:
    """The line of every table and key."""
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    quotes = ""
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        if quotes:
            quotes = "" if quotes in line else quotes
            continue
        if depth == 0 and (header := _HEADER.match(line)):
            table = _open_table(header[1] == "[[", _words(header[2]), counts)
            lines.setdefault(table, number)
            lines.setdefault(table[:-1] if isinstance(table[-1], int) else table, number)
            continue
        if depth == 0 and (key := _KEY.match(line)):
            words = _words(key[1])
            for end in range(1, len(words) + 1):
                lines.setdefault((*table, *words[:end]), number)
        bare = re.sub(
            r'"(?:\\.|[^"\\])*"|\'[^\']*\'', "", line.replace('"""', "\0").replace("'''", "\0")
        ).partition("#")[0]
        depth = max(0, depth + bare.count("[") - bare.count("]"))
        for mark in ('"""', "'''"):
            if line.count(mark) % 2:
                quotes = mark
    return lines


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip("\"'") for word in _KEY_WORD.findall(text))


def _open_table(repeated: bool, words: tuple[str, ...], counts: dict[Place, int]) -> Place:
    """The path of a table: below the latest of each [[table]] that it stands in."""
    path: Place = ()
    for index, word in enumerate(words):
        path = (*path, word)
        if repeated and index == len(words) - 1:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def line_of(place: Place, lines: dict[Place, int]) -> int:
    """The line of a key, or of the nearest thing around it."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


# ---- Reading ----


class BadStudy(MnkalaError):
    """A study file with a mistake; the message has the file and the line."""


class Mistake(Exception):
    """A mistake in a study file, with the key to which it belongs."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place = place


@functools.cache
def study_files() -> dict[str, Path]:
    """The studies that come with the package or with plug-ins, by name."""
    files = {
        path.stem: path for folder in reversed(study_folders()) for path in folder.glob("*.toml")
    }
    return dict(sorted(files.items()))


def study_names() -> list[str]:
    """The names of all studies."""
    return list(study_files())


def all_studies() -> list[Study]:
    """All studies, read from their files."""
    return [load_study(name) for name in study_names()]


def load_study(name: str | Path) -> Study:
    """Read a shipped study by its name, or any study by the path of its file; raises MnkalaError if
    there is none."""
    text = str(name)
    is_path = isinstance(name, Path) or text.endswith(".toml") or "/" in text or "\\" in text
    path = Path(text) if is_path else study_files().get(text)
    if path is None or not is_file(path):
        raise MnkalaError(
            f"there is no study file {path}"
            if is_path
            else f"{unknown('study', text, study_names())}; or give the path of a .toml file"
        )
    with file_errors(path, "read"):
        source = path.read_text(encoding="utf-8")
    return parse_study(source, path)


def parse_study(text: str, path: Path) -> Study:
    """Read the text of a study file and check all of it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadStudy(f"{path}: {error}") from None
    lines, single = key_lines(text), "part" not in data
    try:
        file = _typed(data, single)
        parts: list[Part] = []
        for index, part in enumerate(file.parts):
            at = () if single else ("part", index)
            if part.name in [one.name for one in parts]:
                raise Mistake((*at, "name"), f"two parts are called {part.name!r}")
            parts.append(_completed(part, file, path, at))
            _check_part(parts[-1], at)
    except Mistake as mistake:
        raise BadStudy(f"{path}, line {line_of(mistake.place, lines)}: {mistake}") from None
    return Study(
        path,
        file.title,
        file.question,
        file.source,
        tuple(parts),
        path in study_files().values(),
        lines,
    )


def check_columns(results: Results) -> None:
    """Refuse plots and tables of columns that do not exist; known only when there are data."""
    study = results.study
    for number, part in enumerate(results.parts):
        at = ("part", number) if ("part",) in study.lines else ()
        known = columns_of([*part.rows, *part.references])
        named = {("plot", index): plot.columns for index, plot in enumerate(part.part.plots)}
        named |= {("table", index): table.columns for index, table in enumerate(part.part.tables)}
        for (kind, index), name in (
            (place, name) for place, names in named.items() for name in names
        ):
            if part.rows and name not in known:
                line = line_of((*at, kind, index), study.lines)
                raise BadStudy(
                    f"{study.path}, line {line}: the {kind} names the column {name!r}, which does not exist; "
                    f"columns are {', '.join(known)}"
                )


# ---- Types ----

STRUCTS: dict[str, type[msgspec.Struct]] = {"part": Part, "plot": Plot, "table": TableSpec}


def _typed(data: Row, single: bool) -> StudyFile:
    """The data as structs; in a file without [[part]] everything but the heading is its only part."""
    if single:
        heading = {name: value for name, value in data.items() if name in _fields(StudyFile)}
        data = {
            **heading,
            "part": [
                {"name": "", **{name: value for name, value in data.items() if name not in heading}}
            ],
        }
    try:
        return msgspec.convert(data, StudyFile, dec_hook=_columns)
    except msgspec.ValidationError as error:
        raise _mistake(str(error), data, single) from None


def _columns(kind: type, value: Any) -> Any:
    names = [value] if isinstance(value, str) else value
    if (
        kind is not Columns
        or not isinstance(names, list)
        or not names
        or not all(isinstance(name, str) and name for name in names)
    ):
        raise ValueError("no columns")
    return Columns(names)


def _fields(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The keys of a table, with their types."""
    return {field.encode_name: field.type for field in msgspec.structs.fields(struct)}


def _mistake(message: str, data: Row, single: bool) -> Mistake:
    """Msgspec's message and path (`$.part[0].plot[1].kind`) as ours."""
    said, _, path = message.partition(" - at `$")
    place: Place = tuple(
        int(number) if number else name for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", path)
    )
    struct: type[msgspec.Struct] = StudyFile
    rest, value = place, data
    while len(rest) > 1 and rest[0] in STRUCTS:
        struct, value, rest = STRUCTS[rest[0]], value[rest[0]][rest[1]], rest[2:]
    here = place[2:] if single and place[:1] == ("part",) else place
    table = f"[[{here[-2]}]]" if len(here) > 1 else "the study"
    if found := re.search("field `(.+)`", said):
        name = found[1]
        if "missing" in said:
            return Mistake(here, f"{table} lacks {name!r}")
        allowed = [*_fields(struct), *(_fields(StudyFile) if single and struct is Part else ())]
        listed = f"allowed are {', '.join(allowed)}"
        return Mistake(
            (*here, name),
            f"the key {name!r} is not known here; {did_you_mean(name, allowed, listed)}",
        )
    if not rest:
        return Mistake(here, f"{here[-2]!r} must be written as a table: {table}")
    if path.endswith("[...]`"):  # labels and units
        name, wrong = next(
            (name, one) for name, one in value[rest[0]].items() if not isinstance(one, str)
        )
        return Mistake((*here, name), f"{name!r} must be a text, not {wrong!r}")
    return Mistake(here, _must_be(struct, rest[0], value[rest[0]]))


def _must_be(struct: type[msgspec.Struct], name: str, value: Any) -> str:
    """Describe the value that a key must have, and the one that it has."""
    return f"{name!r} must be {_fields(struct)[name].__metadata__[0].description}, not {value!r}"


# ---- What types cannot say ----


def _completed(part: Part, file: StudyFile, path: Path, at: Place) -> Part:
    """A part with what the whole file says, and its code loaded."""
    code = part.code or file.code
    if code:
        own = (path.parent / code).resolve()
        if not own.is_file():
            raise Mistake((*at, "code") if part.code else ("code",), f"there is no file {own}")
        load_code(own)
        code = str(own)
    return msgspec.structs.replace(
        part, code=code, labels=file.labels | part.labels, units=file.units | part.units
    )


def _check_part(part: Part, at: Place) -> None:
    """Refuse a part that does not fit its measure or contradicts itself."""
    try:
        measure = find_measure(part.measure)
    except UnknownName as error:
        raise Mistake((*at, "measure"), str(error)) from None
    _check_vary(part.vary, (*at, "vary"))
    for table, keys in (("vary", part.vary), ("fixed", part.fixed)):
        for key in keys:
            for name in key.split("+"):
                if not measure.takes(name):
                    takes = ", ".join(measure.parameters)
                    raise Mistake(
                        (*at, table, key),
                        f"the measure {measure.name!r} takes no {name!r}; it takes {takes}",
                    )
    for name in part.fixed:
        if name in part.names:
            raise Mistake((*at, "fixed", name), f"{name!r} is both varied and fixed")
    if part.repeat is not None and part.seeds is not None:
        raise Mistake((*at, "repeat"), "give repeat or seeds, not both")
    _check_quick(part, (*at, "quick"))
    if lacking := [name for name in measure.required if name not in part.given]:
        raise Mistake(
            (*at, "measure"),
            f"the measure {measure.name!r} needs {', '.join(lacking)}: name it in [vary] or [fixed]",
        )
    for index, rule in enumerate(part.skip):
        for name in rule:
            if name not in part.given:
                raise Mistake(
                    (*at, "skip", index, name),
                    f"[[skip]] names {name!r}, which is neither varied nor fixed",
                )
    for index, figures in enumerate(part.reference):
        _check_reference(figures, (*at, "reference", index), part.given)
    for index, plot in enumerate(part.plots):
        if (plot.kind == "heat") != bool(plot.value):
            raise Mistake(
                (*at, "plot", index, "value" if plot.value else "kind"),
                "a heat plot, and no other, needs value: the column of the colour",
            )
        if plot.kind == "bar" and "y" in plot.log:
            raise Mistake(
                (*at, "plot", index, "log"),
                'bars begin at zero, which a logarithmic axis does not have; take kind = "dot"',
            )
    for index, spec in enumerate(part.tables):
        if spec.spread and not (spec.rows and spec.show):
            raise Mistake(
                (*at, "table", index, "columns"),
                "a table that spreads a column needs rows and show too",
            )
        if spec.interval and (len(spec.show) != 1 or not spec.spread):
            raise Mistake(
                (*at, "table", index, "interval"),
                "interval is for a table that spreads a single value",
            )
    for quick in (False, True):
        if not part.work(quick):
            raise Mistake(
                (*at, "skip"),
                "everything is skipped: nothing is left to measure"
                + (" in a quick run" if quick else ""),
            )


def _check_vary(vary: Row, at: Place) -> None:
    """Check the lists of values under [vary]: none may be empty, and names that vary together need
    one value for each name."""
    for joined, values in vary.items():
        place = (*at, joined)
        if not isinstance(values, list):
            raise Mistake(
                place,
                f"{joined!r} must be a list of the values to try, not {values!r}; a constant belongs in [fixed]",
            )
        if not values:
            raise Mistake(place, f"{joined!r} is an empty list: nothing would be measured")
        width = joined.count("+") + 1
        for value in values if width > 1 else ():
            if not isinstance(value, list) or len(value) != width:
                raise Mistake(
                    place, f"{joined!r} needs lists of {width} values each, not {value!r}"
                )


def _check_quick(part: Part, at: Place) -> None:
    """Check that a quick run overrides only arguments that exist."""
    repeats = ("repeat", "seeds")
    _check_vary({name: value for name, value in part.quick.items() if name in part.vary}, at)
    for name, value in part.quick.items():
        place = (*at, name)
        if name in repeats and not part.repetitions:
            raise Mistake(
                place, f"[quick] gives {name}, but the study has neither repeat nor seeds"
            )
        if name in repeats:
            try:
                msgspec.convert(value, _fields(Part)[name])
            except msgspec.ValidationError:
                raise Mistake(place, _must_be(Part, name, value)) from None
        elif name not in part.vary and name not in part.fixed:
            allowed = ", ".join([*part.vary, *part.fixed, *(repeats if part.repetitions else ())])
            raise Mistake(
                place,
                f"[quick] gives {name!r}, which is neither varied nor fixed; it may give {allowed}",
            )
        elif (
            name in part.fixed
            and isinstance(value, list)
            and not isinstance(part.fixed[name], list)
        ):
            raise Mistake(
                place, f"{name!r} is fixed, so [quick] must give one value, not the list {value!r}"
            )


def _check_reference(table: Row, at: Place, given: set[str]) -> None:
    """Check that a table of the report's figures joins on names that it gives, has a figure
    besides, and has lists of equal length."""
    values = {name: value for name, value in table.items() if name != "on"}
    on = table.get("on", [name for name in values if name in given])
    if not isinstance(on, list) or not all(isinstance(name, str) and name in values for name in on):
        raise Mistake(
            (*at, "on"), f"on must list names that the reference gives: {', '.join(values)}"
        )
    if len(on) == len(values):
        raise Mistake(
            at, f"the reference gives no figure: {', '.join(values)} are all names to join on"
        )
    lengths = {name: len(value) for name, value in values.items() if isinstance(value, list)}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise Mistake((*at, list(lengths)[-1]), f"lists side by side must be of one length: {told}")


# ---- A new study file ----


def write_starter(study: Path) -> tuple[Path, Path]:
    """Write a study file and the Python file beside it; raises MnkalaError if one of them
    exists."""
    if study.suffix != ".toml":
        raise MnkalaError(
            f"'{study}' is no name for a study file; it ends in .toml, such as mine.toml"
        )
    word = re.sub(r"\W+", "_", study.stem).strip("_").lower() or "my"
    code = study.with_name(f"{word}_measures.py")
    for path in (study, code):
        if path.exists():
            raise MnkalaError(f"{path} is there already; choose another name")
    words = {
        "@FILE@": str(study),
        "@CODE@": code.name,
        "@MEASURE@": f"{word} nodes",
        "@STUDY@": study.stem,
    }
    for path, template in ((study, "study.toml"), (code, "measures.py.txt")):
        text = (
            resources.files("mnkala.lab")
            .joinpath(f"templates/{template}")
            .read_text(encoding="utf-8")
        )
        for mark, value in words.items():
            text = text.replace(mark, value)
        write_text(path, text)
    return study, code
