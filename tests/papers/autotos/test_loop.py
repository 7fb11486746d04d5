"""The loop: which function is asked for next, and how a conversation ends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from scripted_model import GOAL, INCOMPLETE, SUCC, UNSOUND, WRONG_GOAL, ScriptedModel

from pddl_pipeline.papers.autotos.conversations import CallStore, Conditions, Conversation, converse
from pddl_pipeline.papers.autotos.feedback import feedback
from pddl_pipeline.papers.autotos.loop import Checker, End, Loop
from pddl_pipeline.papers.autotos.subject import named_subject
from pddl_pipeline.search.space import Bounds

SUBJECT = named_subject("24game", None)


def held(
    replies: Sequence[str], folder: Path, max_calls: int = 10, **tested: bool
) -> tuple[Conversation, ScriptedModel]:
    """Hold a conversation with a scripted model, with the real checks of one instance."""
    tests = SUBJECT.tests._replace(examples=SUBJECT.tests.examples[:1])
    checker = Checker(SUBJECT.domain, tests, Bounds(3_000, 30), **tested)
    model = ScriptedModel(replies)
    with CallStore(folder, {}) as store:
        found = converse(1, Conditions(SUBJECT.opening, checker, max_calls), model, store)
    return found, model


def categories(found: Conversation) -> list[str | None]:
    failures = [call.outcome.failure for call in found.calls]
    return [None if failure is None else failure.category for failure in failures]


def test_each_failure_asks_for_the_function_that_is_to_blame(tmp_path: Path) -> None:
    replies = ["I am sorry.", UNSOUND, WRONG_GOAL, GOAL, INCOMPLETE, SUCC]
    found, model = held(replies, tmp_path / "runs")
    assert found.end is End.ACCEPTED
    assert [call.request.function for call in found.calls] == [
        "succ", "succ", "isgoal", "isgoal", "succ", "succ",
    ]  # fmt: skip
    assert categories(found) == [
        "unparsable-response", None, "isgoal-soundness", "succ-soundness", "succ-completeness",
        None,
    ]  # fmt: skip
    for call, asked in zip(found.calls, model.asked[1:], strict=False):
        if call.outcome.failure is not None:
            assert asked[-1].text == feedback(call.outcome.failure.fault)
    assert (found.count("succ"), found.count("isgoal")) == (4, 2)


@pytest.mark.parametrize(
    ("replies", "max_calls", "succ", "isgoal"),
    [
        ([SUCC, *3 * [WRONG_GOAL]], 3, 1, 3),
        ([SUCC, GOAL[:20]] * 2, 2, 1, 2),
        # isgoal is not asked for.
        (3 * ["I do not know."], 3, 3, 0),
    ],
)
def test_the_calls_of_a_function_are_used_up(
    tmp_path: Path, replies: list[str], max_calls: int, succ: int, isgoal: int
) -> None:
    found, model = held(replies, tmp_path / "runs", max_calls)
    assert (found.end, len(model.asked)) == (End.CALLS_USED, succ + isgoal)
    assert (found.count("succ"), found.count("isgoal")) == (succ, isgoal)


def test_the_ablations_leave_out_one_test_each(tmp_path: Path) -> None:
    found, _ = held([INCOMPLETE, GOAL], tmp_path / "a", completeness=False)
    assert found.end is End.ACCEPTED
    found, _ = held([UNSOUND, GOAL, SUCC], tmp_path / "b", soundness=False)
    assert categories(found) == [None, "succ-completeness", None]


def test_a_conversation_that_ended_takes_no_reply() -> None:
    loop = Loop(SUBJECT.opening, max_calls=1)
    checker = Checker(SUBJECT.domain, SUBJECT.tests, Bounds(100, 5))
    loop.receive("no", checker.check("no", "succ", {}))
    assert loop.request is None
    with pytest.raises(ValueError, match="has ended"):
        loop.receive("no", checker.check("no", "succ", {}))
