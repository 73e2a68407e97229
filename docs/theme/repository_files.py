"""A hook of MkDocs: the files of the site are those of the repository, under the paths that they have there.

So a link or a picture that works where the repository is read works on the site too, and no page is written twice.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SHOWN = ("*.md", "LICENSE", "CITATION.cff", "docs/*.md", "docs/reference/*.md", "docs/pictures/*", "docs/report/*.md",
         "docs/theme/*.css", "docs/theme/*.js", "examples/*.py", "examples/*.ipynb", "src/mnkala/web/static/icon.svg")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """What the theme brings, and the files that are shown."""
    root = Path(config.config_file_path).parent
    shown = [path.relative_to(root).as_posix() for pattern in SHOWN for path in sorted(root.glob(pattern))]
    theme = [file for file in files if file.src_dir != config.docs_dir]
    return Files(theme + [File(path, str(root), config.site_dir, config.use_directory_urls) for path in shown])
