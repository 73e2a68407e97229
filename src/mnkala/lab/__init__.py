"""The lab: studies as small declarative files, their measures, data, plots and findings. See
`study.py` for what a study file says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnkala.lab.registry import finding, measure

if TYPE_CHECKING:
    from mnkala.lab.store import load, run
    from mnkala.lab.study_file import all_studies, load_study
else:  # a worker needs the registry alone
    from mnkala.lazily import names_of

    __getattr__ = names_of(
        "mnkala.lab",
        {
            "mnkala.lab.store": ("load", "run"),
            "mnkala.lab.study_file": ("all_studies", "load_study"),
        },
    )

__all__ = ["all_studies", "finding", "load", "load_study", "measure", "run"]
