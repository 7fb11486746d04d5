"""The loop: which function is asked for next, and how a conversation ends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from failing_code import CASES, GOAL_24, SUCC_24
from scripted_model import GOAL, INCOMPLETE, SUCC, UNSOUND, WRONG_GOAL, ScriptedModel, fenced

from pddl_pipeline.papers.autotos.conversations import CallStore, Conditions, Conversation, converse
from pddl_pipeline.papers.autotos.loop import OPENINGS, SYSTEM, Checker, End, Loop
from pddl_pipeline.papers.autotos.subject import named_subject
from pddl_pipeline.planners.functions.guarded import Category
from pddl_pipeline.search.space import Bounds

SUBJECT = named_subject("24game", None)


def held(
    replies: Sequence[str], folder: Path, *, max_calls: int = 10, domain: str = "24game",
    soundness: bool = True, completeness: bool = True,
) -> tuple[Conversation, ScriptedModel]:  # fmt: skip
    """Hold a conversation with a scripted model, with the real checks."""
    subject = named_subject(domain, None)
    # One instance is enough here.
    tests = subject.tests._replace(examples=subject.tests.examples[:1])
    checker = Checker(
        subject.domain, tests, Bounds(300 if domain == "sokoban" else 3_000, 30),
        soundness=soundness, completeness=completeness,
    )  # fmt: skip
    model = ScriptedModel(replies)
    with CallStore(folder, {}) as store:
        found = converse(1, Conditions(subject.opening, checker, max_calls), model, store)
    return found, model


def categories(found: Conversation) -> list[str | None]:
    failures = [call.outcome.failure for call in found.calls]
    return [None if failure is None else failure.category for failure in failures]


def test_right_functions_take_two_calls(tmp_path: Path) -> None:
    found, model = held([SUCC, GOAL], tmp_path / "runs")
    assert (found.end, categories(found)) == (End.ACCEPTED, [None, None])
    first, second = model.asked
    assert [message.role for message in second] == ["system", "user", "assistant", "user"]
    assert (first[0].text, first[1].text) == (SYSTEM, OPENINGS["24game"].succ)
    assert second[-1].text == OPENINGS["24game"].isgoal
    assert [found.sources[name].code.strip() for name in ("succ", "isgoal")] == [
        SUCC_24.strip(), GOAL_24.strip(),
    ]  # fmt: skip


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
            assert asked[-1].text == call.outcome.failure.feedback
    assert (found.count("succ"), found.count("isgoal")) == (4, 2)


def test_the_calls_of_a_function_are_used_up(tmp_path: Path) -> None:
    found, model = held([SUCC] + 20 * [WRONG_GOAL], tmp_path / "runs")
    assert found.end is End.CALLS_USED
    assert (found.count("succ"), found.count("isgoal"), len(model.asked)) == (1, 10, 11)
    found, model = held([SUCC, GOAL[:20]] * 9, tmp_path / "others", max_calls=3)
    assert (found.end, found.count("isgoal")) == (End.CALLS_USED, 3)


def test_succ_is_used_up_before_isgoal_is_asked_for(tmp_path: Path) -> None:
    found, _ = held(20 * ["I do not know."], tmp_path / "runs")
    assert (found.end, found.count("succ"), found.count("isgoal")) == (End.CALLS_USED, 10, 0)
    assert set(categories(found)) == {"unparsable-response"}


def test_the_ablations_leave_out_one_test_each(tmp_path: Path) -> None:
    found, _ = held([INCOMPLETE, GOAL], tmp_path / "a", completeness=False)
    assert found.end is End.ACCEPTED
    found, _ = held([UNSOUND, GOAL, SUCC], tmp_path / "b", soundness=False)
    assert categories(found) == [None, "succ-completeness", None]


@pytest.mark.parametrize("category", Category)
def test_each_category_is_met(category: Category, tmp_path: Path) -> None:
    case = next(each for each in CASES.values() if each.category == category)
    both = fenced(case.code)
    first = both if case.category != Category.UNPARSABLE else "I am sorry."
    found, _ = held([first, both, both], tmp_path / "runs", domain=case.domain, max_calls=1)
    assert (found.end, categories(found)[-1]) == (End.CALLS_USED, category)
    failure = found.calls[-1].outcome.failure
    assert failure is not None
    assert failure.function == case.function
    assert len(failure.feedback) > 50


def test_a_conversation_that_ended_takes_no_reply() -> None:
    loop = Loop(SUBJECT.opening, max_calls=1)
    checker = Checker(SUBJECT.domain, SUBJECT.tests, Bounds(100, 5))
    loop.receive("no", checker.check("no", "succ", {}))
    assert loop.request is None
    with pytest.raises(ValueError, match="has ended"):
        loop.receive("no", checker.check("no", "succ", {}))
