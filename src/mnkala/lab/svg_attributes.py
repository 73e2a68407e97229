"""SVG without style sheets, for pages whose content policy allows no inline styles: each property becomes the attribute of its name.

Matplotlib writes a style attribute at every element, and one rule for all of them.
"""

from __future__ import annotations

import re

STYLE = re.compile(r'\sstyle="([^"]*)"')
FONT = re.compile(r"(?P<style>italic |oblique )?(?P<weight>\w+ )?(?P<size>[\d.]+)px (?P<family>.+)")
"""The shorthand as Matplotlib writes it: it has no attribute of its own."""
SHEET = re.compile(r"<style[^>]*>\s*\*\s*\{([^}]*)\}\s*</style>")
DEFS = re.compile(r"<defs>\s*</defs>")


def with_attributes(svg: str) -> str:
    """The same picture without any style."""
    everywhere = SHEET.search(svg)
    svg = DEFS.sub("", SHEET.sub("", svg))
    svg = STYLE.sub(lambda found: _attributes(found[1]), svg)
    return re.sub(r"^<svg", lambda found: found[0] + _attributes(everywhere[1]), svg, count=1) if everywhere else svg


def _attributes(style: str) -> str:
    properties = (entry.partition(":") for entry in style.split(";") if entry.strip())
    return "".join(_attribute(name.strip(), value.strip()) for name, _, value in properties)


def _attribute(name: str, value: str) -> str:
    if name != "font":
        return f' {name}="{value}"'
    shorthand = FONT.fullmatch(value)
    if shorthand is None:
        return ""
    own = {"font-size": shorthand["size"], "font-family": shorthand["family"], "font-weight": shorthand["weight"],
           "font-style": shorthand["style"]}
    return "".join(f' {key}="{text.strip()}"' for key, text in own.items() if text)
