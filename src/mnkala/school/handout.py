"""The exercise sheet and the templates that students start from. They lie in `starter/`; `examples/class/` shows the same files."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.folders import write_text

FILES = ("exercises.md", "minimax.py", "alphabeta.py", "mcts.py", "heuristic.py")


def write_handout(folder: Path) -> list[Path]:
    """Write all files, or none if one of them is there already."""
    there = [name for name in FILES if (folder / name).exists()]
    if there:
        raise MnkalaError(f"{folder} has {', '.join(there)} already; name another folder, so that nobody's work is overwritten")
    source = resources.files("mnkala.school") / "starter"
    return [write_text(folder / name, (source / name).read_text(encoding="utf-8")) for name in FILES]
