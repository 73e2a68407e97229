"""KGP, the Kalah Game Protocol 1.0 of Kaludercic and Völk (FAU Erlangen, 2021): server and client
over TCP.

    server: kgp 1 0 1
    client: 1 set info:name "Ann"
    client: 3 mode freeplay
    server: 2@3 ok "freeplay"
    server: 8 state <3,0,0,3,3,3,3,3,3>     the client is South, and South is to move
    client: 5@8 move 3                      the best so far
    client: 7@8 move 1                      better
    client: 9@8 yield                       no more will come
    server: 10@8 stop

Several states may be open at once; each answer names its own. Where the time is up, the last move
counts. A client that named none gets a random one. KGP plays the standard rule: a last seed in an
empty house captures only if there is something opposite.
"""

PORT = 2671
"""Where KGP servers usually listen."""
