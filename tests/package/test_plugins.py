"""Plug-ins of other distributions: the example, a new domain, and what they add."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from command_line import Cli, Done, check_mistake
from places import ROOT
from plugin_sites import EXAMPLE, environment, install, run_lines

RUN_TESTS = """
import os, sys
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


def python(executable: str | Path, *arguments: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [executable, *arguments], cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fresh_environment(place: Path, plugin: Path) -> Path:
    """Build a plug-in, install it in a new virtual environment; return the environment's Python.

    The environment sees the packages of this one, so that nothing is downloaded.
    """
    source = place / "source"
    shutil.copytree(plugin, source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    pip = (sys.executable, "-m", "pip")
    options = ("--no-deps", "--no-index")
    python(*pip, "wheel", *options, "--no-build-isolation", "-w", place, source, cwd=place)
    (wheel,) = place.glob("*.whl")
    python(sys.executable, "-m", "venv", "--without-pip", place / "venv", cwd=place)
    executable = place / "venv" / "bin" / "python"
    python(*pip, "--python", executable, "install", *options, wheel, cwd=place)
    (packages,) = (place / "venv").glob("lib/python*/site-packages")
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(ROOT / "src")}
    (packages / "here.pth").write_text("".join(f"{path}\n" for path in sorted(here)))
    return executable


@pytest.mark.long
@pytest.mark.parametrize("name", ["lights", "traffic-jam"])
def test_a_domain_passes_its_tests_in_a_fresh_environment(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    """The example, and the domain that `new domain` writes, which is the same with other names."""
    folder = EXAMPLE
    if name != "lights":
        assert cli("new", "domain", name).status == 0
        folder = tmp_path / f"pddl-pipeline-{name}"
    executable = fresh_environment(tmp_path, folder)
    # Without pytest's own plug-ins, which take longer to load.
    options = ("-q", "-p", "no:cacheprovider", folder / "tests")
    python(executable, "-c", RUN_TESTS, *options, cwd=tmp_path)
    listed = python(executable, "-m", "pddl_pipeline", "list", cwd=tmp_path)
    assert listed.count(f"(from pddl-pipeline-{name})") == 4


def test_a_new_domain_has_its_own_names_only(cli: Cli, tmp_path: Path) -> None:
    assert cli("new", "domain", "traffic-jam").status == 0
    files = [path for path in (tmp_path / "pddl-pipeline-traffic-jam").rglob("*") if path.is_file()]
    assert len(files) >= 8
    assert not [path for path in files if "lights" in f"{path}{path.read_text()}".lower()]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("Ferry", "lower-case words"), ("ferry", "already exists"), ("x/y", "lower-case words"),
        ("locks -o here", "already exists"),
    ],
)  # fmt: skip
def test_what_a_new_domain_cannot_be(cli: Cli, tmp_path: Path, arguments: str, words: str) -> None:
    (tmp_path / "here").mkdir()
    check_mistake(cli("new", "domain", *arguments.split()), words)


