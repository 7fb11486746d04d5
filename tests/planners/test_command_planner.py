"""User-defined planners: commands, files of planners, and engines of Unified Planning."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Cli, CliHere

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.command_planner import EXAMPLE, read_planners
from pddl_pipeline.planners.registry import planner_named, planner_version

FOLDER = domain_folder("blocksworld")
DOMAIN, PROBLEM, PLAN = (FOLDER / name for name in ("domain.pddl", "p01.pddl", "p01.plan"))
OUTPUTS = Path(__file__).parent.parent / "validation" / "planner_output"
Script = Callable[[str], Path]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Write an executable Python script, whose arguments are those of the command."""

    def write(body: str) -> Path:
        file = tmp_path / "planner.py"
        file.write_text(f"#!{sys.executable}\nimport os, shutil, sys, time\n{body}\n")
        file.chmod(0o755)
        return file

    return write


COPY = f"shutil.copy({str(PLAN)!r}, sys.argv[1])"


@pytest.mark.parametrize(
    ("body", "command", "outcome", "status"),
    [
        (COPY, "{plan}", "plan-found", "valid"),
        (f"print(open({str(PLAN)!r}).read())", "", "plan-found", "valid"),
        (f"print('start'); print(open({str(PLAN)!r}).read()); print('done')", "{domain}",
         "plan-found", "valid"),
        (f"print(open({str(OUTPUTS / 'ff' / 'output')!r}).read())", "", "plan-found", "valid"),
        (f"print(open({str(OUTPUTS / 'lpg-without-heading' / 'output')!r}).read())", "",
         "plan-found", "valid"),
        (f"{COPY}; sys.exit(3)", "{plan}", "plan-found", "valid"),
        ("pass", "{plan}", "gave-up", None),
        ("pass", "", "gave-up", None),
        ("print('no plan here')", "", "gave-up", None),
        ("sys.exit(3)", "{plan}", "crash", None),
        ("raise ValueError('x')", "", "crash", None),
        # A shell script that redirects output leaves an empty file, which is no claim if it fails.
        ("open(sys.argv[1], 'w').close(); sys.exit(3)", "{plan}", "crash", None),
        ("open(sys.argv[1], 'w').close()", "{plan}", "plan-found", "invalid"),
        ("open(sys.argv[1], 'w').write('(pick-up b1)')", "{plan}", "plan-found", "invalid"),
        # The second numbered file is the better plan.
        (("open(sys.argv[1] + '.1', 'w').write('(pick-up b1)')\n"
         f"shutil.copy({str(PLAN)!r}, sys.argv[1] + '.2')"), "{plan}", "plan-found", "valid"),
        ("assert sys.argv[1:] == ['{7}', '9', '64', os.getcwd()], sys.argv", ("'{{7}}' {time_s} "
         "{memory_mb} {dir}"), "gave-up", None),
    ],
)  # fmt: skip
def test_outcomes(
    cli_here: CliHere,
    script: Script,
    tmp_path: Path,
    body: str,
    command: str,
    outcome: str,
    status: str | None,
) -> None:
    script(body)
    limits = ("--memory-limit", "64M") if "{memory_mb}" in command else ()
    done = cli_here(
        "solve", DOMAIN, PROBLEM, "--planner", f"mine=cmd:./planner.py {command}", "--json",
        "--time-limit", "9s", *limits, cwd=tmp_path,
    )  # fmt: skip
    found = json.loads(done.out.splitlines()[0])
    assert (found["planner"], found["outcome"], found["status"]) == ("mine", outcome, status)
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("planner", "words"),
    [
        ("mine=cmd:./missing {plan}", "'./missing' is not an executable file"),
        ("mine=cmd:missing-planner {plan}", "is not an executable file on PATH"),
        ("mine=cmd:./plain.txt {plan}", "is not an executable file"),
        ("mine=cmd:./folder {plan}", "the command './folder' is not an executable file"),
        ("mine=cmd:", "found no command"),
        ("mine=cmd:true '", "cannot be split"),
        ("mine=cmd:true {domian}", "found '{domian}' in the command, expected one of {domain}"),
        ("mine=cmd:true {}", "found '{}' in the command"),
        ("mine=cmd:true -d={domain {problem}", "found '-d={domain' in the command"),
        ("mine=cmd:true -d=domain}", "found '-d=domain}' in the command"),
        ("cmd:./plain.txt {plan}", "a command is given as NAME=cmd:COMMAND"),
        ("./plain.txt {domain}", "'./plain.txt {domain}'; a command is given as NAME=cmd:COMMAND"),
        ("mine=./plain.txt {domain}", "a command is given as NAME=cmd:COMMAND"),
        ("lama=cmd:true", "choose another"),
        ("a b=cmd:true", "invalid name"),
        ("up:tamr", "did you mean 'tamer'"),
        ("up:sequential_simulator", "that finds plans"),
        ("up:tamer:weight", "expected KEY=VALUE"),
    ],
)
def test_a_planner_that_cannot_be_is_one_line_before_the_first_run(
    cli_here: CliHere, tmp_path: Path, planner: str, words: str
) -> None:
    (tmp_path / "plain.txt").write_text("x")
    (tmp_path / "folder").mkdir()
    for command in (("solve", DOMAIN, PROBLEM), ("run", FOLDER / "examples.jsonl", "-o", "r")):
        done = cli_here(*command, "--planner", planner, cwd=tmp_path)
        assert done.status == 2
        assert words in done.err
        assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "r" / "runs.jsonl").exists()


