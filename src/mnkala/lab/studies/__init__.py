"""The studies of the package: `NAME.toml` says what varies and how it is drawn, `NAME.py` holds the measures and the finding."""
