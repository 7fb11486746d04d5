"""User-defined planners: commands, files of planners, and engines of Unified Planning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Cli, CliHere, json_lines, write_script
from places import PROGRAM
from planner_outcomes import command_of

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.command_planner import EXAMPLE, read_planners
from pddl_pipeline.planners.registry import planner_named, planner_version

FOLDER = domain_folder("blocksworld")
DOMAIN, PROBLEM, PLAN = (FOLDER / name for name in ("domain.pddl", "p01.pddl", "p01.plan"))
OUTPUTS = Path(__file__).parent.parent / "validation" / "planner_output"
GOOD = repr(str(PLAN))
Script = Callable[[str], Path]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Write an executable Python script, whose arguments are those of the command."""

    def write(body: str) -> Path:
        file = tmp_path / "planner.py"
        plan = "plan = sys.argv[-1]"
        write_script(file, f"#!{sys.executable}\nimport os, shutil, sys, time\n{plan}\n{body}\n")
        return file

    return write


COPY = f"shutil.copy({GOOD}, plan)"
CASES = {
    "a plan": (COPY, "{plan}", "valid"),
    "a printed plan": (f"print(open({GOOD}).read())", "", "valid"),
    "a plan among words": (
        f"print('start'); print(open({GOOD}).read()); print('done')", "{domain}", "valid"
    ),
    "output of FF": (f"print(open({str(OUTPUTS / 'ff' / 'output')!r}).read())", "", "valid"),
    "output of LPG": (
        f"print(open({str(OUTPUTS / 'lpg-without-heading' / 'output')!r}).read())", "", "valid"
    ),
    "a plan and an error": (f"{COPY}; sys.exit(3)", "{plan}", "valid"),
    "a link to a plan": (f"os.symlink({GOOD}, plan)", "{plan}", "valid"),
    # The second numbered file is the better plan.
    "two plans": (
        f"open(plan + '.1', 'w').write('(pick-up b1)')\nshutil.copy({GOOD}, plan + '.2')",
        "{plan}", "valid",
    ),
    "a plan that fails": ("open(plan, 'w').write('(pick-up b1)')", "{plan}", "invalid"),
    "an empty plan": ("open(plan, 'w').close()", "{plan}", "invalid"),
    "garbage": ("open(plan, 'wb').write(bytes(range(256)) * 99)", "{plan}", "malformed"),
    "another domain": (
        "open(plan, 'w').write('(sail l0 l1)')", "{plan}", "malformed", "unknown action 'sail'"
    ),
    "nothing": ("pass", "{plan}", "gave-up"),
    "nothing printed": ("print('no plan here')", "", "gave-up"),
    "words of the command": (
        "assert sys.argv[1:] == ['{7}', 'a=cmd:b', '9', '64', os.getcwd()], sys.argv",
        "'{{7}}' a=cmd:b {time_s} {memory_mb} {dir}", "gave-up",
    ),
    "a pipe": ("os.mkfifo(plan)", "{plan}", "gave-up"),
    "a device": ("os.symlink('/dev/zero', plan)", "{plan}", "gave-up"),
    "a circle": ("os.symlink(plan, plan)", "{plan}", "gave-up"),
    "closed output": (
        "os.closerange(0, 3); time.sleep(300)", "{plan}", "timeout", "(time limit)"
    ),
    "an error": ("sys.exit('no such option')", "{plan}", "crash", "no such option"),
    "an error without a plan file": ("raise ValueError('x')", "", "crash", "ValueError: x"),
    # A shell script that redirects output leaves an empty file, which is no claim if it fails.
    "an empty plan and an error": ("open(plan, 'w').close(); sys.exit(3)", "{plan}", "crash"),
    "a signal": ("os.kill(os.getpid(), 9)", "{plan}", "crash", "signal 9 (SIGKILL)"),
    "a plan of 500 MB": (
        "open(plan, 'w').truncate(500_000_000)", "{plan}", "crash",
        "its plan has 500,000,000 bytes",
    ),
    "no right to read": (
        "open(plan, 'w').write('(pick-up b1)'); os.chmod(plan, 0)", "{plan}", "crash",
        "its plan cannot be read",
    ),
}  # fmt: skip
SAYS = {"valid": "the plan is valid", "gave-up": "the planner ended without a plan"}
"""The end of the line on standard error, if a case does not name a part of it."""
STATUSES = {"valid": 0, "crash": 3}


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("name", CASES)
def test_a_command_has_its_outcome_in_one_line(
    cli_here: CliHere, script: Script, tmp_path: Path, name: str
) -> None:
    if name == "no right to read" and os.getuid() == 0:
        pytest.skip("the super-user may read every file")
    body, command, result, *says = CASES[name]
    script(body)
    limits = ("--memory-limit", "64M") if "{memory_mb}" in command else ()
    done = cli_here(
        "solve", DOMAIN, PROBLEM, "--planner", f"mine=cmd:./planner.py {command}", "--json",
        "--time-limit", "1s" if result == "timeout" else "9s", *limits, cwd=tmp_path,
    )  # fmt: skip
    found = json.loads(done.out)
    assert (found["planner"], found["status"] or found["outcome"]) == ("mine", result)
    assert (found["outcome"] == "plan-found") == (found["status"] is not None)
    assert done.status == STATUSES.get(result, 1)
    assert done.err.count("\n") == 1
    assert (says or [SAYS.get(result, "")])[0] in done.err


