"""Opening books of Kalah: the exact margins of all positions of the first turns (`tree`) in a small
file (`books`), which jobs build."""