@pytest.mark.parametrize("start", ["./planner.py", f"{sys.executable} planner.py"])
def test_run_resumes_until_the_planner_changes(cli: Cli, script: Script, start: str) -> None:
    """The key of a run has the content of the executable, and of the script that it runs."""
    data = FOLDER / "examples.jsonl"
    planner = f"mine=cmd:{start} {{plan}}"
    command = ("run", data, "--planner", planner, "-o", "r", "--time-limit", "9s")
    script("pass")
    first = cli(*command)
    assert first.status == 0, first.err
    assert "already in the store" not in first.err
    assert "already in the store" in cli(*command).err
    script("pass  # changed")
    assert "already in the store" not in cli(*command).err
    report = cli("report", "r", "--json")
    assert "mine" in report.out


def test_a_relative_executable_is_the_callers(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = script("pass")
    monkeypatch.chdir(file.parent)
    (file.parent / "model.txt").write_text("weights")
    planner = planner_named("relative=cmd:./planner.py model.txt other.txt -x")
    assert planner.command is not None
    assert planner.command() == (
        str(file), str(file.parent / "model.txt"), "other.txt", "-x"
    )  # fmt: skip
    monkeypatch.chdir("/")
    again = planner_named(planner.reference)
    assert again.command is not None
    assert again.command() == planner.command()
    assert again.options == planner.options


def test_one_process_notices_another_folder_and_another_executable(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook."""
    monkeypatch.chdir(tmp_path)
    text = "same=cmd:./planner.py {plan}"
    by_interpreter = "other=cmd:sh planner.py {plan} " + "long " * 99 + f"'{'x' * 5000}'"
    script("pass")
    first, first_run = planner_named(text), planner_named(by_interpreter)
    script("pass  # a second version")
    second, second_run = planner_named(text), planner_named(by_interpreter)
    assert first.version != second.version
    assert first_run.version != second_run.version
    assert first_run.options != second_run.options
    (tmp_path / "other").mkdir()
    (tmp_path / "planner.py").rename(tmp_path / "other" / "planner.py")
    monkeypatch.chdir("other")
    third = planner_named(text)
    assert third.command is not None
    assert third.command()[0] == str(tmp_path / "other" / "planner.py")


def test_the_example_of_a_file_is_read(cli: Cli, script: Script, tmp_path: Path) -> None:
    assert cli("new", "planners").out == EXAMPLE
    script(f"{COPY}; print('Expanded 17 states')")
    text = EXAMPLE.replace("./mine --version", "echo mine 1.2")
    text = text.replace(
        "./mine --domain {domain} --problem {problem} --out {plan} --time {time_s}",
        "./planner.py {plan}",
    )
    (tmp_path / "folder").mkdir()
    file = tmp_path / "folder" / "planners.toml"
    file.write_text(text)
    (tmp_path / "planner.py").rename(tmp_path / "folder" / "planner.py")
    done = cli("solve", DOMAIN, PROBLEM, "--planners", "folder/planners.toml", "--json")
    found = json.loads(done.out)
    assert (found["planner"], found["status"], found["expanded"]) == ("mine", "valid", 17)
    (planner,) = read_planners(file)
    assert planner_version(planner) == "mine 1.2"
    assert planner.features == {"costs"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("planners = 3", "expected tables"),
        ("", "found nothing"),
        ("[[planners]]\nname = 'a'", "missing required field `command`"),
        ("[[planners]]\nname = 'a'\ncommand = 7", "Expected `str`, got `int`"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\noptimal = 'no'", "Expected `bool`"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\nanyime = true", "unknown field `anyime`"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\nsupports = ['time']", "found 'time'"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\nunsolvable = '('", "regular expression"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\nplan_format = 'x'", "plan_format"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\nstatistics.expanded = 'n'", "0 groups"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\nstatistics.nodes = '(n)'", "found 'nodes'"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\nversion_command = 'false'", "no version"),
        ("[[planners]]\nname = 'a'\ncommand = 'true'\n" * 2, "two planners"),
        ("[[planners]\n", "is not TOML"),
    ],
)
def test_a_file_of_planners_with_a_mistake(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "planners.toml"
    file.write_text(text)
    with pytest.raises(InputError) as raised:
        read_planners(file)
    assert words in str(raised.value)
    assert str(file) in str(raised.value)


def test_claims_by_patterns(cli: Cli, script: Script, tmp_path: Path) -> None:
    script("print(sys.argv[1])")
    (tmp_path / "p.toml").write_text(
        "[[planners]]\nname = 'mine'\nunsolvable = 'no plan exists'\nout_of_memory = 'bad_alloc'\n"
        "command = './planner.py {plan}'\n"
    )
    texts = {"no plan exists": "claims-unsolvable", "std::bad_alloc": "memout", "x": "gave-up"}
    for text, outcome in texts.items():
        script(f"print({text!r})")
        done = cli("solve", DOMAIN, PROBLEM, "--planners", "p.toml", "--json")
        assert json.loads(done.out)["outcome"] == outcome


@pytest.mark.parametrize(
    ("planner", "status", "words"),
    [
        ("fd:astar(", 2, "input-error in "),
        ("fd:astr(blind())", 2, "Plugin 'astr' is not defined"),
        ("up:tamer:weigth=3", 3, "weigth"),
        ("up:tamer:weight=abc", 3, "the planner ended with exit status 1: TypeErr"),
    ],
)
def test_an_engine_that_rejects_its_settings_says_so(
    cli_here: CliHere, tmp_path: Path, planner: str, status: int, words: str
) -> None:
    done = cli_here("solve", DOMAIN, PROBLEM, "--planner", planner, cwd=tmp_path)
    assert (done.status, done.out) == (status, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("engine", ["up:pyperplan", "up:fast-downward"])
def test_an_engine_of_unified_planning(cli: Cli, engine: str) -> None:
    done = cli("solve", DOMAIN, PROBLEM, "--planner", engine, "--json", "--time-limit", "60s")
    found = json.loads(done.out)
    assert (found["planner"], found["status"]) == (engine, "valid")


def test_an_engine_names_what_it_does_not_support(cli: Cli) -> None:
    folder = domain_folder("countdown")
    done = cli(
        "solve", folder / "domain.pddl", folder / "p01.pddl", "--planner", "up:pyperplan", "--json"
    )
    found = json.loads(done.out)
    assert found["outcome"] == "unsupported"
    assert "does not support" in found["reason"]


def test_settings_reach_an_engine() -> None:
    planner = planner_named("up:tamer:weight=0.8,heuristic=hadd")
    assert planner.engine is not None
    assert planner.engine.parameters == {"weight": 0.8, "heuristic": "hadd"}
    assert os.sep not in planner.distribution