PRINT_ENVIRONMENT = """
print({name: value for name, value in os.environ.items() if value.startswith('sk-')})
print(open(f'/proc/{os.getppid()}/environ').read())
"""


def test_a_planner_receives_the_secrets_that_its_file_names(
    cli_process: Cli, script: Script, tmp_path: Path
) -> None:
    program = script(PRINT_ENVIRONMENT)
    names = ("OPENAI_API_KEY", "MY_TOKEN", "Db_Password", "PLAIN")
    secrets = {name: f"sk-{name.lower()}-0123456789" for name in names}
    (tmp_path / "planners.toml").write_text(
        f"""[[planners]]
name = "open"
command = "{program} {{domain}}"
secrets = ["MY_TOKEN"]
"""
    )
    cli_process(
        "run", PROBLEM, "--planners", tmp_path / "planners.toml", "--planner", "open",
        "--planner", f"x=cmd:{program} {{domain}}", "-o", tmp_path / "store",
        env={**os.environ, **secrets},
    )  # fmt: skip
    expected = {"x": {"PLAIN"}, "open": {"PLAIN", "MY_TOKEN"}}
    for run in json_lines(tmp_path / "store" / "runs.jsonl"):
        log = (tmp_path / "store" / run["log"]).read_text()
        printed = log.splitlines()[0]
        assert {name for name in names if name in printed} == expected.pop(run["planner"])
        # The environment of the process above has the keys; the log has none.
        assert secrets["OPENAI_API_KEY"] not in log
        assert "(OPENAI_API_KEY)" in log
    assert not expected


NOT_PROGRAMS = {
    "text": ("just text", "Exec format error; a script starts with a line such as #!/bin/sh"),
    "nothing": ("", "Exec format error"),
    "a missing interpreter": ("#!/no/such/interpreter\n", "No such file or directory; or the"),
    "an interpreter of DOS": ("#!/bin/sh\r\n", "No such file or directory; or the interpreter"),
}


@pytest.mark.parametrize("name", NOT_PROGRAMS)
def test_a_file_that_is_no_program_is_a_crash(
    cli_here: CliHere, script: Script, tmp_path: Path, name: str
) -> None:
    text, reason = NOT_PROGRAMS[name]
    file = script("")
    file.write_text(text)
    command = ("solve", DOMAIN, PROBLEM, "--planner", "mine=cmd:./planner.py {plan}")
    done = cli_here(*command, cwd=tmp_path)
    assert (done.status, done.out) == (3, "")
    assert "mine: crash in 0.0" in done.err
    assert f"the planner cannot be started: {file}: {reason}" in done.err
    assert done.err.count("\n") == 1


