"""A data set of exact scores, and the simplest thing to learn from it (`pip install
'mnkala[data]'`):

    mnkala dataset connect4 -n 100000 --label exact
    python dataset_values.py connect4.parquet

A linear model is fitted to who wins with best play: what a disc on each cell is worth to its owner,
whoever is to move.
"""

import json
import sys

import numpy as np
import pyarrow.parquet as pq

table = pq.read_table(sys.argv[1] if len(sys.argv) > 1 else "connect4.parquet")
shape = json.loads(
    pq.read_metadata(sys.argv[1] if len(sys.argv) > 1 else "connect4.parquet").metadata[
        b"mnkala.shape"
    ]
)
boards = (
    table["board"].combine_chunks().flatten().to_numpy().reshape(-1, *shape)
)  # 1 one's own discs, 2 the other's
results = table["result"].to_numpy().astype(float)

discs = ((boards == 1).astype(float) - (boards == 2)).reshape(len(boards), -1)
train = np.arange(len(boards)) % 5 != 0
features = np.column_stack([discs, np.ones(len(boards))])
weights, *_ = np.linalg.lstsq(features[train], results[train], rcond=None)
guessed, known = features[~train] @ weights, results[~train]
decided = known != 0
print(
    f"{len(boards):,} positions of {tuple(shape)}; the winner is guessed right in {np.mean(np.sign(guessed[decided]) == known[decided]):.0%} of those held out"
)
print(np.round(weights[:-1].reshape(shape), 2))
