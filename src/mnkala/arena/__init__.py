"""Engines against each other: tests that decide whether a change makes an engine stronger, and tuners that look for such changes.

`openings` has starts that favour nobody, `playing` one game between two engines, `pairs` two games from one opening as a job, `sprt` the
sequential test over such pairs. `regression`, `self_play` and `tune_weights` learn the numbers of an evaluation from the results of
games (Texel's method), `spsa` and `tune_settings` look for the numbers that steer a search.
"""
