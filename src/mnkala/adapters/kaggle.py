"""An engine of ours as an agent of Kaggle's ConnectX: `agent_of("perfect")` is a function `agent(observation, configuration)`.

    from mnkala.adapters.kaggle import agent_of
    agent = agent_of("perfect")            # kaggle_environments.make("connectx").run([agent, "negamax"])

A file of these two lines is an agent too, wherever mnkala is installed. It needs nothing of `kaggle_environments`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from mnkala.core import parse_game
from mnkala.families.connect.kaggle import position_of
from mnkala.search import Engine, Limit, parse_engine

THINKING = 0.75
"""The part of a move's time that is thought in; the rest is for the environment, which counts it in."""

Agent = Callable[[Mapping[str, Any], Mapping[str, Any]], int]


def agent_of(engine: str | Engine = "perfect") -> Agent:
    """The agent that plays as an engine does; one without a limit of its own uses the time that the configuration allows for a move.

    Everything is compiled or loaded here, for the agent's clock runs as soon as it is asked.
    """
    player = parse_engine(engine, programs=True) if isinstance(engine, str) else engine
    player.search.prepare(parse_game("connect4"))

    def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        limit = player.limit
        if limit == Limit():
            limit = dataclasses.replace(limit, time=THINKING * float(configuration["actTimeout"]))
        return player.analyse(position_of(observation, configuration), limit).line_codes[0]

    return agent
