"""The documents: what they link to, show and name is there, and the programs in them do what they
say.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import mnkala

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *DOCS.glob("re*/*.md"), *DOCS.glob("design/*.md")]
)
PAGES = re.findall(
    r"^ +- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE
)
PUBLIC = (
    "mnkala",
    "mnkala.arena",
    "mnkala.core",
    "mnkala.explain",
    "mnkala.jobs",
    "mnkala.lab",
    "mnkala.play",
    "mnkala.search",
    "mnkala.solve",
    "mnkala.trace",
)
RUN_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    print(f"end of {name}")
"""


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def without_code(text: str) -> str:
    return re.sub(r"^( *)```.*?^\1```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as MkDocs and GitHub both make them of plain words, and
    those that it sets itself.
    """
    text = without_code(text_of(document))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {
        re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in titles
    } | {*re.findall(r'<a id="([^"]+)">', text)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_and_picture_of_a_document_is_there(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text_of(document))):
        path, _, anchor = target.partition("#")
        if path.startswith(("https:", "http:", "mailto:")):
            continue
        found = (document.parent / path).resolve() if path else document
        assert found.is_file(), f"{target} does not exist"
        assert found.is_relative_to(ROOT)
        assert not anchor or anchor in anchors(found), f"{target}: no such heading"


def test_the_site_has_every_document_once() -> None:
    assert sorted(PAGES) == [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]


def test_every_picture_that_is_shown_is_made_by_the_one_command_and_no_other() -> None:
    tables = {
        statement.target.id: statement.value
        for statement in ast.parse(text_of(DOCS / "make_pictures.py")).body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
    made = {
        f"{ast.literal_eval(key)}.{end}"
        for table, end in (("PICTURES", "png"), ("TERMINALS", "svg"))
        for key in tables[table].keys  # type: ignore[union-attr]
    }
    shown = {
        Path(target).name
        for document in DOCUMENTS
        for target in re.findall(r"\(([^)\s]*pictures/[^)\s]+)\)", text_of(document))
    }
    rules = {
        name for name in shown if name.startswith("rules-")
    }  # those of docs.make_rules, whose page has a test of its own
    assert rules
    assert shown == made | rules == {path.name for path in (DOCS / "pictures").iterdir()}


# ---- The reference ----


def test_the_reference_has_every_public_name() -> None:
    named = [
        word
        for page in (DOCS / "reference").glob("*.md")
        for word in re.findall(r"^::: (\S+)$", text_of(page), re.MULTILINE)
    ]
    described = [_find(name) for name in named]
    assert len(named) == len(set(named))
    for module in map(importlib.import_module, PUBLIC):
        public = {name: getattr(module, name) for name in module.__all__}
        missing = [
            name
            for name, value in public.items()
            if not isinstance(value, ModuleType) and all(value is not other for other in described)
        ]
        assert not missing, f"{module.__name__}: {missing}"


@pytest.mark.parametrize("page", sorted(path.stem for path in (DOCS / "reference").glob("*.md")))
def test_every_name_can_be_imported_from_the_package_that_it_is_documented_under(page: str) -> None:
    packages: list[str] = []
    for line in text_of(DOCS / "reference" / f"{page}.md").splitlines():
        if line.startswith("#"):
            packages = re.findall(r"mnkala[.a-z_]*", line) or packages
        elif line.startswith("::: "):
            package, _, name = line.removeprefix("::: ").rpartition(".")
            assert package in packages, line
            assert hasattr(importlib.import_module(package), name), line


def _find(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def test_a_type_checker_knows_the_names_of_the_package_and_no_others(tmp_path: Path) -> None:
    package = ROOT / "src" / "mnkala" / "__init__.py"
    for names, status in (("Nonexistent", 1), (", ".join(mnkala.__all__), 0)):
        program = tmp_path / "program.py"
        program.write_text(f"from mnkala import {names}\n", encoding="utf-8")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "mypy",
                "--strict",
                "--allow-any-generics",
                "--follow-imports=skip",
                "--config-file=",
                f"--cache-dir={tmp_path}",
                package,
                program,
            ],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == status, done.stdout
        assert status == 0 or 'has no attribute "Nonexistent"' in done.stdout


# ---- Programs in documents ----


def test_every_recipe_of_the_cookbook_prints_what_it_says_and_the_notebook_runs(
    tmp_path: Path,
) -> None:
    """In plain Python, where nothing has to be compiled; that compiled code does the same is tested
    elsewhere.
    """
    text = text_of(DOCS / "cookbook.md")
    recipes = re.findall(
        r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    assert len(recipes) == text.count("```python") > 10
    cells = [
        cell
        for cell in json.loads(text_of(ROOT / "examples" / "analysis.ipynb"))["cells"]
        if cell["cell_type"] == "code"
    ]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
    notebook = "\n".join("".join(cell["source"]) for cell in cells)
    programs = {f"recipe_{number}": code for number, (code, _) in enumerate(recipes)} | {
        "notebook": notebook
    }
    for name, code in programs.items():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN_ALL, *programs],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "MNKALA_PLAIN": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "".join(f"{printed}end of recipe_{number}\n" for number, (_, printed) in enumerate(recipes))
    )
    assert "b2a2            +1 (win in 5 plies)\n" in done.stdout, "the notebook's scores"
    assert (tmp_path / "game.gif").is_file()


def test_the_whole_game_in_the_guide_to_own_games_is_the_example() -> None:
    """Which `mnkala check` and every search are tried on."""
    blocks = re.findall(
        r"^```python\n(.*?)^```$", text_of(DOCS / "own_game.md"), re.MULTILINE | re.DOTALL
    )
    assert text_of(ROOT / "examples" / "domineering.py") in blocks
