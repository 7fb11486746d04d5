"""Comparison with the verdicts that the authors of answers published."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.scoring.tally import Tally

FEWEST: Final = 5
"""With fewer published verdicts a disagreement says nothing about the dataset."""


def published_doubt(tally: Tally) -> str | None:
    """Return why the published verdicts do not fit the dataset, or None if they may fit.

    They do not fit if more than half of `FEWEST` or more answers that were published as correct
    are wrong here, or if more than half of `FEWEST` or more verdicts differ. The first rule sees
    a wrong dataset also where most answers were published as wrong.
    """
    counts = tally.published
    right, wrong = counts[True, True], counts[True, False]
    if wrong > right and right + wrong >= FEWEST:
        return f"{wrong} of {right + wrong} answers published as correct are wrong here"
    differ, total = wrong + counts[False, True], counts.total()
    if 2 * differ > total >= FEWEST:
        return f"{differ} of {total} published verdicts differ from those here"
    return None
