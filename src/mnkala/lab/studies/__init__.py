"""Studies of several games: `NAME.toml` says what varies and how it is drawn, `NAME.py` measures it
and says in words what came out.
"""
