"""The front page of the studies: its sentences and plots come from the rows of the report, and
they are computed once for each state of the package.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnkala.explain.words import LANGUAGES, say, words
from mnkala.families.connect.studies import pruning
from mnkala.lab.registry import briefs
from mnkala.lab.report import digits_of
from mnkala.numbers import written
from mnkala.web import study_handlers
from mnkala.web.study_handlers import BriefView, shipped_studies


def test_each_report_has_its_question_its_answer_and_a_plot_in_three_languages() -> None:
    found = [one for one in shipped_studies().briefs if one.report]
    assert [one.report for one in found] == ["000", "001", "002", "003", "004"]
    for one in found:
        assert one.figure is not None
        assert one.figure.title == next(b.plot for b in briefs() if b.report == one.report)
        assert one.figure.svg.startswith("<svg")
        assert 0 < one.confirmed <= one.claims
        check_texts(one)


def test_questions_of_our_own_follow_with_one_sentence_each() -> None:
    found = shipped_studies().briefs
    own = [one for one in found if not one.report]
    assert found[-len(own) :] == own
    assert [one.study for one in own] == ["judge", "learning", "longer", "mcts", "trees"]
    for one in own:
        assert one.figure is None
        check_texts(one)


def check_texts(one: BriefView) -> None:
    """The question and the sentence exist in every language, with figures that there are."""
    for language in LANGUAGES:
        texts = words(language)
        assert texts[f"{one.words}.about"].endswith("?")
        named = re.findall(r"\{(\w+)", texts[f"{one.words}.brief"])
        assert named, one.words
        assert set(named) <= set(one.values), (one.words, language)


def test_the_report_begins_with_the_same_sentences() -> None:
    report = (Path(__file__).parents[1] / "docs" / "report" / "report.md").read_text("utf-8")
    front = report.partition("## What became")[0]
    for one in shipped_studies().briefs:
        figures = {name: written(value, digits_of(value)) for name, value in one.values.items()}
        assert say(f"{one.words}.brief", **figures) in front


def test_the_figures_of_a_sentence_follow_the_rows() -> None:
    rows = [
        {"depth": depth, "start": start, "ratio": ratio}
        for depth, start, ratio in (
            (5, "after 1", 90.0),
            (6, "after 1", 4.2),
            (6, "after 1", 8.7),
            (6, pruning.EMPTY, 99.0),
        )
    ]
    assert pruning.in_brief(rows) == {"depth": 6, "least": 4, "most": 9}


def test_studies_are_computed_once_for_each_state_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[str] = []

    def facts(results: object) -> list[tuple[str, str]]:
        computed.append("once")
        return []

    def number_computed() -> int:
        """How often they are computed for two processes, one after the other."""
        computed.clear()
        for _ in range(2):
            shipped_studies.cache_clear()
            shipped_studies()
        return len(computed)

    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    for name in ("study_names", "in_brief"):
        monkeypatch.setattr(study_handlers, name, list)  # none, which takes no time
    monkeypatch.setattr(study_handlers, "environment", facts)
    assert [number_computed(), number_computed()] == [1, 0]
    kept = tmp_path / "studies.json"
    for damaged in (
        kept.read_text().replace('"state":"', '"state":"other'),
        '{"state": "other", "stu',  # a write that broke off
    ):
        kept.write_text(damaged)
        assert number_computed() == 1
    shipped_studies.cache_clear()
