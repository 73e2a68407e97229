"""From scores to words: what moves are worth, why they are good or bad, and the sentences that say
so in three languages."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnkala.explain.chances import chance
    from mnkala.explain.inspection import Hint, Inspection, hint, inspect
    from mnkala.explain.move_values import appraise
else:
    from mnkala.lazily import names_of

    __getattr__ = names_of(
        "mnkala.explain",
        {
            "mnkala.explain.chances": ("chance",),
            "mnkala.explain.inspection": ("Hint", "Inspection", "hint", "inspect"),
            "mnkala.explain.move_values": ("appraise",),
        },
    )

__all__ = ["Hint", "Inspection", "appraise", "chance", "hint", "inspect"]
