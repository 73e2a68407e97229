"""Gomocup's protocol: an engine of ours as a brain of a tournament manager, over standard input and output.

    manager: START 15
    brain:   OK
    manager: INFO timeout_turn 1000
    manager: BEGIN
    brain:   7,7
    manager: TURN 8,7
    brain:   6,6
    manager: END

After Laštovička and Petříček, "Gomoku AI protocol" (https://plastovicka.github.io/protocl2en.htm), with `SWAP2BOARD` of 2020. The manager's
side, brains of others as players, is `mnkala.programs`.
"""
