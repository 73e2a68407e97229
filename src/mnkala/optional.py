"""Packages that only some uses need: `pip install 'mnkala[EXTRA]'` brings them."""

from __future__ import annotations

import importlib
from typing import Any

from mnkala.errors import MnkalaError


def needed(module: str, what: str, extra: str) -> Any:
    """A module of such a package; an error that says how to get it, where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MnkalaError(f"{what} needs the package {module.partition('.')[0]}: pip install 'mnkala[{extra}]'") from None
