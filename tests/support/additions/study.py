"""A study of the lights."""

from __future__ import annotations

from pddl_pipeline.papers.comparison import Comparison, Fact, Quantity, decide, share
from pddl_pipeline.papers.study import Study, StudyResult, Workbench


def _run(bench: Workbench) -> StudyResult:
    number = bench.count(quick=4, paper=4)
    compared = Comparison(
        what="lights that are on", paper=(Quantity(1),), ours=(share(number, 4),),
        decision=decide(Fact(number == 4, 4)),
    )  # fmt: skip
    return StudyResult(conditions="no run", comparisons=(compared,), tables=())


STUDIES = (Study("tutorial-lights", "lights, which the tutorial does not have", _run),)
