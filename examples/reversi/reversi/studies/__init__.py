"""The studies of Reversi."""