# A process starts with the memory of the one that starts it, and a worker of the tests is large.
MEASURE = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)
"""
"""Runs a command and prints the memory of its largest process, in KiB."""


@pytest.mark.long
def test_what_is_kept_of_a_long_output_is_bounded(script: Script, tmp_path: Path) -> None:
    """Run in a separate process, and measure its memory."""
    size = 500 << 20
    script(
        f"block = b'all work and no play\\n' * 50_000\n"
        f"for _ in range({size} // len(block)): os.write(1, block)\nprint('the last line')"
    )
    (tmp_path / "data.jsonl").write_text((FOLDER / "examples.jsonl").read_text().splitlines()[0])
    planner = "mine=cmd:./planner.py {plan}"
    command = [PROGRAM, "run", "data.jsonl", "--planner", planner, "-j", "1", "-o", "r"]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.splitlines()[-1]) < 400 * 1024
    (log,) = (tmp_path / "r").glob("logs/*/*/engine.log")
    text = log.read_bytes()
    assert len(text) < 9 << 20
    assert text.startswith(b"all work and no play\n")
    assert text.endswith(b"the last line\n")
    left_out = int(text.split(b"\n... ")[1].split(b" bytes left out")[0])
    assert abs(left_out + len(text) - size) < 1 << 20


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
        ("mine:timeout=ten=cmd:true", "found 'timeout=ten', expected keys of a file"),
        ("mine:timeout=['11']=cmd:true", "Expected `int`, got `str`"),
        ("mine:crash=[1]=cmd:true", "unknown field `crash`"),
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
    data = FOLDER / "examples.jsonl"
    done = cli_here("run", data, "-o", "r", "--planner", planner, cwd=tmp_path)
    assert done.status == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "r" / "runs.jsonl").exists()


@pytest.mark.parametrize("start", ["./planner.py", f"{sys.executable} planner.py"])
def test_run_resumes_until_the_planner_changes(cli: Cli, script: Script, start: str) -> None:
    """The key of a run has the content of the executable, and of the script that it runs."""
    planner = f"mine=cmd:{start} {{plan}}"
    command = (
        "run",
        PROBLEM,
        "--domain",
        DOMAIN,
        "--planner",
        planner,
        "-o",
        "r",
        "--time-limit",
        "9s",
    )
    script("pass")
    first = cli(*command)
    assert first.status == 0, first.err
    assert "already in the store" not in first.err
    assert "already in the store" in cli(*command).err
    script("pass  # changed")
    assert "already in the store" not in cli(*command).err


def test_a_command_is_that_of_the_callers_folder_and_of_its_files(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process, such as a notebook's, notices another folder and another executable."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.txt").write_text("weights")
    own = "own=cmd:./planner.py model.txt other.txt -x"
    by_interpreter = "other=cmd:sh planner.py {plan} " + "long " * 99 + f"'{'x' * 5000}'"
    file = script("pass")
    first = [planner_named(text) for text in (own, by_interpreter)]
    assert command_of(first[0]).words() == (
        str(file),
        str(tmp_path / "model.txt"),
        "other.txt",
        "-x",
    )
    script("pass  # a second version")
    second = [planner_named(text) for text in (own, by_interpreter)]
    for one, other in zip(first, second, strict=True):
        assert one.version != other.version
        assert one.options != other.options
    monkeypatch.chdir("/")
    again = planner_named(second[0].reference)
    assert (command_of(again).words(), again.options) == (
        command_of(second[0]).words(),
        second[0].options,
    )
    (tmp_path / "other").mkdir()
    file.rename(tmp_path / "other" / "planner.py")
    monkeypatch.chdir(tmp_path / "other")
    assert command_of(planner_named(own)).words()[0] == str(tmp_path / "other" / "planner.py")


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
        ("[[planners]]\nname = 'a'\ncommand = 'true'\ntimeout = ['11']", "Expected `int`"),
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
    ("status", "outcome"),
    [
        (10, "claims-unsolvable"), (11, "timeout"), (12, "timeout"), (14, "gave-up"),
        (13, "unsupported"), (22, "memout"), (9, "crash"), (0, "gave-up"), (111, "crash"),
    ],
)  # fmt: skip
def test_exit_statuses_are_outcomes_by_the_command_or_the_file(
    cli: Cli, script: Script, tmp_path: Path, status: int, outcome: str
) -> None:
    script(f"print('timeout'); sys.exit({status})")
    statuses = {
        "unsolvable": [10], "timeout": [11, 12], "unsupported": [13], "gave_up": [14],
        "out_of_memory": [22],
    }  # fmt: skip
    lines = "".join(f"{name} = {numbers}\n" for name, numbers in statuses.items())
    command = "./planner.py {plan}"
    (tmp_path / "p.toml").write_text(f"[[planners]]\nname='mine'\ncommand='{command}'\n{lines}")
    given = ",".join(f"{name}={numbers}" for name, numbers in statuses.items())
    for options in (("--planners", "p.toml"), ("--planner", f"mine:{given}=cmd:{command}")):
        done = cli("solve", DOMAIN, PROBLEM, *options, "--time-limit", "10s", "--json")
        found = json.loads(done.out)
        assert (found["planner"], found["outcome"]) == ("mine", outcome)


@pytest.mark.parametrize(
    ("planner", "status", "words"),
    [
        ("fd:astr(blind())", 2, "Plugin 'astr' is not defined"),
        ("up:tamer:weigth=3", 3, "weigth"),
    ],
)
def test_an_engine_that_rejects_its_settings_says_so(
    cli_here: CliHere, tmp_path: Path, planner: str, status: int, words: str
) -> None:
    done = cli_here("solve", DOMAIN, PROBLEM, "--planner", planner, cwd=tmp_path)
    assert (done.status, done.out) == (status, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1


def test_an_engine_of_unified_planning(cli: Cli) -> None:
    done = cli("solve", DOMAIN, PROBLEM, "--planner", "up:pyperplan", "--json")
    found = json.loads(done.out)
    assert (found["planner"], found["status"]) == ("up:pyperplan", "valid")


def test_settings_reach_an_engine() -> None:
    planner = planner_named("up:tamer:weight=0.8,heuristic=hadd")
    assert planner.engine is not None
    assert planner.engine.parameters == {"weight": 0.8, "heuristic": "hadd"}
    assert os.sep not in planner.distribution
