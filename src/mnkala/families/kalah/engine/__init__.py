"""Kalah's own search: its kernel (`search.py`) and the engine that runs it (`sowing.py`)."""
