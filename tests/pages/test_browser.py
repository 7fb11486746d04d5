"""Tests of the checks themselves: each finds the fault that it is for."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_browser import PHONE, Browser

_PAGE = "<!doctype html><html lang='en'><meta charset='utf-8'><title>T</title>"
_PHONE = "<meta name='viewport' content='width=device-width'>"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<p>fine</p>", ""),
        ("<script>console.error('broken')</script>", "broken"),
        ("<script>undefinedName()</script>", "undefinedName"),
        ("<img alt='' src='http://127.0.0.1:9/x.png'>", "127.0.0.1"),
        ("<div style='width: 600px'>wide</div>", "218"),
        ("<p style='color: #ccc; background: #fff'>pale</p>", "color-contrast"),
        ("<button></button>", "button-name"),
    ],
)
def test_checks_find_faults(browser: Browser, tmp_path: Path, body: str, fault: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"{_PAGE}{_PHONE}<main><h1>H</h1>{body}</main>")
    browser.open(file, width=PHONE)
    found = (browser.console_errors(), browser.requests(), browser.overflow(), browser.faults())
    if fault:
        assert fault in str(found)
    else:
        assert found == ([], [], 0, [])
        browser.check()


def test_preferences_reach_the_page(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(_PAGE)
    dark = "return matchMedia('(prefers-color-scheme: dark)').matches"
    still = "return matchMedia('(prefers-reduced-motion: reduce)').matches"
    browser.open(file, dark=True, reduced_motion=True)
    assert browser.js(dark)
    assert browser.js(still)
    browser.open(file)
    assert not browser.js(dark)
    assert not browser.js(still)
