"""Every game as an environment of PettingZoo (AEC), with Gymnasium's spaces, a mask of the legal
moves, and pictures.

    environment = env("kalah", render_mode="ansi")
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        action = None if termination or truncation else environment.action_space(agent).sample(observation["action_mask"])
        environment.step(action)

An action is the number of a move (`Position.legal_codes`). The observation is what
`Position.to_array` tells, seen by the agent: of boards with marks two planes, one's own and the
other's, of shape (rows, columns, 2); of Kalah the seeds, of shape (2, houses + 1), one's own row
first, the store last. The agent to move follows from the rules, so that in Kalah one may move
again. Rewards come at the end: 1, 0 or -1, or with `rewards="margin"` by how much one has won.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.picture import FIRST, SECOND, Picture
from mnkala.errors import MnkalaError
from mnkala.lazily import needed

gymnasium: Any = needed("gymnasium", "an environment", "pettingzoo")
pettingzoo: Any = needed("pettingzoo", "an environment", "pettingzoo")
wrappers: Any = needed("pettingzoo.utils.wrappers", "an environment", "pettingzoo")

spaces = gymnasium.spaces
AGENTS = ["player_0", "player_1"]
RENDER_MODES = ["ansi", "human", "rgb_array"]
LARGEST_PICTURE = 480
"""The longer side of `rgb_array`, in pixels."""
Rewards = Literal["result", "margin"]


def env(
    game: str | Rules = "connect4", *, render_mode: str | None = None, rewards: Rewards = "result"
) -> Any:
    """Make an environment with PettingZoo's usual wrappers: an illegal move loses, and a call out
    of order is refused."""
    made = raw_env(game, render_mode=render_mode, rewards=rewards)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(made, illegal_reward=-1))
    )


def raw_env(
    game: str | Rules = "connect4", *, render_mode: str | None = None, rewards: Rewards = "result"
) -> Environment:
    """Make an environment without PettingZoo's wrappers; an illegal move raises `IllegalMove`."""
    return Environment(game, render_mode=render_mode, rewards=rewards)


class Environment(pettingzoo.AECEnv):  # type: ignore[misc]
    """A game as an environment of PettingZoo."""

    def __init__(
        self,
        game: str | Rules = "connect4",
        *,
        render_mode: str | None = None,
        rewards: Rewards = "result",
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise MnkalaError(
                f"render_mode {render_mode!r}; modes are {', '.join(RENDER_MODES)}, or None"
            )
        if rewards not in ("result", "margin"):
            raise MnkalaError(f"rewards {rewards!r}; they are result or margin")
        self.start = self.position = Position(game)
        self.rules, self.render_mode, self.by_margin = (
            self.start.rules,
            render_mode,
            rewards == "margin",
        )
        self.metadata = {
            "name": f"mnkala_{self.start.game}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS)
        moves = self.rules.move_codes()
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": self._board_space(),
                    "action_mask": spaces.Box(0, 1, (moves,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.state_space = self._board_space()

    # ---- Spaces and observations ----

    def action_space(self, agent: str) -> Any:
        """The space of actions, one for each move of the game; an action is a move's number."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """The space of observations: the board, and the mask of legal moves."""
        return self.observation_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the board as an agent sees it, and the mask of its legal moves, which is empty if
        it is not to move."""
        mask = np.zeros(self.rules.move_codes(), np.int8)
        if agent == self.agent_selection:
            mask[list(self.position.legal_codes)] = 1
        return {"observation": self._board(AGENTS.index(agent)), "action_mask": mask}

    def state(self) -> Any:
        """The board as the first player sees it."""
        return self._board(0)

    @property
    def _has_marks(self) -> bool:
        return type(self.rules.picture(self.start.state())).array is Picture.array

    def _board_space(self) -> Any:
        shape = self.start.to_array().shape
        if self._has_marks:
            return spaces.Box(0, 1, (*shape, 2), np.int8)
        return spaces.Box(0, self.rules.most_in_a_cell, shape, np.int16)

    def _board(self, player: int) -> Any:
        cells = self.position.to_array(player)
        return (
            np.stack([cells == FIRST, cells == SECOND], axis=-1).astype(np.int8)
            if self._has_marks
            else cells
        )

    # ---- Playing ----

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; `options={"start": LITERAL, "moves": MOVES}` begins it at another position.
        Nothing here is random, so the seed has no effect."""
        told = options or {}
        self.position = Position(self.rules, literal=told.get("start")).play(told.get("moves", ""))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._note_turn()

    def step(self, action: int | None) -> None:
        """Play a move. For an agent whose game is over, PettingZoo passes None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "None is for an agent whose game is over"
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.position = self.position.play_codes((int(action),))
        self._note_turn()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _note_turn(self) -> None:
        """Update the player to move and, if the game is over, the rewards."""
        self.agent_selection = AGENTS[self.position.mover]
        outcome = self.position.outcome
        if outcome is not None:
            first = outcome.margin if self.by_margin else int(np.sign(outcome.margin))
            self.rewards = dict(zip(AGENTS, (first, -first), strict=True))
            self.terminations = dict.fromkeys(AGENTS, True)

    # ---- Rendering ----

    def render(self) -> Any:
        """Render the board as text (`ansi`) or pixels (`rgb_array`), or print it (`human`)."""
        match self.render_mode:
            case "ansi":
                return str(self.position)
            case "rgb_array":
                from mnkala.play.export import Raster

                picture = self.rules.picture(self.position.state())
                drawn = Raster(picture, self.rules.board_style(), LARGEST_PICTURE).draw(
                    picture, self.position.last_cells()
                )
                return np.asarray(drawn.convert("RGB"))
            case "human":
                print(self.position.terminal(), end="\n\n")
                return None
            case _:
                gymnasium.logger.warn(
                    "render() shows nothing without a render_mode; name one when you make the environment"
                )
                return None

    def close(self) -> None:
        """Close the environment, which holds no resources."""
