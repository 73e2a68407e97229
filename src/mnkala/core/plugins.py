"""Plug-ins: packages that add games, heuristics, searches or solvers by an entry point, and modules
named in MNKALA_PLUGINS.

A plug-in that cannot be loaded is reported once as a warning and otherwise left out: it never keeps
the rest from working.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from mnkala.errors import BadPlugin
from mnkala.unexpected_errors import in_one_line


class PluginWarning(UserWarning):
    """A plug-in could not be loaded and was left out."""


_registers: list[dict[Any, Any]] = []


def new_register() -> dict[Any, Any]:
    """Make a register of what the package and plug-ins offer, whose content
    `registry.forgetting` can restore."""
    _registers.append({})
    return _registers[-1]


def registered() -> list[dict[Any, Any]]:
    """All registers, for `registry.forgetting`."""
    return _registers


@functools.cache
def load(group: str) -> None:
    """Load every plug-in of a group of entry points, once: its module runs, and the decorators in
    it register what it offers.
    """
    for entry in importlib.metadata.entry_points(group=group):
        try:
            entry.load()
        except Exception as error:
            warnings.warn(
                f"plug-in {entry.name} ({entry.value}) was left out: {in_one_line(error)}",
                PluginWarning,
                stacklevel=2,
            )
    for name in filter(None, os.environ.get("MNKALA_PLUGINS", "").split(",")):
        try:
            import_local(name.strip())
        except BadPlugin as error:
            warnings.warn(
                f"plug-in {name} of MNKALA_PLUGINS was left out: {error}",
                PluginWarning,
                stacklevel=2,
            )


def import_local(module_name: str) -> Any:
    """Import a module, which may also be in the current folder."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module_name)
    except Exception as error:
        raise BadPlugin(
            f"the module {module_name} cannot be imported: {in_one_line(error)}"
        ) from error


def find_class(text: str) -> type:
    """The class that `module:Class` names."""
    module_name, colon, class_name = text.partition(":")
    if not colon or not module_name or not class_name:
        raise BadPlugin(f"'{text}' is not of the form module:Class")
    module = import_local(module_name)
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = sorted(
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        )
        raise BadPlugin(
            f"{module_name} has no class {class_name}; its classes are {', '.join(classes) or 'none'}"
        )
    return found
