"""Tree of Thoughts on countdown: what a model proposes and values is all that is searched."""

from __future__ import annotations

from pathlib import Path

import pytest
from baseline_runs import given_of, run
from model_server import Model, served
from planner_problems import sample

from pddl_pipeline import translate
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.rewards import RewardSettings
from pddl_pipeline.prompts.prompting import prompt_for
from pddl_pipeline.search.baseline import UnsupportedTask
from pddl_pipeline.translators.records import from_record

pytest.importorskip("openai")
pytestmark = pytest.mark.usefixtures("no_key")

HAND = from_record({"id": "h", "domain": "countdown", "numbers": [1, 3, 4, 6], "target": 24})
# By the numbers that are left: 6 / (1 - 3 / 4), with wrong results and steps that do not exist.
PROPOSED = {
    "1 3 4 6": "1. 3 / 4 = 0.7 (left: 1 6 0.7)\n2. 3 + 1 = 4\n1 + 3 = 4\n9 - 2 = 7\n3 / 0 = 0\n3 -"
    "\n6 - 3 = 3\n6 / 1 = 6",
    "1 3 4": "1 * 3 = 3",
    "3 4 6": "6 - 3 = 3",
    "(3/4) 1 6": "1 \u2212 (3/4) = 1/4 (left: 1/4 6)",
    "(1/4) 6": "6 \u00f7 0.25 = 24 (left: 24)",
}
VALUED = {"(3/4) 1 6": "Likely.", "4 4 6": "4 + 4 + 6 = 14\nimpossible", "(1/4) 6": "**sure**"}


def reply(prompt: str) -> str:
    left = prompt.partition("\nNumbers: ")[2].partition("\n")[0]
    return (PROPOSED if "may come next" in prompt else VALUED).get(left, "")


def test_the_search_follows_proposals_and_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, model = given_of(translate(HAND), tmp_path), Model(reply=reply)
    with served(model) as base:
        found = run("tot", given, reward="propose-value", url=base, model="m", breadth=5)
        assert str(found.finding.plan).split("\n")[:3] == [
            "(divide n2 n3)", "(subtract n1 n2)", "(divide n4 n1)"
        ]  # fmt: skip
        assert found.verdict.status == "valid"
        # Eight states are asked for steps. Six boards are asked for their value, three times each,
        # although two states leave 3 and 4; a last number is not asked for.
        assert len(model.prompts) == 8 + 6 * 3
        assert "Calls: 26\nPrompt tokens: " in capsys.readouterr().out
        assert model.prompts[0] == prompt_for(HAND, style="propose")
        value = prompt_for(HAND, style="value").replace("1 3 4 6", "(3/4) 1 6")
        assert model.prompts.count(value) == 3
        assert model.requests[0]["temperature"] == 0.7
        lost = run("tot", given, reward="propose-value", url=base, model="m", breadth=1, depth=2)
        assert (lost.finding.plan, lost.effort.expanded) == (None, 3)
    with pytest.raises(UnsupportedTask, match="reward=propose-value supports only countdown"):
        run("tot", given_of(sample("ferry"), tmp_path), reward="propose-value", model="m")
    with pytest.raises(InputError, match="reward=propose-value: requires model=NAME"):
        RewardSettings(reward="propose-value")
