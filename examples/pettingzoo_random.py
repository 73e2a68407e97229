"""A game as an environment of PettingZoo, played by two agents that pick any legal move (`pip
install 'mnkala[pettingzoo]'`).

    python pettingzoo_random.py kalah

Any game string will do, and so will a game of your own: MNKALA_PLUGINS=breakthrough python
pettingzoo_random.py breakthrough:6x6
"""

import sys

from mnkala.adapters.pettingzoo import env

environment = env(*sys.argv[1:2], render_mode="ansi")
environment.reset(seed=1)
for agent in environment.possible_agents:
    environment.action_space(agent).seed(1)
turns = dict.fromkeys(environment.possible_agents, 0)
totals = dict(turns)
for agent in environment.agent_iter():
    observation, reward, termination, truncation, _ = environment.last()
    totals[agent] += reward
    if termination or truncation:
        environment.step(None)
    else:
        turns[agent] += 1
        environment.step(environment.action_space(agent).sample(observation["action_mask"]))
print(environment.render())
print("moves", turns, "rewards", totals)
