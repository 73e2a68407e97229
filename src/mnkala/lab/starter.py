"""`mnkala lab new`: a commented study with its own measure, that runs as it is."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.folders import write_text


def write_starter(study: Path) -> tuple[Path, Path]:
    """Write the study file and the Python file beside it; never over a file that is there."""
    if study.suffix != ".toml":
        raise MnkalaError(f"'{study}' is no name for a study file; it ends in .toml, such as mine.toml")
    word = re.sub(r"\W+", "_", study.stem).strip("_").lower() or "my"
    code = study.with_name(f"{word}_measures.py")
    for path in (study, code):
        if path.exists():
            raise MnkalaError(f"{path} is there already; choose another name")
    words = {"@FILE@": str(study), "@CODE@": code.name, "@MEASURE@": f"{word} nodes", "@STUDY@": study.stem}
    for path, template in ((study, "study.toml"), (code, "measures.py.txt")):
        text = resources.files("mnkala.lab").joinpath(f"templates/{template}").read_text(encoding="utf-8")
        for mark, value in words.items():
            text = text.replace(mark, value)
        write_text(path, text)
    return study, code
