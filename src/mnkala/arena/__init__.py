"""Engines against each other: tournaments with ratings, tests that decide whether a change makes an engine stronger, and tuners.

`tournament` plays a `plan`, a game a job (`game_job`); `standings`, `ratings` and `ladder` say what came of it. `openings` has starts that
favour nobody, `identity` tells engines apart, `pairs` is two games from one opening as a job, `sprt` the sequential test over such pairs.
`regression`, `self_play` and `tune_weights` learn the numbers of an evaluation from the results of games (Texel's method), `spsa` and
`tune_settings` look for the numbers that steer a search.
"""
