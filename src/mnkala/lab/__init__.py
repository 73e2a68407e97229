"""The lab: studies as small declarative files, their measures, data, plots and findings. See `study.py` for what a study file says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mnkala.lab.registry import finding, measure

if TYPE_CHECKING:
    from mnkala.lab.store import load, run
    from mnkala.lab.study_file import all_studies, load_study

__all__ = ["all_studies", "finding", "load", "load_study", "measure", "run"]

_LAZY = {"load": "mnkala.lab.store", "run": "mnkala.lab.store", "load_study": "mnkala.lab.study_file",
         "all_studies": "mnkala.lab.study_file"}


def __getattr__(name: str) -> Any:
    """Import what reads and writes data only when it is asked for: a worker needs the registry alone."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LAZY[name]), name)
