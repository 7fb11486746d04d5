"""A page in a headless Chromium, as a person sees and uses it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

PHONE: Final = 390
"""The width of a phone, in CSS pixels."""
DESKTOP: Final = 1280
_PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_OPTIONS: Final = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


def program() -> str | None:
    """Return the program of Chromium; None if it or its driver is not installed."""
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    return found if shutil.which("chromedriver") else None


@contextmanager
def opened() -> Iterator[Browser]:
    """Start a headless Chromium."""
    options = ChromeOptions()
    options.binary_location = program() or ""
    for option in _OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "WARNING", "performance": "ALL"})
    with Chrome(options, ChromeService(shutil.which("chromedriver"))) as started:
        started.set_script_timeout(60)
        yield Browser(started)


class Browser:
    """A browser whose pages are files of this machine."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver
        self._width = DESKTOP

    def open(
        self,
        page: Path,
        *,
        width: int = DESKTOP,
        height: int = 900,
        dark: bool = False,
        reduced_motion: bool = False,
        printed: bool = False,
    ) -> None:
        """Open a page in a window of this size, with these preferences of the user."""
        self._width = width
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width <= PHONE},
        )
        features = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "reduce" if reduced_motion else "no-preference",
        }
        media = [{"name": name, "value": value} for name, value in features.items()]
        shown = {"features": media, "media": "print" if printed else ""}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", shown)
        for log in ("browser", "performance"):
            self.driver.get_log(log)  # forgets what the page before wrote
        self.driver.get(page.resolve().as_uri())

    def js(self, script: str, *arguments: Any) -> Any:
        """Return the value of a function's body in JavaScript."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> WebElement:
        """Return the first element of a CSS selector."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        """Return all elements of a CSS selector."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """Return the visible text of the first element of a CSS selector."""
        return self.find(selector).text

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, in the element that has the focus."""
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def wait(self, script: str) -> None:
        """Wait until a function's body in JavaScript returns true."""
        WebDriverWait(self.driver, 20).until(lambda driver: driver.execute_script(script))

    def screenshot(self, file: Path) -> None:
        """Write what the window shows as PNG."""
        file.write_bytes(self.driver.get_screenshot_as_png())

    def console_errors(self) -> list[str]:
        """Return the errors and warnings that the page wrote since it was opened."""
        return [each["message"] for each in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses that the page asked for since it was opened, files left out."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith(("file:", "data:", "blob:", "about:")):
                    found.append(url)
        return found

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        return int(self.js("return document.documentElement.scrollWidth")) - self._width

    def faults(self, *impacts: str) -> list[str]:
        """Return the faults of accessibility that axe-core finds, each with its place.

        Args:
            impacts: the kinds of faults, such as ``serious``; empty for all.
        """
        if not self.js("return !!window.axe"):
            axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
            self.js(axe)
        done = self.driver.execute_async_script(
            "const end = arguments[arguments.length - 1];"
            "axe.run({resultTypes: ['violations']}).then(end, e => end({error: String(e)}))"
        )
        assert "error" not in done, done
        return [
            f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
            for each in done["violations"]
            if not impacts or each["impact"] in impacts
            for node in each["nodes"]
        ]

    def check(self) -> None:
        """Check what holds for every page: no errors, requests, overflow or faults."""
        assert self.console_errors() == []
        assert self.requests() == []
        assert self.overflow() <= 0
        assert self.faults() == []
