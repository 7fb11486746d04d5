"""Code that tries to leave the sandbox: each attempt fails, and a watcher sees nothing of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import psutil
import pytest
from hostile_code import BOMBS, ENDLESS, FORGERIES, REFUSED, code_of
from processes_of_tests import assert_ended
from sandbox_watcher import Watcher, processes

from pddl_pipeline.planners.foreign_code.guarded import functions_in
from pddl_pipeline.planners.foreign_code.process import CallFault, Functions
from pddl_pipeline.planners.sandbox.confinement import protections

pytestmark = pytest.mark.skipif(
    bool(protections().missing()), reason="this kernel lacks a part of the sandbox"
)


@pytest.fixture(scope="module")
def watcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watcher]:
    made = Watcher(tmp_path_factory.mktemp("outside"))
    former = signal.signal(signal.SIGUSR1, lambda number, _: made.signals.append(number))
    limits, priority = psutil.Process().rlimit(psutil.RLIMIT_NOFILE), os.nice(0)
    yield made
    signal.signal(signal.SIGUSR1, former)
    assert (psutil.Process().rlimit(psutil.RLIMIT_NOFILE), os.nice(0)) == (limits, priority)
    for each in made.sockets:
        each.close()
    assert processes() == set()


ATTEMPTS = BOMBS | {
    name: (text if text.startswith("raise") else f"return [{text}]", said)
    for name, (text, said) in REFUSED.items()
}


@pytest.fixture(scope="module")
def attempts(watcher: Watcher) -> Iterator[Functions]:
    """Run the attempts in one process, and in a new one after each that ends it."""
    code = code_of({name: body for name, (body, _) in ATTEMPTS.items()})
    with Functions(functions_in(code), call_s=20) as functions:
        yield functions
    watcher.check()


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_fails_and_touches_nothing(
    watcher: Watcher, attempts: Functions, attempt: str
) -> None:
    with pytest.raises(CallFault) as caught:
        attempts.call("succ", watcher.at(attempt))
    assert ATTEMPTS[attempt][1] in str(caught.value)
    assert "SECRET" not in str(caught.value)
    assert not caught.value.late
    watcher.check()


@pytest.mark.parametrize("attempt", FORGERIES)
def test_a_forged_answer_is_noticed(watcher: Watcher, attempt: str) -> None:
    """A second answer to the first call may come too late, so that the second call fails."""
    code = functions_in(code_of({attempt: FORGERIES[attempt][0]}))
    with Functions(code, call_s=20) as functions, pytest.raises(CallFault) as caught:
        assert [functions.call("succ", watcher.at(attempt)) for _ in range(2)]
    assert str(caught.value).startswith(FORGERIES[attempt][1])


def test_what_does_not_end(watcher: Watcher) -> None:
    others = processes()
    code = functions_in(code_of(ENDLESS))  # Python 3.11 cannot parse in several threads

    def late(attempt: str) -> CallFault:
        with Functions(code, call_s=0.2) as functions:
            with pytest.raises(CallFault) as caught:
                functions.call("succ", watcher.at(attempt))
            return caught.value

    with ThreadPoolExecutor() as pool:
        faults = {attempt: pool.submit(late, attempt) for attempt in ENDLESS}
        for attempt, fault in faults.items():
            assert fault.result(timeout=60).late, (attempt, fault.result())
    assert processes() == others


def test_an_answer_that_is_found_is_one_of_its_own(watcher: Watcher) -> None:
    """A function can answer for itself. What it writes more is never taken for the next answer."""
    code = code_of({
        "forged": "answer('{\"dict\": [[\"result\", [\"forged\"]]]}')\n    time.sleep(0.3)",
        "late": (
            "last = number_of_request()\n"
            "    def write():\n"
            "        time.sleep(0.2)\n"
            "        tell(f'{last} {{\"dict\": [[\"result\", [\"late\"]]]}}\\n')\n"
            "    threading.Thread(target=write).start()"
        ),
        "honest": "time.sleep(0.4)",
    })  # fmt: skip
    for attempt, first in (("forged", ["forged"]), ("late", ["went on"])):
        with Functions(functions_in(code), call_s=20) as functions:
            assert functions.call("succ", watcher.at(attempt)).result == first
            with pytest.raises(CallFault, match="it wrote to the stream"):
                functions.call("succ", watcher.at("honest"))
            assert functions.call("succ", watcher.at("honest")).result == ["went on"]


def test_a_process_that_stops_reading_does_not_stop_the_checker(watcher: Watcher) -> None:
    code = code_of({
        "stop": "threading.Timer(0.1, libc.kill, (os.getpid(), 19)).start()", "size": "pass",
    })  # fmt: skip
    with Functions(functions_in(code), call_s=2) as functions:
        functions.call("succ", watcher.at("stop"))
        time.sleep(0.2)
        large = {**watcher.at("size"), "large": "x" * 2**20}
        assert functions.call("succ", large).result == ["went on"]


def test_the_environment_and_the_streams(
    watcher: Watcher, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "SECRET")
    monkeypatch.setenv("LD_PRELOAD", "")
    with watcher.secret.open(encoding="utf-8") as stream:
        os.set_inheritable(stream.fileno(), True)  # noqa: FBT003
        code = code_of({
            "environment": "return [dict(os.environ)]",
            "streams": "return [[os.fstat(n).st_mode >> 12 for n in streams()]]",
            "print": "print('SECRET', file=sys.stderr)\n    os.write(1, b'SECRET')\n    return [0]",
        })  # fmt: skip
        with Functions(functions_in(code)) as functions:
            (environment,), (streams,), _ = (
                functions.call("succ", watcher.at(attempt)).result
                for attempt in ("environment", "streams", "print")
            )
    allowed = {"PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "LC_CTYPE"}
    assert environment.keys() <= allowed
    assert environment["PYTHONHASHSEED"] == "0", "the order of sets is always the same"
    assert streams == [2, 2, 2, 12, 12], "three times /dev/null, and two handles of the socket"
    assert "SECRET" not in "".join(capfd.readouterr())


def test_nothing_survives_the_checker(tmp_path: Path) -> None:
    """The checker is killed in a call; the processes end, though they do not look at it."""
    (tmp_path / "code.py").write_text(code_of(ENDLESS))
    script = (
        "import os, sys\n"
        "from pddl_pipeline.planners.foreign_code.guarded import functions_in\n"
        "from pddl_pipeline.planners.foreign_code.process import Functions\n"
        "functions = Functions(functions_in(open(sys.argv[1]).read()), call_s=60)\n"
        "functions._start('succ')\n"
        "print(functions._process.pid, flush=True)\n"
        "functions.call('succ', {'attempt': 'a power'})\n"
    )
    checker = subprocess.Popen(
        [sys.executable, "-c", script, tmp_path / "code.py"], stdout=subprocess.PIPE
    )
    supervisor = psutil.Process(int(checker.stdout.readline()))
    folder = Path(supervisor.cwd())
    family = [supervisor, *supervisor.children(recursive=True)]
    assert len(family) == 2
    checker.kill()
    checker.wait()
    checker.stdout.close()
    assert_ended(family)
    assert not folder.exists()


HONEST = {
    "files": """
    with open('notes.txt', 'w') as stream: stream.write('a' * 100)
    with open('notes.txt', 'a') as stream: stream.write('b')
    with open('notes.txt', 'w') as stream: stream.write('c')
    return [open('notes.txt').read(), os.listdir('.')]""",
    "threads": """
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(4) as pool: return list(pool.map(lambda n: n * n, range(4)))""",
    "recursion": """
    def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
    return [depth(900)]""",
    "libraries": """
    import bisect, collections, copy, datetime, decimal, fractions, functools, heapq, itertools
    import json, math, operator, random, re, statistics, string, typing, zoneinfo
    random.seed(1)
    return [json.loads(json.dumps(list(itertools.permutations('ab')))),
            fractions.Fraction(1, 3) + 1, zoneinfo.ZoneInfo('Europe/Berlin').key,
            copy.deepcopy({'a': [1]}), math.comb(5, 2), len(set(random.choices('abc', k=99)))]""",
    "numpy": """
    import numpy
    x = numpy.random.default_rng(1).random((50, 50))
    return [bool(numpy.allclose(x @ numpy.linalg.inv(x), numpy.eye(50))), numpy.sqrt(4.0)]""",
    "time": """
    time.sleep(0.01)
    return [time.time() > 0, platform.system()]""",
    "a signal to itself": """
    import signal
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    signal.pause()
    return [1]""",
}


def test_honest_code(watcher: Watcher) -> None:
    code = code_of({name: body.lstrip() for name, body in HONEST.items()})
    with Functions(functions_in(code), call_s=20) as functions:
        found = {name: functions.call("succ", watcher.at(name)).result for name in HONEST}
    assert found == {
        "files": ["c", ["notes.txt"]],
        "threads": [0, 1, 4, 9],
        "recursion": [900],
        "libraries": [[["a", "b"], ["b", "a"]], Fraction(4, 3), "Europe/Berlin", {"a": [1]}, 10, 3],
        "numpy": [True, 2.0],
        "time": [True, "Linux"],
        "a signal to itself": [1],
    }
