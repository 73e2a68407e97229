"""Data and the version of the measure that gave them: another version is measured again, and
nothing is lost.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from mnkala import cli, lab
from mnkala.errors import MnkalaError
from mnkala.jobs import Store
from mnkala.lab.registry import measures
from mnkala.lab.store import open_shipped, pack, unpack
from mnkala.lab.study import Work

CODE = "from mnkala.lab import measure\n@measure('own', version=1)\ndef own(*, size):\n    return {'number': size}\n"


def test_every_built_in_measure_has_a_version_and_its_keys_hold_it() -> None:
    shipped = [measure for measure in measures() if measure.shipped]
    assert len(shipped) >= 15
    for measure in shipped:
        assert (
            Work(measure.name, {"game": "a@b"}).key
            == f'{measure.name}@{measure.version} {{"game": "a@b"}}'
        )
        assert isinstance(measure.version, int)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(CODE)
    (tmp_path / "own.toml").write_text(
        'title = "t"\nquestion = "q"\ncode = "own.py"\nmeasure = "own"\n[vary]\nsize = [1, 2, 3]\n'
    )
    return tmp_path / "own.toml"


def test_an_edit_without_a_new_version_keeps_the_rows(study: Path) -> None:
    data = study.with_suffix(".sqlite")
    before = lab.run(study, data, jobs=0)
    study.with_suffix(".py").write_text(CODE + "# nothing else\n")
    after = lab.load(study, data)
    assert (after.rows, after.state, after.earlier) == (before.rows, "full", 0)


def test_rows_of_another_version_are_left_out_told_measured_again_and_kept(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = study.with_suffix(".sqlite"), study.with_name("out")
    lab.run(study, data, jobs=0)
    study.with_suffix(".py").write_text(
        CODE.replace("version=1", "version=2").replace("size}", "-size}")
    )
    after = lab.load(study, data)
    assert (after.state, after.rows, after.earlier) == ("none", [], 3)
    assert cli.run(["lab", "report", str(study), "--data", str(data), "--out", str(out)]) == 0
    assert "3 jobs that another version of the measure did" in (out / "report.md").read_text(
        encoding="utf-8"
    )
    assert cli.run(["lab", "run", str(study), "--data", str(data), "--jobs", "0"]) == 0
    assert (
        f"{data} has 3 jobs of another version of the measure; the results stay there and are measured again"
        in capsys.readouterr().err
    )
    assert [row["number"] for row in lab.load(study, data).rows] == [-1, -2, -3]
    study.with_suffix(".py").write_text(CODE)
    assert [row["number"] for row in lab.load(study, data).rows] == [1, 2, 3]


def test_the_shipped_report_holds_full_data_of_todays_measures() -> None:
    with open_shipped() as store:
        held = {outcome.key for outcome in store.all()}
    lacking = {
        study.name: sum(work.key not in held for work in study.work())
        for study in lab.all_studies()
    }
    assert lacking == dict.fromkeys(lacking, 0)


def test_what_is_shipped_is_what_the_file_of_results_held_and_comes_out_of_it_again(
    tmp_path: Path,
) -> None:
    unpacked, packed = tmp_path / "lab.sqlite", tmp_path / "packed.xz"
    assert unpack(unpacked) > 1000
    count = pack(unpacked, packed)
    wanted = {work.key for study in lab.all_studies() for work in study.work()}
    with (
        open_shipped() as store,
        Store(unpacked) as copy,
        Store(packed, lzma.decompress(packed.read_bytes())) as again,
    ):
        assert store.all() == copy.all()
        kept = [outcome for outcome in store.all() if outcome.key in wanted]
        assert again.all() == kept
        assert count == len(kept)
        assert again.dates(wanted) == store.dates(wanted)
    with pytest.raises(MnkalaError, match="is there already"):
        unpack(unpacked)


def test_commands_read_what_is_shipped_but_write_nothing_to_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.run(["lab", "export", "pruning", "--data", "shipped"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(lab.load("pruning", "shipped").rows) + 1
    assert cli.run(["lab", "run", "pruning", "--quick", "--data", "shipped"]) == 2
    assert "cannot be changed" in capsys.readouterr().err
    assert not Path("shipped").exists()
