"""Data sets to train on: positions of a game as arrays, with exact scores or an engine's opinion, in a Parquet file.

`sampling.py` finds positions by random play, `labels.py` says what they are worth (a job for `mnkala.jobs`), and `building.py`
puts them together into the file, so that it can be stopped and gone on with.
"""

from mnkala.dataset.building import Built, DataSetPlan, build

__all__ = ["Built", "DataSetPlan", "build"]
