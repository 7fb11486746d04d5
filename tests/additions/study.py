"""A study of the lights."""

from __future__ import annotations

from pddl_pipeline.papers.comparison import Comparison, Quantity, share
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import StudyResult
from pddl_pipeline.papers.workbench import Workbench


def _run(bench: Workbench) -> StudyResult:
    number = bench.count(quick=4, paper=4)
    compared = Comparison(
        what="lights that are on", paper=(Quantity(1),), ours=(share(number, 4),),
        decision=decide(Fact(number == 4, 4)),
    )  # fmt: skip
    return StudyResult(conditions="no run", comparisons=(compared,), tables=())


STUDIES = (Study("tutorial-lights", "lights, which the tutorial does not have", _run),)
