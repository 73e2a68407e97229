"""The lab: study files, runs, data, plots, the report. The studies themselves are tested by
test_studies_*.py.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mnkala import lab, sources
from mnkala.arena.game_job import digest_for
from mnkala.errors import MnkalaError
from mnkala.jobs import Store
from mnkala.lab import drawing, plots, points, report, tables
from mnkala.lab import store as lab_store
from mnkala.lab.results import Results
from mnkala.lab.study import Work
from mnkala.lab.study_file import BadStudy, key_lines
from tests.waiting import wait_until

CODE = '''
import random, time
from mnkala.errors import MnkalaError
from mnkala.lab import finding, measure

@measure("toy growth")
def growth(*, board: str, depth: int, seed: int = 0, base: int = 3, pause: float = 0.0) -> dict:
    """Numbers that grow."""
    time.sleep(pause)
    if board == "broken":
        raise MnkalaError("no such board")
    return {"nodes": base ** depth * 1000 + random.Random(seed).randrange(10), "share": depth / 10, "low": depth / 20, "high": depth / 5}

@finding("toy")
def words(rows, references):
    return f"{len(rows)} rows, at most {max(row['nodes'] for row in rows)} nodes, {len(references)} figures of the report."
'''
STUDY = """title = "A toy"
question = "Does it <grow>?"
source = "no report"
code = "toy_code.py"
measure = "toy growth"
repeat = 3

[vary]
board = ["small", "large"]
depth = [1, 2, 3]

[fixed]
base = 3

[quick]
depth = [1, 2]
repeat = 2

[[skip]]
board = "large"
depth = [3]

[[reference]]
board = "small"
depth = [1, 2, 4]
nodes = [3000, "", 81000]

[units]
depth = "plies"

[[plot]]
kind = "line"
x = "depth"
y = "nodes"
series = "board"
log = "y"
error = "ci"
title = "Growth"

[[plot]]
kind = "heat"
x = "depth"
y = "board"
value = "share"

