"""The form of the report: claims on top, an index, every study alike, limitations; plots that
everybody can read; and the shipped one.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mnkala import lab
from mnkala.lab import drawing, plots, registry, report
from mnkala.lab.registry import Claim, Judgement, Verdict
from mnkala.lab.results import Results
from mnkala.lab.store import SHIPPED, load
from mnkala.lab.study import Plot
from mnkala.lab.study_file import all_studies, study_names

REPORT = Path(__file__).parents[1] / "docs" / "report" / "report.md"
LEAST_PIXELS, PHONE = 9, 350
"""Of letters, on the width that a page of 390 pixels leaves."""
CODE = '''
from mnkala.lab import finding, measure

@measure("form", version=1)
def form(*, engine: str, other: str, limit: str) -> dict:
    """Shares that are easy to know again."""
    share = {"weak": 0.1, "even": 0.5, "strong": 0.93}[engine]
    return {"share": share, "low": share - 0.05, "high": share + 0.05, "nodes": 10 ** len(engine)}

@finding("form")
def words(rows):
    return f"The strong one is best of {len(rows)} rows.\\n\\nThe rest says more."
'''
STUDY = """title = "A field"
question = "Who is strongest?"
source = "report 002"
code = "form_code.py"
measure = "form"
[vary]
engine = ["weak", "even", "strong"]
other = ["weak", "even", "strong"]
limit = ["depth 1", "depth 2"]
[labels]
share = "share of points"
[[plot]]
kind = "heat"
x = "other"
y = "engine"
value = "share"
facet = "limit"
title = "Shares"
[[plot]]
kind = "dot"
x = "engine"
y = "nodes"
series = "limit"
log = "y"
title = "Nodes"
"""


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    """A study with two claims."""
    (tmp_path / "form_code.py").write_text(CODE)
    (tmp_path / "form.toml").write_text(STUDY)
    strong = Claim(
        "form",
        "002",
        "the strong one is best",
        lambda rows: Judgement(Verdict.REPRODUCED, f"in {len(rows)} rows"),
    )
    weak = Claim(
        "form", "003", "the weak one is best", lambda rows: Judgement(Verdict.REFUTED, "it is last")
    )
    monkeypatch.setattr(registry, "claims", lambda: [strong, weak])
    return lab.run(tmp_path / "form.toml", tmp_path / "form.sqlite", jobs=0)


def markdown(results: list[Results], folder: Path) -> str:
    return report.write_markdown(results, folder, "report").read_text(encoding="utf-8")


# ---- The order of things ----


def test_claims_come_first_then_the_index_then_studies_then_limitations(
    results: Results, tmp_path: Path
) -> None:
    both = [results, results]
    page, text = (
        re.sub(r"<svg.*?</svg>", "", report.page(both), flags=re.DOTALL),
        markdown(both, tmp_path / "out"),
    )
    for shown in (page, text):
        places = [
            shown.index(words)
            for words in (
                "What became of the reports’ claims",
                "Studies by report",
                "Who is strongest?",
                "The strong one is best of 18 rows.",
                "The rest says more.",
                "How to repeat",
                "Limitations",
                "Where and how this was measured",
            )
        ]
        assert places == sorted(places)


def test_a_study_alone_has_its_own_title_and_nothing_of_other_studies(
    results: Results, tmp_path: Path
) -> None:
    page, text = report.page([results]), markdown([results], tmp_path / "out")
    assert text.startswith(f"# {results.study.title}\n")
    assert f"<h1>{results.study.title}</h1>" in page
    for shown in (page, text):
        assert "Studies by report" not in shown
        assert "Limitations" not in shown


def test_a_claim_is_one_line_with_mark_verdict_evidence_and_a_link_to_its_study(
    results: Results, tmp_path: Path
) -> None:
    lines = report.summary([results])
    assert [line.words for some in lines.values() for line in some] == ["✓ reproduced", "✗ refuted"]
    page, text = report.page([results]), markdown([results], tmp_path / "out")
    assert "2 claims: 1 reproduced and 1 refuted." in page
    assert "| the strong one is best | ✓ reproduced | in 18 rows | [form](#study-form) |" in text
    assert '<a id="study-form"></a>' in text
    assert re.search(
        r'<td>the weak one is best</td><td class="verdict refuted">✗ refuted</td><td>it is last</td>'
        r'<td><a href="#study-form">form</a></td>',
        page,
    )
    assert 'id="study-form"' in page


def test_every_verdict_has_a_mark_of_its_own() -> None:
    assert set(report.MARKS) == {*(verdict.value for verdict in Verdict), report.NOT_MEASURED}
    assert len(set(report.MARKS.values())) == len(report.MARKS)


def test_claims_of_a_study_without_data_are_not_measured_and_every_report_is_named(
    tmp_path: Path,
) -> None:
    empty = [load(study, _nothing(tmp_path)) for study in all_studies()]
    lines = report.summary(empty)
    assert set(lines) == set(report.REPORTS)
    assert {line.verdict for some in lines.values() for line in some} == {report.NOT_MEASURED}
    assert "no data" in report.gaps(empty)[0]


def _nothing(folder: Path) -> Path:
    from mnkala.jobs import Store

    with Store(folder / "empty.sqlite"):
        return folder / "empty.sqlite"


def test_the_index_lists_a_study_under_every_report_that_it_speaks_of() -> None:
    found = report.index([load(study, SHIPPED) for study in all_studies()])
    names = {number: [one.study.name for one in some] for number, some in found.items()}
    assert "heuristics" in names["002"]
    assert "heuristics" in names["003"]
    assert "timing" in names["000"]
    assert {name for some in names.values() for name in some} == set(study_names())


def test_a_study_whose_rows_are_of_older_code_says_so(results: Results) -> None:
    from dataclasses import replace

    old = replace(results, stale=4)
    page = report.page([old, results])
    assert "measured with older code: form" in page
    assert "Measured with older code: 4 jobs" in page
    assert 'class="badge">older code<' in page
    assert "older code" not in report.page([results, results])


def test_limitations_are_whole_sentences_under_headings() -> None:
    found = report.limitations()
    assert len(found) >= 5
    assert all(heading and text.endswith(".") and len(heading) < 40 for heading, text in found)


# ---- Plots ----


def test_shares_are_coloured_from_a_half_in_two_directions() -> None:
    plot = Plot(kind="heat", x="a", y=("b",), value="share")  # type: ignore[arg-type]
    assert drawing.middle_of(plot) == 0.5
    assert drawing._ends(0.5, [0.4, 0.93]) == (0.0, 1.0)
    nodes = Plot(kind="heat", x="a", y=("b",), value="nodes")  # type: ignore[arg-type]
    assert drawing.middle_of(nodes) is None
    assert drawing._ends(None, [3, 8]) == (3, 8)
    elo = Plot(kind="heat", x="a", y=("b",), value="elo", mark=0.0)  # type: ignore[arg-type]
    assert drawing._ends(drawing.middle_of(elo), [-30, 10]) == (-30, 30)


def test_numbers_in_cells_stand_out_from_their_colour() -> None:
    from matplotlib import colormaps

    colours = colormaps[drawing.TWO_WAYS]
    for share in (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0):
        cell = colours(share)
        text = 0.0 if drawing._luminance(cell) > drawing.DARK else 1.0
        linear = [
            value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
            for value in cell[:3]
        ]
        light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        contrast = (max(light, text) + 0.05) / (min(light, text) + 0.05)
        assert contrast > 4.5, share


def test_no_shipped_study_draws_bars_on_a_logarithmic_axis() -> None:
    kinds = [
        (plot.kind, plot.log)
        for study in all_studies()
        for part in study.parts
        for plot in part.plots
    ]
    assert ("dot", "y") in kinds
    assert not [kind for kind, log in kinds if kind == "bar" and "y" in log]


def test_a_plot_says_in_words_what_it_shows(results: Results, tmp_path: Path) -> None:
    heat, dots = plots.figures(results)
    assert heat.words == (
        "Shares. A heat map: share of points by engine (rows) and other (columns), one panel for each limit: depth 1; depth 2. "
        "Values go from 0.100 (depth 1, weak by weak) to 0.930 (depth 1, strong by weak). The colours part at 0.5."
    )
    assert dots.words == (
        "Nodes. Dots: nodes over engine, y logarithmic. Series: depth 1; depth 2. "
        "Values go from 10,000 (depth 1, weak) to 1,000,000 (depth 1, strong)."
    )
    assert f'aria-label="{heat.words}"' in report.page([results])
    assert f"![{heat.words}](form-1.svg)" in markdown([results], tmp_path / "out")


def test_small_multiples_stack_on_a_narrow_screen(results: Results) -> None:
    heat, dots = plots.figures(results)
    assert dots.draw_narrow is None, "one panel is legible as it is"
    assert heat.draw_narrow is not None
    page = report.page([results])
    assert page.count('<figure class="wide">') == page.count('<figure class="narrow">') == 1
    assert max_width(heat.draw_narrow()) < max_width(heat.svg)


def max_width(svg: str) -> float:
    return float(ElementTree.fromstring(svg).attrib["width"].removesuffix("pt"))


def test_letters_are_legible_on_a_telephone(results: Results) -> None:
    for picture in plots.figures(results):
        svg = picture.draw_narrow() if picture.draw_narrow else picture.svg
        sizes = [float(size) for size in re.findall(r"font(?:-size)?: ?(?:\w+ )*([\d.]+)px", svg)]
        assert sizes
        # Matplotlib's pixels are the units of its view box, as wide as its width in points.
        assert min(sizes) * PHONE / max_width(svg) >= LEAST_PIXELS, picture.title


# ---- What is shipped ----


@pytest.mark.parametrize("study", study_names())
def test_the_shipped_report_says_what_the_stored_rows_say(study: str) -> None:
    """Every finding and every claim is computed anew from the rows that come with the package."""
    results = load(study, SHIPPED)
    if not results.rows:
        pytest.skip(f"no rows of {study} come with the package")
    text = REPORT.read_text(encoding="utf-8")
    section = text.partition(f'<a id="study-{study}"></a>')[2].partition('<a id="study-')[0]
    for paragraph in report.paragraphs(results):
        assert paragraph in section
    for some in report.summary([results]).values():
        for line in some:
            assert (
                f"| {line.claim.says} | {line.words} | {line.evidence} | [{study}](#study-{study}) |"
                in text
            )


def test_the_shipped_report_is_text_alone_and_says_where_its_plots_are() -> None:
    """Plots are drawn from the rows, so that the history does not grow by megabytes with each new
    measurement.
    """
    assert {path.suffix for path in REPORT.parent.iterdir()} == {".md"}
    text = REPORT.read_text(encoding="utf-8")
    assert "![" not in text
    assert "`mnkala lab report` draws them" in text
