"""Public names of a package that are imported on first use, so that importing the package stays
cheap.

Packages that only some uses need are imported by `needed`, which says that `pip install
'mnkala[EXTRA]'` brings them.
"""

import importlib
from typing import Any

from mnkala.errors import MnkalaError

TYPE_CHECKING = False
"""Stands for `typing.TYPE_CHECKING`, whose import takes time: `import mnkala` loads this module."""
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def names_of(package: str, homes: "Mapping[str, tuple[str, ...]]") -> "Callable[[str], Any]":
    """Make the `__getattr__` of a package, given the names that it takes from each module.

    A package defines it where type checkers do not look, and shows them plain imports instead: they
    would otherwise believe in every name.
    """

    def get(name: str) -> "Any":
        from importlib import import_module

        for module, names in homes.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get


def needed(module: str, what: str, extra: str) -> Any:
    """Import a module of an optional package, or raise an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MnkalaError(
            f"{what} needs the package {module.partition('.')[0]}: pip install 'mnkala[{extra}]'"
        ) from None
