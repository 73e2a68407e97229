"""Where the user's games are kept."""

from __future__ import annotations

from pathlib import Path

from mnkala.folders import data_folder

__all__ = ["data_folder", "saved_games_folder"]


def saved_games_folder() -> Path:
    """For games saved from the terminal, a file each."""
    return data_folder() / "games"
