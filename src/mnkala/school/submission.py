"""The handout for students, an exercise sheet with templates, and their submissions: one file with
one function, whose name says which exercise it solves."""

from __future__ import annotations

import ast
import dataclasses
import warnings
from importlib import resources
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.folders import write_text

# ---- The handout ----


FILES = ("exercises.md", "minimax.py", "alphabeta.py", "mcts.py", "heuristic.py")


def write_handout(folder: Path) -> list[Path]:
    """Write all files; raises MnkalaError and writes none if one of them exists already."""
    there = [name for name in FILES if (folder / name).exists()]
    if there:
        raise MnkalaError(
            f"{folder} has {', '.join(there)} already; name another folder, so that nobody's work is overwritten"
        )
    source = resources.files("mnkala.school") / "starter"
    return [
        write_text(folder / name, (source / name).read_text(encoding="utf-8")) for name in FILES
    ]


# ---- A student's file ----


EXERCISES = {
    "minimax": ("position", "depth"),
    "alphabeta": ("position", "depth"),
    "mcts": ("position", "iterations", "rng"),
    "heuristic": ("position",),
}
"""The function of each exercise, with its arguments."""
LONGEST_SOURCE = 1 << 20


@dataclasses.dataclass(frozen=True)
class Submission:
    """A file that was handed in. If it cannot be graded at all, `fault` says why."""

    name: str
    """The file's path in the folder without `.py`, such as `anna/minimax`."""
    source: str
    exercise: str
    fault: str = ""


def find_submissions(folder: Path) -> list[Submission]:
    """The Python files of a folder and of its subfolders, sorted by name. Names that begin with '.'
    or '_' are skipped. Raises MnkalaError if there are none."""
    if not folder.is_dir():
        raise MnkalaError(f"{folder} is no folder; name the one that holds the students' files")
    paths = sorted(
        [*folder.glob("*.py"), *folder.glob("*/*.py")],
        key=lambda path: path.relative_to(folder).as_posix().casefold(),
    )
    wanted = [
        path
        for path in paths
        if path.is_file() and not any(part[0] in "._" for part in path.relative_to(folder).parts)
    ]
    if not wanted:
        raise MnkalaError(
            f"{folder} holds no Python file; students' files are FOLDER/NAME.py or FOLDER/NAME/FILE.py "
            "(`mnkala class new FOLDER` writes templates)"
        )
    return [
        read_submission(path, path.relative_to(folder).with_suffix("").as_posix())
        for path in wanted
    ]


def read_submission(path: Path, name: str) -> Submission:
    """Read a file without running it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return Submission(name, "", "", f"cannot be read: {error.strerror}")
    if len(data) > LONGEST_SOURCE:
        return Submission(name, "", "", f"is longer than {LONGEST_SOURCE >> 20} MB")
    try:
        source = data.decode("utf-8-sig")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except UnicodeDecodeError:
        return Submission(name, "", "", "is not text in UTF-8")
    except SyntaxError as error:
        return Submission(name, source, "", f"is not Python: {error.msg} in line {error.lineno}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Submission(name, source, "", f"is not Python: {error}")
    return _recognised(name, source, tree)


def _recognised(name: str, source: str, tree: ast.Module) -> Submission:
    """Find the function of the exercise; if there are several, the file's name decides."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found = [exercise for exercise in EXERCISES if exercise in functions]
    if len(found) > 1:
        last = name.rpartition("/")[2].casefold()
        found = [exercise for exercise in found if exercise in last] or found
    if not found:
        known = ", ".join(
            f"{exercise}({', '.join(arguments)})" for exercise, arguments in EXERCISES.items()
        )
        return Submission(name, source, "", f"defines none of the functions {known}")
    if len(found) > 1:
        return Submission(
            name, source, "", f"defines {' and '.join(found)}; one file has one of them"
        )
    exercise = found[0]
    arguments = functions[exercise].args
    takes, wanted = len(arguments.posonlyargs) + len(arguments.args), len(EXERCISES[exercise])
    if arguments.vararg is None and not takes - len(arguments.defaults) <= wanted <= takes:
        said = ", ".join(argument.arg for argument in [*arguments.posonlyargs, *arguments.args])
        return Submission(
            name,
            source,
            exercise,
            f"has {exercise}({said}); it must be {exercise}({', '.join(EXERCISES[exercise])})",
        )
    return Submission(name, source, exercise)
