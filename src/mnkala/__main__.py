"""`python -m mnkala` is the command `mnkala`."""

from mnkala.cli import main

if __name__ == "__main__":
    main()
