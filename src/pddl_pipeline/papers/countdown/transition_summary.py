"""The findings of the study of the second phase transition in sentences, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pddl_pipeline.papers.countdown.accuracy import EASY_AGAIN
from pddl_pipeline.papers.countdown.transition_misses import CAUSES, cause
from pddl_pipeline.papers.countdown.transition_protocol import (
    ARMS,
    CHECKED,
    ENHSP,
    EXACT,
    LATE,
    PHASES,
    RATIONAL,
    SECONDARY,
)
from pddl_pipeline.papers.countdown.transition_sample import Sample, fits_single, interval_text
from pddl_pipeline.papers.countdown.transition_tables import holm

_EDGE_AND_LATE: Final = LATE[-1]
_LEAST_FALSE: Final = 7
"""The number of false claims in an arm at which McNemar's p, adjusted, falls below 0.05."""


def summary(sample: Sample) -> tuple[str, ...]:
    """Return a sentence or two on each hypothesis of the protocol."""
    return (*_claims(sample), *_others(sample), *_cures(sample), _targets(sample))


def _targets(sample: Sample) -> str:
    """Return how many targets ENHSP can read, which does not depend on the runs."""
    parts = []
    for arm in ARMS:
        large = sample.within(arm=arm, phase=_EDGE_AND_LATE).tried
        readable = sum(fits_single(each.case.instance.record.target) for each in large)
        parts.append(f"{readable} of {len(large)} in {arm}")
    return f"Targets of {_EDGE_AND_LATE.name} that a 32-bit float represents: {', '.join(parts)}."


def _claims(sample: Sample) -> Iterator[str]:
    adjusted = holm(sample)
    for arm in ARMS:
        for phase in PHASES:
            own = sample.within(arm=arm, phase=phase).run_by(ENHSP)
            claimed, valid = own.count(ENHSP, "claimed"), own.count(ENHSP, "valid")
            if not len(own):
                yield f"{arm}, {phase.name}: no instance was run yet."
                continue
            text = f"{arm}, {phase.name}: ENHSP claims a plan on {claimed} of {len(own)} instances"
            if claimed:
                text += f"; {valid} of {claimed} are valid ({interval_text(valid, claimed)} %)"
            if phase == EASY_AGAIN and claimed:
                text += f". {_test_text(claimed - valid, adjusted[arm])}"
            yield f"{text}."


def _test_text(false: int, p: float | None) -> str:
    if p is None:
        return "There is no false claim to test"
    text = f"McNemar's exact p, adjusted by Holm, is {p:.2g}"
    if false < _LEAST_FALSE:
        text += f": undecided, which takes at least {_LEAST_FALSE} false claims"
    return text


def _others(sample: Sample) -> Iterator[str]:
    false = sample.run_by(ENHSP).that(lambda each: each.is_false)
    if len(false):
        causes = [cause(each) for each in false.tried]
        counts = "; ".join(f"{name}: {causes.count(name)}" for name in CAUSES)
        yield f"False claims by cause or miss: {counts}; {len(false)} in all."
    own = sample.within(phase=EASY_AGAIN).run_by(ENHSP, EXACT)
    open_ = own.that(lambda each: not each.counts(ENHSP, "valid"))
    if len(own):
        yield (
            f"{EASY_AGAIN.name}: exact DFS solves {own.count(EXACT, 'valid')} of {len(own)} "
            f"instances, and {open_.count(EXACT, 'valid')} of the {len(open_)} on which ENHSP's "
            "claim is false or missing."
        )


def _cures(sample: Sample) -> Iterator[str]:
    false = sample.run_by(ENHSP).that(lambda each: each.is_false)
    for solver in SECONDARY:
        own = false.run_by(solver)
        if len(own):
            claimed, valid = own.count(solver, "claimed"), own.count(solver, "valid")
            remark = " (it returns no false plan by construction)" if solver == CHECKED else ""
            remark = " (whole numbers, exact below 2^53)" if solver == RATIONAL else remark
            yield (
                f"Where ENHSP's claim is false, {solver.label}{remark} claims {claimed} of "
                f"{len(own)}, of which {valid} are valid."
            )