[[table]]
rows = ["board"]
columns = "depth"
show = ["nodes"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("MNKALA_LAB_DATA", raising=False)
    (tmp_path / "toy_code.py").write_text(CODE)
    (tmp_path / "toy.toml").write_text(STUDY)
    return tmp_path


def command(*arguments: str, folder: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """`mnkala lab …` in this process, as if typed in `folder`."""
    from mnkala import cli

    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        status = cli.run(["lab", *arguments])
    done = subprocess.CompletedProcess(list(arguments), status, out.getvalue(), err.getvalue())
    if check:
        assert done.returncode == 0, done.stderr
    return done


def command_line(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "mnkala", "lab", *arguments]


# ---- Study files ----

MISTAKES = [
    # what is replaced, by what, the line, what the message says
    ('title = "A toy"', 'title = "A toy', 1, "line 1"),
    (
        'source = "no report"',
        'sauce = "no report"',
        3,
        "the key 'sauce' is not known here; did you mean source?",
    ),
    ('question = "Does it <grow>?"', "question = 5", 2, "'question' must be a text, not 5"),
    (
        'measure = "toy growth"',
        'measure = "toy groth"',
        5,
        "no measure is called 'toy groth'; did you mean toy growth?",
    ),
    ('code = "toy_code.py"', 'code = "none.py"', 4, "there is no file"),
    ("repeat = 3", "repeat = 0", 6, "'repeat' must be a whole number, 1 or more, not 0"),
    ("repeat = 3", "repeat = true", 6, "'repeat' must be a whole number, 1 or more, not True"),
    (
        'board = ["small", "large"]',
        'bord = ["small"]',
        9,
        "the measure 'toy growth' takes no 'bord'; it takes board, depth, seed, base, pause",
    ),
    ("depth = [1, 2, 3]", "depth = []", 10, "'depth' is an empty list"),
    ("depth = [1, 2, 3]", "depth = 3", 10, "'depth' must be a list of the values to try, not 3"),
    ("base = 3", "depth = 3", 13, "'depth' is both varied and fixed"),
    ("base = 3", "height = 3", 13, "takes no 'height'"),
    ("repeat = 2", "width = 2", 17, "[quick] gives 'width', which is neither varied nor fixed"),
    ('board = "large"', 'bored = "large"', 20, "[[skip]] names 'bored'"),
    (
        'nodes = [3000, "", 81000]',
        "nodes = [3000]",
        26,
        "lists side by side must be of one length: depth has 3, nodes has 1",
    ),
    (
        'kind = "line"',
        'kind = "pie"',
        32,
        "'kind' must be one of line, bar, dot, scatter, heat, not 'pie'",
    ),
    (
        'kind = "line"',
        'kind = "bar"',
        36,
        'bars begin at zero, which a logarithmic axis does not have; take kind = "dot"',
    ),
    ('log = "y"', 'log = "z"', 36, "'log' must be one of x, y, xy, not 'z'"),
    ('error = "ci"', 'error = ["low"]', 37, "two columns"),
    (
        'error = "ci"',
        'band = ["low"]',
        37,
        "'band' must be two columns of the report's figures, the low and the high end, not ['low']",
    ),
    ('error = "ci"', 'mark = "half"', 37, "'mark' must be a number, not 'half'"),
    ('title = "Growth"', 'titel = "Growth"', 38, "did you mean title?"),
    ('value = "share"', "", 41, "needs value"),
    ('kind = "line"', "", 31, "[[plot]] lacks 'kind'"),
    ('question = "Does it <grow>?"', "", 1, "the study lacks 'question'"),
    ('depth = "plies"', "depth = 5", 29, "'depth' must be a text, not 5"),
    ("repeat = 2", "repeat = 0", 17, "'repeat' must be a whole number, 1 or more, not 0"),
    ('rows = ["board"]', "rows = [3]", 47, "'rows' must be the name of a column"),
]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"), MISTAKES, ids=[new or "nothing" for _, new, _, _ in MISTAKES]
)
def test_a_mistake_in_a_study_file_is_told_with_file_and_line(
    folder: Path, old: str, new: str, line: int, message: str
) -> None:
    path = folder / "toy.toml"
    assert old in STUDY
    path.write_text(STUDY.replace(old, new, 1))
    with pytest.raises(BadStudy) as told:
        lab.load_study(path)
    assert str(path) in str(told.value)
    assert f"line {line}" in str(told.value)
    assert message in str(told.value)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [('y = "nodes"', 'y = "noodles"', 31), ('show = ["nodes"]', 'show = ["noodles"]', 46)],
)
def test_a_column_that_does_not_exist_is_told_with_the_line_and_the_columns_there_are(
    folder: Path, old: str, new: str, line: int
) -> None:
    (folder / "toy.toml").write_text(STUDY.replace(old, new, 1))
    with pytest.raises(
        BadStudy,
        match=f"line {line}: the (plot|table) names the column 'noodles'.*columns are board, depth, base, seed, nodes",
    ):
        lab.run(folder / "toy.toml", quick=True, jobs=0)


def test_a_study_in_parts_tells_the_line_of_the_part(folder: Path) -> None:
    text = (
        'title = "t"\nquestion = "q"\ncode = "toy_code.py"\n[[part]]\nname = "one"\nmeasure = "toy growth"\n[part.vary]\nboard = ["a"]\n'
        'depth = [1]\n[[part]]\nname = "two"\nmeasure = "toy growth"\n[part.vary]\nboard = ["a"]\ndepths = [1]\n'
    )
    (folder / "parts.toml").write_text(text)
    with pytest.raises(BadStudy, match=r"line 15: .* takes no 'depths'"):
        lab.load_study(folder / "parts.toml")
    (folder / "parts.toml").write_text(text.replace("depths", "depth"))
    results = lab.run(folder / "parts.toml", jobs=0)
    assert [row["part"] for row in results.rows] == ["one", "two"]
    (folder / "parts.toml").write_text(
        text.replace("depths", "depth")
        + '[[part]]\nname = "three"\nmeasure = "none yet"\ncode = "none.py"\n'
    )
    with pytest.raises(BadStudy, match=r"line 19: there is no file .*none.py"):
        lab.load_study(folder / "parts.toml")


def test_a_measure_must_get_all_it_needs(folder: Path) -> None:
    (folder / "toy.toml").write_text(
        STUDY.replace('board = ["small", "large"]\n', "").replace('board = "large"\n', "")
    )
    with pytest.raises(BadStudy, match=r"line 5: the measure 'toy growth' needs board"):
        lab.load_study(folder / "toy.toml")


