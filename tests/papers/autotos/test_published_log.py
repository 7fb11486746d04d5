"""Logs in the format of IBM/AutoToS, and the loop driven by them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import ROOT
from scripted_model import GOAL, SUCC

from pddl_pipeline.endpoints.settings import Message
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.autotos.published_log import LogScore, ReplayedModel, log_text, read_log
from pddl_pipeline.papers.autotos.subject import named_subject
from pddl_pipeline.planners.foreign_code.guarded import Category

EXAMPLE = ROOT / "examples" / "autotos" / "24game.txt"
LOG = """
AutoToS prompt:

How are successor states defined?

Model response:
One way:
```python
def succ(state): return []
```
Successor Iteration 1

AutoToS prompt:
Provide only the python code that tests whether a state is a goal state.\x20

Model response:
```python
def goal(state): return 24 in state
```
Goal Iteration 1 - Goal Soundness Test

AutoToS prompt:
The goal test function failed on the following input state [24, 1], incorrectly reporting it as …

Model response:
def goal(state): return state == [24]

System message:
Goal Soundness Test Passed
Soundness test

System message:
Maximum iterations reached for completeness test. Process stopped.
"""


PASSED = "System message:\nSuccessor Completeness Test Passed\n"
SUBJECT = named_subject("24game", None)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "log.txt"
    file.write_text(text)
    return file


def test_a_log_is_its_prompts_and_replies(tmp_path: Path) -> None:
    log = read_log(written(tmp_path, LOG))
    assert [(call.function, call.category, call.line) for call in log.calls] == [
        ("succ", None, 6), ("isgoal", None, 16), ("isgoal", Category.ISGOAL_SOUNDNESS, 25),
    ]  # fmt: skip
    assert log.calls[0].prompt == "How are successor states defined?"
    # The authors' program wrote the lines after the replies.
    assert log.calls[0].reply.endswith("return []\n```")
    assert log.calls[1].reply.endswith("24 in state\n```")
    assert (log.accepted, log.score) == (False, None)


@pytest.mark.parametrize(
    ("end", "accepted", "score"),
    [
        ("", None, None),
        (PASSED, True, None),
        (f"{PASSED}Success: 1351, failure: 1, total expansions 630, total generated 70\n",
         True, LogScore(1351, 1, 630)),
        (f"{PASSED}\nSystem message:\nTotal success: 0, failure: 11, total expansions 5, x", True,
         LogScore(0, 11, 5)),
    ],
)  # fmt: skip
def test_the_end_of_a_log(
    tmp_path: Path, end: str, score: LogScore | None, *, accepted: bool | None
) -> None:
    log = read_log(written(tmp_path, LOG[: LOG.index("System message:\nMaximum")] + end))
    assert (log.accepted, log.score) == (accepted, score)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found no log of AutoToS, expected lines 'AutoToS prompt:' and 'Model response:'"),
        ('{"id": 1}\n', "found no log of AutoToS"),
        ("Model response:\nHello\n", "1: expected 'AutoToS prompt:'"),
        (LOG[: LOG.index("Model response")], "2: found a prompt without a reply"),
        (LOG.replace("Model response:", "Model says:"), "13: expected 'Model response:'"),
        (LOG.replace("The goal test function failed", "Try again"), "22: found a prompt that is"),
    ],
)
def test_what_is_no_log_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(InputError, match=rf"\A{re.escape(f'{file}:')}.*{re.escape(message)}.*\Z"):
        read_log(file)


def test_a_written_log_is_read_again(tmp_path: Path) -> None:
    calls = [("How?", SUCC.strip()), ("Provide the goal test.", GOAL.strip())]
    for accepted in (True, False):
        log = read_log(written(tmp_path, log_text(calls, accepted=accepted)))
        assert [(call.prompt, call.reply) for call in log.calls] == calls
        assert log.accepted is accepted


def test_a_replayed_model_has_no_more_than_its_log(tmp_path: Path) -> None:
    model = ReplayedModel(read_log(written(tmp_path, LOG)))
    asked = [Message("system", "You…"), Message("user", "How?")]
    first = model.reply(asked)
    assert first.text.startswith("One way:")
    asked += [
        Message("assistant", first.text),
        Message("user", "Successor function when run on the state"),
    ]
    with pytest.raises(InputError, match=r"16: found a reply to a prompt for isgoal, but the loop"):
        model.reply(asked)
    asked += 2 * [Message("assistant", "…"), Message("user", "The goal test function failed on")]
    with pytest.raises(InputError, match="found no reply 4, but the loop asks for isgoal"):
        model.reply(asked)
