"""Speed, as ratios to peers measured in the same run: `python -m bench [--full] [--json]`, or `make
bench`.

A time in seconds says as much about the machine as about the program, and nothing on a machine that
others use too. So every figure with a target is a ratio to a peer that does the same work beside
it, in turns, on one thread, in CPU time.
"""
