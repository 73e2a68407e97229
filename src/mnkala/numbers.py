"""Numbers as people type them, and counts as they read them.

Typed are plain decimal digits, and no more than 64 bits hold, for compiled code counts in 64 bits.

Python reads more than that (`1_0`, digits of other scripts) and raises an error at thousands of
digits.
"""

from __future__ import annotations

import re

LARGEST = 2**63 - 1
LONGEST = len(str(LARGEST))
"""Digits of the largest number."""
SEPARATORS = {"en": (",", "."), "pt": ("\N{NO-BREAK SPACE}", ","), "it": (".", ",")}
"""Between thousands, and before decimals."""
_DIGITS = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,3})?", re.IGNORECASE)


def read_digits(text: str) -> int | None:
    """The number that plain digits stand for, LARGEST if it is larger; None for any other text."""
    if not _DIGITS.fullmatch(text):
        return None
    digits = text.lstrip("0")
    return LARGEST if len(digits) > LONGEST else min(int(digits or "0"), LARGEST)


def read_whole(text: str) -> int:
    """A whole number with or without a sign; a ValueError says what is wrong."""
    size = read_digits(text[1:] if text[:1] in ("+", "-") else text)
    if size is None:
        raise ValueError(f"{shortened(text)!r} is not a whole number in plain digits, such as 10")
    if size == LARGEST:
        raise ValueError(
            f"{shortened(text)} is too large; whole numbers are smaller than {LARGEST}"
        )
    return -size if text.startswith("-") else size


def read_decimal(text: str) -> float:
    """A number with or without a sign, a decimal point and, as Python writes small ones, an
    exponent; a ValueError says what is wrong.
    """
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"{shortened(text)!r} is not a number in plain digits, such as 10 or 0.5")
    return float(text)


def counted(number: int, noun: str) -> str:
    """A number of things: `1 line`, `2 lines`, `12,000 lines`."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def written(value: float, digits: int = 0, language: str = "en") -> str:
    """A number as people of a language write it: 17,588 and 0.5 in English, 17 588 and 0,5 in
    Portuguese, 17.588 and 0,5 in Italian. The page's `number` (static/words.js) writes the same.
    """
    group, point = SEPARATORS.get(language, SEPARATORS["en"])
    return f"{value:,.{digits}f}".translate({ord(","): group, ord("."): point})


def plural(noun: str) -> str:
    """The plural of a noun whose plural is regular, or of its last word."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def shortened(text: str, longest: int = 40) -> str:
    """The beginning of a text, for a message that repeats what was typed."""
    return text if len(text) <= longest else f"{text[:longest]}…"
