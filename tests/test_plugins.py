"""Plug-ins of other distributions: the example, a new domain, and plug-ins that fail."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Cli
from places import ROOT

EXAMPLE = ROOT / "examples" / "plugin"


def python(executable: Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [executable, *arguments], cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )


def fresh_environment(place: Path, plugin: Path) -> Path:
    """Build a plug-in, install it in a new virtual environment; return the environment's Python.

    The environment sees the packages of this one, so that nothing is downloaded.
    """
    source = place / "source"
    shutil.copytree(plugin, source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    done = python(
        Path(sys.executable), "-m", "pip", "wheel", "--no-deps", "--no-build-isolation",
        "--no-index", "-w", place / "wheels", source, cwd=place,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = (place / "wheels").glob("*.whl")
    done = python(Path(sys.executable), "-m", "venv", "--without-pip", place / "venv", cwd=place)
    assert done.returncode == 0, done.stderr
    executable = place / "venv" / "bin" / "python"
    done = python(
        Path(sys.executable), "-m", "pip", "--python", executable, "install", "--no-deps",
        "--no-index", wheel, cwd=place,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (packages,) = (place / "venv").glob("lib/python*/site-packages")
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(ROOT / "src")}
    (packages / "here.pth").write_text("".join(f"{path}\n" for path in sorted(here)))
    return executable


def test_the_example_works_in_a_fresh_environment(tmp_path: Path) -> None:
    executable = fresh_environment(tmp_path, EXAMPLE)
    done = python(executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLE / "tests",
                  cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stdout
    listed = python(executable, "-m", "pddl_pipeline", "domains", cwd=tmp_path).stdout
    assert listed.count("(from pddl-pipeline-lights)") == 4


def test_a_new_domain_passes_its_own_tests(cli: Cli, tmp_path: Path) -> None:
    assert cli("new-domain", "traffic-jam").status == 0
    folder = tmp_path / "pddl-pipeline-traffic-jam"
    texts = [file.read_text() for file in folder.rglob("*") if file.is_file()]
    assert not any("lights" in text.lower() for text in texts)
    executable = fresh_environment(tmp_path, folder)
    done = python(executable, "-m", "pytest", "-q", folder / "tests", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "words"),
    [("Ferry", "lower-case words"), ("ferry", "already exists"), ("x/y", "lower-case words")],
)
def test_names_that_a_new_domain_cannot_have(cli: Cli, name: str, words: str) -> None:
    done = cli("new-domain", name)
    assert done.status == 2
    assert words in done.err


def test_a_new_domain_overwrites_nothing(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    assert "already exists" in cli("new-domain", "locks", "-o", "here").err


@pytest.fixture
def plugged(cli: Cli, tmp_path: Path) -> Callable[..., Cli]:
    """Return a function that installs a module as a plug-in of a group, and runs commands."""

    def install(text: str, group: str = "pddl_pipeline.planners") -> Cli:
        (tmp_path / "site" / "strange-1.dist-info").mkdir(parents=True)
        info = tmp_path / "site" / "strange-1.dist-info"
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[{group}]\nodd = strange_module\n")
        (tmp_path / "site" / "strange_module.py").write_text(text)
        path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": path}
        return lambda *arguments: cli(*arguments, env=environment)

    return install


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("def broken(:\n", "SyntaxError"),
        ("import no_such_package\n", "ModuleNotFoundError"),
        ("raise SystemExit('I leave')\n", "SystemExit: I leave"),
        ("PLANERS = ()\n", "strange_module has no PLANNERS"),
    ],
)
def test_a_plugin_that_fails_breaks_no_command(
    plugged: Callable[..., Cli], text: str, fault: str
) -> None:
    run = plugged(text)
    listed = run("domains", "--json")
    assert listed.status == 0
    planners = [json.loads(line) for line in listed.out.splitlines()]
    assert any(each.get("planner") == "lama-first" for each in planners)
    done = run("doctor")
    line = next(x for x in done.out.splitlines() if x.startswith("plug-in odd:"))
    assert fault in line
    assert "planners from strange" in line


def test_a_name_that_exists_is_an_error_with_both_distributions(
    plugged: Callable[..., Cli],
) -> None:
    run = plugged(
        "from pddl_pipeline.planners.planner import Planner\n"
        "PLANNERS = (Planner(name='lama', about='', distribution='strange'),)\n"
    )
    done = run("domains")
    assert done.status == 2
    expected = "two planners have the name 'lama': one from pddl-pipeline, one from strange"
    assert expected in done.err


MODULES = {
    "pddl_pipeline.studies": (
        ("from pddl_pipeline.studies.study import Study\n"
        "from pddl_pipeline.studies.study_result import StudyResult\n"
        "def run(bench):\n    return StudyResult(conditions='none', comparisons=(), tables=())\n"
        "STUDIES = (Study('mine-table1', 'My table', run),)\n"),
        ("reproduce",), "mine-table1",
    ),
    "pddl_pipeline.baselines": (
        ("from dataclasses import dataclass\n"
        "from pddl_pipeline.search.baseline import Baseline, SearchResult\n"
        "@dataclass(frozen=True)\nclass Settings:\n    pass\n"
        "def search(given, settings, effort):\n    return SearchResult(None, 'no search')\n"
        "BASELINES = (Baseline(name='idle', about='never searches', settings=Settings,"
        " search=search),)\n"),
        ("domains",), "never searches",
    ),
    "pddl_pipeline.statements": (
        ("from pddl_pipeline.translators.text import Statement, Style\n"
        "style = Style(lambda plan, instance, task: 'done')\n"
        "text = lambda instance, task: 'Cars cross a river.'\n"
        "STATEMENTS = (('ferry', 'river', Statement(text, text, {'io': style})),)\n"),
        ("prompt", "DATA", "--statement", "river"), "Cars cross a river.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("group", MODULES)
def test_what_a_plugin_adds_is_used(plugged: Callable[..., Cli], group: str) -> None:
    text, command, words = MODULES[group]
    data = str(ROOT / "examples" / "ferry.jsonl")
    done = plugged(text, group)(*(data if word == "DATA" else word for word in command))
    assert done.status == 0, done.err
    assert words in done.out