STUDY = """
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study import StudyResult
def run(bench):
    return StudyResult(conditions='none whatever', comparisons=(), tables=())
STUDIES = (Study('mine-table1', 'My table', run),)
"""
BASELINE = """
from dataclasses import dataclass, field
from pddl_pipeline.search.baseline import Baseline, SearchResult
@dataclass(frozen=True)
class Settings:
    steps: int = field(default=1, metadata={"help": "number of steps"})
def search(given, settings, effort):
    return SearchResult(None, f"no plan of {settings.steps} steps")
BASELINES = (
    Baseline(name='idle', about='never searches', settings=Settings, search=search),
)
"""
REWARD = """
from pddl_pipeline.papers.rewards import Reward, ActionScore
class Alphabetical:
    def scores(self, situation, options):
        return [ActionScore(-float(sorted(options, key=str).index(each))) for each in options]
REWARDS = (Reward('alphabet', 'prefers the first names', lambda settings, given: Alphabetical()),)
"""
STATEMENT = """
from pddl_pipeline.prompts.statement import Statement, Style
style = Style(lambda plan, instance, task: 'done')
text = lambda instance, task: 'Cars cross a river.'
STATEMENTS = (('ferry', 'river', Statement(text, text, {'io': style})),)
"""
KIND = """
from pddl_pipeline.questions.kind import Draft, Kind
from pddl_pipeline.questions.question import Mark
def make(scene):
    number = len(scene.stage.goals)
    return Draft('How many goals are there?', str(number), 0, {'goals': number})
def mark(question, text):
    return Mark(correct=text.strip() == question.answer, found=text.strip())
KINDS = (Kind('goal-number', 'how many goals', make, mark, lambda asked: str(asked.answer)),)
"""
COMMAND = """
import click
@click.command('greet')
def command():
    'Greet the user.'
    click.echo('Hello.')
@click.command('part')
def other():
    'Part from the user.'
other.heading = 'Papers'
COMMANDS = (command, other)
"""
VALIDATOR = """
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.validation.opinions import Validator
class Refuser:
    def judge(self, plan):
        return Opinion(Status.INVALID, 'too long')
VALIDATORS = (Validator('refuser', lambda domain, problem, task: Refuser()),)
"""
ENTRIES = """
[pddl_pipeline.commands]
greet = mine_commands
part = mine_commands
[pddl_pipeline.validators]
refuser = mine_validators
[pddl_pipeline.studies]
mine = mine_studies
[pddl_pipeline.baselines]
mine = mine_baselines
[pddl_pipeline.rewards]
mine = mine_rewards
[pddl_pipeline.statements]
mine = mine_statements
[pddl_pipeline.domains]
lights = pddl_pipeline_lights.translator
[pddl_pipeline.planners]
lights = pddl_pipeline_lights.planner
[pddl_pipeline.formats]
lights = pddl_pipeline_lights.format
[pddl_pipeline.questions]
mine = mine_kinds
"""
RECORD = {"id": "two", "domain": "lights", "lamps": ["hall", "roof"], "goal": ["roof"]}
USES = {
    "a study": ("reproduce mine-table1 -o out", 0, "none whatever"),
    "a study in the list": ("reproduce", 0, "mine-table1"),
    "a baseline": (
        "solve DOMAIN PROBLEM --planner idle:steps=7 --json",
        1,
        "Gave up: no plan of 7 steps",
    ),
    "a baseline in the list": ("list", 0, "never searches (from my-methods)"),
    "a reward": ("solve DOMAIN PROBLEM --planner cats:reward=alphabet", 0, "(board "),
    "a command": ("greet", 0, "Hello."),
    "a command in the help": ("-h", 0, "Plug-ins:\n  greet      Greet the user.\n"),
    "a command under its heading": ("-h", 0, "such code.\n  part       Part from the user.\n"),
    "a validator": (
        "validate DOMAIN PROBLEM PLAN --cross-check refuser",
        3,
        "refuser: invalid (too long)",
    ),
    "a domain": ("translate one.jsonl -o pddl", 0, "1 problem in pddl"),
    "a planner": (
        "solve pddl/domain.pddl pddl/problems/two.pddl --planner lights-switcher",
        0,
        "(switch roof)",
    ),
    "a format": ("translate puzzles.lights -o puzzles", 0, "2 problems in puzzles"),
    "a kind of question": (
        "questions puzzles.lights --kind goal-number -o q.jsonl",
        0,
        "2 questions in q.jsonl",
    ),
    "a statement": ("prompt DATA --statement river", 0, "Cars cross a river."),
}


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """Return what the commands print where a distribution adds one of each to these groups."""
    site = tmp_path_factory.mktemp("methods")
    install(site, "my-methods", ENTRIES, mine_studies=STUDY, mine_baselines=BASELINE,
            mine_rewards=REWARD, mine_statements=STATEMENT, mine_commands=COMMAND,
            mine_validators=VALIDATOR, mine_kinds=KIND)  # fmt: skip
    shutil.copytree(EXAMPLE / "src" / "pddl_pipeline_lights", site / "pddl_pipeline_lights")
    (site / "one.jsonl").write_text(json.dumps(RECORD))
    (site / "puzzles.lights").write_text("hall roof\ncellar\n")
    lines = [line for line, *_ in USES.values()]
    return dict(zip(USES, run_lines(environment(site), site, *lines), strict=True))


@pytest.mark.parametrize("use", USES)
def test_what_a_plugin_adds_is_used(used: dict[str, Done], use: str) -> None:
    _, status, words = USES[use]
    assert used[use].status == status, used[use].err
    assert words in used[use].out
