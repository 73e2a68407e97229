"""The sentences of a study: a template `NAME.txt` beside `NAME.toml`, which the study's module
fills with what it found in the rows.

A template is a list of Jinja macros. Each is a text that can be read as it stands, and names the
values that it needs:

    {% macro finding(ratio, boards) %}
    Pruning makes the search {{ ratio | times }} as fast on {{ boards | listed }}.
    {% endmacro %}

`Sentences(__file__).finding(ratio=2.5, boards=["6x7"])` gives the text. However it is broken into
lines, it is one paragraph; a ¶ begins another. The filters below turn numbers into words. The
template decides nothing but wording: what is clear, and in how many cases, the module says.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnkala.numbers import counted
from mnkala.play.series import SeriesResult

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import LoopContext


class Sentences:
    """The template of the study whose module is `file`; each of its macros is a method that gives
    the text.
    """

    def __init__(self, file: str) -> None:
        module = Path(file)
        self.path = module.with_name(f"{module.stem.replace('_', '-')}.txt")

    def __getattr__(self, macro: str) -> Callable[..., str]:
        text = getattr(_macros(self.path), macro)
        return lambda **values: in_paragraphs(text(**values))


@functools.cache
def _macros(path: Path) -> Any:
    return environment().from_string(path.read_text(encoding="utf-8")).module


@functools.cache
def environment() -> Environment:
    """Jinja with our filters; it is imported when the first sentence is written, for workers write
    none.
    """
    from jinja2 import Environment, StrictUndefined

    made = Environment(undefined=StrictUndefined, autoescape=False)
    made.filters |= {
        "about": about,
        "count": counted,
        "listed": listed,
        "number": number,
        "percent": percent,
        "power": power,
        "share": share,
        "signed": signed,
        "then": then,
        "times": times,
    }
    return made


def in_paragraphs(text: str) -> str:
    """A text without the line breaks and indents of its template, which may also stand before a
    comma or after a bracket.
    """
    joined = re.sub(r"(?<=\() | (?=[,;.)])", "", re.sub(r"[ \n]+", " ", text))
    return "\n\n".join(paragraph for part in joined.split("¶") if (paragraph := part.strip()))


# ---- Filters ----


def number(value: float) -> str:
    """A number as people read it: 93,840; 12.3; 0.042."""
    if value == int(value) or abs(value) >= 1000:
        return f"{round(value):,}"
    return f"{value:.3g}"


def about(value: float) -> str:
    """A number to two digits: 0.43; 7.1; 160."""
    return number(float(f"{value:.2g}"))


def percent(share: float) -> str:
    """A share of 0 to 1: 65 %."""
    return f"{100 * share:.0f} %"


def times(factor: float) -> str:
    """A factor: 2.50×."""
    return f"{factor:.2f}×" if factor < 10 else f"{number(factor)}×"


def signed(value: float, digits: int = 0) -> str:
    """A change with its sign: +3; −0.5."""
    return f"{'+' if value >= 0 else '−'}{abs(value):.{digits}f}"


def share(found: SeriesResult | tuple[float, float, float]) -> str:
    """A share with its interval: 65 % (57 to 72 %)."""
    value, low, high = (found.share, *found.interval) if isinstance(found, SeriesResult) else found
    return f"{100 * value:.0f} % ({abs(round(100 * low))} to {abs(round(100 * high))} %)"


def power(found: tuple[float, float, float], name: str) -> str:
    """A growth: cells^2.5 (2.2 to 2.7)."""
    shown = [f"{value:.1f}".replace("-", "−").replace("−0.0", "0.0") for value in found]
    return (
        f"{name}^{shown[0]} ({shown[1]} to {shown[2]})"
        if math.isfinite(found[1])
        else f"{name}^{shown[0]}"
    )


def listed(words: Iterable[object]) -> str:
    """The words with commas and an `and`: a; a and b; a, b and c."""
    *rest, last = [str(word) for word in words] or [""]
    return f"{', '.join(rest)} and {last}" if rest else last


def then(loop: LoopContext) -> str:
    """The separator after an item of a list: a comma, `and`, or nothing."""
    return {0: "", 1: " and "}.get(loop.revindex0, ", ")
