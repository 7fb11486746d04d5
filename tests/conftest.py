"""Shared fixtures: running the command line, and the option for long tests."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any
from zlib import crc32

import pytest
from command_line import Cli, CliHere, Done
from dask_cluster import Cluster
from matplotlib.figure import Figure

from pddl_pipeline.cli.main import main

# A suite in the background ignores SIGINT, and processes that tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Python may be told not to keep what it compiles. What pytest makes of the test files is kept in
# any case: this saves each worker a third of the time to collect them, after the first run.
_KEEPS_NOTHING = sys.dont_write_bytecode
sys.dont_write_bytecode = False

# Scripts of planners call programs of this Python, and the process that starts planners keeps the
# PATH that it was started with.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

PARTS = 8
"""The number of parts of the long tests; a run of CI takes one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-long", action="store_true", help="run the tests marked long, too")
    parser.addoption(
        "--long-part", type=int, choices=range(PARTS), help="run one of 8 parts of these tests, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    from hypothesis import settings  # here, so that what pytest makes of it is kept

    # No deadline: with planners on two cores, wall-clock times say nothing about the code.
    count = 50 if config.getoption("--run-long") else 15
    settings.register_profile("suite", deadline=None, max_examples=count)
    settings.load_profile("suite")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    sys.dont_write_bytecode = _KEEPS_NOTHING
    items.sort(key=lambda item: "early" not in item.keywords)  # others keep their order
    if not config.getoption("--run-long"):
        part = config.getoption("--long-part")
        for item in items:
            # By the name: the order differs from run to run, and all parts must make the whole.
            if "long" in item.keywords and crc32(item.nodeid.encode()) % PARTS != part:
                item.add_marker(pytest.mark.skip(reason="runs under make test-long"))


def pytest_collection_finish() -> None:
    """Let no garbage collection go through thousands of tests and large libraries again."""
    gc.freeze()


@pytest.fixture
def cli(tmp_path: Path, cli_here: CliHere, cli_process: Cli) -> Cli:
    """Run pddl-pipeline in the test's folder: in this process, which is much faster.

    A call with its own environment, standard output or program runs in a process of its own.
    """

    def run(*arguments: str | Path, cwd: Path = tmp_path, **process: Any) -> Done:
        if process:
            return cli_process(*arguments, cwd=cwd, **process)
        return cli_here(*arguments, cwd=cwd)

    return run


@pytest.fixture
def cli_process(tmp_path: Path) -> Cli:
    """Run pddl-pipeline as users do, in a process, in the test's folder."""

    def run(
        *arguments: str | Path,
        stdout: IO[str] | int = subprocess.PIPE,
        program: str = "pddl-pipeline",
        cwd: Path = tmp_path,
        env: dict[str, str] | None = None,
    ) -> Done:
        done = subprocess.run(
            [Path(sys.executable).with_name(program), *arguments],
            cwd=cwd,
            env=env,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout or "", done.stderr)

    return run


_BLANK = b"""<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>"""
_SAVE = Figure.savefig


def _save_quickly(figure: Figure, file: Any, **options: Any) -> None:
    if options.get("format") == "svg":
        file.write(_BLANK)
    else:
        _SAVE(figure, file, **options)


@pytest.fixture
def cli_here(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> CliHere:
    """Run pddl-pipeline with a user's arguments in this process, which is much faster.

    Plots of pages are made, but not drawn, except for the tests of pages.
    """
    has_plots = request.path.parent.name == "pages"

    def run(*arguments: str | Path, cwd: Path, program: Callable[[], None] = main) -> Done:
        handler = signal.getsignal(signal.SIGTERM)
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(cwd)
            patch.setattr(sys, "argv", ["pddl-pipeline", *map(str, arguments)])
            if not has_plots:
                patch.setattr(Figure, "savefig", _save_quickly)
            with pytest.raises(SystemExit) as ended:
                program()
        signal.signal(signal.SIGTERM, handler)
        printed = capsys.readouterr()
        return Done(int(ended.value.code or 0), printed.out, printed.err)

    return run


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    for _ in range(2):
        made.add_worker()
    yield made
    made.close()


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no address of a model from the environment of the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Start a headless Chromium; the tests are skipped where it or its driver is missing.

    The value is a `page_browser.Browser`.
    """
    pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from page_browser import opened, program  # imports selenium

    if program() is None:
        pytest.skip("Chromium or chromedriver is not installed")
    with opened() as started:
        yield started
