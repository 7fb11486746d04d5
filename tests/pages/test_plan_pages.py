"""Tests of walks, words and pages, without a browser."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from places import SUPPORT, TESTS

from pddl_pipeline.model.answer import TraceLine, Treatment
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.pages.html_page import html, plain_html, visible
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.plan_page import AnswerText, plan_page
from pddl_pipeline.pages.plan_words import TaskWords
from pddl_pipeline.pages.timeline_chart import timeline_chart
from pddl_pipeline.pages.walk import walk_of
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.plan_reader import read_plan
from pddl_pipeline.validation.task import Task, read_task

FERRY = domain_folder("ferry")
COUNTDOWN = domain_folder("countdown")
FOREIGN = SUPPORT / "foreign_pddl"
SATELLITE, LAMPS = (
    (folder / "domain.pddl", folder / problem)
    for folder, problem in (
        (FOREIGN / "satellite", "p01.pddl"),
        (TESTS / "validation" / "cases" / "timed_literal_breaks_invariant", "problem.pddl"),
    )
)
TASK = read_task(FERRY / "domain.pddl", FERRY / "p01.pddl")
VAN = """(define (domain van) (:requirements :numeric-fluents :typing)
 (:types van place) (:predicates (at ?v - van ?p - place))
 (:functions (fuel ?v - van) (need) (total-cost))
 (:action drive :parameters (?v - van ?from ?to - place)
  :precondition (and (at ?v ?from) (>= (fuel ?v) (* 2 (need))))
  :effect (and (at ?v ?to) (not (at ?v ?from)) (decrease (fuel ?v) (need))
    (increase (total-cost) 3))))"""
TOUR = """(define (problem tour) (:domain van) (:objects v - van a b - place)
 (:init (at v a) (= (fuel v) 3.5) (= (need) 1) (= (total-cost) 0))
 (:goal (and (at v b) (>= (fuel v) 2) (not (at v a)))) (:metric minimize (total-cost)))"""


@pytest.fixture
def van() -> Task:
    return read_task(VAN, TOUR)


def data_of(page: str) -> Any:
    data = json.loads(page.partition("id='data'>")[2].partition("</script>")[0])
    return {**data, "frames": [*accumulate(data["frames"], lambda before, frame: before | frame)]}


def test_a_walk_has_costs_changes_and_goals(van: Task) -> None:
    walk = walk_of(van, "(drive v a b)\n", budget=2)
    start, end = walk.frames
    assert (start.cost, end.cost, walk.verdict.within_budget) == (0, 3, False)
    assert start.state.facts ^ end.state.facts == {("at", "v", "b"), ("at", "v", "a")}
    page = plan_page(PageData(walk), "t")
    assert (
        "<p class='verdict invalid'><bdi>✗ The plan is valid: 1 step, cost 3, but over the budget. "
        "The cost" in page
    )
    frames = data_of(page)["frames"]
    assert [(frame["cost"], frame["why"]) for frame in frames] == [
        ("0", ""),
        ("3", "The cost so far is 3; the budget is 2."),
    ]
    assert frames[1]["values"][0] == "fuel of v: 3.5 → 2.5"
    goals = [goal for goal, _ in data_of(page)["goals"]]
    assert goals == ["(at v b)", "(>= (fuel v) 2)", "(not (at v a))"]
    assert ([found.condition for found in start.missing_goals], end.missing_goals) == (
        ["(at v b)", "(not (at v a))"],
        (),
    )


def test_the_failing_step_has_both_sides_exact_values(van: Task) -> None:
    walk = walk_of(van, "(drive v a b)\n(drive v b a)\n(drive v b a)\n(drive v a b)\n")
    found = [(frame.number, frame.failed) for frame in walk.frames]
    assert found == [(0, False), (1, False), (2, False), (3, True)]
    data = data_of(plan_page(PageData(walk), "t"))
    assert data["frames"][3]["unmet"] == [
        ["(at v b)", "v must be at b, but v is at a"],
        ["(>= (fuel v) (* 2 (need)))", "fuel of v must be at least 2 × need (2), but is 1.5"],  # noqa: RUF001
    ]
    assert [data["frames"][place]["goals"] for place in (3, 1)] == ["000", "111"]


@pytest.mark.parametrize(
    ("folder", "plan", "sentence"),
    [
        (FERRY, "two-cars", "Step 3 fails: the ferry must be empty, but c0 is on the ferry."),
        (
            FERRY, "goal-missed",
            ("The plan misses 1 of 2 goals: c1 must be at l0, but c1 is on the ferry. "
            "One step is missing at the end: (debark c1 l0)."),
        ),
        (FERRY, "(board c0 l1)\n(teleport c0)\n", "Step 2 fails: there is no action 'teleport'."),
        (FERRY, "sail away", "Found 'sail away', expected '(' at the start of a step."),
        (
            COUNTDOWN, "goal-missed",
            ("The plan misses the goal: the target must be reached. "
            "One step is missing at the end: (checkgoal n1)."),
        ),
        (COUNTDOWN, "number-with-itself", "Step 1 fails: n1 must not be equal to n1."),
        (FOREIGN / "gripper", "bad",
         "Step 2 fails: left must be free, but “red carry left” holds."),
        (FOREIGN / "numeric", "bad",
         "Step 2 fails: fuel must be at least distance of bridge and castle (7), but is 1."),
        (FOREIGN / "satellite", "bad",
         "The plan misses 1 of 3 goals: “phenomenon4 have image thermograph0” must hold."),
        (FOREIGN / "satellite", "1: (turn_to satellite0 GroundStation2 Phenomenon6) [9]",
         "Step 1 fails: the duration must be equal to 5, but is 9."),
        (
            FOREIGN / "satellite",
            "0: (take_image satellite0 Phenomenon6 instrument0 thermograph0) [7]",
            ("Step 1 fails: instrument0 must be calibrated; “power on instrument0” must hold, "
            "but “power avail satellite0” holds (over all from 0 to 7, at 0)."),
        ),
    ],
)  # fmt: skip
def test_a_sentence_says_why(folder: Path, plan: str, sentence: str) -> None:
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    file = next(filter(Path.exists, (folder / f"{plan}.plan", folder / "bad" / f"{plan}.plan")), "")
    page = plan_page(PageData(walk_of(task, file or plan)), "t")
    data = data_of(page)
    assert (data["frames"][-1]["why"], data["start"]) == (sentence, len(data["frames"]) - 1)
    assert plain_html(sentence) in page


@pytest.mark.parametrize(
    ("plan", "frames", "said"),
    [
        ("(board c0 l1)\n(teleport c0)\n", 3, "no action 'teleport'"),
        ("(board c0 l1)\nsail away", 1, "Found 'sail away'"),
        ("", 1, "misses 2 of 2 goals"),
        ("\0\0", 1, "Found"),
    ],
)
def test_plans_that_cannot_be_read_have_a_page(plan: str, frames: int, said: str) -> None:
    page = plan_page(PageData(walk_of(TASK, plan)), "t")
    assert (len(data_of(page)["frames"]), html(said) in page) == (frames, True)


def test_unsupported_pddl_has_a_page() -> None:
    domain = VAN.replace("(:action drive", "(:functions (home) - object) (:action drive")
    page = plan_page(PageData(walk_of(read_task(domain, TOUR), "(drive v a b)")), "t")
    assert ("The plan is undecided" in page, len(data_of(page)["frames"])) == (True, 1)


def test_the_states_of_durative_actions_and_of_preferences_are_shown() -> None:
    soft = TOUR.replace("(:goal (and", "(:goal (and (preference p (at v a))")
    walk = walk_of(read_task(VAN, soft), "(drive v a b)")
    assert (len(walk.frames), walk.left_out) == (2, 0)
    data = PageData(walk_of(read_task(*SATELLITE), SATELLITE[0].parent / "good.plan"))
    frames = data_of(plan_page(data, "t"))["frames"]
    happenings = [*data.walk.task.narrate(SATELLITE[0].parent / "good.plan")]
    assert [each["time"] for each in frames] == [None, *(float(each.time) for each in happenings)]
    assert [each.state for each in data.walk.frames[1:]] == [each.after for each in happenings]
    assert (frames[0]["unmet"], {each["why"] for each in frames}) == ([], {""})
    assert {fact[0] for fact in data.fixed} == {"supports", "calibration_target", "on_board"}


def test_a_plan_of_pddl_plus_is_stepped_by_what_happens() -> None:
    folder = TESTS / "validation" / "cases" / "plus_event_must_happen"
    task = read_task(folder / "domain.pddl", folder / "problem.pddl")
    page = plan_page(PageData(walk_of(task, folder / "plan")), "t")
    assert "data-end='5.001'" in page
    frames = data_of(page)["frames"]
    assert [(each["say"], each["values"], each["goals"]) for each in frames] == [
        ("Initial state.", [], "01"),
        ("At 0: start; start of fill.", [], "01"),
        ("At 5: event overflow.", ["x: 0 → 10"], "10"),
        ("At 5.001: stop.", ["x: 10 → 10.002"], "10"),
        ("At 5.001: the plan ends.", [], "10"),
    ]
    assert frames[-1]["why"] == "Goal not satisfied: (not (spilt)) does not hold."


@pytest.mark.parametrize(
    ("files", "plan", "said"),
    [
        (SATELLITE, (SATELLITE[0].parent / "good.plan").read_text(), [">40<"]),
        (SATELLITE, "1: (turn_to satellite0 star5 star0) [5]", ["fails at 1<", "class='fault'"]),
        (LAMPS, "0: (burn l1) [5]", ["2: (not (power))", "timed literals", "fails at 2<"]),
        (LAMPS, "3: (charge) [0.333]", ["fails at 3<"]),
    ],
)
def test_a_timed_plan_has_bars_over_time(
    files: tuple[Path, Path], plan: str, said: list[str]
) -> None:
    data = PageData(walk_of(read_task(*files), plan))
    chart = timeline_chart(data)
    spans = [(float(step.time), float(step.duration)) for step in read_plan(plan)]
    scale = 560 / max(map(sum, spans))
    bars = re.findall(r"x='([\d.]+)' y='[\d.]+' width='([\d.]+)'[^>]*class='thing c0'", chart)
    expected = [(400 + start * scale, length * scale) for start, length in spans]
    assert [tuple(map(float, bar)) for bar in bars] == [pytest.approx(e, abs=0.1) for e in expected]
    missing = [text for text in [*said, "Chart of the steps"] if text not in chart]
    assert missing + re.findall("power; power|duration of", str(data.json())) == []
    frames, is_valid = data.json()["frames"], data.walk.verdict.status == "valid"
    assert [bool(e.get("why")) for e in frames] == [False] * (len(frames) - 1) + [not is_valid]
    assert is_valid or f"fails at {frames[-1]['time']:g}<" in chart


def test_simultaneous_steps_are_one_picture() -> None:
    walk = walk_of(TASK, "0: (board c0 l1)\n0: (sail l1 l0)\n")
    found = [(len(frame.steps), frame.failed, "interfere" in frame.reason) for frame in walk.frames]
    assert found == [(0, False, False), (2, True, True)]


def test_a_long_plan_is_cut_and_says_so() -> None:
    walk = walk_of(TASK, "(sail l1 l0)\n(sail l0 l1)\n" * 3000)
    page = plan_page(PageData(walk), "t")
    said = "5,000 before them are in the list of steps only"
    assert (walk.left_out, walk.frames[0].number, said in page) == (0, 5000, True)
    assert len(page) < 2_000_000  # equal pictures are written once


def test_words_of_conditions(van: Task) -> None:
    words = TaskWords(van)
    for condition, text in (
        ("(not (at v a))", "v is not at a"),
        (
            "(or (at v a) (and (at v b) (= v v)))",
            "v is at a or (v is at b and v must be equal to v)",
        ),
        ("(forall (?p) (at v ?p))", "(forall (?p) (at v ?p))"),
        ("(< (- (fuel v) 1) 0)", "fuel of v - 1 must be less than 0"),
    ):
        assert words.condition(condition) == text
    assert words.step(Step("drive", ("v", "a", "b"))) == "drive: v, from a, b"


def test_words_of_a_domain_with_words() -> None:
    for name, step, said in (
        ("blocksworld", ("stack", "b1", "b2"), "stack the block b1 on top of the block b2"),
        ("sokoban", ("move", "p", "a", "b", "dir-left"), "move p from a to b, left"),
    ):
        folder = domain_folder(name)
        words = TaskWords(read_task(folder / "domain.pddl", folder / "p01.pddl"))
        assert words.step(Step(step[0], step[1:])) == said


def test_text_of_others_cannot_leave_its_place() -> None:
    found = [visible("a\u202eb\u2066"), html("<b>'\"&"), html("\u05d0")]
    assert found == ["a[U+202E]b[U+2066]", "&lt;b&gt;&#x27;&quot;&amp;", "<bdi>\u05d0</bdi>"]
    verdict = Verdict(Status.MALFORMED, reason="</ScRipt><!-- <script>")
    page = plan_page(PageData(walk_of(TASK, "", verdict)), "t")
    assert re.findall("</?script|<!-", page, re.IGNORECASE) == ["<script", "</script"] * 2
    assert data_of(page)["frames"][0]["why"] == f"{verdict.reason}."


def test_answers_are_escaped_and_cut() -> None:
    text = "<script>alert(1)</script> \u202e\n(board c0 l1)\n" + "x" * 1_100_000 + "\nlong\n" * 9000
    trace = (TraceLine(2, "(board c0 l1)", Treatment.USED, 1), TraceLine(3, "x", Treatment.DROPPED))
    walk = walk_of(TASK, "(board c0 l1)")
    page = plan_page(PageData(walk), "<title>", answer=AnswerText(text, trace))
    assert page.count("<script") == 2  # the data and the program
    for said in (
        "&lt;script&gt;alert(1)&lt;/script&gt; [U+202E]",
        "<li class='done' data-step='1'>(board c0 l1)",
        "The answer has 1,1",
    ):
        assert said in page
    assert len(page) < 300_000


def test_values_show_themselves_in_notebooks() -> None:
    verdict = TASK.judge(FERRY / "bad" / "two-cars.plan")
    for value, texts in (
        (TASK, ("<svg", "c0 is at l3")),
        (TASK.read_plan(FERRY / "p01.plan"), ("<li><code>(board c0 l1)</code></li>",)),
        (verdict, ("✗ invalid at step 3", "<code>(empty-ferry)</code>")),
        (TASK.initial_state(), ("<td style='text-align:left'>c0 l1, c1 l2</td>",)),
    ):
        assert all(text in value._repr_html_() for text in texts)
