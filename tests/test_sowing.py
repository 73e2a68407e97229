"""The way of the seeds: a move of Kalah told seed by seed ends where the rules say."""

from __future__ import annotations

import dataclasses

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnkala.core import Position
from mnkala.families.kalah.reasons import captured
from mnkala.families.kalah.rules import Kalah, KalahState, seeds_in


@dataclasses.dataclass(frozen=True)
class Case:
    rules: Kalah
    literal: str

    @property
    def state(self) -> KalahState:
        return self.rules.parse_literal(self.literal)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Boards of every size under both rules, from nearly empty ones to a heap that goes round
    several times.
    """
    houses = draw(st.integers(1, 8))
    few = st.lists(st.integers(0, 2), min_size=2 * houses, max_size=2 * houses)
    seeds = draw(few)
    seeds[draw(st.integers(0, houses - 1))] = draw(st.integers(0, 120))
    stores = draw(st.tuples(st.integers(0, 4), st.integers(0, 4)))
    numbers = ",".join(map(str, (houses, *stores, *seeds)))
    return Case(
        Kalah(houses, 4, draw(st.booleans())), f"<{numbers}>{draw(st.sampled_from(['', 'o']))}"
    )


@settings(max_examples=150, deadline=None)
@given(cases())
@example(
    Case(Kalah(6, 4), "<6,0,0,13,0,0,0,0,0,1,1,1,1,1,1>")
)  # a whole lap, and a capture in the house that was lifted
@example(
    Case(Kalah(6, 4, True), "<6,0,0,1,0,0,0,0,1,1,1,1,1,0,1>")
)  # nothing opposite: the seed stays under the standard rule
@example(Case(Kalah(3, 3), "<3,1,1,0,0,1,2,0,3>o"))  # the last move: the other row is swept
def test_a_move_seed_by_seed_ends_exactly_in_the_state_of_the_rules(case: Case) -> None:
    rules, state = case.rules, case.state
    mover, everything = (
        rules.mover(state),
        sum(rules.row(state.own)) + sum(rules.row(state.other)) + sum_of_stores(state),
    )
    for house, count in enumerate(rules.row(state.own)):
        if count == 0:
            continue
        after, (lifted, *others) = rules.play(state, house), rules.steps(state, house)
        assert (lifted.kind, lifted.hand, lifted.cells) == (
            "lift",
            count,
            rules.changed_cells(state, house),
        )
        sown = [step for step in others if step.kind == "sow"]
        assert [step.hand for step in sown] == [*range(count)][::-1]
        assert all(len(step.cells) == 1 for step in sown)
        store = (1, rules.houses) if mover == 0 else (0, -1)
        assert (rules.mover(after) == mover) == (sown[-1].cells == (store,))
        for step in (lifted, *others):
            assert (seeds := step.picture.seeds) is not None
            assert sum(map(sum, seeds.houses)) + sum(seeds.stores) + step.hand == everything
        assert [step.kind for step in others[count:]] in (
            [],
            ["capture"],
            ["sweep"],
            ["capture", "sweep"],
        )
        assert captured(rules, state, house) == sum(
            step.seeds - 1 for step in others if step.kind == "capture"
        )  # what reasons count
        literal = rules.literal_of([lifted, *others][-1].picture, rules.mover(after))
        assert literal == rules.literal(after)
        assert rules.parse_literal(literal or "") == after


def sum_of_stores(state: KalahState) -> int:
    return seeds_in(state.stores, 0) + seeds_in(state.stores, 1)


def test_a_capture_is_told_with_both_houses_and_all_its_seeds() -> None:
    position = Position("kalah", literal="<6,0,0,1,0,4,4,4,4,4,4,4,4,5,4>")
    *_, last = position.rules.steps(position.state(), 0)
    assert (last.kind, last.cells, last.seeds, last.hand) == ("capture", ((1, 1), (0, 1)), 6, 0)


def test_other_games_tell_no_steps() -> None:
    position = Position("connect4")
    assert list(position.rules.steps(position.state(), 3)) == []
