"""Mistakes of users: one line that names the place, status 2, and no file is written or changed."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import dask
import pytest
from command_line import check_mistake
from store_results import RESULT

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.store import result_to_json

if TYPE_CHECKING:
    from command_line import CliHere

COUNTDOWN, FERRY = domain_folder("countdown"), domain_folder("ferry")
DOMAIN, PROBLEM = ((COUNTDOWN / name).read_text() for name in ("domain.pddl", "p01.pddl"))
RECORD = '{"id": "a", "domain": "countdown", "numbers": [3, 4], "target": 7}\n'
ANSWER = '{"id": "ferry-2-0", "answer": "x"}\n'
TABLE = "task_id,response,model,attempt\nferry-2-0,x,m,1\n"
FILES = {
    "d.pddl": DOMAIN,
    "p.pddl": PROBLEM,
    "ok.plan": (COUNTDOWN / "p01.plan").read_text(),
    "empty": "",
    "prose": "Here is my domain.",
    "unbalanced.pddl": DOMAIN.rstrip()[:-1],
    "extra.pddl": DOMAIN + ")",
    "typo.pddl": DOMAIN.replace("(active ?b)", "(actve ?b)", 1),
    "section.pddl": DOMAIN.replace(":functions", ":fuctions"),
    "problem.pddl": PROBLEM.replace("(active n1)", "(active n9)"),
    "numbers.pddl": PROBLEM.replace("(= (targetvalue) 24)", "(= (targetvalue) x)"),
    "good.jsonl": RECORD,
    "text.jsonl": RECORD.replace("7", '"7"'),
    "negative.jsonl": RECORD.replace("7", "-7"),
    "field.jsonl": RECORD + RECORD.replace("target", "tagret").replace('"a"', '"b"'),
    "double.jsonl": RECORD + RECORD,
    "domain.jsonl": RECORD.replace("countdown", "countdwon"),
    "cut.jsonl": RECORD[:20],
    "used/thesis.tex": "x",
    "ferry.jsonl": (FERRY / "examples.jsonl").read_text(),
    "solved.jsonl": (FERRY / "solved.jsonl").read_text(),
    "ferry/domain.pddl": (FERRY / "domain.pddl").read_text(),
    "ferry/p01.pddl": (FERRY / "p01.pddl").read_text(),
    "ferry/p01.plan": (FERRY / "p01.plan").read_text(),
    "levels.jsonl": (FERRY / "solved.jsonl").read_text().replace("{", '{"difficulty": 1, ', 1),
    "a.csv": TABLE,
    "own.jsonl": ANSWER,
    "other.jsonl": ANSWER,
    "two.jsonl": '{"id": "a", "response": "x", "output": "y"}',
    "planbench.json": '{"instances": [{"instance_id": 7, "extracted_llm_plan": "(a)"}]}',
    "reply.jsonl": '{"id": "a", "reply": "x"}',
    "twice.csv": "id,id,answer\n1,2,3\n",
    "bad.parquet": "PAR1",
    "mine.toml": "[[planners]]\nname = 'mine'\ncommand = 'true'\n",
    "code.py": "",
    "log.txt": "",
    "store/runs.jsonl": json.dumps(result_to_json(RESULT)) + "\n",
}
EMPTY = "found an empty name, expected a file or folder"
READ = "is an input and would be overwritten"
TWICE = "is the file of two outputs and would be written twice"
STREAM = "only one of them can be standard "
NO_STREAM = "found '-', expected a folder; one of that name is ./-"
FIELDS = "found the fields attempt, model, response, task_id"
BUDGET = "budget-blocksworld --set costs=0000000001,1,1,1"
MISTAKES = {
    "validate": [
        ("'' p.pddl ok.plan", EMPTY),
        ("no.pddl p.pddl ok.plan", "no.pddl: cannot be read: No such file or directory"),
        ("folder p.pddl ok.plan", "folder: cannot be read: Is a directory"),
        ("empty p.pddl ok.plan", "empty:1:1: the file is empty, expected (define …)"),
        ("prose p.pddl ok.plan", "prose:1:1: found 'here', expected (define …)"),
        ("unbalanced.pddl p.pddl ok.plan", "unbalanced.pddl:1:1: found '(' without"),
        ("extra.pddl p.pddl ok.plan", "extra.pddl:41:1: found ')' without its '('"),
        (
            "typo.pddl p.pddl ok.plan",
            "typo.pddl:10:52: unknown predicate 'actve'; did you mean 'active'?",
        ),
        (
            "section.pddl p.pddl ok.plan",
            "section.pddl:6:4: unknown section ':fuctions'; did you mean ':functions'?",
        ),
        ("d.pddl problem.pddl ok.plan", "problem.pddl:4:127: unknown object 'n9'"),
        ("d.pddl numbers.pddl ok.plan", "numbers.pddl:4:47: 'x' is not a decimal number"),
        ("d.pddl p.pddl no.plan", "no.plan: cannot be read: No such file"),
        ("d.pddl p.pddl ok.plan --cross-check upp", "unknown validator 'upp'"),
        ("d.pddl p.pddl", "Missing argument 'PLAN...'"),
        ("- - ok.plan", f"'DOMAIN' and 'PROBLEM': {STREAM}input"),
        ("d.pddl p.pddl - -", f"{STREAM}input"),
    ],
    "translate": [
        ("good.jsonl -o ''", EMPTY),
        ("no.jsonl -o out", "no.jsonl: cannot be read: No such file"),
        ("empty -o out", "empty: the file contains no record"),
        ("prose -o out", "prose:1:1: expected a JSON value, found 'H'"),
        ("cut.jsonl -o out", "cut.jsonl:1:"),
        ("folder -o out", "folder: contains no PDDL problem"),
        ("text.jsonl -o out", "text.jsonl:1:55: field 'target': Expected `int`, got `str` at targ"),
        ("negative.jsonl -o out", "negative.jsonl:1:55: field 'target': found -7, expected 0 or m"),
        (
            "field.jsonl -o a/b/out",
            "field.jsonl:2:55: field 'tagret' is unknown; did you mean 'target'?",
        ),
        (
            "double.jsonl -o out",
            "double.jsonl:2:2: field 'id': 'a' is already used at double.jsonl:1",
        ),
        (
            "domain.jsonl -o out",
            "domain.jsonl:1:13: field 'domain': unknown domain 'countdwon'; did you mean 'countd",
        ),
        ("good.jsonl -o .", "good.jsonl: is in the output folder and would be overwritten"),
        ("ferry -o ferry", "ferry: is in the output folder and would be overwritten"),
        ("good.jsonl -o used", "used: contains 'thesis.tex'; choose an empty"),
        ("good.jsonl -o prose", "prose: is a file, expected a folder"),
        ("good.jsonl", "Missing option '-o'"),
        ("good.jsonl -o -", NO_STREAM),
        ("- --domain - -o out", "can be standard input"),
        ("ferry.jsonl --encoding rational -o out", "ferry has no encoding 'rational', expected pa"),
        (
            "good.jsonl --domain blockswrld -o out",
            "--domain: found neither a domain nor a file 'blockswrld'; did you mean 'blocksworld'?",
        ),
        ("good.jsonl --folder x=. -o out", "--folder does not apply to good.jsonl, read as reco"),
        ("ferry --column a=b -o out", "--column does not apply to ferry, read as pddl"),
        ("ferry --domain ferry -o out", "--domain does not apply to ferry, read as pddl"),
        ("ferry --rules paper -o out", "--rules does not apply: the data contain no countdown"),
    ],
    "run": [
        ("good.jsonl --rules paper -o out", "--rules is for `translate`; this command reads its"),
        ("'' -o out", EMPTY),
        ("double.jsonl -o out", "double.jsonl:2:2: field 'id': 'a' is already used"),
        ("good.jsonl -o used", "used: holds 'thesis.tex' but no runs.jsonl"),
        ("good.jsonl -o prose", "prose: is a file, expected a folder"),
        ("good.jsonl -o out --planner ehnsp", "unknown planner 'ehnsp'; did you mean 'enhsp'?"),
        (
            "good.jsonl -o out --time-limit 5x",
            "Invalid value for '--time-limit': '5x' is not a duration; expected one such as 30m",
        ),
        (
            "good.jsonl -o out --memory-limit lots",
            "Invalid value for '--memory-limit': 'lots' is not a memory size",
        ),
        ("good.jsonl -o out --cpu-limit fast", "'fast' is not a duration"),
        ("good.jsonl -o out -j 0", "Invalid value for '-j'"),
        ("ferry.jsonl --planner bfs -o -", NO_STREAM),
        ("ferry.jsonl -o out --retry crash,lsot", "unknown outcome 'lsot'; did you mean 'lost'?"),
        ("ferry.jsonl -o out --shard 0/3", "shard 0/3: expected one of 1 to 3"),
        ("ferry.jsonl -o out --shard x", "'x' is not a shard; expected one such as 3/8"),
        ("ferry.jsonl -o out --planner fd:", "expected a search after the colon, such as fd:astar"),
        ("ferry.jsonl -o out --scheduler tcp://127.0.0.1:9", "no Dask scheduler at tcp://127.0.0"),
        (
            "ferry.jsonl -o out --scheduler tcp://127.0.0.1:9 -j 2",
            "-j cannot be combined with --scheduler",
        ),
        (
            "ferry.jsonl -o out --scheduler tcp://127.0.0.1:9 --pin",
            "--pin cannot be combined with",
        ),
        ("ferry.jsonl -o out --pin -j 999", "pinning 999 attempts at a time requires 999 cores"),
        (
            "ferry.jsonl -o out --planners mine.toml --planner lama",
            "--planner names none of its planners: mine",
        ),
        ("ferry.jsonl -o out --sandbox required", "--sandbox requires a planner with code=FILE"),
        ("ferry.jsonl -o out --planner lama-first:x=1", "the planner lama-first has no settings"),
        ("ferry.jsonl -o out --planner cats:model=m", "cats:model=m: model has no effect with rew"),
        ("ferry.jsonl -o out --planner cats:reward=none,omega=0.5", "omega has no effect with rew"),
        ("ferry.jsonl -o out --planner tot:threshold=0.5", "threshold has no effect with search="),
        (
            "ferry.jsonl -o out --planner a=cmd:true --planner a=cmd:false",
            "two planners have the name 'a'",
        ),
        ("ferry.jsonl -o out --encoding rational", "ferry has no encoding 'rational', expected p"),
    ],
    "solve": [
        ("d.pddl no.pddl", "no.pddl: cannot be read: No such file"),
        ("typo.pddl p.pddl", "typo.pddl:10:52: unknown predicate 'actve'"),
        ("d.pddl p.pddl -o no/plan", "no/plan: cannot be written: there is no such folder"),
        ("d.pddl p.pddl -o p.pddl", READ),
        ("d.pddl p.pddl --planners mine.toml -o mine.toml", READ),
        ("d.pddl p.pddl --planner lama-frist", "did you mean 'lama-first'?"),
        ("d.pddl p.pddl --planners mine.toml --planner lama", "names none of its planners: mine"),
        ("d.pddl p.pddl --planner cats:url=http://x", "url has no effect with reward=goal-count"),
    ],
    "report": [
        ("''", EMPTY),
        ("used", "used: is not a run store: runs.jsonl cannot be read, No such"),
        ("no-such-folder", "no-such-folder: is not a run store"),
        ("empty", "empty: is not a run store"),
        ("-", NO_STREAM),
        ("store --lab -", NO_STREAM),
        ("store --html store/runs.jsonl", READ),
        ("store --table store/runs.jsonl", READ),
        ("store --html - --table -", "can be standard output"),
    ],
    "equivalent": [
        ("p.pddl", "Missing argument 'B'"),
        ("p.pddl p.pddl --domain no.pddl", "neither a domain nor a file 'no.pddl'"),
        ("prose p.pddl", "prose"),
        ("d.pddl p.pddl", "d.pddl: contains no PDDL problem"),
        ("problem.pddl p.pddl --domain d.pddl", "problem.pddl:"),
    ],
    "rejudge": [
        ("no-such-folder", "no-such-folder: is not a run store"),
        ("empty", "empty: is not a run store"),
        ("-", NO_STREAM),
    ],
    "score": [
        ("good.jsonl ''", EMPTY),
        ("", "Missing argument 'DATA'"),
        ("ferry.jsonl no.jsonl", "error: no.jsonl: cannot be read"),
        ("ferry.jsonl empty", "empty: the file contains no answer"),
        ("ferry.jsonl ferry.jsonl", "ferry.jsonl"),
        ("ferry.jsonl own.jsonl -o no/where", "no/where: cannot be written: there is no such fol"),
        ("ferry.jsonl own.jsonl --by colour", "'colour' is not one of"),
        ("ferry.jsonl own.jsonl --k 0", "0 is not in the range x>=1"),
        ("solved.jsonl", "no row has the field 'answer'; --column answer=NAME names it; or give"),
        ("own.jsonl", "a file of answers, expected DATA ANSWERS, or DATA --answers ANSWERS..."),
        ("planbench.json", "this is a file of answers, expected DATA ANSWERS, or DATA --answers"),
        ("solved.jsonl bad.parquet own.jsonl", "bad.parquet: not readable as Parquet: "),
        ("--answers a.csv solved.jsonl", "All paths after --answers are answers"),
        ("solved.jsonl --answers a.csv a.csv", "a.csv: is given twice"),
        ("solved.jsonl own.jsonl other.jsonl", "this is a file of answers, expected DATA ANSWERS"),
        (
            "solved.jsonl two.jsonl",
            "two.jsonl: found the fields 'response' and 'output'; choose one with --column answer=",
        ),
        (
            "solved.jsonl a.csv --column answer=reply",
            f"a.csv: no row has the field 'reply', {FIELDS}",
        ),
        (
            "solved.jsonl a.csv --column id=TASK_ID",
            f"'TASK_ID', {FIELDS}; did you mean 'task_id'?",
        ),
        ("solved.jsonl reply.jsonl", "found the fields id, reply"),
        ("solved.jsonl own.jsonl --column level=id", "--column: found 'level', expected id or"),
        ("solved.jsonl twice.csv", "column 'id' occurs twice"),
        ("solved.jsonl bad.parquet", "bad.parquet: not readable as Parquet"),
        ("levels.jsonl own.jsonl --by dificulty", "did you mean 'difficulty'?"),
        (
            "solved.jsonl own.jsonl --reading raw",
            "--reading raw is for results of PlanBench, found the format answers",
        ),
        (
            "solved.jsonl own.jsonl --reading planbench",
            "--reading planbench is for blocksworld and Mystery, found ferry",
        ),
        ("solved.jsonl own.jsonl --lenient-values", "--lenient-values is for countdown"),
        ("ferry.jsonl own.jsonl --html no/p.html", "no/p.html: cannot be written: there is no suc"),
        ("ferry.jsonl own.jsonl --html own.jsonl", READ),
        ("ferry.jsonl own.jsonl --html p.html --table p.html", TWICE),
        ("ferry.jsonl own.jsonl --pages x", "--pages requires --html"),
        ("ferry.jsonl own.jsonl --html p.html --pages own.jsonl", "own.jsonl"),
        ("ferry.jsonl own.jsonl --html p.html --pages -", NO_STREAM),
        ("ferry.jsonl own.jsonl -o own.jsonl", READ),
        ("ferry.jsonl own.jsonl -o ferry.jsonl", READ),
        ("ferry.jsonl own.jsonl --table ferry.jsonl", READ),
        ("solved.jsonl ferry.jsonl own.jsonl --table link", READ),
        ("ferry.jsonl own.jsonl -o new --table ./new", TWICE),
        ("ferry.jsonl --answers - a.csv -", f"'--answers' and '--answers': {STREAM}input"),
        ("p.pddl - --domain -", "can be standard input"),
        ("ferry.jsonl own.jsonl -o - --table -", "'-o' and '--table': only one of them"),
        ("ferry.jsonl own.jsonl --table - --json", "'--table' and '--json': only one"),
        ("- -", f"{STREAM}input"),
    ],
    "show": [
        ("", "Missing argument"),
        ("d.pddl p.pddl", "Missing argument 'PLAN'"),
        ("p.pddl", "no row has the field 'answer'"),
        ("d.pddl", "found only d.pddl, expected DOMAIN PROBLEM PLAN"),
        ("ferry.jsonl", "ferry.jsonl: no row has the field 'answer'"),
        ("ferry.jsonl own.jsonl --id x -o out", "own.jsonl: found no answer or run of 'x'"),
        ("d.pddl p.pddl no.plan", "no.plan: cannot be read"),
        ("d.pddl no.pddl ok.plan", "no.pddl: cannot be read"),
        ("d.pddl p.pddl ok.plan -o .", "is a folder, expected a file"),
        ("d.pddl p.pddl ok.plan --id x", "--id applies to answers and runs"),
        ("d.pddl p.pddl ok.plan --format pddl", "--format applies to answers and runs"),
        ("d.pddl p.pddl ok.plan -o page.html --svg -", NO_STREAM),
        ("ferry.jsonl no.jsonl", "no.jsonl"),
        ("ferry.jsonl solved.jsonl -o -", "expected a folder"),
        ("p.pddl x.jsonl --plan-format ipc", "applies to a plan"),
    ],
    "prompt": [
        ("ferry.jsonl --statement cats", "'cats' for 'ferry-2-0' of ferry, known: simplan, pddl"),
        ("ferry.jsonl --statement cats -o p.jsonl", "'cats' for 'ferry-2-0' of ferry, known: simp"),
        ("ferry.jsonl --examples ferry.jsonl", "ferry.jsonl: found no record with a witness"),
        ("ferry.jsonl --shots 7", "expected 7; provide records of ferry that have a witness"),
        ("ferry.jsonl -o no/p", "no/p: cannot be written"),
        ("ferry.jsonl --examples ferry.jsonl --shots 0", "--examples does not apply to --shots 0"),
        ("ferry.jsonl -o ferry.jsonl", READ),
        ("ferry.jsonl -o ./link", READ),
        ("ferry -o ferry/p01.pddl", READ),
        ("ferry.jsonl -o hard", READ),
        ("link -o ferry.jsonl", READ),
        ("ferry.jsonl --examples solved.jsonl -o solved.jsonl", READ),
        ("p.pddl --domain d.pddl -o d.pddl", READ),
    ],
    "questions": [
        ("own.jsonl --score own.jsonl", "own.jsonl:1: not a question: Object missing required"),
        ("ferry.jsonl", "-o FILE is required without --score"),
        ("ferry.jsonl --score a --answer", "cannot be combined"),
        ("ferry.jsonl --kind stat -o x", "'stat' is not one of"),
        ("ferry.jsonl --steps 0-3 -o x", "a walk must have at least 1 step"),
        ("own.jsonl --score own.jsonl --seed 1", "--seed does not apply to --score"),
        ("own.jsonl --answer --kind state -o q", "--kind does not apply to --answer"),
        ("ferry.jsonl --json -o q", "--json requires --score"),
        ("ferry.jsonl -o ferry.jsonl", READ),
        ("ferry.jsonl --answer -o ferry.jsonl", READ),
        ("solved.jsonl --score ferry.jsonl -o ferry.jsonl", READ),
        ("ferry.jsonl --score own.jsonl -o link", READ),
        ("- --score -", "'DATA...' and '--score': only one of them"),
    ],
    "generate": [
        ("ferry --preset simple --size 3 -o x", "--preset cannot be combined with --size"),
        ("ferry --preset simple --count 3 -o x", "--preset cannot be combined with --size"),
        ("ferry --preset smple -o x", "no preset 'smple'; did you mean 'simple'?"),
        ("ferry --size 4-2 -o x", "'4-2' is not a range"),
        ("ferry --count 0 -o x", "Invalid value for '--count'"),
        ("fery -o x", "no generator for domain 'fery'; did you mean 'ferry'?"),
        ("countdown --method rg --set walks=7 -o x", "method rg has no setting 'walks'"),
        ("ferry --size 0 -o own.jsonl", "size 0: found no task under these options"),
        ("ferry --set locations=1 -o own.jsonl", "size 2: found no task under these options"),
        (f"{BUDGET} -o own.jsonl", "costs=0000000001,1,1,1: "),
    ],
    "reproduce": [
        ("countdown-figure11", "unknown study 'countdown-figure11'; did you mean"),
        ("--data nowhere countdown-figure1", "nowhere: is not a folder"),
        ("--count 0 countdown-figure1", "--count"),
        ("--size 9-2 countdown-figure1", "9-2"),
        ("--size 2,,4 countdown-figure1", "'' is not a range"),
        ("-o prose countdown-figure1 --size 2-3 --count 2", "prose"),
        ("-o -", NO_STREAM),
    ],
    "valdate": [("d.pddl", "unknown command 'valdate'; did you mean 'validate'?")],
    "list": [("--jsno", "No such option '--jsno'")],
    "new domain": [("x -o -", NO_STREAM)],
    "autotos run": [("--domain 24game --replay log.txt -o -", NO_STREAM)],
}
LINES = [
    (f"{command} {rest}", message) for command, rows in MISTAKES.items() for rest, message in rows
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all files that the commands name."""
    folder = tmp_path_factory.mktemp("files")
    for name in ("folder", "used", "ferry", "store"):
        (folder / name).mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "link").symlink_to("ferry.jsonl")
    (folder / "hard").hardlink_to(folder / "ferry.jsonl")
    return folder


