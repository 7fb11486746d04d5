"""The browser of the tests of pages, one for all tests of a process."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Start a headless Chromium; the tests are skipped where it or its driver is missing.

    The value is a `page_browser.Browser`.
    """
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        missing = "Chromium" if program is None else "chromedriver"
        pytest.skip(f"{missing} is not installed")
    pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from page_browser import Browser  # noqa: PLC0415 -- imports selenium

    options = selenium.ChromeOptions()
    options.binary_location = program
    for option in _OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "WARNING", "performance": "ALL"})
    service = selenium.ChromeService(driver)
    with selenium.Chrome(options, service) as started:
        started.set_script_timeout(60)
        yield Browser(started)
