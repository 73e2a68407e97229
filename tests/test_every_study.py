"""What every study keeps: its quick form runs and says something, and it lies beside its module."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from mnkala import sources
from mnkala.lab import load_study, run
from mnkala.lab.plots import figures
from mnkala.lab.registry import find_finding, find_measure
from mnkala.lab.study_file import study_names

QUICKEST = ("pruning", "parity", "depth-limit", "levels")
"""The others run in `make test-slow`; what they measure is tested in smaller pieces, and their plots
and findings on the shipped rows.
"""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in QUICKEST else pytest.mark.slow)
        for name in study_names()
    ],
)
def test_a_quick_run_gives_every_row_every_plot_and_a_finding(name: str, tmp_path: Path) -> None:
    results = run(name, tmp_path / "lab.sqlite", quick=True, jobs=0)
    assert results.failures == []
    assert (results.state, results.done) == ("quick", results.total)
    assert all(part.rows for part in results.parts)
    drawn = figures(results)
    assert len(drawn) == sum(len(part.plots) for part in load_study(name).parts)
    assert all(svg.startswith("<?xml") and title for title, svg in drawn)
    assert results.finding is not None
    assert len(results.finding) > 100
    assert not re.search(r"\b(nan|inf|None)\b", results.finding)


@pytest.mark.parametrize("name", study_names())
def test_a_study_lies_beside_the_module_of_its_name_and_mended_words_make_no_row_old(
    name: str,
) -> None:
    study, finding = load_study(name), find_finding(name)
    assert finding is not None
    file = Path(inspect.getfile(finding))
    assert file == study.path.with_name(f"{name.replace('-', '_')}.py")
    words = {
        each.hash for each in sources._module(file).statements if finding.__name__ in each.names
    }
    assert words
    for part in study.parts:
        measure = find_measure(part.measure)
        assert measure.shipped
        assert not words & sources._reached((measure.function,), frozenset())
