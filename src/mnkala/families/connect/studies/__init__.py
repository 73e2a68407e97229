"""Studies of Connect Four: reports 000 and 002."""
