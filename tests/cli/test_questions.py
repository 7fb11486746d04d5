"""``pddl-pipeline questions``: questions, exact answers and marks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import check_mistake, json_lines
from model_server import Model, served

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

FERRY = domain_folder("ferry") / "examples.jsonl"
BLOCKS = domain_folder("blocksworld") / "examples.jsonl"


@pytest.fixture
def asked(cli: Cli, tmp_path: Path) -> Path:
    done = cli("questions", FERRY, "--kind", "state", "--kind", "applicable", "-o", "q.jsonl")
    assert (done.status, done.err, done.out) == (0, "", "10 questions in q.jsonl\n")
    return tmp_path / "q.jsonl"


def test_questions_carry_all_that_a_runner_and_a_marker_need(asked: Path) -> None:
    for question in json_lines(asked):
        assert list(question) == ["id", "instance", "domain", "size", "kind", "steps", "seed",
                                  "prompt", "question", "answer", "details"]  # fmt: skip
        assert question["prompt"].endswith(f"\n\n{question['question']}")
        assert question["question"].endswith("Answer:")
        assert 1 <= question["steps"] <= 7
    first, second, *rest = json_lines(asked)[0]["question"].splitlines()
    assert first.startswith("Given this initial state: c0 is at l")
    assert second.startswith("and the following actions: (")
    assert rest == ["", "What is the new state?", "Answer:"]


def test_exact_answers_are_all_correct(cli: Cli, asked: Path, tmp_path: Path) -> None:
    assert cli("questions", asked, "--answer", "-o", "a.jsonl").status == 0
    done = cli("questions", asked, "--score", "a.jsonl", "-o", "s.jsonl")
    assert (done.status, done.out.count("100.0")) == (0, 4)
    marked = [
        (each["id"], each["correct"], each["mistakes"]) for each in json_lines(tmp_path / "s.jsonl")
    ]
    assert marked == [(each["id"], True, []) for each in json_lines(asked)]


def test_bad_lines_stop_nothing_and_are_told(cli: Cli, asked: Path, tmp_path: Path) -> None:
    first = json_lines(asked)[0]["id"]
    answers = [b"{broken", b"\xff\xfe", b"[]", b'{"id": "no-such", "answer": "1"}',
               json.dumps({"id": first, "answer": "the ferry is at l99", "model": "m"}).encode(),
               json.dumps({"id": first, "answer": None, "model": "m"}).encode()]  # fmt: skip
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(answers))
    done = cli("questions", asked, "--score", "a.jsonl", "-o", "s.jsonl", "--json")
    assert (done.status, done.err.count("skipped: ")) == (2, 4)
    marked = json_lines(tmp_path / "s.jsonl")
    assert [each["correct"] for each in marked] == [None] * 4 + [False] * 2
    assert "hallucinated-action" in marked[4]["mistakes"]
    assert marked[5]["mistakes"] == ["unreadable"]
    summary = [json.loads(line) for line in done.out.splitlines()]
    assert [(s["kind"], s["model"], s["answers"], s["unanswered"]) for s in summary] == [
        ("state", "m", 2, 4),
        ("applicable", "m", 0, 5),
    ]


def test_why_there_is_no_question_is_told(cli: Cli) -> None:
    done = cli("questions", BLOCKS, "--kind", "first-goal", "--max-states", "5", "-o", "q.jsonl")
    assert (done.status, done.out) == (0, "0 questions in q.jsonl\n")
    assert (
        "no question: first-goal: bw-3-0 and 4 more: it takes more than 5 states, and no"
        in done.err
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "stat"}, "q.jsonl:1: unknown kind of question 'stat'; did you mean 'state'?"),
        ({"details": {}}, "q.jsonl:1: 'answer' or 'details' do not fit the kind"),
        ({"prompt": 3}, "q.jsonl:1: not a question: Expected `str`, got `int` - at `$.prompt`"),
    ],
)
def test_damaged_questions(cli: Cli, asked: Path, change: dict[str, Any], message: str) -> None:
    asked.write_text(json.dumps(json_lines(asked)[0] | change))
    check_mistake(cli("questions", "q.jsonl", "--answer", "-o", "a.jsonl"), message)


def test_acpbench_answers_in_its_own_form(cli: Cli, tmp_path: Path) -> None:
    item = {"id": 11, "group": "validation_gen", "context": "", "answer": 1,
            "question": 'Of "(sail l1 l2) (sail l1 l2)" which?'}  # fmt: skip
    items = [item, item | {"id": 12, "group": "landmarks_mcq", "answer": "B"}]
    (tmp_path / "dev.gen.json").write_text(json.dumps(items))
    rows = [(11, 1), ("11", "0"), (12, "(b) The car is here, not there"), (12, "A.")]
    texts = [json.dumps({"id": name, "answer": answer}) for name, answer in rows]
    (tmp_path / "a.jsonl").write_text("\n".join(texts))
    done = cli("questions", "dev.gen.json", "--score", "a.jsonl", "-o", "s.jsonl")
    assert done.status == 0
    assert [each["correct"] for each in json_lines(tmp_path / "s.jsonl")] == [True, False] * 2
    done = cli("questions", "dev.gen.json", "--answer", "-o", "exact.jsonl")
    assert (done.status, done.out) == (3, "0 answers in exact.jsonl\n")
    assert "skipped: 12: the item has no PDDL" in done.err


@pytest.mark.usefixtures("no_key")
def test_exact_answers_come_from_the_pddl_of_an_item(cli: Cli, tmp_path: Path) -> None:
    domain = """(define (domain d) (:predicates (at ?x) (road ?x ?y))
        (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
        :effect (and (at ?y) (not (at ?x)))))"""
    problem = """(define (problem p) (:domain d) (:objects a b c e)
        (:init (at a) (road a b) (road b c) (road b a)) (:goal (at c)))"""
    item = {"context": "", "PDDL_domain": domain, "PDDL_problem": problem}
    groups = {
        "landmarks": "(at b)", "goal_closer": "(go a b)", "reachable_atom": "(at e)",
        "validation": "None",
    }  # fmt: skip
    items = [item | {"id": name, "question": name, "group": f"{name}_gen"} for name in groups]
    items.append(items[0] | {"id": "bad", "question": "!", "PDDL_domain": "(define"})
    (tmp_path / "gen.json").write_text(json.dumps(items))
    done = cli("questions", "gen.json", "--answer", "-o", "exact.jsonl")
    assert (done.status, "skipped: bad: domain:1:1" in done.err) == (3, True)
    exact = {each["id"]: each["answer"] for each in json_lines(tmp_path / "exact.jsonl")}
    assert exact == groups
    same = {"context": "", "question": "?", "id": "landmarks", "group": "landmarks_bool"}
    (tmp_path / "bool.json").write_text(json.dumps([same | {"answer": "no"}]))
    assert cli("questions", "gen.json", "bool.json", "--published", "-o", "q.jsonl").status == 0
    replies = {
        each["prompt"]: exact.get(each["id"], "Yes") for each in json_lines(tmp_path / "q.jsonl")
    }
    with served(Model(reply=replies.__getitem__)) as url:
        where = ("--model", "m", "--base-url", url, "-o", "a.jsonl")
        assert cli("ask", "q.jsonl", *where).status == 0
    line = ("score", "q.jsonl", "a.jsonl", "--task", "questions", "-o", "s.jsonl")
    assert cli(*line, "--html", "page.html").status == 3
    marks = {each["id"]: each["correct"] for each in json_lines(tmp_path / "s.jsonl")}
    assert marks == {**dict.fromkeys(groups, True), "bad": None, "landmarks_bool-landmarks": False}
    page = (tmp_path / "page.html").read_text()
    assert ("by domain and task" in page, "landmark (yes-no)" in page) == (True, True)
