"""Which state of the program made a result: a digest of the sources that it depends on, and the commit that they lie in.

A measured figure belongs to the code that measured it. The digest tells whether that is still the code that is here; the commit is for
people who want to look the old code up.
"""

from __future__ import annotations

import functools
import hashlib
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ENGINE = ("native", "core", "search", "solve", "programs", "families", "play/human_errors.py")
"""The parts of the package that decide which moves an engine makes, and how fast."""
GIT_SECONDS = 5.0


@functools.cache
def source_digest(*parts: str) -> str:
    """Tells one state of some folders and files of the package from another."""
    digest = hashlib.sha256()
    for source in sorted(path for part in parts for path in _sources(PACKAGE / part)):
        digest.update(str(source.relative_to(PACKAGE)).encode() + source.read_bytes())
    return digest.hexdigest()[:12]


def _sources(place: Path) -> list[Path]:
    return [place] if place.is_file() else [path for path in place.rglob("*") if path.suffix in (".py", ".json", ".npz")]


@functools.cache
def commit() -> str:
    """The commit of the checkout that this runs from, with a + if the package was edited since; '' where there is none."""
    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(PACKAGE), *words], capture_output=True, text=True, timeout=GIT_SECONDS, check=True,
                              stdin=subprocess.DEVNULL)
        return done.stdout.strip()

    try:
        if not git("ls-files", "__init__.py"):  # installed into a folder of somebody else's repository
            return ""
        return git("rev-parse", "--short=10", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no", ".") else "")
    except (OSError, subprocess.SubprocessError):
        return ""
