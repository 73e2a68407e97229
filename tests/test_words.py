"""The texts of the page and the terminal: the same places in every language, one Portuguese (the
European one), one word for one thing.
"""

from __future__ import annotations

import collections
import json
import re
from pathlib import Path

import pytest

import mnkala
from mnkala.explain.words import LANGUAGES, words
from mnkala.play.lessons import courses

PLACE = re.compile(r"\{\w+\}")
NOT_SO = {
    "pt": {
        "Brazilian": r"vocês?|telas?|arquivos?|salvar|deletar|mouse|usuári\w+|registros?|baixar|acessar|senhas?|gerenciar|bônus|"
        r"(?:está|estão|estou) \w+ndo|demais",
        "another form of address": r"tu|teus?|tuas?|contigo|podes|tens|queres|vês|clica",
        "another word for jogada": r"lances?|movimentos? de|mexidas?",
        "another word for fila": r"linhas e colunas?|linhas e \{columns\}",
        "another word for pesquisa": r"buscas?|procuras",
        "another word for depósito": r"reservas?|celeiros?",
        "another word for solucionador": r"motor exato|resolvedor",
    },
    "it": {
        "another form of address": r"Lei|Suo|Sua|clicchi|prema|scelga|incolli|voi|vostr[oaie]|cliccate|premete|scegliete",
        "another word for tabellone": r"scacchier[ae]|tavolier[ei]",
        "another word for disco": r"pedin[ae]|getton[ei]",
        "another word for ricerca": r"indagin[ei]",
        "another word for a game record": r"registrazion[ei]",
        "another word for abbandonare": r"arrend\w+|arres[oa]",
    },
}


def test_every_text_has_the_same_places_in_every_language() -> None:
    texts = {language: words(language) for language in LANGUAGES}
    assert len({tuple(known) for known in texts.values()}) == 1
    for key in texts["en"]:
        assert (
            len({tuple(sorted(PLACE.findall(texts[language][key]))) for language in LANGUAGES}) == 1
        ), key
        assert all(texts[language][key].strip() for language in LANGUAGES), key


def test_no_text_is_written_twice() -> None:
    """The second one would silently take the place of the first."""
    files = sorted(Path(mnkala.__file__).parent.glob("**/words/*.json"))
    pairs = [
        key
        for file in files
        for key, _ in json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=list)
    ]
    assert len(pairs) > 800
    assert [key for key, times in collections.Counter(pairs).items() if times > 1] == []


@pytest.mark.parametrize("language", NOT_SO)
def test_a_language_has_one_form_of_address_and_one_word_for_one_thing(language: str) -> None:
    lessons = {
        f"{lesson.key} {number}": said[language]
        for course in courses()
        for lesson in course.lessons
        for number, said in enumerate((lesson.title, lesson.text, lesson.task, lesson.right))
    }
    for what, pattern in NOT_SO[language].items():
        case = 0 if language == "it" and "address" in what else re.IGNORECASE
        found = {
            key: hit[0]
            for key, text in (words(language) | lessons).items()
            if (hit := re.search(rf"\b(?:{pattern})\b", text, case))
        }
        assert not found, f"{what}: {found}"