def test_an_error_in_the_code_of_a_study_is_told_without_a_traceback(folder: Path) -> None:
    (folder / "toy_code.py").write_text("def broken(:\n")
    done = command("run", "toy.toml", folder=folder, check=False)
    assert done.returncode == 2
    assert "toy_code.py, line 1: SyntaxError" in done.stderr
    assert "Traceback" not in done.stderr


def test_lines_are_found_in_spite_of_long_lists_texts_and_quoted_keys() -> None:
    text = 'a = [\n  1,\n  2,\n]\n[vary]\n"one+two" = [["x", "y"]]\nb = """\nc = 1\n"""\n[[plot]]\nx = "a"\n[[plot]]\nx = "b" # ["\ny = 1\n'
    lines = key_lines(text)
    assert lines[("vary", "one+two")] == 6
    assert lines[("vary", "b")] == 7
    assert ("vary", "c") not in lines
    assert lines[("plot", 1, "x")] == 13
    assert lines[("plot", 1, "y")] == 14


def test_names_that_vary_together_are_not_multiplied(folder: Path) -> None:
    (folder / "joined.toml").write_text(
        'title = "t"\nquestion = "q"\ncode = "toy_code.py"\nmeasure = "toy growth"\n[vary]\n'
        '"board+depth" = [["a", 1], ["b", 2]]\nbase = [2, 3]\n'
    )
    rows = lab.run(folder / "joined.toml", jobs=0).rows
    assert [(row["board"], row["depth"], row["base"]) for row in rows] == [
        ("a", 1, 2),
        ("a", 1, 3),
        ("b", 2, 2),
        ("b", 2, 3),
    ]


# ---- Runs and data ----


@pytest.fixture
def results(folder: Path) -> Results:
    return lab.run(folder / "toy.toml", folder / "toy.sqlite", jobs=0)


def test_a_run_gives_a_row_for_each_combination_with_the_reports_figures_beside(
    results: Results,
) -> None:
    assert len(results.rows) == (3 + 2) * 3
    assert results.state == "full"
    first = results.rows[0]
    assert (first["board"], first["depth"], first["base"], first["seed"]) == ("small", 1, 3, 1)
    figures = {(row["board"], row["depth"]): row["report_nodes"] for row in results.rows}
    assert figures == {
        ("small", 1): 3000,
        ("small", 2): None,
        ("small", 3): None,
        ("large", 1): None,
        ("large", 2): None,
    }
    assert (
        results.finding
        == f"15 rows, at most {max(row['nodes'] for row in results.rows)} nodes, 2 figures of the report."
    )


def test_quick_rows_are_part_of_the_full_run_and_the_state_is_told(folder: Path) -> None:
    path, data = folder / "toy.toml", folder / "toy.sqlite"
    assert lab.load(path).state == "none"
    quick = lab.run(path, data, quick=True, jobs=0)
    assert (quick.state, quick.total) == ("quick", 8)
    assert lab.load(path, data).state == "quick"
    full = lab.run(path, data, jobs=0)
    assert full.summary is not None
    assert (full.summary.kept, full.summary.done, full.state) == (8, 7, "full")
    assert lab.load(path, data).rows == full.rows


def test_failed_work_is_left_out_told_and_tried_again_on_demand(folder: Path) -> None:
    (folder / "toy.toml").write_text(
        STUDY.replace('"large"]', '"broken"]').replace('board = "large"', 'board = "broken"')
    )
    results = lab.run(folder / "toy.toml", jobs=0)
    assert len(results.rows) == 9
    assert {failure.error for failure in results.failures} == {"no such board"}
    done = command("run", "toy.toml", "--jobs", "1", folder=folder, check=False)
    assert done.returncode == 1
    before, _, after = done.stderr.partition("failed: ")
    assert "6 of 15 jobs failed; left alone until `mnkala lab run toy.toml --retry`" in before
    assert after.count("no such board") == 1, "the same mistake is told once"
    assert " and 5 more: no such board" in after


