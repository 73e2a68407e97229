"""Simultaneous perturbation stochastic approximation (Spall 1992): many numbers tuned at once by
noisy comparisons.

Each trial moves all numbers a step in random directions, plays the result against the opposite, and
moves the numbers a little towards the winner. However many numbers there are, a trial costs one
pair of games.

Steps shrink as trial^-0.101 and the learning rate as trial^-0.602, Spall's practical choice; as in
Fishtest both are given by their final values.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Sequence

from mnkala.errors import MnkalaError

STEP_DECAY, RATE_DECAY = 0.101, 0.602
STABILITY = 0.1
"""The share of all trials that is added to the number of a trial in the learning rate, so that the
first ones do not jump."""
STEPS_IN_RANGE = 12
"""The last step of a number is its range divided by this, unless one is given."""


@dataclasses.dataclass(frozen=True)
class Number:
    """A number to tune."""

    name: str
    start: float
    low: float
    high: float
    whole: bool = True
    """Whether only whole numbers can be used."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise MnkalaError(f"{self.name} from {self.low:g} to {self.high:g}; the first must be less than the second")
        if not self.low <= self.start <= self.high:
            raise MnkalaError(f"{self.name} is {self.start:g} to begin with, which does not lie between {self.low:g} and {self.high:g}")

    @property
    def step(self) -> float:
        """The last step. For a whole number it must be large enough to make a difference."""
        size = (self.high - self.low) / STEPS_IN_RANGE
        return max(0.75, size) if self.whole else size

    def clamped(self, value: float) -> float:
        """Limit a value to the range."""
        return min(self.high, max(self.low, value))


@dataclasses.dataclass(frozen=True)
class Trial:
    """Two sets of values to play against each other."""

    signs: tuple[int, ...]
    plus: tuple[float, ...]
    minus: tuple[float, ...]


class Spsa:
    """The tuner. It depends only on its seed and the results, so it can be run again from stored
    results."""

    def __init__(self, numbers: Sequence[Number], trials: int, rate: float = 0.02, seed: int = 1) -> None:
        if not numbers:
            raise MnkalaError("there is nothing to tune; name at least one number")
        if trials < 1 or not 0 < rate <= 1:
            raise MnkalaError(f"{trials} trials at a rate of {rate:g}; there must be a trial, and the rate lies between 0 and 1")
        self.numbers, self.trials, self.rate, self.seed = tuple(numbers), trials, rate, seed
        self.values = [number.start for number in numbers]
        self._sum = [0.0] * len(numbers)
        self._heard = 0

    def trial(self, number: int) -> Trial:
        """Trial `number`, counted from 0, around the current values."""
        rng = random.Random(f"{self.seed} {number}")
        signs = tuple(rng.choice((-1, 1)) for _ in self.numbers)
        shrink = (self.trials / (number + 1)) ** STEP_DECAY
        sides = tuple(tuple(self._playable(each, value + way * sign * each.step * shrink, rng)
                            for each, value, sign in zip(self.numbers, self.values, signs, strict=True)) for way in (1, -1))
        return Trial(signs, sides[0], sides[1])

    @staticmethod
    def _playable(number: Number, value: float, rng: random.Random) -> float:
        """A value within its range. A whole number is rounded up or down at random, so that it is
        right on average."""
        value = number.clamped(value)
        if not number.whole:
            return value
        return int(value) if value == math.floor(value) else math.floor(value + rng.random())

    def hear(self, number: int, trial: Trial, result: float) -> None:
        """Learn from a trial: `result` is the points of plus less those of minus in a pair, from -2
        to 2."""
        shrink = (self.trials / (number + 1)) ** STEP_DECAY
        ahead = STABILITY * self.trials
        rate = self.rate * ((ahead + self.trials) / (ahead + number + 1)) ** RATE_DECAY
        self.values = [each.clamped(value + rate * each.step * shrink * result * sign)
                       for each, value, sign in zip(self.numbers, self.values, trial.signs, strict=True)]
        self._heard += 1
        if number >= self.trials // 2:
            self._sum = [total + value for total, value in zip(self._sum, self.values, strict=True)]

    @property
    def best(self) -> dict[str, float]:
        """The result: the mean over the second half of the trials (Polyak and Juditsky 1992), or
        before that the current values."""
        averaged = self._heard - self.trials // 2
        found = [total / averaged for total in self._sum] if averaged > 0 else self.values
        return {each.name: round(value) if each.whole else value for each, value in zip(self.numbers, found, strict=True)}
