"""`python -m mnkala.jobs` is a worker; `mnkala.jobs.pool` starts it."""

from mnkala.jobs.worker import main

main()
