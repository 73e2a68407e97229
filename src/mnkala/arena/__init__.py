"""Engines against each other: tournaments with ratings, tests of whether a change makes an engine
stronger, and tuning.

`tournament` plays a `plan`, each game as a job (`game_job`); `ratings` makes the table and rates the
players, `calibrate` the ladder of all tournaments and the levels. `openings` has starting positions
that favour nobody, `identity` tells engines apart, `pairs` plays two games from one opening as a
job, and `sprt` is the sequential test over such pairs. `models` and `tune_weights` learn the weights
of an evaluation from the results of games (Texel's method); `spsa` and `tune_settings` look for the
numbers that steer a search.
"""
