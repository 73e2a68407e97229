"""`python docs/theme/build_site.py` builds the documentation into `site`, with Zensical.

The site's files are those of the repository, under the paths that they have there, so a link or a
picture that works where the repository is read works on the site too, and no page is written twice.
Zensical takes the pages from one folder, so they are copied to one first.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "build" / "site"
"""The folder that `mkdocs.yml` names as `docs_dir`."""
SHOWN = (
    "*.md",
    "LICENSE",
    "CITATION.cff",
    "docs/*.md",
    "docs/design/*.md",
    "docs/reference/*.md",
    "docs/pictures/*",
    "docs/report/*.md",
    "docs/theme/*.css",
    "docs/theme/*.js",
    "examples/*.py",
    "examples/*.ipynb",
    "src/mnkala/web/static/icon.svg",
)


def main() -> int:
    """Copy the files and run Zensical; return its exit status."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for file in (file for pattern in SHOWN for file in ROOT.glob(pattern)):
        copy = PAGES / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict"], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
