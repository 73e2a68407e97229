"""Our engines and OpenSpiel's bots against each other, in both directions (`pip install
'mnkala[open-spiel]'`).

python open_spiel_bots.py
mnkala match connect4 open_spiel:mcts,simulations=200 deepening:depth=4 --games 10
"""

import pyspiel

from mnkala.adapters.open_spiel import MnkalaBot
from mnkala.play.series import play_series

# An engine of ours inside OpenSpiel: a bot like any other.
game = pyspiel.load_game("connect_four")
bots = [MnkalaBot(game, 0, "deepening:depth=6"), pyspiel.make_uniform_random_bot(1, 7)]
print(
    "connect_four, our engine and a random bot:",
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1),
)

# A bot of OpenSpiel's as a player here. Its mancala is our Kalah with the standard rule of
# capturing.
print(
    "kalah, our engine and OpenSpiel's MCTS:",
    play_series("kalah:standard", "deepening:depth=6", "open_spiel:mcts,simulations=50", 4),
)
