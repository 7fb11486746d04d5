"""Tests of the checks themselves: each finds the fault that it is for."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_browser import PHONE, Browser

_PAGE = "<!doctype html><html lang='en'><meta charset='utf-8'><title>T</title>"
_PHONE = "<meta name='viewport' content='width=device-width'>"


FAULTS = {
    "<script>console.error('broken')</script>": "broken",
    "<script>undefinedName()</script>": "undefinedName",
    "<img alt='' src='http://127.0.0.1:9/x.png'>": "127.0.0.1",
    "<div style='width: 600px'>wide</div>": "218",
    "<p style='color: #ccc; background: #fff'>pale</p>": "color-contrast",
    "<button></button>": "button-name",
}


@pytest.mark.parametrize("faults", [{}, FAULTS])
def test_checks_find_faults(browser: Browser, tmp_path: Path, faults: dict[str, str]) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"{_PAGE}{_PHONE}<main><h1>H</h1><p>fine</p>{''.join(faults)}</main>")
    browser.open(file, width=PHONE)
    found = (browser.console_errors(), browser.requests(), browser.overflow(), browser.faults())
    assert [fault for fault in faults.values() if fault not in str(found)] == []
    assert faults or found == ([], [], 0, [])


def test_preferences_reach_the_page(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(_PAGE)
    queries = ("prefers-color-scheme: dark", "prefers-reduced-motion: reduce")
    for is_set in (True, False):
        browser.open(file, dark=is_set, reduced_motion=is_set)
        found = [browser.js(f"return matchMedia('({query})').matches") for query in queries]
        assert found == [is_set] * 2
