"""Reading never raises, whatever the answer, and the trace has an entry for every line."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pddl_pipeline.model.answer import Treatment
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.scoring.answer import answer_from
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators.datasets import load_records

PIECES = (
    "pick up", "put down", "stack", "unstack", "the", "a", "b1", "b2", "b10", "red block", "block",
    "on top of", "from", "(pick-up b1)", "(stack b1 b2)", "(", ")", "[PLAN]", "[PLAN END]",
    "[STATEMENT]", "<answer>", "</answer>", "```", "**", "1.", "2)", "- ", "Plan:", "Explanation:",
    "then", ",", ".", ";", "\n", "\n\n", "\r\n", "\r", "\t", "  ", "use hoist0 to lift", "drive",
    "3 + 4 = 7", "(left: 5 6)", "Answer:", "= 24", "\u00d7", "9**9", "\u202e", "\ufeff", "\x00",
    "[3, 4]", '{"plan": [', '"stack b1 b2"', "]}", "| 1 |", "|---|", "## ", "> ", "~~", "\\boxed{",
    "}", "<think>", "</think>", "<li>", "stack(b1, b2)", "->", "'", "it", "is on", "is stacked on",
    "4 + 5 * (10 - 6)", "1.5", "8/3", "**", "!", "sqrt(", "\\frac{", "(add n1 n2)", "Check: ",
    "Current State: 24:[4, 5], Operations: ['4+5=9']", "24,24 equal: Goal Reached", '{"answer": "',
    "[4, 5, 6, 10]\n", "[24]", "add 4 to 5 ", "is ", "or ", "\u2192", "not",
    "Wait,", "Plan A", "alternatively", "final", "before", "undo", "because", "?",
)  # fmt: skip
ANSWERS = st.one_of(
    st.text(), *(st.lists(st.sampled_from(PIECES)).map(space.join) for space in (" ", ""))
)
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
JUDGES = {
    name: Judge(load_records(domain_folder(name) / "examples.jsonl")) for name in domain_names()
}


@pytest.mark.parametrize("domain", domain_names())
@given(text=ANSWERS)
@example(text="<li>\n(stack b1 b2)")
@example(text="\\\\\n(stack b1 b2)")
@example(text="\r(pick-up b1)\n(put-down b1)")
def test_trace_tells_of_every_line(domain: str, text: str) -> None:
    judge = JUDGES[domain]
    name = next(iter(judge.instances))
    result = judge.score(answer_from({"id": name, "answer": text}))
    lines = re.split(r"\r\n|\r|\n", UNSEEN.sub("", text))
    told = [number for number, line in enumerate(lines, start=1) if line.strip()]
    assert list(dict.fromkeys(entry.line for entry in result.trace)) == told
    if result.plan is not None:
        steps = [entry.step for entry in result.trace if entry.action is not Treatment.DROPPED]
        assert sorted(steps) == [*range(1, len(result.plan) + 1)]
    assert result.judged
    assert result.correct == (not result.errors)
