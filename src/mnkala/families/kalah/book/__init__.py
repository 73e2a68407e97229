"""Books of Kalah: the exact margins of all positions of the first turns (`tree`), in a small file (`books`), built by jobs (`build`)."""