def state(folder: Path) -> dict[Path, int]:
    """Return the time when each file and folder was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.parametrize(("line", "message"), LINES, ids=[line for line, _ in LINES])
def test_one_line_and_status_2(cli_here: CliHere, folder: Path, line: str, message: str) -> None:
    before = state(folder)
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        check_mistake(cli_here(*shlex.split(line), cwd=folder), message)
    assert state(folder) == before


NUMBERS, CARS = "d.pddl p.pddl", "ferry/domain.pddl ferry/p01.pddl"
BAD_PLANS = [
    (NUMBERS, "(add n1 n3)\n(subtract n1", "2:13: found the end of the text, expected an arg"),
    (NUMBERS, "(ad n1 n3)", "1:1: step 1 (ad n1 n3): unknown action 'ad'; did you mean 'add'?"),
    (NUMBERS, "(add n1)", "1:1: step 1 (add n1): 'add' takes 2 arguments, found 1"),
    (NUMBERS, "(add n1 n3)\n  (add n1 n9)", "2:3: step 2 (add n1 n9): unknown object 'n9'"),
    (CARS, "(board l0 l0)", "1:1: step 1 (board l0 l0): 'l0' is of the wrong type, ?car takes a"),
]


@pytest.mark.parametrize(("task", "text", "message"), BAD_PLANS)
def test_a_plan_that_is_none(
    cli_here: CliHere, folder: Path, task: str, text: str, message: str
) -> None:
    (folder / "bad.plan").write_text(text)
    done = cli_here("validate", *task.split(), "bad.plan", cwd=folder)
    assert done.status == 2
    assert f"\nbad.plan:{message}" in done.out


def test_a_fault_in_the_last_record_leaves_an_earlier_translation_as_it_was(
    cli_here: CliHere, folder: Path, tmp_path: Path
) -> None:
    place = shutil.copytree(folder, tmp_path / "files")
    assert cli_here("translate", "good.jsonl", "-o", "out", cwd=place).status == 0
    before = state(place)
    assert cli_here("translate", "field.jsonl", "-o", "out", cwd=place).status == 2
    assert state(place / "out").items() <= before.items()
    assert not list(place.glob(".out-*"))
