"""Functions of others: what they return, and what they do instead."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.planners.functions.guarded import CodeFails, functions_in
from pddl_pipeline.planners.functions.process import CallFault, Functions
from pddl_pipeline.planners.functions.worker import NotPlain, decode, encode

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.fractions(),
    lambda parts: st.lists(parts, max_size=3)
    | st.lists(parts, max_size=3).map(tuple)
    | st.dictionaries(st.text(max_size=2) | st.integers(), parts, max_size=3)
    | st.frozensets(st.integers(), max_size=3)
    | st.sets(st.text(max_size=2), max_size=3),
)  # fmt: skip


@given(plain)
def test_plain_data_comes_back_as_it_was(value: Any) -> None:
    again = decode(encode(value))
    assert again == value
    assert repr(again) == repr(value) or isinstance(
        value, float | set | frozenset | dict | list | tuple
    )
    assert type(again) is type(value)


@pytest.mark.parametrize("value", [object(), b"x", len, [1, [2, (object(),)]]])
def test_what_is_no_plain_data(value: Any) -> None:
    with pytest.raises(NotPlain, match="expected plain data"):
        encode(value)


@given(st.text())
def test_text_that_is_no_value(text: str) -> None:
    try:
        decode(text)
    except ValueError:
        return


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "b": 2}',
        '{"fraction": [1, 0]}',
        '{"fraction": ["1e999999999"]}',
        "{}",
        '{"eval": "1"}',
        "[" * 10**5,
    ],
)
def test_objects_that_are_none_of_ours(text: str) -> None:
    with pytest.raises(ValueError, match="found no value"):
        decode(text)


@contextmanager
def running(
    succ: str, isgoal: str = "    return False", call_s: float = 0.5
) -> Iterator[Functions]:
    code = f"def succ(state):\n{succ}\n\n\ndef isgoal(state):\n{isgoal}\n"
    with Functions(functions_in(code), call_s=call_s) as functions:
        yield functions


def fault(body: str) -> CallFault:
    with running(body) as functions, pytest.raises(CallFault) as caught:
        functions.call("succ", [1, 2])
    return caught.value


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("    return [state, state[:1]]", [[1, (2, 3)], [1]]),
        ("    yield {'a': {1}}", [{"a": {1}}]),
        ("    return ()", []),
        ("    from fractions import Fraction\n    return [Fraction(1, 3)]", [Fraction(1, 3)]),
        ("    import numpy\n    return [numpy.int64(3), numpy.array([1.5])]", [3, [1.5]]),
        ("    print('x' * 10**7)\n    return [0]", [0]),
        ("    import sys\n    sys.stderr.write('x' * 10**7)\n    return [0]", [0]),
    ],
)
def test_results(body: str, result: list[Any]) -> None:
    with Functions(functions_in(f"def succ(state):\n{body}\ndef isgoal(s): pass")) as functions:
        assert functions.call("succ", [1, (2, 3)]) == (result, None)


def test_a_changed_input_is_told() -> None:
    with running("    state.append(3)\n    return []") as functions:
        assert functions.call("succ", [1]) == ([], [1, 3])
        # The next call is given what it is given.
        assert functions.call("succ", [1]) == ([], [1, 3])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("    return 1 / 0", "ZeroDivisionError: division by zero"),
        ("    return succ(state)", "RecursionError: maximum recursion depth exceeded"),
        ("    raise SystemExit(0)", "SystemExit: 0"),
        ("    raise KeyboardInterrupt", "KeyboardInterrupt: "),
        ("    import os\n    os._exit(0)", "its process ended with exit status 0"),
        ("    import os\n    os._exit(7)", "its process ended with exit status 7"),
        ("    import os\n    os.abort()", "its process ended with signal 6"),
        ("    return None", "TypeError: 'NoneType' object is not iterable"),
        ("    return 'abc'", "TypeError: the function returned a str, expected a list"),
        ("    return {}", "TypeError: the function returned a dict, expected a list"),
        ("    return [object()]", "TypeError: found a object, expected plain data in what the"),
        ("    x = []\n    x.append(x)\n    return x", "in what the function returned"),
        ("    return [0] * (3 * 10**8)", "MemoryError"),
        ("    import subprocess\n    subprocess.run(['true'])", "PermissionError: subprocess."),
        ("    import os\n    os.fork()", "PermissionError: os.fork is not allowed here"),
        ("    import socket\n    socket.socket()", "PermissionError: socket."),
        ("    open('/f', 'w')", "PermissionError: [Errno 13] Permission denied: '/f'"),
        ("    raise ValueError('\\x1b[2J\\n')", r"ValueError: \x1b[2J\n"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_in_a_line(body: str, said: str) -> None:
    found = fault(body)
    assert said in str(found)
    assert not found.late
    assert "\n" not in str(found)


@pytest.mark.parametrize(
    "body",
    [
        "    while True: pass",
        "    import time\n    time.sleep(9)",
        "    return sum(1 for _ in iter(int, 1))",
        "    while True:\n        try:\n            while True: pass\n        except: pass",
        "    import signal\n    signal.signal(15, signal.SIG_IGN)\n    while True: pass",
        "    while True: yield 0 * len(state)",
    ],
)
def test_what_does_not_end_is_ended(body: str) -> None:
    started = time.monotonic()
    found = fault(body)
    assert (found.late, str(found)) == (True, "took more than 0.5 s") or "MemoryError" in str(found)
    assert time.monotonic() - started < 30


def test_a_call_that_was_slow_once_is_believed_the_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine was busy: the first process sleeps, the second does not."""
    mark, started, start = tmp_path / "mark", [], subprocess.Popen

    def counted(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(mark.exists())
        if len(started) == 2:
            mark.touch()
        return start(*arguments, **options)

    monkeypatch.setattr("pddl_pipeline.planners.functions.process.subprocess.Popen", counted)
    body = (
        "    import os, time\n"
        f"    time.sleep(0 if os.path.exists({str(mark)!r}) else 9)\n"
        "    return [1]"
    )
    with running(body) as functions:
        assert functions.call("succ", [1]).result == [1]
    assert len(started) == 2


def test_a_function_can_be_called_after_it_has_failed() -> None:
    body = "    import os\n    return [0] if state else os._exit(1)"
    with running(body) as functions:
        with pytest.raises(CallFault):
            functions.call("succ", [])
        assert functions.call("succ", [1]).result == [0]


def test_answers_that_were_made_up_are_no_results() -> None:
    """Whoever finds the stream can write to it, but not what is told of the process."""
    body = """    import os
    for number in range(3, 20):
        try:
            os.write(number, b'{"dict": []}\\n{"x')
        except OSError:
            pass
    os._exit(0)"""
    assert "process" in str(fault(body))


@pytest.mark.parametrize(
    ("body", "truth"),
    [
        ("    return True", True), ("    return None", False), ("    return 1", True),
        ("    import numpy\n    return numpy.bool_(True)", True),
    ],
)  # fmt: skip
def test_truth(body: str, truth: bool) -> None:  # noqa: FBT001 -- what is expected
    with running("    return []", body, call_s=9) as functions:
        assert functions.call("isgoal", []).result is truth


def test_a_list_is_no_truth() -> None:
    said = "returned a list, expected True or False"
    with (
        running("    return []", "    return []") as functions,
        pytest.raises(CallFault, match=said),
    ):
        functions.call("isgoal", [])


def test_the_order_of_sets_is_always_the_same() -> None:
    body = "    return list({'a', 'b', 'c', 'd', 'e', 'f'})"
    found = []
    for _ in range(3):
        with running(body) as functions:
            found.append(functions.call("succ", []).result)
    assert found[0] == found[1] == found[2]


def test_code_that_fails_when_it_is_loaded() -> None:
    sources = functions_in("import no_such_module\ndef succ(s): pass\ndef isgoal(s): pass")
    said = "ModuleNotFoundError: No module named"
    with Functions(sources) as functions, pytest.raises(CallFault, match=said):
        functions.call("succ", [])


def test_no_process_is_left() -> None:
    before = set(psutil.Process().children(recursive=True))
    with running("    return []") as functions:
        functions.call("succ", [])
        assert set(psutil.Process().children(recursive=True)) > before
    assert set(psutil.Process().children(recursive=True)) == before


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
    ],
)
def test_functions_are_found_in_answers(text: str) -> None:
    with Functions(functions_in(text)) as functions:
        assert functions.call("isgoal", []).result is False
        with pytest.raises(CallFault, match="NoneType"):
            functions.call("succ", [])


@pytest.mark.parametrize(
    ("text", "function", "syntax"),
    [
        ("", "succ", False),
        ("I cannot do that.", "succ", False),
        ("```\ndef isgoal(s): pass\n```", "succ", False),
        ("```\ndef succ(s): pass\n```", "isgoal", False),
        ("```\ndef succ(s)\n```\n```\ndef isgoal(s): pass\n```", "succ", True),
        ("def succ(s): pass\ndef isgoal(s: pass", "succ", True),
        ("```\ndef succ(s): pass\n```\n```\ndef isgoal(s):\nreturn 1\n```", "isgoal", True),
        ("```\nclass succ: pass\n```", "succ", False),
        ("def succ(s): return " + "(" * 10000, "succ", True),
        ("def succ(s): return '\0'", "succ", True),
    ],
)
def test_answers_without_a_function(text: str, function: str, syntax: bool) -> None:  # noqa: FBT001
    with pytest.raises(CodeFails) as caught:
        functions_in(text)
    failure = caught.value.failure
    assert (failure.function, "syntax error" in failure.feedback) == (function, syntax)
