"""The words that people read on the page and in the terminal, in three languages: one home for each
sentence.

Every file `words/SECTION.json` maps a key to its text in each language, `{"play.undo": {"en":
"Undo", "pt": …, "it": …}}`. A text may hold places in braces, `"wins in {plies}"`, which `say`
fills in, and what depends on a number: `"{plies} {plies?move|moves}"` is "1 move" or "2 moves". A
value `"@KEY"` is itself a text of that key, and `"@move.column 4"` names a move.

A family of games brings sentences of its own, in files of the same form in its folder
(`data/words/*.json`); a language that it does not speak falls back on English. What a plug-in
brings is not trusted: `_checked` says what is taken.
"""

from __future__ import annotations

import functools
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnkala.core.family import Family
from mnkala.core.plugins import PluginWarning
from mnkala.core.registry import families
from mnkala.errors import BadPlugin, MnkalaError, printable
from mnkala.native.objects import is_foreign

if TYPE_CHECKING:
    from mnkala.core import Rules

LANGUAGES = {"en": "English", "pt": "Português", "it": "Italiano"}
"""The languages of the page and the terminal, which are those of the source reports."""
LARGEST_FILE, MOST_TEXTS, LONGEST_TEXT = 500_000, 1000, 4000
"""Limits on a plug-in's file of words: its bytes, its entries, and the characters of each."""
_PLACE = re.compile(r"\{(\w+)\}")
_BY_NUMBER = re.compile(r"\{(\w+)\?([^|{}]*)\|([^|{}]*)\}")
"""Matches `{NAME?ONE|OTHERS}`: the name of a number, the words for 1, and the words for any other
number."""


GRADE_MARKS = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The signs that chess books use for the grades of moves."""


def words(language: str) -> dict[str, str]:
    """Every text of a language by its key; English for an unknown language."""
    return _texts(language if language in LANGUAGES else "en", tuple(families()))


@functools.lru_cache(maxsize=2 * len(LANGUAGES))
def _texts(language: str, known: tuple[Family, ...]) -> dict[str, str]:
    texts: dict[str, dict[str, str]] = {}
    for file in sorted(Path(__file__).with_name("words").glob("*.json")):
        texts |= json.loads(file.read_text(encoding="utf-8"))
    for family in known:
        texts = {**_texts_of(family), **texts}
    return {key: said.get(language, said["en"]) for key, said in texts.items()}


@functools.cache
def _texts_of(family: Family) -> dict[str, dict[str, str]]:
    """The texts of a family, by language and key."""
    texts: dict[str, dict[str, str]] = {}
    for file in sorted((family.folder / "words").glob("*.json")):
        if not is_foreign(type(family).__module__):
            texts |= json.loads(file.read_text(encoding="utf-8"))
            continue
        try:
            texts |= _checked(file, family.name)
        except (OSError, ValueError, RecursionError, BadPlugin) as error:
            warnings.warn(
                f"the words in {file} were left out: {error}", PluginWarning, stacklevel=2
            )
    return texts


def _checked(file: Path, family: str) -> dict[str, dict[str, str]]:
    """The valid texts of a plug-in's file: of limited size, without control characters, under keys
    that contain the family's name as one of their parts."""
    if file.stat().st_size > LARGEST_FILE:
        raise BadPlugin(f"it has more than {LARGEST_FILE:,} bytes")
    entries = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(entries, dict) or len(entries) > MOST_TEXTS:
        raise BadPlugin(f"it has to be an object with at most {MOST_TEXTS} keys")
    return {key: dict(_checked_text(key, said, family)) for key, said in entries.items()}


def _checked_text(key: str, said: Any, family: str) -> Iterator[tuple[str, str]]:
    if family not in key.split(".") or not re.fullmatch(r"[\w.-]{1,100}", key):
        raise BadPlugin(
            f"the key '{printable(key[:100])}' lacks the family's name as one of its parts, as in {family}.name_of_text"
        )
    if not isinstance(said, dict) or not isinstance(said.get("en"), str):
        raise BadPlugin(f"{key} has no English text")
    for language, text in said.items():
        if not isinstance(text, str) or len(text) > LONGEST_TEXT:
            raise BadPlugin(
                f"{key} is no text of at most {LONGEST_TEXT} characters in {printable(language[:20])}"
            )
        if language in LANGUAGES:
            yield language, printable(text)


def say(key: str, language: str = "en", **values: object) -> str:
    """The text of a key with its placeholders filled in. A missing text shows its key, so that it
    is noticed. A value `@KEY` is itself a text, and `@KEY MOVES` one that names moves
    (`named_moves`); at the start of a sentence it is capitalised."""
    texts = words(language)

    def filled(place: re.Match[str]) -> str:
        value = str(values.get(place[1], place[0]))
        name, _, moves = value[1:].partition(" ")
        if not value.startswith("@") or name not in texts:
            return value
        told = texts[name].replace("{move}", moves)
        return told if place.start() else told[:1].upper() + told[1:]

    chosen = _BY_NUMBER.sub(
        lambda place: place[2] if str(values.get(place[1])) == "1" else place[3],
        texts.get(key, key),
    )
    return _PLACE.sub(filled, chosen)


def error_words(error: object, language: str) -> str:
    """Describe an error in a language, if it has a text there; otherwise in its own words."""
    if isinstance(error, MnkalaError) and error.key in words(language):
        reasons = {
            name: error_words(value, language) if isinstance(value, MnkalaError) else value
            for name, value in error.values.items()
        }
        return say(error.key, language, **reasons)
    return str(error)


def named_moves(rules: Rules, *moves: str) -> str:
    """Moves as a value for a sentence: `@move.column 4` becomes "column 4". Cells, and everything
    else that is not a bare number, stand by themselves."""
    return _named(rules, rules.move_noun if len(moves) == 1 else f"{rules.move_noun}s", moves)


def named_turn(rules: Rules, moves: Sequence[str]) -> str:
    """The moves of one turn as a value for a sentence."""
    return named_moves(rules, *moves) if len(moves) == 1 else _named(rules, "turn", moves)


def _named(rules: Rules, word: str, moves: Sequence[str]) -> str:
    text = ", ".join(moves)
    return (
        f"@move.{word} {text}"
        if rules.move_noun != "cell" and any(move.isdecimal() for move in moves)
        else text
    )
