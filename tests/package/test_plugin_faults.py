"""Plug-ins that fail, and plug-ins with the name of another one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command_line import Cli, check_mistake
from plugin_sites import EXAMPLE, PLACES, PLANNER, environment, install, run_lines

from pddl_pipeline.pddl_domains import domain_names

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
    "unstartable": ("planners", f"{PLANNER}PLANNERS = (Planner('a', '', ''),)\n", "'command'"),
    "feature": ("planners", f"{PLANNER}PLANNERS = (Planner('a', '', '', tuple, {{'time'}}),)\n",
                "a: unknown features: time"),
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


CHECKS = """
def check_licence():
    yield "licence", "missing; fix: ask for one"

def check_nothing():
    raise RuntimeError("no licence server")
    yield

CHECKS = (check_licence, check_nothing)
"""


@pytest.fixture(scope="module")
def with_faults(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return what `doctor` and `list` print with all faults installed."""
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
    install(
        site, "strange-checks", "[pddl_pipeline.checks]\nmine = mine_checks\n", mine_checks=CHECKS
    )
    doctor, listed = run_lines(environment(site), site, "doctor", "list")
    assert (doctor.status, doctor.err, listed.status, listed.err) == (0, "", 0, "")
    return doctor.out, listed.out


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
    listed = {line.split()[0] for line in with_faults[1].splitlines()}
    assert {"lama-first", *domain_names()} <= listed
    # The checks of the engines ran, too.
    assert any(line.startswith("up-fast-downward:") for line in with_faults[0].splitlines())


DUPLICATES = {
    "planners": (f"{PLANNER}PLANNERS = (Planner('lama', '', 'x', command=tuple),)\n",
                 "two planners have the name 'lama'", ("list",)),
    "baselines": ("from pddl_pipeline.planners.baselines.random import BASELINES\n",
                  "two baselines have the name 'random'", ("list",)),
    "rewards": ("from pddl_pipeline.papers.rewards import REWARDS\n",
                "two rewards have the name 'none'",
                ("solve", "DOMAIN", "PROBLEM", "--planner", "cats:nodes=5")),
    "formats": ("from pddl_pipeline.translators.formats.pddl import FORMATS\n",
                "two formats have the name 'pddl'", ("translate", "DATA", "-o", "out")),
    "studies": ("from pddl_pipeline.papers.cats.table1 import STUDIES\n",
                "two studies have the name 'cats-table1'", ("reproduce",)),
    "statements": (("from pddl_pipeline.prompts.statement import Statement\n"
                   "text = lambda instance, task: ''\n"
                   "STATEMENTS = (('ferry', 'simplan', Statement(text, text, {})),)\n"),
                   "two statements of ferry have the name 'simplan'", ("prompt", "DATA")),
}  # fmt: skip


@pytest.mark.parametrize(
    "group",
    [
        name
        if name in ("planners", "formats", "statements")
        else pytest.param(name, marks=pytest.mark.long)
        for name in DUPLICATES
    ],
)
def test_a_name_that_exists_is_an_error_with_both_distributions(
    cli: Cli, tmp_path: Path, group: str
) -> None:
    text, fault, command = DUPLICATES[group]
    entries = f"[pddl_pipeline.{group}]\nodd = strange_module\n"
    install(tmp_path / "site", "strange", entries, strange_module=text)
    done = cli(*(PLACES.get(word, word) for word in command), env=environment(tmp_path / "site"))
    assert (done.status, done.out) == (2, "")
    assert done.err == f"error: {fault}: one from pddl-pipeline, one from strange\n"


def test_doctor_prints_the_checks_of_plugins(with_faults: tuple[str, str]) -> None:
    lines = with_faults[0].splitlines()
    assert f"{'licence:':<25} missing; fix: ask for one" in lines
    assert f"{'check_nothing:':<25} fails, no licence server" in lines


def test_doctor_and_commands_name_two_plugins_with_the_same_name(tmp_path: Path) -> None:
    site = tmp_path / "site"
    source = EXAMPLE / "src" / "pddl_pipeline_lights"
    shutil.copytree(source, site / "pddl_pipeline_lights")
    planner = f"{PLANNER}PLANNERS = (Planner('mine', '', 'x', command=tuple),)\n"
    for name in ("one", "two"):
        entries = (
            "[pddl_pipeline.domains]\nlights = pddl_pipeline_lights.translator\n"
            f"[pddl_pipeline.planners]\nmine = planner_{name}\n"
        )
        install(site, f"strange-{name}", entries, **{f"planner_{name}": planner})
    done, listed = run_lines(environment(site), site, "doctor", "list")
    assert done.status == 0
    faults = [line.split("fails, ")[1] for line in done.out.splitlines() if "fails, " in line]
    both = "one from strange-one, one from strange-two; fix: uninstall one of them"
    assert faults == [
        f"two planners have the name 'mine': {both}",
        f"two domains have the name 'lights': {both}",
    ]
    check_mistake(listed, "one from strange-one, one from strange-two")
