"""Tests of a plan's page in a browser: it works with keys, on a phone, in the dark, for all."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_browser import PHONE, Browser
from places import SUPPORT
from selenium.webdriver.common.keys import Keys

from pddl_pipeline.model.answer import TraceLine, Treatment
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.plan_page import AnswerText, plan_page
from pddl_pipeline.pages.shown_plan import ShownPlan, index_page
from pddl_pipeline.pages.walk import walk_of
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.validation.task import read_task

FERRY = domain_folder("ferry")
FOREIGN = SUPPORT / "foreign_pddl"
NUMERIC = FOREIGN / "numeric"
QUICK = ("blocksworld", "numeric")
FOLDERS = {**{name: domain_folder(name) for name in domain_names()}, "numeric": NUMERIC}


def write_page(
    file: Path, folder: Path, plan: Path | str, answer: AnswerText | None = None
) -> Path:
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    file.write_text(
        plan_page(PageData(walk_of(task, plan)), "A plan", about=["of " + "m" * 150], answer=answer)
    )
    return file


def good_plan(folder: Path) -> Path:
    return next(filter(Path.exists, (folder / "p01.plan", folder / "good.plan")))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in FOLDERS],
)
def test_pages_have_no_fault(browser: Browser, tmp_path: Path, name: str) -> None:
    """One domain each; light and dark, screen and phone."""
    page = write_page(tmp_path / "p.html", FOLDERS[name], good_plan(FOLDERS[name]))
    browser.open(page)
    browser.find("#next").click()
    browser.check()
    browser.open(page, width=PHONE, dark=True)
    browser.find("#end").click()
    browser.check()
    assert "The goal is reached." in browser.text("#say")
    assert name != "numeric" or browser.find("[data-fluent]").is_displayed()


def test_buttons_slider_and_keys_move_through_the_steps(browser: Browser, tmp_path: Path) -> None:
    browser.open(write_page(tmp_path / "p.html", FERRY, FERRY / "p01.plan"))
    assert browser.text("#say") == "Initial state."
    assert not browser.find("#back").is_enabled()
    seen = []
    for keys, title in (
        (Keys.ARROW_RIGHT, "Step 1 of 9"), (Keys.ARROW_RIGHT, "Step 2 of 9"),
        (Keys.ARROW_LEFT, "Step 1 of 9"), (Keys.END, "Step 9 of 9"), (Keys.HOME, "Initial state"),
    ):  # fmt: skip
        browser.press(keys)
        assert browser.text("#count") == title
        seen.append(browser.js("return document.getElementById('parts').innerHTML"))
    assert seen[0] == seen[2]
    assert len(set(seen)) == 4
    browser.find("#slider").click()  # the middle
    assert browser.text("#count") in ("Step 4 of 9", "Step 5 of 9")
    browser.press(Keys.HOME, Keys.ARROW_RIGHT)
    assert browser.text("#count") == "Step 1 of 9"
    assert browser.text("#say") == "Step 1: Board c0 at l1."
    assert browser.find("#slider").get_attribute("aria-valuetext") == "Step 1 of 9"
    (added,) = browser.all("#changes .add")
    assert " ".join(added.text.split()) == "+ new: c0 is on the ferry (on c0)"
    browser.find("a[data-to='3']").click()
    assert browser.text("#count") == "Step 3 of 9"
    assert browser.text("li[aria-current='step']").startswith("sail from l0 to l3")
    browser.js("location.hash = '#4'; return 1")
    browser.wait("return document.getElementById('count').textContent === 'Step 4 of 9'")
    assert browser.console_errors() == []


def test_the_chart_of_a_timed_plan_is_a_slider(browser: Browser, tmp_path: Path) -> None:
    """Its states are those after each happening."""
    folder = FOREIGN / "satellite"
    browser.open(write_page(tmp_path / "p.html", folder, folder / "good.plan"), width=1400)
    for keys, title, said in (
        (Keys.ARROW_RIGHT, "Time 0 (1 of 12)", "At 0: start of turn to: satellite0, "),
        (Keys.ARROW_RIGHT, "Time 2 (2 of 12)", "At 2: end of switch on: instrument0, satellite0."),
        (Keys.ARROW_RIGHT, "Time 5 (3 of 12)", "At 5: end of turn to: satellite0, "),
    ):
        browser.press(keys)
        assert (browser.text("#count"), browser.text("#say")[: len(said)]) == (title, said)
    assert "satellite0 is pointing groundstation2" in browser.text("#changes")
    browser.all("#chart .thing")[-1].click()
    assert browser.text("#count").startswith("Time 34.2")
    browser.find("a[data-to='4']").click()
    assert browser.text("li[aria-current='step']").startswith("calibrate")
    browser.check()
    browser.press(Keys.END)
    assert browser.text("#say").endswith("The goal is reached.")


def test_the_failing_step_shows_its_reason(browser: Browser, tmp_path: Path) -> None:
    browser.open(
        write_page(tmp_path / "p.html", FERRY, FERRY / "bad" / "two-cars.plan"), width=PHONE
    )
    assert browser.text("#count").startswith("Step 3 of ")
    why = "Step 3 fails: the ferry must be empty, but c0 is on the ferry."
    assert browser.text(".verdict") == f"✗ The plan is invalid. {why}"
    parts = [browser.find(name) for name in ("#why", "#unmet", "#changed")]
    assert [part.text for part in parts] == [why, "", ""]
    browser.find("#pddl summary").click()
    assert "(empty-ferry)" in browser.text("#unmet")
    browser.check()
    browser.press(Keys.ARROW_LEFT)
    assert [part.is_displayed() for part in parts] == [False, False, True]


def test_goals_are_ticked_and_facts_are_listed_with_their_changes(
    browser: Browser, tmp_path: Path
) -> None:
    browser.open(write_page(tmp_path / "p.html", FERRY, FERRY / "p01.plan"))
    ticks = []
    for key in (Keys.HOME, *[Keys.ARROW_RIGHT] * 9):
        browser.press(key)
        ticks.append(len(browser.all("#goals .yes")))
    assert ticks == [0, 0, 0, 0, 1, 1, 1, 1, 1, 2]
    browser.press(Keys.HOME, Keys.ARROW_RIGHT)
    browser.find("#all-facts summary").click()
    browser.wait("return document.querySelectorAll('#facts tr').length > 0")
    rows = {
        "+new (on c0) c0 is on the ferry",
        "(at c1 l2) c1 is at l2",
        "−no longer (empty-ferry) the ferry is empty",  # noqa: RUF001 -- a minus sign
    }
    assert rows <= {each.text for each in browser.all("#facts tr")}
    browser.check()


def test_a_large_picture_follows_fits_plays_and_prints(browser: Browser, tmp_path: Path) -> None:
    pairs = [f"x{number} y{number}" for number in range(90)]
    problem = (FOREIGN / "gripper" / "p01.pddl").read_text()
    for old, new in (
        ("(:objects", " ".join(pairs)),
        ("(:init", " ".join(f"(at {pair})" for pair in pairs)),
        ("(:goal (and", "(free left) " * 20),
    ):
        problem = problem.replace(old, f"{old} {new} ")
    task = read_task(FOREIGN / "gripper" / "domain.pddl", problem)
    plan = "(move hall study)\n(move study hall)\n" * 40 + "(drop x88 y88 left)"
    page = tmp_path / "p.html"
    page.write_text(plan_page(PageData(walk_of(task, plan)), "t"))
    browser.open(page, height=800)
    seen = (
        "const frame = document.querySelector('.frame'), outer = frame.getBoundingClientRect();"
        "const mark = document.querySelector('#parts .fault').getBoundingClientRect();"
        "return [frame.scrollTop > 0, mark.top >= outer.top && mark.bottom <= innerHeight,"
        " document.getElementById('picture').clientHeight <= frame.clientHeight]"
    )
    assert browser.js(seen) == [True, True, False]
    browser.find("#fit").send_keys(Keys.ENTER)
    assert browser.js(seen) == [False, True, True]
    browser.press(Keys.ARROW_LEFT)
    browser.find("#play").send_keys(Keys.SPACE)
    assert browser.text("#play") == "Pause"
    browser.check()
    browser.wait("return document.getElementById('play').textContent === 'Play'")
    assert browser.text("#count") == "Step 81 of 81"
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.js("dispatchEvent(new Event('beforeprint'))")
    cut = "const list = document.querySelector('.steps');"
    assert browser.js(f"{cut} return list.scrollHeight - list.clientHeight") == 0
    assert browser.text("#more-goals").count("(free left)") == 10
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("still", [False, True])
def test_motion_is_left_out_where_the_user_wants_none(
    browser: Browser,
    tmp_path: Path,
    still: bool,  # noqa: FBT001
) -> None:
    page = write_page(tmp_path / "p.html", FERRY, FERRY / "p01.plan")
    browser.open(page, reduced_motion=still)
    moving = browser.js(
        "document.getElementById('next').click();"
        "return document.getAnimations().filter(each => each.playState === 'running').length"
    )
    assert (moving == 0) == still


def test_an_answer_stands_beside_its_steps(browser: Browser, tmp_path: Path) -> None:
    text = "<img src=x onerror=alert(1)> \u202eplan\n(board c0 l1)\n(board c1 l2)\n(sail l1 l0)"
    trace = [TraceLine(1, "x", Treatment.DROPPED, note="no step")]
    trace += [TraceLine(n + 1, "x", Treatment.USED, n) for n in (1, 2, 3)]
    page = write_page(
        tmp_path / "p.html", FERRY, "(board c0 l1)\n(board c1 l2)\n(sail l1 l0)\n",
        AnswerText(text, trace),
    )  # fmt: skip
    browser.open(page, width=PHONE)
    fates = [each.get_attribute("class") for each in browser.all(".lines li")]
    assert fates == ["dropped", "done", "failed", "skipped"]
    browser.find(".lines a[data-to='2']").click()
    assert "Step 2 fails" in browser.text("#why")
    assert browser.text(".lines [aria-current]").startswith("(board c1 l2)")
    assert browser.js("return document.querySelectorAll('img').length") == 0
    browser.check()


@pytest.mark.parametrize("plan", ["no plan <at> all", "(board c0 l1)\n(fly)"])
def test_pages_of_broken_plans_work(browser: Browser, tmp_path: Path, plan: str) -> None:
    browser.open(write_page(tmp_path / "p.html", FERRY, plan), width=PHONE, dark=True)
    browser.press(Keys.END, Keys.HOME)
    browser.check()


def test_a_long_plan_of_a_large_task_shows_where_it_fails(browser: Browser, tmp_path: Path) -> None:
    problem = (FERRY / "p01.pddl").read_text()
    cars = " ".join(f"x{number}" for number in range(300))
    facts = " ".join(f"(at x{number} l1)" for number in range(300))
    problem = problem.replace("c0 c1 - car", f"c0 c1 {cars} - car")
    problem = problem.replace("(empty-ferry)", f"(empty-ferry) {facts}")
    task = read_task(FERRY / "domain.pddl", problem)
    plan = "(board c0 l1)\n" + "(sail l1 l0)\n(sail l0 l1)\n" * 600 + "(board c1 l1)\n"
    page = tmp_path / "p.html"
    page.write_text(plan_page(PageData(walk_of(task, plan)), "large"))
    browser.open(page)
    browser.check()
    assert browser.text("#count") == "Step 1202 of 1202"
    assert "4 of 306 objects are drawn" in browser.text("figcaption")
    assert {"c0", "c1", "l1", "l2"} <= {*browser.text("#picture").split()}
    assert "the last 1,000 steps up to the fault; 202 before them" in browser.text("main")
    browser.press(Keys.HOME)
    assert browser.text("#count") == "State after step 202"
    browser.find("#all-facts summary").click()
    browser.wait("return document.querySelectorAll('#facts tr').length > 300")
    browser.find("#texts summary").click()
    names = ("domain.pddl", "problem.pddl", "plan.txt", "verdict.txt")
    assert [link.get_attribute("download") for link in browser.all("#texts a")] == [*names]
    content = browser.driver.execute_async_script(
        "fetch(document.querySelectorAll('#texts a')[2].href)"
        ".then(answer => answer.text()).then(arguments[0])"
    )
    assert content == plan
    browser.find("#texts button").click()
    browser.wait("return document.querySelector('#texts button').textContent !== 'Copy'")


def test_the_index_has_no_fault(browser: Browser, tmp_path: Path) -> None:
    plan = ShownPlan("<b>", "model \u202e", None, "ferry", "x" * 500, "no answer")
    named = ShownPlan("<b>", "m" * 150, None, "ferry", "why " * 40, "no answer")
    (tmp_path / "index.html").write_text(
        index_page("Plans <of>", [plan, named] * 3, ["p.html"] * 6, "0 pages", ["note"])
    )
    browser.open(tmp_path / "index.html", width=PHONE, dark=True)
    browser.check()
    assert {200 < cell.size["width"] < 400 for cell in browser.all("td.prose")} == {True}
