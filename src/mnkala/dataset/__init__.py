"""Data sets to train on: positions of a game as arrays, with exact scores or an engine's
evaluation, in a Parquet file.

`sampling.py` finds positions by random play; `building.py` evaluates them (jobs for `mnkala.jobs`)
and writes the file. A build can be interrupted and continued.
"""

from mnkala.dataset.building import Built, DataSetPlan, build

__all__ = ["Built", "DataSetPlan", "build"]
