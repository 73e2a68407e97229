"""What was probably meant by a name that does not exist: every place that looks a name up refuses it in the same words."""

from __future__ import annotations

from collections.abc import Iterable

from mnkala.numbers import plural, shortened

LIKENESS = 0.6
"""The share of letters in common from which on a name is suggested, as difflib measures it."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """`did you mean connect4? Games are …`; only `otherwise`, what is allowed, where no name is like it."""
    import difflib  # only for those who mistyped

    names = {each.lower(): each for each in known}
    close = difflib.get_close_matches(name.strip().lower()[:80], names, 1, LIKENESS)
    return f"did you mean {names[close[0]]}? {otherwise[:1].upper()}{otherwise[1:]}" if close else otherwise


def unknown(kind: str, name: str, known: Iterable[str], also: Iterable[str] = ()) -> str:
    """`no game is called 'conect4'; did you mean connect4? Games are connect4, gomoku, kalah`; `also` is not listed."""
    names = list(dict.fromkeys(known))
    listed = f"{plural(kind)} are {', '.join(names) or 'none'}"
    return f"no {kind} is called '{shortened(name)}'; {did_you_mean(name, [*names, *also], listed)}"
