"""How long the page of a report of many runs takes to make and to show, and how large it is.

``python benchmarks/report_page.py`` makes a store of 10,000 runs of four planners in two domains,
with times and costs from a seeded random generator, and writes its report. The time to show the
page is from the start of the navigation to the second frame that is drawn, in a headless Chromium
(``pip install selenium``, and Chromium with its driver).
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.report_page import report_html
from pddl_pipeline.reporting.report import report
from pddl_pipeline.runs.store import result_to_json

PLANNERS = ("lama-first", "lama", "fd-lmcut", "enhsp")
DOMAINS = ("ferry", "depots")


def made_runs(count: int, limit_s: float, seed: int = 0) -> Iterator[RunResult]:
    """Yield this many runs; the larger the instance, the fewer are solved."""
    random = Random(seed)
    for number in range(count):
        instance, planner = divmod(number, len(PLANNERS))
        size = 2 + instance % 20
        seconds = random.lognormvariate(size / 4 - 3, 1 + planner / 3)
        outcome = Outcome.PLAN_FOUND if seconds < limit_s else Outcome.TIMEOUT
        if random.random() < 0.02:
            outcome = Outcome.MEMOUT
        has_plan = outcome is Outcome.PLAN_FOUND
        status = Status.INVALID if random.random() < 0.01 else Status.VALID
        yield RunResult(
            key=f"{number:032x}",
            id=f"{DOMAINS[instance % 2]}-{size}-{instance}",
            domain=DOMAINS[instance % 2],
            size=size,
            planner=PLANNERS[planner],
            planner_version="1",
            outcome=outcome,
            status=status if has_plan else None,
            plan=("(noop)",) if has_plan else None,
            cost=3 * size + random.randrange(4) if has_plan else None,
            steps=3 * size if has_plan else None,
            within_budget=None,
            wall_s=round(min(seconds, limit_s), 3),
            cpu_s=round(min(seconds, limit_s), 3),
            memory_mb=100.0,
            expanded=None,
            limits={"time_s": limit_s, "cpu_s": None, "memory_mb": 3584.0, "hit": None},
            reason=None if has_plan and status is Status.VALID else "stopped at the limit",
            opinions={},
            started="2026-01-01T00:00:00.000+00:00",
            log="",
        )


def write_store(folder: Path, count: int, limit_s: float) -> None:
    """Write a run store with these runs."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(result_to_json(run)) + "\n" for run in made_runs(count, limit_s))
    with (folder / "runs.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(lines)


def seconds_to_show(page: Path) -> float:
    """Return the seconds from the start of the navigation until the page is drawn."""
    from selenium import webdriver  # optional

    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(option)
    # With a path, selenium does not look for a driver on the web.
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    with webdriver.Chrome(options, service) as browser:
        browser.get("data:text/html,<p>warm")
        browser.get(page.resolve().as_uri())
        return float(browser.execute_async_script(DRAWN)) / 1000


DRAWN = """
const end = arguments[arguments.length - 1];
requestAnimationFrame(() => requestAnimationFrame(() => end(performance.now())));
"""


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="number of runs")
    parser.add_argument("--time-limit", type=float, default=30.0, help="their limit in seconds")
    parser.add_argument("-o", "--output", type=Path, help="keep the store and the page here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.output or Path(temporary)
        write_store(folder / "runs", given.count, given.time_limit)
        start = time.perf_counter()
        page = folder / "report.html"
        page.write_text(report_html(report(folder / "runs")), encoding="utf-8")
        made = time.perf_counter() - start
        print(f"{given.count} runs: made in {made:.1f} s, {page.stat().st_size / 1e6:.2f} MB")
        print(f"shown in {seconds_to_show(page):.2f} s")


if __name__ == "__main__":
    main()
