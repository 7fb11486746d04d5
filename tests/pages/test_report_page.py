"""The page of a report in a browser: tables sort and filter, and links lead to pages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_browser import PHONE, Browser
from places import ROOT
from store_results import RESULT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.pages.report_page import report_html
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.reporting.report import summarise
from pddl_pipeline.runs.store import result_to_json

if TYPE_CHECKING:
    from command_line import Cli

HOSTILE = "<script>alert(1)</script>\u202e\"'"
DASH = "\N{EN DASH}"
SOLVED = [replace(RESULT, id=f"i-{n}", key=f"k{n}", cost=20 - n, size=n) for n in range(12)]
FAILED = [
    replace(
        run, key=f"f{run.key}", planner="enhsp", outcome=Outcome.TIMEOUT, status=None, plan=None,
        cost=None, reason=f"stopped at {run.size} {HOSTILE}",
    )
    for run in SOLVED
]  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    hostile = replace(SOLVED[0], id=HOSTILE, planner=HOSTILE, domain=HOSTILE, key="h")
    report = summarise([*SOLVED, *FAILED, hostile, replace(SOLVED[0], planner="x", key="x")])
    (folder / "r.html").write_text(report_html(report), encoding="utf-8")
    return folder / "r.html"


@pytest.mark.parametrize(
    ("width", "dark"),
    [
        (PHONE, True),
        pytest.param(1280, False, marks=pytest.mark.long),
        pytest.param(1280, True, marks=pytest.mark.long),
        pytest.param(PHONE, False, marks=pytest.mark.long),
    ],
)
def test_the_page_is_sound(browser: Browser, page: Path, width: int, *, dark: bool) -> None:
    browser.open(page, width=width, dark=dark)
    browser.js("for (const each of document.querySelectorAll('details')) each.open = true")
    browser.check()
    assert browser.js("return document.images[0].clientWidth") > 500  # its text stays legible


def column(browser: Browser, table: str, number: int) -> list[str]:
    script = (
        "const found = document.evaluate(arguments[0], document).iterateNext();"
        "return [...found.tBodies[0].rows].filter(row => !row.hidden)"
        ".map(row => row.cells[arguments[1]].textContent)"
    )
    return browser.js(script, _xpath(table), number)


def _xpath(title: str) -> str:
    return f"//details[starts-with(normalize-space(summary), '{title}')]//table"


def _by_instance(browser: Browser) -> None:
    browser.js("for (const each of document.querySelectorAll('details')) each.open = true")
    browser.js(
        "const found = document.evaluate(arguments[0], document).iterateNext();"
        "found.querySelectorAll('thead button')[arguments[1]].focus()",
        _xpath("By instance"),
        2,
    )


def test_keys_sort_a_table(browser: Browser, page: Path) -> None:
    browser.open(page)
    _by_instance(browser)
    browser.press(" ")
    assert browser.js("return document.activeElement.parentElement.ariaSort") == "ascending"
    sizes = [int(text) for text in column(browser, "By instance", 2)]
    assert sizes == sorted(sizes)
    browser.press("\ue007")  # Enter
    assert browser.js("return document.activeElement.parentElement.ariaSort") == "descending"
    assert [int(text) for text in column(browser, "By instance", 2)] == sorted(sizes)[::-1]
    assert len(browser.all("th[aria-sort]")) == 1


def test_numbers_sort_as_numbers_and_missing_ones_last(browser: Browser, page: Path) -> None:
    browser.open(page)
    table = "//table[caption='Results by domain and planner']"
    script = (
        "const table = document.evaluate(arguments[0], document).iterateNext();"
        "const heading = [...table.tHead.rows[0].cells]"
        ".findIndex(each => each.textContent === 'mean cost');"
        "table.tHead.rows[0].cells[heading].querySelector('button').click();"
        "return [...table.tBodies[0].rows].map(row => row.cells[heading].textContent)"
    )
    found = browser.js(script, table)
    numbers = [float(text) for text in found if text != DASH]
    assert numbers == sorted(numbers)
    assert found[len(numbers) :] == [DASH] * (len(found) - len(numbers)) != []


def test_a_filter_hides_rows_and_says_how_many_are_left(browser: Browser, page: Path) -> None:
    browser.open(page)
    _by_instance(browser)
    field = browser.find("details input[aria-label^='Filter the rows of: By instance']")
    field.send_keys("I-1 TIMEOUT")
    assert column(browser, "By instance", 0) == ["i-1", "i-10", "i-11"]
    assert browser.js("return arguments[0].closest('p').textContent", field).endswith(
        "3 of 13 rows"
    )
    # A word matches the start of a word; a column may be named, and a link keeps the filter.
    for text, number in (("imeout", 0), ("domain:i-1", 0), ("instance:i-1", 3), (" ", 13)):
        field.clear()
        field.send_keys(text)
        assert len(column(browser, "By instance", 0)) == number
    field.send_keys("I-10")
    address = browser.js("return location.href")
    browser.open(page)
    browser.js("location.href = arguments[0]; location.reload()", address)
    _by_instance(browser)
    assert column(browser, "By instance", 0) == ["i-10"]


def test_headings_captions_and_scopes(browser: Browser, page: Path) -> None:
    browser.open(page)
    levels = browser.js("return [...document.querySelectorAll('h1, h2')].map(h => h.tagName)")
    assert (levels[0], levels.count("H1")) == ("H1", 1)
    assert browser.js(
        "return [...document.querySelectorAll('table')].every(table => table.caption ||"
        " table.closest('details')?.querySelector('summary h2'))"
    )
    assert browser.js("return [...document.querySelectorAll('th')].every(th => th.scope)")
    assert "script" in browser.js("return document.body.textContent")


def test_print_cuts_no_column_and_opens_what_is_folded(browser: Browser, page: Path) -> None:
    browser.open(page, width=1030, printed=True)  # A4, landscape
    browser.js("dispatchEvent(new Event('beforeprint'))")
    cut = "return [...document.querySelectorAll('div')].filter(e => e.scrollWidth > e.clientWidth)"
    assert browser.js(f"{cut}.length") == 0
    assert browser.overflow() <= 0
    assert browser.js(
        "return [...document.querySelectorAll('details:not(.filter)')].every(e => e.open)"
    )


def test_results_and_plots_come_before_the_metadata(browser: Browser, page: Path) -> None:
    browser.open(page)
    places = [
        browser.js(f"return document.querySelector('{each}').getBoundingClientRect().top")
        for each in ("p.answer", "figure", "div.wide", "div.facts")
    ]
    assert places == sorted(places)
    assert places[1] < 900  # the height of the window
    browser.open(page, dark=True)
    assert "invert" in browser.js("return getComputedStyle(document.querySelector('img')).filter")


def test_cells_lead_to_plans_and_logs(browser: Browser, cli: Cli, tmp_path: Path) -> None:
    examples = domain_folder("ferry") / "examples.jsonl"
    (tmp_path / "two.jsonl").write_text("".join(examples.read_text().splitlines(keepends=True)[:2]))
    run = ("run", "two.jsonl", "--planner", "bfs", "--time-limit", "60s", "-o", "r")
    assert cli(*run).status == 0
    line = json.dumps(result_to_json(replace(FAILED[0], id="ferry-2-0", log="../two.jsonl")))
    with (tmp_path / "r" / "runs.jsonl").open("a") as stream:
        stream.write(line + "\n")
    done = cli("report", "r", "--html", "page.html", "--pages", "of runs")
    assert done.status == 0, done.err
    browser.open(tmp_path / "page.html")
    browser.js("for (const each of document.querySelectorAll('details')) each.open = true")
    links = browser.js(
        "const found = document.evaluate(arguments[0], document).iterateNext();"
        "return [...found.querySelectorAll('a')].map(a => [a.textContent, a.href])",
        _xpath("By instance"),
    )
    assert [text for text, _ in links if text in {"log", "timeout"}] == ["timeout", "log", "log"]
    (why,) = [href for text, href in links if text == "timeout"]
    browser.driver.get(why)
    assert "stopped at 0 <script>alert(1)</script>" in browser.text("main")
    assert "outside of the store" in browser.text("main")
    titles = []
    for link in ("← Previous", "Next →", "All"):
        browser.driver.find_element("link text", link).click()
        titles.append(browser.driver.title.split(":")[0])
    assert titles[1:] == ["ferry-2-0", "Planner runs in ferry"]
    assert titles[0].startswith("Plan for ferry-")
    plan = next(href for text, href in links if text not in {"log", "timeout"})
    browser.driver.get(plan)
    assert "The plan is valid" in browser.text("body")
    assert "bfs" in browser.text("header")


@pytest.mark.long
def test_the_page_of_10_000_runs_is_small_and_fast(browser: Browser, tmp_path: Path) -> None:
    """Below 10 MB and 2 s, and its longest table sorts in 4 s."""
    script = ROOT / "benchmarks" / "report_page.py"
    done = subprocess.run(
        [sys.executable, script, "-o", tmp_path],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    found = re.search(r"([0-9.]+) MB\nshown in ([0-9.]+) s", done.stdout)
    assert found is not None, done.stdout
    assert float(found[1]) < 10
    assert float(found[2]) < 2
    browser.open(tmp_path / "report.html", width=PHONE)
    milliseconds = browser.js(
        "const table = document.evaluate(arguments[0], document).iterateNext();"
        "table.closest('details').open = true; table.offsetHeight;"
        "const start = performance.now();"
        "table.querySelectorAll('thead button')[3].click(); table.offsetHeight;"
        "return performance.now() - start",
        _xpath("By instance"),
    )
    assert milliseconds < 4000
    assert browser.overflow() <= 0