def test_edited_code_of_ones_own_is_measured_again(folder: Path) -> None:
    before = lab.run(folder / "toy.toml", quick=True, jobs=0).rows
    (folder / "toy_code.py").write_text(CODE.replace("* 1000", "* 2_000"))
    after = lab.run(folder / "toy.toml", quick=True, jobs=0).rows
    assert before[0]["nodes"] // 1000 == 3
    assert after[0]["nodes"] // 1000 == 6


def test_rows_of_older_code_are_told_and_measured_again_on_demand(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, data = folder / "toy.toml", folder / "toy.sqlite"
    monkeypatch.setattr(lab_store, "code_of", lambda work: "old 1234567890")
    before = lab.run(study, data, quick=True, jobs=0)
    assert (before.stale, before.commits) == (0, ["1234567890"])
    monkeypatch.undo()
    old = lab.load(study, data)
    assert (old.stale, old.done) == (old.total, old.total)
    assert f"Measured with older code: {old.total} jobs" in report.about_data(old)
    assert old.again_if_stale.endswith("--quick --stale")
    assert lab.run(study, data, quick=True, jobs=0).stale == old.total, (
        "what is there is not measured again unasked"
    )
    again = lab.run(study, data, quick=True, jobs=0, stale=True)
    assert (again.stale, again.done, again.summary.done if again.summary else 0) == (
        0,
        old.total,
        old.total,
    )
    assert again.rows == old.rows
    nothing = lab.run(study, data, quick=True, jobs=0, stale=True)
    assert nothing.summary is not None
    assert nothing.summary.total == 0


def test_rows_depend_on_their_measure_and_on_the_family_of_their_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def digests() -> dict[str, str]:
        sources.code_digest.cache_clear()
        digest_for.cache_clear()
        works = {
            f"{measure} {game}": Work(measure, {"game": game})
            for measure in ("mcts-strength", "parity")
            for game in ("connect4", "connect4:5x5", "kalah", "gomoku")
        }
        digests = {name: lab_store.code_of(work).partition(" ")[0] for name, work in works.items()}
        return {
            **digests,
            "no game": lab_store.code_of(Work("free-cells", {"side": 5})).partition(" ")[0],
        }

    content = sources.content_hash

    def edited(name: str) -> set[str]:
        monkeypatch.setattr(sources, "content_hash", lambda file: content(file) + file.match(name))
        return {each for each, digest in digests().items() if digest != before[each]}

    before = digests()
    assert before["parity connect4"] == before["parity connect4:5x5"]
    assert len(set(before.values())) == 7
    assert edited("families/kalah/rules.py") == {
        "mcts-strength kalah",
        "parity kalah",
    }  # free-cells is a study of lines
    assert edited("families/lines/engine/search.py") == {
        "mcts-strength gomoku",
        "parity gomoku",
        "no game",
    }
    assert edited("core/position.py") == set(before)
    assert edited("web/server.py") == set()


def test_a_measure_may_give_several_rows_and_repeat_without_a_seed(folder: Path) -> None:
    (folder / "many_code.py").write_text(
        'from mnkala.lab import measure\n@measure("many")\ndef many(*, size):\n'
        '    return [{"number": n} for n in range(size)]\n'
    )
    (folder / "many.toml").write_text(
        'title = "t"\nquestion = "q"\ncode = "many_code.py"\nmeasure = "many"\nrepeat = 2\n[vary]\nsize = [1, 2]\n'
    )
    rows = lab.run(folder / "many.toml", jobs=0).rows
    assert [(row["size"], row["repetition"], row["number"]) for row in rows] == [
        (1, 1, 0),
        (1, 2, 0),
        (2, 1, 0),
        (2, 1, 1),
        (2, 2, 0),
        (2, 2, 1),
    ]


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_ctrl_c_says_what_is_kept_and_how_to_go_on_and_the_second_run_gives_the_same_rows(
    folder: Path,
) -> None:
    (folder / "toy.toml").write_text(STUDY.replace("base = 3", "pause = 0.3"))
    process = subprocess.Popen(
        command_line("run", "toy.toml", "--jobs", "2", "--data", "d.sqlite"),
        cwd=folder,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    def some_are_kept() -> bool:
        if not (folder / "d.sqlite").exists():
            return False
        with Store(folder / "d.sqlite") as store:
            return len(store.all()) >= 3

    wait_until(some_are_kept, "three jobs are done")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in errors
    kept = re.search(
        r"(\d+) of 15 jobs done and kept in d.sqlite; continue with: mnkala lab run toy.toml --data d.sqlite",
        errors,
    )
    assert kept, errors
    assert 3 <= int(kept[1]) < 15
    done = command("run", "toy.toml", "--data", "d.sqlite", folder=folder)
    assert f"15 jobs, {kept[1]} already done" in done.stderr
    assert (
        lab.load(folder / "toy.toml", folder / "d.sqlite").rows
        == lab.run(folder / "toy.toml", folder / "other.sqlite", jobs=0).rows
    )


# ---- Exports ----


def test_csv_json_parquet_and_frame_hold_the_same_rows(results: Results, tmp_path: Path) -> None:
    read = list(
        csv.DictReader(
            io.StringIO(
                tables.write(results.rows, tmp_path / "out" / "toy.csv", "csv").read_text(
                    encoding="utf-8"
                )
            )
        )
    )
    assert [int(row["nodes"]) for row in read] == [row["nodes"] for row in results.rows]
    assert [row["report_nodes"] for row in read[:4]] == ["3000", "3000", "3000", ""]
    assert (
        json.loads(
            tables.write(results.rows, tmp_path / "toy.json", "json").read_text(encoding="utf-8")
        )
        == results.rows
    )
    parquet = pytest.importorskip("pyarrow.parquet")
    assert (
        parquet.read_table(
            tables.write(results.rows, tmp_path / "toy.parquet", "parquet")
        ).to_pylist()
        == results.rows
    )
    pytest.importorskip("pandas")
    frame = tables.to_frame(results.rows)
    assert list(frame.columns) == list(results.rows[0])
    assert frame["nodes"].sum() == sum(row["nodes"] for row in results.rows)


def test_a_column_of_mixed_types_can_be_written_as_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tables.write([{"q": 3}, {"q": "all"}], tmp_path / "mixed.parquet", "parquet")
    assert parquet.read_table(path).to_pylist() == [{"q": "3"}, {"q": "all"}]


def test_without_pandas_a_frame_says_what_to_install(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MnkalaError, match=r"pip install 'mnkala\[data\]'"):
        tables.to_frame(results.rows)


# ---- Tables, plots, report ----


def test_numbers_are_shown_with_thin_separators_and_means_with_their_interval() -> None:
    assert tables.show(1234567) == "1,234,567"
    assert tables.show(-3.14159) == "−3.142"
    assert tables.show(0.0000123) == "1.23·10⁻⁵"
    assert tables.show(True) == "yes"
    assert tables.show(None) == "–"
    assert tables.cell([10, 12, 14]) == "12.0 ± 5.0"
    assert tables.cell([7, 7]) == "7"
    assert [tables.setting(value) for value in (0.25, 2.0, 0.002, 1 / 3, 1234.5, -0.5, 3, "x")] == [
        "0.25",
        "2",
        "0.002",
        "0.3333",
        "1,234.5",
        "−0.5",
        "3",
        "x",
    ]


def test_a_cross_table_shows_the_interval_behind_the_value(folder: Path) -> None:
    path = folder / "toy.toml"
    path.write_text(
        STUDY.replace('show = ["nodes"]', 'show = ["share"]\ninterval = ["low", "high"]').replace(
            "repeat = 3\n", "repeat = 1\n"
        )
    )
    (table,) = tables.tables(lab.run(path, jobs=0).parts[0])
    assert table.rows[0] == ["small", "0.10 (0.05–0.20)", "0.20 (0.10–0.40)", "0.30 (0.15–0.60)"]
    assert "95 % interval" in table.title
    path.write_text(STUDY.replace('show = ["nodes"]', 'show = ["nodes"]\ninterval = ["low"]'))
    with pytest.raises(BadStudy, match="line 50: 'interval' must be two columns"):
        lab.load_study(path)


def test_the_reports_numbers_are_the_stored_data(results: Results) -> None:
    page = report.page([results])
    cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>.*?</td>", page)]
    with Store(results.study.path.with_name("toy.sqlite")) as store:
        stored = [outcome.value[0]["nodes"] for outcome in store.all()]
    assert len(stored) == 15
    assert all(tables.show(nodes) in cells for nodes in stored)
    by_hand = [row["nodes"] for row in results.rows if (row["board"], row["depth"]) == ("large", 2)]
    assert tables.cell(by_hand) in cells
    assert str(results.finding) in page


def test_the_page_needs_nothing_else_and_escapes_what_it_shows(results: Results) -> None:
    page = report.page([results])
    assert not re.search(r'(src|href)="(?!#)', page.replace('xlink:href="data:', ""))
    assert "Does it &lt;grow&gt;?" in page
    assert "{{" not in page
    for fact in ("mnkala lab run", "cores", "All 15 jobs of the study", "numba"):
        assert fact in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def text_of(svg: str) -> str:
    """All words of a picture."""
    return " ".join(
        "".join(node.itertext())
        for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    )


def test_plots_are_text_labelled_deterministic_and_show_the_report(results: Results) -> None:
    (title, svg), (_, heat) = plots.figures(results)
    assert title == "Growth"
    assert plots.figures(results)[0].svg == svg
    text = text_of(svg)
    for words in (
        "Growth",
        "depth (plies)",
        "nodes",
        "small",
        "large",
        "the report's own figures",
        "geometric means",
    ):
        assert words in text
    assert ">0.2<" in heat.replace(" ", "").replace("\n", "")
    assert "0.200" not in heat
    series = points.all_series(
        results.parts[0].part,
        results.study.parts[0].plots[0],
        results.rows,
        results.references,
        [None],
    )
    small = next(one for one in series if one.name == "small")
    assert [(point.x, point.y) for point in small.report[None]] == [(1, 3000), (4, 81000)]
    assert all(
        point.low is not None and point.low < point.y < (point.high or 0)
        for point in small.points[None]
    )


def test_what_a_logarithmic_axis_cannot_show_is_left_out_and_told(folder: Path) -> None:
    (folder / "toy_code.py").write_text(
        CODE.replace(
            '"nodes": base', '"nodes": 0 if (board, depth, seed) == ("small", 2, 1) else base'
        )
    )
    results = lab.run(folder / "toy.toml", jobs=0)
    series = points.all_series(
        results.parts[0].part,
        results.study.parts[0].plots[0],
        results.rows,
        results.references,
        [None],
    )
    assert [point.x for one in series if one.name == "small" for point in one.points[None]] == [
        1,
        3,
    ]
    assert "1 of 15 values are zero or less and have no place on a logarithmic axis" in text_of(
        plots.figures(results)[0].svg
    )


def test_a_plot_shows_the_range_that_the_report_claims_and_labels_do_not_touch(
    folder: Path,
) -> None:
    text = STUDY.replace(
        'error = "ci"',
        'error = "ci"\nmark = 2000.5\nband = ["least", "most"]\nband_label = "what they claim"',
    )
    (folder / "toy.toml").write_text(
        text.replace(
            "[units]", '[[reference]]\nboard = "small"\nleast = 5000\nmost = 6000\n[units]'
        )
    )
    results = lab.run(folder / "toy.toml", jobs=0)
    assert "what they claim" in plots.figures(results)[0].svg
    assert drawing.sparse([10, 20, 30], by_ratio=False, width=6.0) == ["10", "20", "30"]
    assert drawing.sparse([1000, 1001, 2000], by_ratio=False, width=2.0) == ["1,000", "", "2,000"]
    assert drawing.sparse([9, 900, 1000], by_ratio=True, width=2.0) == ["9", "900", ""]


def test_series_differ_in_marker_and_dash_as_well_as_in_colour() -> None:
    looks = [points.Series("", style, {}, {}).look for style in range(7)]
    assert (
        len({look["color"] for look in looks})
        == len({look["marker"] for look in looks})
        == len(points.HATCHES)
        == 7
    )


def test_lab_report_writes_page_and_markdown_and_says_which_studies_lack_data(folder: Path) -> None:
    command("run", "toy.toml", "--quick", "--jobs", "1", folder=folder)
    done = command("report", "toy.toml", "--out", "out", folder=folder)
    assert "toy: quick data (8 jobs); full data: mnkala lab run toy.toml" in done.stderr
    assert "toy: quick data only" in (folder / "out" / "index.html").read_text(encoding="utf-8")
    text = (folder / "out" / "report.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert pictures == ["toy-1.svg", "toy-2.svg"]
    assert all(
        'fill="#ffffff"' in (folder / "out" / picture).read_text(encoding="utf-8")
        for picture in pictures
    )
    assert "| board | depth 1 | depth 2 |" in text


# ---- Commands and the notebook ----


@pytest.mark.slow
def test_the_cells_of_the_notebook_run_and_hold_no_output(folder: Path) -> None:
    """It measures a study of its own; the notebook of the cookbook runs in `test_docs.py`."""
    notebook = json.loads(
        (Path(__file__).parents[1] / "examples" / "lab.ipynb").read_text(encoding="utf-8")
    )
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
    names: dict[str, object] = {"__name__": "notebook"}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            exec("".join(cell["source"]), names)
    assert isinstance(names["results"], Results)
    assert "<svg" in str(names["shown"])
    assert len(names["own"].rows) == 6  # type: ignore[attr-defined]


def test_new_writes_a_study_that_runs_as_it_is_and_never_over_a_file(folder: Path) -> None:
    written = command("new", "mine/my first.toml", folder=folder).stdout
    assert "mnkala lab run 'mine/my first.toml' --quick" in written, (
        "what is told to be typed can be typed"
    )
    done = command("run", "mine/my first.toml", "--quick", "--jobs", "1", folder=folder)
    assert re.search(
        r"At depth 3 alpha-beta visits on average \d+ ± \d+ nodes with zero-sum", done.stdout
    )
    assert "page with plots" in done.stdout
    again = command("new", "mine/my first.toml", folder=folder, check=False)
    assert again.returncode == 2
    assert "is there already" in again.stderr


def test_a_copied_study_without_a_finding_of_its_name_says_so(folder: Path) -> None:
    (folder / "copy.toml").write_text((folder / "toy.toml").read_text())
    done = command("run", "copy.toml", "--quick", "--jobs", "1", folder=folder)
    assert (
        'no finding: a function under @finding("copy") would say in words what the rows show'
        in done.stdout
    )


def test_measures_are_listed_with_what_they_need(folder: Path) -> None:
    listed = json.loads(command("measures", "--json", folder=folder).stdout)
    assert (listed["pruning"]["needs"], "heuristic" in listed["pruning"]["takes"]) == (
        ["board", "start", "depth"],
        True,
    )
    assert all(one["summary"].endswith(".") for one in listed.values()), (
        "a whole paragraph, not its first line"
    )


def test_the_list_says_where_the_shipped_data_are(folder: Path) -> None:
    own = command("list", folder=folder).stdout
    assert "not measured here yet" in own
    assert "The data of the report come with mnkala: `mnkala lab list --data shipped`." in own
    shipped = command("list", "--data", "shipped", folder=folder).stdout
    assert "full data" in shipped
    assert "--data shipped" not in shipped


def test_export_writes_to_standard_output_or_a_file(folder: Path) -> None:
    refused = command("export", "toy.toml", folder=folder, check=False)
    assert refused.returncode == 2
    assert "there are no data of toy yet; run `mnkala lab run toy.toml` first" in refused.stderr
    command("run", "toy.toml", "--jobs", "1", folder=folder)
    assert len(command("export", "toy.toml", folder=folder).stdout.splitlines()) == 16
    assert (
        len(json.loads(command("export", "toy.toml", "--to", "json", folder=folder).stdout)) == 15
    )
    command("export", "toy.toml", "--to", "csv", "--out", "rows.csv", folder=folder)
    assert (
        (folder / "rows.csv")
        .read_text(encoding="utf-8")
        .startswith("board,depth,base,seed,nodes,share,low,high,report_nodes\n")
    )


def test_an_unknown_study_names_the_known_ones_and_all_shipped_studies_can_be_read(
    folder: Path,
) -> None:
    done = command("run", "prunning", folder=folder, check=False)
    assert done.returncode == 2
    assert "no study is called 'prunning'; did you mean pruning? Studies are" in done.stderr
    assert all(study.question and study.parts for study in lab.all_studies())
    listed = json.loads(command("list", "--json", folder=folder).stdout)
    assert set(listed) == {study.name for study in lab.all_studies()}
