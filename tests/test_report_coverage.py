"""docs/report/coverage.md: every sentence of the source reports has a command that shows it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import mnkala

COVERAGE = Path(__file__).parent.parent / "docs" / "report" / "coverage.md"
ROW = re.compile(
    r"^\| (?P<says>.+?) \| (?P<here>.+?) \| `mnkala (?P<command>.+?)` \| `(?P<prints>.+?)` \|$"
)


def shown() -> dict[str, list[str]]:
    """What each command of the page has to print."""
    rows = [
        line
        for line in COVERAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith("| the report says")
    ]
    found: dict[str, list[str]] = {}
    for line in rows:
        row = ROW.match(line)
        assert row, f"not a row of four cells: {line}"
        found.setdefault(row["command"], []).append(row["prints"].replace(r"\n", "\n"))
    return found


def test_each_report_has_its_rows() -> None:
    text = COVERAGE.read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert [section[:10] for section in sections] == [f"Report 00{i}" for i in range(5)]
    assert all(section.count("| `mnkala ") >= 10 for section in sections)


@pytest.mark.parametrize(("command", "prints"), shown().items(), ids=list(shown()))
def test_the_command_shows_what_the_page_says(command: str, prints: list[str]) -> None:
    done = mnkala(*shlex.split(command))
    assert done.returncode == 0, done.stderr
    for text in prints:
        assert text in done.stdout + done.stderr
