"""Functions of others: what they return, and what they do instead."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hostile_code import code_of
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.papers.autotos.feedback import feedback
from pddl_pipeline.planners.foreign_code.guarded import CodeFails, functions_in
from pddl_pipeline.planners.foreign_code.process import CallFault, Functions
from pddl_pipeline.planners.foreign_code.worker import NotPlain, decode, encode

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.fractions(),
    lambda parts: st.lists(parts, max_size=3)
    | st.lists(parts, max_size=3).map(tuple)
    | st.dictionaries(st.text(max_size=2) | st.integers(), parts, max_size=3)
    | st.frozensets(st.integers(), max_size=3)
    | st.sets(st.text(max_size=2), max_size=3),
)  # fmt: skip
SYNTAX, MISSING = "syntax error", "found no function"


@given(plain, st.text())
def test_plain_data_comes_back_as_it_was(value: Any, text: str) -> None:
    again = decode(encode(value))
    assert (again, type(again)) == (value, type(value))
    with suppress(ValueError):
        decode(text)


@pytest.mark.parametrize("value", [object(), b"x", len, [1, [2, (object(),)]]])
def test_other_values_are_not_plain(value: Any) -> None:
    with pytest.raises(NotPlain, match="expected plain data"):
        encode(value)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "b": 2}', '{"fraction": [1, 0]}', '{"fraction": ["1e999999999"]}', "{}",
        '{"eval": "1"}', "[" * 10**5,
    ],
)  # fmt: skip
def test_objects_of_other_kinds_are_no_values(text: str) -> None:
    with pytest.raises(ValueError, match="found no value"):
        decode(text)


RESULTS: dict[str, Any] = {
    "return [at['state'], at['state'][:1]]": [[1, (2, 3)], [1]],
    "yield {'a': {1}}": [{"a": {1}}],
    "return ()": [],
    "from fractions import Fraction\n    return [Fraction(1, 3)]": [Fraction(1, 3)],
    "import numpy\n    return [numpy.int64(3), numpy.array([1.5])]": [3, [1.5]],
    "print('x' * 10**7)\n    return [0]": [0],
    "sys.stderr.write('x' * 10**7)\n    return [0]": [0],
}
FAULTS = {
    "return 1 / 0": "ZeroDivisionError: division by zero",
    "return succ(at)": "RecursionError: maximum recursion depth exceeded",
    "raise SystemExit(0)": "SystemExit: 0",
    "raise KeyboardInterrupt": "KeyboardInterrupt: ",
    "os._exit(0)": "its process ended with exit status 0",
    "os._exit(7)": "its process ended with exit status 7",
    "os.abort()": "its process ended with signal 6",
    "return None": "TypeError: 'NoneType' object is not iterable",
    "return 'abc'": "TypeError: the function returned a str, expected a list",
    "return {}": "TypeError: the function returned a dict, expected a list",
    "return [object()]": "TypeError: found a object, expected plain data in what the",
    "x = []\n    x.append(x)\n    return x": "in what the function returned",
    "return [0] * (3 * 10**8)": "MemoryError",
    "raise ValueError('\\x1b[2J\\n')": r"ValueError: \x1b[2J\n",
    # Made-up answers on every stream are no results.
    ("for number in range(3, 20):\n        try: os.write(number, b'{\"dict\": []}\\n{\"x')\n"
     "        except OSError: pass\n    os._exit(0)"): "process",
}  # fmt: skip
TRUTHS = {"True": True, "None": False, "1": True, "__import__('numpy').bool_(True)": True}


@pytest.fixture(scope="module")
def functions() -> Iterator[Functions]:
    """One process calls all of them, and a new one after each that ends it."""
    code = code_of({body: body for body in (*RESULTS, *FAULTS)})
    truths = "def isgoal(text):\n    return eval(text)\n"
    with Functions(functions_in(code + truths), call_s=9) as made:
        yield made


@pytest.mark.parametrize("body", RESULTS)
def test_results(functions: Functions, body: str) -> None:
    at = {"attempt": body, "state": [1, (2, 3)]}
    assert functions.call("succ", at) == (RESULTS[body], None)


@pytest.mark.parametrize("text", TRUTHS)
def test_truth(functions: Functions, text: str) -> None:
    assert functions.call("isgoal", text).result is TRUTHS[text]


@pytest.mark.parametrize("body", FAULTS)
def test_a_fault_is_one_line_and_does_not_end_the_calls(functions: Functions, body: str) -> None:
    with pytest.raises(CallFault, match=rf"\A.*{re.escape(FAULTS[body])}.*\Z") as caught:
        functions.call("succ", {"attempt": body})
    assert not caught.value.late
    assert functions.call("isgoal", "1 == 1").result is True


def test_a_list_is_no_truth(functions: Functions) -> None:
    with pytest.raises(CallFault, match="returned a list, expected True or False"):
        functions.call("isgoal", "[]")


def test_a_changed_input_is_returned() -> None:
    code = "def succ(state):\n    state.append(3)\n    return []\ndef isgoal(state): pass"
    # Calls at the top of an answer do not end it.
    with Functions(functions_in(f"{code}\n\nprint(succ(1)[0])\ninput()\n")) as functions:
        # The next call does not see the change.
        assert [functions.call("succ", [1]) for _ in range(2)] == [([], [1, 3])] * 2


def test_a_call_that_was_slow_once_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine was busy: the first process sleeps, the second does not."""
    mark, started, start = tmp_path / "mark", [], subprocess.Popen

    def counted(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        if started:
            mark.touch()
        started.append(options)
        return start(*arguments, **options)

    monkeypatch.setattr("pddl_pipeline.planners.foreign_code.process.subprocess.Popen", counted)
    code = (
        "import os, time\ndef succ(s):\n"
        f"    time.sleep(0 if os.path.exists({str(mark)!r}) else 9)\n"
        "    return [1]\ndef isgoal(s): pass"
    )
    with Functions(functions_in(code), call_s=0.5) as functions:
        assert functions.call("succ", [1]).result == [1]
    assert len(started) == 2


def test_code_that_fails_when_it_is_loaded() -> None:
    sources = functions_in("import no_such_module\ndef succ(s): pass\ndef isgoal(s): pass")
    with (
        Functions(sources) as functions,
        pytest.raises(CallFault, match="ModuleNotFoundError: No module named"),
    ):
        functions.call("succ", [])


@pytest.mark.parametrize(
    "text",
    [
        "def succ(s): pass\ndef isgoal(s): pass",
        "Here:\n```python\ndef get_successors(s): pass\n```\nand\n```\ndef is_goal(s): pass\n```",
        "Python\n```\ndef successor_states(s): pass\ndef goal_test(s): pass\n``",
        "```py\nx = (\n```\n```Python\ndef succ(s): pass\n\n\ndef isgoal(s): pass\n```",
        "```\ndef isgoal(s): pass\n```\n```\ndef succ(s): pass\n```\n```\ndef succ(s): 1 / 0\n```",
        "```\ndef succ(s): pass\ndef isgoal(s): pass\n``\nThis one is right, I'm sure.",
        "def succ(s): pass\n\nAnd the goal:\n```\ndef isgoal(s): pass\n```\n```\ndef succ(s): pass",
        "```\ndef succ(s): pass\ndef isgoal(s): pass\n\nprint(succ(1)[0])\ninput()\n```",
        "def check_succ(s): 1 / 0\ndef succ(s): pass\ndef isgoal(s): pass",
        "def one_succ(s): pass\ndef other_succ(s): 1 / 0\ndef isgoal(s): pass",
    ],
)
def test_functions_are_found_in_answers(text: str) -> None:
    for source in functions_in(text):
        for role, name in source.names.items():
            assert f"def {name}(s): pass" in source.code
            assert {"succ": "succ", "isgoal": "goal"}[role] in name


@pytest.mark.parametrize(
    ("text", "function", "said"),
    [
        ("", "succ", MISSING),
        ("I cannot do that.", "succ", MISSING),
        ("```\ndef isgoal(s): pass\n```", "succ", MISSING),
        ("```\ndef succ(s): pass\n```", "isgoal", MISSING),
        ("```\ndef succ(s)\n```\n```\ndef isgoal(s): pass\n```", "succ", SYNTAX),
        ("def succ(s): pass\ndef isgoal(s: pass", "succ", SYNTAX),
        ("```\ndef succ(s): pass\n```\n```\ndef isgoal(s):\nreturn 1\n```", "isgoal", SYNTAX),
        ("```\nclass succ: pass\n```", "succ", MISSING),
        ("def succ(s): return " + "(" * 10000, "succ", SYNTAX),
        ("def succ(s): return '\0'", "succ", SYNTAX),
    ],
)
def test_answers_without_a_function(text: str, function: str, said: str) -> None:
    with pytest.raises(CodeFails) as caught:
        functions_in(text)
    failure = caught.value.failure
    assert (failure.function, SYNTAX in feedback(failure.fault)) == (function, said == SYNTAX)
