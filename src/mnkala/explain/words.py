"""The words that people read on the page and in the terminal, in three languages: one home for each sentence.

Every file `words/SECTION.json` maps a key to its text in each language, `{"play.undo": {"en": "Undo", "pt": …, "it": …}}`. A text may
hold places in braces, `"wins in {plies}"`, which `say` fills in, and what depends on a number: `"{plies} {plies?move|moves}"` is
"1 move" or "2 moves". A value `"@KEY"` is itself a text of that key.
"""

from __future__ import annotations

import functools
import json
import re
from importlib import resources

LANGUAGES = {"en": "English", "pt": "Português", "it": "Italiano"}
"""The languages of the source reports."""


@functools.cache
def words(language: str) -> dict[str, str]:
    """Every text of a language, by its key; English where a language is not known."""
    chosen = language if language in LANGUAGES else "en"
    texts: dict[str, str] = {}
    for file in sorted(resources.files("mnkala.explain").joinpath("words").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            texts |= {key: said[chosen] for key, said in json.loads(file.read_text(encoding="utf-8")).items()}
    return texts


def say(key: str, language: str = "en", **values: object) -> str:
    """The text of a key with its places filled in."""
    texts = words(language)
    chosen = _BY_NUMBER.sub(lambda place: place[2] if str(values[place[1]]) == "1" else place[3], texts[key])
    return chosen.format(**{name: texts.get(value[1:], value) if isinstance(value, str) and value.startswith("@") else value
                            for name, value in values.items()})


_BY_NUMBER = re.compile(r"\{(\w+)\?([^|{}]*)\|([^|{}]*)\}")
"""The name of a number, what is said for one, what for others."""
