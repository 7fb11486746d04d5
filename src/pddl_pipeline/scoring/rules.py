"""Verdicts on answers with several sets of rules: in countdown, the paper's and the source's."""

from __future__ import annotations

from pddl_pipeline.model.answer import ReadAnswer, Ruling
from pddl_pipeline.model.verdict import Opinion, Status, Verdict
from pddl_pipeline.validation.opinions import with_opinions


def by_the_rules(verdict: Verdict, read: ReadAnswer) -> Verdict:
    """Return the verdict by the rules of the answer (`ReadAnswer.rules`), from that on the plan.

    The PDDL encodes the paper's rules. If the reader's ruling by these rules differs, the verdict
    is ``disputed``; a fault in the answer's text alone is not a contradiction.
    """
    if read.rules is None or verdict.status not in (Status.VALID, Status.INVALID):
        return verdict
    paper, counts = read.rulings["paper"], read.rulings[read.rules]
    valid = verdict.status is Status.VALID
    if paper.right != valid and not (valid and read.faults):
        status = Status.VALID if paper.right else Status.INVALID
        return with_opinions(verdict, {"reader": Opinion(status, paper.reason)})
    if counts.right:
        return verdict if valid else _right_elsewhere(verdict, paper)
    return verdict._replace(
        status=Status.INVALID, cost=None, reason=counts.reason,
        failed_step=verdict.failed_step or counts.step,
    )  # fmt: skip


def _right_elsewhere(verdict: Verdict, paper: Ruling) -> Verdict:
    """Return the verdict on a plan that is correct by the source's rules, not by the paper's."""
    return verdict._replace(
        status=Status.VALID, cost=verdict.steps, failed_step=None, unsatisfied=(),
        reason=paper.reason,
    )  # fmt: skip
