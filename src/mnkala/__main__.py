"""Where the commands `mnkala` and `mnkala-gomocup` begin, and `python -m mnkala`.

From the first moment Ctrl-C ends the process without a word, until `mnkala.cli.main` takes it over:
Python would answer it with a traceback from the midst of an import.
"""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from mnkala.cli import gomocup_main, main

__all__ = ["gomocup_main", "main"]

if __name__ == "__main__":
    main()
