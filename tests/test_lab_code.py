"""Data and the code that measured them: an edited measure is measured again, an edit that changes nothing loses nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mnkala import lab
from mnkala.jobs import Store
from mnkala.lab import digests
from mnkala.lab.model import Work
from mnkala.lab.registry import measures
from mnkala.lab.store import adopt

MEASURE = '''
"""A module."""
from mnkala.lab.registry import measure
from mnkala.lab.lent import lent

FACTOR = 2
"""Doubles."""
UNUSED = 5

@measure("toy")
def toy(size):
    """Measures."""
    # a remark
    return {"number": helper(size)}

def helper(size):
    return FACTOR * size + lent()

def neighbour():
    return UNUSED
'''
LENT = "OFFSET = 1\ndef lent():\n    return OFFSET\ndef other():\n    return 7\n"


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """The digest of `toy` in modules of these texts."""
    monkeypatch.setattr(digests, "LAB", "mnkala_toy_")

    def of(module: str = MEASURE, lent: str = LENT) -> str:
        for name, text in (("mnkala_toy_measures", module.replace("mnkala.lab.lent", "mnkala_toy_lent")), ("mnkala_toy_lent", lent)):
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
        digests._definitions.cache_clear()
        digests.code_digest.cache_clear()
        return digests.code_digest("mnkala_toy_measures", "toy")

    return of


@pytest.mark.parametrize(("old", "new"), [
    ("helper(size)}", "helper(size + 1)}"), ("FACTOR = 2", "FACTOR = 3"), ("FACTOR * size", "FACTOR - size"), ("def toy(size)", "def toy(size, more=1)"),
])
def test_an_edit_of_what_the_measure_uses_changes_the_digest(digest: object, old: str, new: str) -> None:
    assert old in MEASURE
    assert digest() != digest(MEASURE.replace(old, new))  # type: ignore[operator]


def test_an_edit_of_what_is_imported_from_another_module_of_the_lab_changes_it_too(digest: object) -> None:
    before = digest()  # type: ignore[operator]
    assert before != digest(lent=LENT.replace("OFFSET = 1", "OFFSET = 2"))  # type: ignore[operator]
    assert before == digest(lent=LENT.replace("return 7", "return 8"))  # type: ignore[operator]


@pytest.mark.parametrize(("old", "new"), [
    ("# a remark", "# another"), ('"""Measures."""', '"""Measures\n    at length.\n    """'), ('"""Doubles."""', ""), ("UNUSED = 5", "UNUSED = 6"),
    ("return UNUSED", "return -UNUSED"), ('"""A module."""', '"""The module."""'),
])
def test_prose_and_what_the_measure_does_not_use_do_not_count(digest: object, old: str, new: str) -> None:
    assert old in MEASURE
    assert digest() == digest(MEASURE.replace(old, new))  # type: ignore[operator]


def test_every_built_in_measure_has_a_digest_of_its_own_and_its_keys_hold_it() -> None:
    found = {measure.name: measure.digest for measure in measures() if measure.function.__module__.startswith("mnkala.")}
    assert len(found) >= 15
    assert len(set(found.values())) == len(found)
    for name, version in found.items():
        assert Work(name, {"game": "a@b:c"}).key == f'@{version}:{name} {{"game": "a@b:c"}}'


@pytest.mark.parametrize(("key", "plain"), [
    ('@0123456789ab:parity {"a": 1}', 'parity {"a": 1}'), ('parity {"a": 1}', 'parity {"a": 1}'),
    ('mine.py@0123456789ab:toy {"a": 1} #2', 'mine.py:toy {"a": 1} #2'),
])
def test_keys_of_all_versions_of_the_code_are_the_same_without_the_digest(key: str, plain: str) -> None:
    assert digests.without_digest(key) == plain


def test_rows_of_earlier_code_are_left_out_told_and_can_be_taken_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mnkala import cli

    code = "from mnkala.lab import measure\n@measure('own')\ndef own(*, size):\n    return {'number': size}\n"
    study, data = tmp_path / "own.toml", tmp_path / "own.sqlite"
    (tmp_path / "own.py").write_text(code)
    study.write_text('title = "t"\nquestion = "q"\ncode = "own.py"\nmeasure = "own"\n[vary]\nsize = [1, 2, 3]\n')
    before = lab.run(study, data, jobs=0)
    (tmp_path / "own.py").write_text(code + "# nothing else\n")
    after = lab.load(study, data)
    assert (after.state, after.rows, after.earlier) == ("none", [], 3)
    assert cli.run(["lab", "report", str(study), "--data", str(data), "--out", str(tmp_path / "out")]) == 0
    assert "3 jobs that an earlier version of the measure's code did" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert adopt(study, data) == 3
    again = lab.load(study, data)
    assert (again.rows, again.state, again.earlier) == (before.rows, "full", 0)
    assert adopt(study, data) == 0
    (tmp_path / "own.py").write_text(code.replace("size}", "-size}"))
    assert cli.run(["lab", "run", str(study), "--data", str(data), "--jobs", "0"]) == 0
    assert "3 jobs in" in (told := capsys.readouterr().err)
    assert "were done by an earlier version of the measure's code and are done again" in told
    assert [row["number"] for row in lab.load(study, data).rows] == [-1, -2, -3]
    with Store(data) as store:
        assert len(store.all()) == 6
        assert store.rename({store.keys()[0]: store.keys()[1]}) == 0


def test_the_committed_report_holds_full_data_of_todays_code() -> None:
    data = Path(__file__).parents[1] / "docs" / "report" / "lab.sqlite"
    with Store(data) as store:
        held = set(store.keys())
    lacking = {study.name: sum(work.key not in held for part in study.parts for work in part.work()) for study in lab.studies()}
    assert lacking == dict.fromkeys(lacking, 0)
