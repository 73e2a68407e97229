"""Connect solved exactly, on any board that fits 64 bits and for any length of line."""
