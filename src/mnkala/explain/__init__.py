"""From scores to words: what moves are worth, why they are good or bad, and the sentences that say
so in three languages."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnkala.explain.chances import chance
    from mnkala.explain.inspection import Inspection, inspect
    from mnkala.explain.move_values import appraise
    from mnkala.explain.reasons import Hint, hint
else:
    from mnkala.lazily import names_of

    __getattr__ = names_of("mnkala.explain", {
        "mnkala.explain.chances": ("chance",),
        "mnkala.explain.inspection": ("Inspection", "inspect"),
        "mnkala.explain.move_values": ("appraise",),
        "mnkala.explain.reasons": ("Hint", "hint"),
    })

__all__ = ["Hint", "Inspection", "appraise", "chance", "hint", "inspect"]
