"""The studies of the package: `NAME.toml` says what varies and how it is drawn, `NAME.py` measures it; words are in `lab/findings`."""
