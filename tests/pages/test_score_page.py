"""The page of scores in a browser: tables sort, links lead to plans, and no fault is found."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from page_browser import PHONE, Browser
from places import SUPPORT

from pddl_pipeline.pages.html_page import visible

if TYPE_CHECKING:
    from pathlib import Path

    from command_line import Cli

GRIPPER = SUPPORT / "foreign_pddl" / "gripper"
HOSTILE = "<script>alert(1)</script>\u202e\"'"
NUMBERS = (
    "const table = [...document.querySelectorAll('details')].find(each =>"
    " each.querySelector('h2').textContent.startsWith(arguments[0])).querySelector('table');"
    "const cells = [...table.tHead.rows[0].cells];"
    "const column = cells.findIndex(each => each.textContent === arguments[1]);"
    "cells[column].querySelector('button').click();"
    "return [...table.tBodies[0].rows].map(row => row.cells[column].textContent)"
)


def test_the_page_sorts_links_and_is_sound(browser: Browser, cli: Cli, tmp_path: Path) -> None:
    plan = (GRIPPER / "good.plan").read_text()
    shutil.copy(GRIPPER / "domain.pddl", tmp_path / "domain.pddl")
    rows = []
    for number in range(8):
        shutil.copy(GRIPPER / "p01.pddl", tmp_path / f"q{number}.pddl")
        texts = {HOSTILE: plan, "half": plan if number % 2 else "none", "never": f"{HOSTILE}\n" * 9}
        rows += [{"id": f"q{number}", "model": m, "answer": text} for m, text in texts.items()]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    problems = sorted(tmp_path.glob("q*.pddl"))
    line = ("score", *problems, "a.jsonl", "--domain", "domain.pddl", "--html", "p.html")
    done = cli(*line, "--pages", "plans of it")
    assert done.status == 1, done.err
    for width, dark in ((PHONE, False), (1280, True)):
        browser.open(tmp_path / "p.html", width=width, dark=dark)
        browser.js("for (const each of document.querySelectorAll('details')) each.open = true")
        browser.check()
    assert browser.js(NUMBERS, "By model", "accuracy (%)") == ["0.00", "50.00", "100.00"]
    assert browser.js(NUMBERS, "Models compared", "p") == ["0.0078", "0.1250", "0.1250"]
    browser.find("input[aria-label*='Each answer']").send_keys("q3 never")
    browser.wait("return document.querySelector('#entries pre').textContent")
    opened = browser.text("#entries pre").splitlines()
    assert [line.partition("  ← ")[0] for line in opened] == [visible(HOSTILE)] * 9
    assert all("  ← " in line for line in opened)
    assert len(browser.all("#entries tbody tr")) == 1
    browser.driver.get(browser.find("td a").get_attribute("href") or "")
    assert "The plan is malformed" in browser.text("header")
