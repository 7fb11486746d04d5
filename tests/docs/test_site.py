"""The built site: its search finds the page of a task, and axe-core finds no serious fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from places import ROOT

if TYPE_CHECKING:
    from page_browser import Browser

pytestmark = pytest.mark.long

# What a user types, and the pages of which one must be among the first three.
TASKS = {
    "score answers of a model": {"score-a-model"},
    "run a planner with a time limit": {"running"},
    "validate a plan": {"validate-plans"},
    "compare two planners": {"compare-planners"},
    "add my own domain": {"add-a-domain"},
    "add my own planner": {"bring-your-own"},
    "make prompts": {"prompts"},
    "generate instances": {"make-a-benchmark", "datasets"},
    "run on a cluster slurm": {"run-on-a-cluster"},
    "reward function for training": {"train-with-rewards"},
    "picture of a plan": {"look-at-a-plan"},
    "exit code": {"errors"},
}
_ASK = """
const field = document.querySelector("[data-md-component=search-query]");
field.focus();
field.value = arguments[0];
field.dispatchEvent(new KeyboardEvent("keyup", {bubbles: true}));
"""
_FOUND = """
const items = document.querySelectorAll(".md-search-result__item");
return [...items].slice(0, 3).map(item => new URL(item.querySelector("a").href).pathname);
"""
# A hidden button shows the focus at its label, which follows it.
_SHOWS_FOCUS = """
const shows = ({outlineStyle, boxShadow}) => outlineStyle != "none" || boxShadow != "none";
const active = document.activeElement;
return [active, active.nextElementSibling].some(each => each && shows(getComputedStyle(each)));
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return folder


def test_the_search_finds_the_page_of_a_task(browser: Browser, site: Path) -> None:
    wrong = {}
    for task, pages in TASKS.items():
        browser.open(site / "index.html")
        browser.js(_ASK, task)
        browser.wait("return document.querySelectorAll('.md-search-result__item').length > 2")
        found = [Path(path).stem for path in browser.js(_FOUND)]
        if not pages & {*found}:
            wrong[task] = found
    assert wrong == {}


def test_no_page_has_a_serious_fault(browser: Browser, site: Path) -> None:
    """In the light and in the dark scheme. The page of missing pages works only on a server.

    The theme has lesser faults: landmarks of code blocks without names.
    """
    faults: dict[str, list[str]] = {}
    samples = (site / "samples").iterdir()  # pages of the product, which have tests of their own
    pages = sorted({*site.rglob("*.html")} - {site / "404.html", *samples})
    assert len(pages) > 30
    browser.driver.set_script_timeout(300)  # the page of the API takes half a minute
    for page in pages:
        browser.open(page)
        for _ in range(2):
            scheme = browser.js("return document.body.dataset.mdColorScheme")
            browser.wait(
                "return !document.getAnimations().some(each => each.playState == 'running')"
            )
            if found := [
                *browser.faults("serious", "critical"),
                *browser.console_errors(),
                *browser.requests(),
            ]:
                faults[f"{page.name} {scheme}"] = found
            browser.js("document.querySelector('[name=__palette]:not(:checked)').click()")
    assert faults == {}


def test_the_keyboard_reaches_what_it_shows(browser: Browser, site: Path) -> None:
    browser.open(site / "score-a-model.html")
    reached = []
    for _ in range(12):
        browser.press("\ue004")  # Tab
        assert browser.js(_SHOWS_FOCUS), browser.js("return document.activeElement.outerHTML")
        reached.append(browser.js("return document.activeElement.textContent.trim()"))
    assert {"Skip to content", "Tutorials", "Reference"} <= {*reached}
