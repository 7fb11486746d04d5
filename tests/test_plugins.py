"""Plug-ins of other distributions: the example, a new domain, and plug-ins that fail."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from conftest import Cli
from places import ROOT

from pddl_pipeline.pddl_domains import domain_folder, domain_names

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


def install(site: Path, name: str, entries: str, **modules: str) -> None:
    """Write a distribution as pip installs it: its metadata and its modules."""
    info = site / f"{name.replace('-', '_')}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(entries)
    for module, text in modules.items():
        (site / f"{module}.py").write_text(text)


def environment(site: Path) -> dict[str, str]:
    path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path}


PLANNER = "from pddl_pipeline.planners.planner import Planner\n"
MISSING = "from pathlib import Path\nFOLDER = Path('no', 'such')\n"
FAULTS = {
    "syntax": ("planners", "def broken(:\n", "SyntaxError: "),
    "import": ("formats", "import no_such_package\n", "No module named 'no_such_package'"),
    "exit": ("generators", "raise SystemExit('I leave')\n", "SystemExit: I leave"),
    "leave": ("studies", "import sys\nprint('Bye')\nsys.exit()\n", "fails, SystemExit, studies"),
    "constant": ("planners", "PLANERS = ()\n", "strange_constant has no PLANNERS"),
    "text": ("planners", "PLANNERS = 'lama'\n", "PLANNERS: found str, expected Planner"),
    "list": ("questions", "KINDS = []\n", "KINDS: found list, expected Kind"),
    "class": ("planners", f"{PLANNER}PLANNERS = Planner\n", "found type, expected Planner"),
    "number": ("rewards", "REWARDS = (3,)\n", "REWARDS: found int, expected Reward"),
    "pair": ("statements", "STATEMENTS = (('ferry', 'x'),)\n", "found tuple, expected str, str, "),
    "folder": ("domains", None, "strange_folder has no FOLDER, the path of the domain's folder"),
    "nowhere": ("domains", MISSING, "strange_nowhere: no/such contains no domain.pddl"),
    "ferry": ("domains", "import no_such_package\n", "No module named 'no_such_package'"),
    "missing": ("baselines", "", "has no BASELINES"),
    "group": ("planers", "", "unknown group 'pddl_pipeline.planers'; did you mean"),
    "chatty": ("planners", f"{PLANNER}print('{{}}', flush=True)\nPLANNERS = ()\n",
               "ok, planners from strange-chatty, prints when imported: {}"),
}  # fmt: skip


@pytest.fixture(scope="module")
def with_faults(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return what `doctor` and `domains --json` print with all faults installed."""
    site = tmp_path_factory.mktemp("site")
    translator = (EXAMPLE / "src" / "pddl_pipeline_lights" / "translator.py").read_text()
    without_folder = translator.replace("FOLDER", "FOLDRE")
    for name, (group, text, _) in FAULTS.items():
        module = without_folder if text is None else text
        if text == MISSING:
            module = translator.replace("FOLDER =", "LIGHTS =") + text
        entries = f"[pddl_pipeline.{group}]\n{name} = strange_{name}\n"
        install(site, f"strange-{name}", entries, **{f"strange_{name}": module})
    install(site, "strange-entry", "[pddl_pipeline.domains]\nabsent = no_such_module\n")
    install(site, "strange-file", "[pddl_pipeline.domains]\nlights\n")
    printed = []
    for command in (["doctor"], ["domains", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "pddl_pipeline", *command], env=environment(site), cwd=site,
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        printed.append(done.stdout)
    return printed[0], printed[1]


@pytest.mark.parametrize("name", FAULTS)
def test_doctor_names_a_plugin_that_fails(with_faults: tuple[str, str], name: str) -> None:
    (line,) = (x for x in with_faults[0].splitlines() if x.startswith(f"plug-in {name}:"))
    group, _, fault = FAULTS[name]
    assert fault in line
    assert f"{group} from strange-{name}" in line
    assert (" fails, " in line) == (name != "chatty")


def test_doctor_names_entry_points_that_lead_nowhere(with_faults: tuple[str, str]) -> None:
    lines = with_faults[0].splitlines()
    (absent,) = (line for line in lines if line.startswith("plug-in absent:"))
    assert "No module named 'no_such_module', domains from strange-entry" in absent
    (file,) = (line for line in lines if line.startswith("plug-in entry_points.txt:"))
    assert "found a line without '=' in entry_points.txt" in file
    assert "strange-file" in file


def test_plugins_that_fail_break_no_other_command(with_faults: tuple[str, str]) -> None:
    listed = [json.loads(line) for line in with_faults[1].splitlines()]
    assert any(each.get("planner") == "lama-first" for each in listed)
    assert {each["domain"] for each in listed if "domain" in each} == set(domain_names())
    # The checks of the engines ran, too.
    assert any(line.startswith("up-fast-downward:") for line in with_faults[0].splitlines())


DUPLICATES = {
    "planners": (f"{PLANNER}PLANNERS = (Planner(name='lama', about='', distribution='x'),)\n",
                 "two planners have the name 'lama'", ("domains",)),
    "baselines": ("from pddl_pipeline.planners.baselines.random_steps import BASELINES\n",
                  "two baselines have the name 'random'", ("domains",)),
    "rewards": ("from pddl_pipeline.planners.baselines.rewards.log_file import REWARDS\n",
                "two rewards have the name 'file'",
                ("solve", "DOMAIN", "PROBLEM", "--planner", "cats:nodes=5")),
    "formats": ("from pddl_pipeline.translators.formats.pddl import FORMATS\n",
                "two formats have the name 'pddl'", ("translate", "DATA", "-o", "out")),
    "studies": ("from pddl_pipeline.studies.cats.table1 import STUDIES\n",
                "two studies have the name 'cats-table1'", ("reproduce",)),
    "statements": (("from pddl_pipeline.translators.text import Statement\n"
                   "text = lambda instance, task: ''\n"
                   "STATEMENTS = (('ferry', 'simplan', Statement(text, text, {})),)\n"),
                   "two statements of ferry have the name 'simplan'", ("prompt", "DATA")),
}  # fmt: skip
FERRY = domain_folder("ferry")
PLACES = {
    "DATA": str(FERRY / "examples.jsonl"),
    "DOMAIN": str(FERRY / "domain.pddl"),
    "PROBLEM": str(FERRY / "p01.pddl"),
}


@pytest.mark.parametrize("group", DUPLICATES)
def test_a_name_that_exists_is_an_error_with_both_distributions(
    cli: Cli, tmp_path: Path, group: str
) -> None:
    text, fault, command = DUPLICATES[group]
    entries = f"[pddl_pipeline.{group}]\nodd = strange_module\n"
    install(tmp_path / "site", "strange", entries, strange_module=text)
    done = cli(*(PLACES.get(word, word) for word in command), env=environment(tmp_path / "site"))
    assert (done.status, done.out) == (2, "")
    assert done.err == f"error: {fault}: one from pddl-pipeline, one from strange\n"


def test_doctor_and_commands_name_two_plugins_with_the_same_name(cli: Cli, tmp_path: Path) -> None:
    site = tmp_path / "site"
    source = EXAMPLE / "src" / "pddl_pipeline_lights"
    shutil.copytree(source, site / "pddl_pipeline_lights")
    planner = f"{PLANNER}PLANNERS = (Planner(name='mine', about='', distribution='x'),)\n"
    for name in ("one", "two"):
        entries = (
            "[pddl_pipeline.domains]\nlights = pddl_pipeline_lights.translator\n"
            f"[pddl_pipeline.planners]\nmine = planner_{name}\n"
        )
        install(site, f"strange-{name}", entries, **{f"planner_{name}": planner})
    done = cli("doctor", env=environment(site))
    assert done.status == 0
    faults = [line.split("fails, ")[1] for line in done.out.splitlines() if "fails, " in line]
    both = "one from strange-one, one from strange-two; fix: uninstall one of them"
    assert faults == [
        f"two planners have the name 'mine': {both}",
        f"two domains have the name 'lights': {both}",
    ]
    done = cli("domains", env=environment(site))
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "one from strange-one, one from strange-two" in done.err


STUDY = """
from pddl_pipeline.studies.study import Study
from pddl_pipeline.studies.study_result import StudyResult
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
from pddl_pipeline.planners.baselines.rewards.reward import Reward, Score
class Alphabetical:
    def scores(self, situation, options):
        return [Score(-float(sorted(options, key=str).index(each))) for each in options]
REWARDS = (Reward('alphabet', 'prefers the first names', lambda settings, given: Alphabetical()),)
"""
STATEMENT = """
from pddl_pipeline.translators.text import Statement, Style
style = Style(lambda plan, instance, task: 'done')
text = lambda instance, task: 'Cars cross a river.'
STATEMENTS = (('ferry', 'river', Statement(text, text, {'io': style})),)
"""
ENTRIES = """
[pddl_pipeline.studies]
mine = mine_studies
[pddl_pipeline.baselines]
mine = mine_baselines
[pddl_pipeline.rewards]
mine = mine_rewards
[pddl_pipeline.statements]
mine = mine_statements
"""
USES = {
    "a study": ("reproduce mine-table1 -o out", 0, "none whatever"),
    "a study in the list": ("reproduce", 0, "mine-table1"),
    "a baseline": (
        "solve DOMAIN PROBLEM --planner idle:steps=7 --json",
        1,
        "Gave up: no plan of 7 steps",
    ),
    "a baseline in the list": ("domains", 0, "never searches (from my-methods)"),
    "a reward": ("solve DOMAIN PROBLEM --planner cats:reward=alphabet", 0, "(board "),
    "a statement": ("prompt DATA --statement river", 0, "Cars cross a river."),
}


@pytest.fixture(scope="module")
def methods(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a distribution of a study, a baseline, a reward and a statement."""
    site = tmp_path_factory.mktemp("methods")
    install(site, "my-methods", ENTRIES, mine_studies=STUDY, mine_baselines=BASELINE,
            mine_rewards=REWARD, mine_statements=STATEMENT)  # fmt: skip
    return site


@pytest.mark.parametrize("use", USES)
def test_what_a_plugin_adds_is_used(cli: Cli, methods: Path, use: str) -> None:
    command, status, words = USES[use]
    done = cli(*(PLACES.get(x, x) for x in command.split()), env=environment(methods))
    assert done.status == status, done.err
    assert words in done.out
