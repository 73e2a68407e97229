"""The words that people read on the page and in the terminal, in three languages: one home for each sentence.

Every file `words/SECTION.json` maps a key to its text in each language, `{"play.undo": {"en": "Undo", "pt": …, "it": …}}`. A text may
hold places in braces, `"wins in {plies}"`, which `say` fills in.
"""

from __future__ import annotations

import functools
import json
from importlib import resources

LANGUAGES = {"en": "English", "pt": "Português", "it": "Italiano"}
"""The languages of the source reports."""


@functools.cache
def words(language: str) -> dict[str, str]:
    """Every text of a language, by its key; English where a language is not known."""
    chosen = language if language in LANGUAGES else "en"
    texts: dict[str, str] = {}
    for file in sorted(resources.files("mnkala.play").joinpath("words").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            texts |= {key: said[chosen] for key, said in json.loads(file.read_text(encoding="utf-8")).items()}
    return texts


def say(key: str, language: str = "en", **values: object) -> str:
    """The text of a key with its places filled in."""
    return words(language)[key].format(**values)
