"""The paper: its numbers are those of the stored runs, and its text has no others."""

from __future__ import annotations

import json
import re
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import pytest
from places import ROOT

from pddl_pipeline.papers.countdown import transition_data, zeros
from pddl_pipeline.papers.countdown.datasets import MARGINS, PUBLISHED
from pddl_pipeline.statistics.differences import LEVEL
from pddl_pipeline.validation.task import task_from_texts

FOLDER = ROOT / "studies"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the sdist has no stored results")
CONDITIONS = {
    *(f"{transition_data.limits_of(size).cpu_s:g}" for size in (16,)),
    *("24", "30", "3.5", "0.1.1"),  # sizes with other limits; GiB; of up-enhsp
    f"{LEVEL / zeros.HYPOTHESES:g}",
    f"{100 * MARGINS.exceptions:g}",
    f"{zeros.SIZES[transition_data.EXACT].start}",
    f"{PUBLISHED.runs.time_limit_s:g}",
    *("100,000", "1", "99", "999", "6"),  # of the generator
    *("60", "2023"),  # of the other planners; of the competition
    *("4", "16", "32"),  # portions of mixing; bits
    *("7", "8", "3"),  # sections; 3-partition
    *("15", "22", "29", "0", "95"),  # numbers of the reduction, the tolerance, intervals
}


@pytest.fixture(scope="module")
def script() -> SimpleNamespace:
    return SimpleNamespace(**run_path(str(FOLDER / "update_paper.py")))


@pytest.fixture(scope="module")
def numbers(script: SimpleNamespace) -> dict[str, Any]:
    """The numbers of the stored runs."""
    return script.numbers()


def test_the_numbers_are_those_of_the_stored_runs(
    script: SimpleNamespace, numbers: dict[str, Any]
) -> None:
    assert json.loads(script.NUMBERS.read_text(encoding="utf-8")) == numbers


def test_the_page_has_the_numbers_of_the_paper(
    script: SimpleNamespace, numbers: dict[str, Any]
) -> None:
    page = script.PAGE.read_text(encoding="utf-8")
    text = " ".join(page.split())
    assert script.page(page, numbers) == page
    late, fresh, ipc = numbers["late"], numbers["fresh"]["false"], numbers["ipc"]
    near = ipc["distances"]
    said = [
        f"{fresh['text']} ({fresh['interval']}) on new instances",
        f"{late['fresh']['text']} on new instances ({late['fresh']['interval']}). All",
        f"{late['pooled']['of']} pass through a zero: the",
        f"the {late['pooled']['of'] - late['pooled']['count']} valid ones",
        f"claims {ipc['false']['of']} plans in {ipc['claimed_domains']} domains",
        f"and {ipc['false']['count']} are false ({ipc['false']['interval']}, Clopper-Pearson)",
        f"{ipc['at_limit']} runs reached the limit, and one crashed",
        f"{near['plans']} plans, made again and stored on 2026-11-29, have {near['comparisons']}",
        f"they differ by at least {near['least']}",
    ]
    assert [part for part in said if part not in text] == []


def test_the_tables_of_runs_are_those_of_the_stored_runs(script: SimpleNamespace) -> None:
    tables = script.tables()
    assert {path: path.read_text(encoding="utf-8") for path in tables} == tables


def test_mixing_is_as_its_protocol_says(script: SimpleNamespace) -> None:
    """Its instances have plans; its false plans fail by at most ENHSP's tolerance."""
    mixing = SimpleNamespace(**run_path(str(script.MIXING)))
    instances = mixing.read_instances()
    assert instances == list(mixing.generate())
    assert (
        f"seed {mixing.SEED}): {mixing.ROUNDS} rounds"
        in (mixing.FOLDER / "protocol.md").read_text()
    )
    domain = mixing.DOMAIN.read_text(encoding="utf-8")
    tasks = {
        f"{each.id}-{target}": task_from_texts((domain, "domain"), (each.problem(target), each.id))
        for each in instances
        for target in mixing.TARGETS
    }
    plans = {each.id: "\n".join(each.solution) for each in instances}
    assert all(
        task.judge(plans[name.rpartition("-")[0]]).status.is_valid for name, task in tasks.items()
    )
    claimed = [run for run in mixing.read_runs() if run.result.claimed]
    for run in claimed:
        task, plan = tasks[run.result.id], "\n".join(run.result.plan or ())
        assert task.judge(plan).status == run.result.status
        assert task.judge(plan, tolerance=script.TOLERANCE).status.is_valid
    assert [
        [*mixing.identity(run), run.result.planner, run.result.status]
        for run in claimed
        if run.is_false
    ] == [list(row.values())[:4] for row in mixing.verdicts_file()]


def test_the_figure_has_the_shares_of_the_table(
    script: SimpleNamespace, numbers: dict[str, Any]
) -> None:
    enhsp, search = script.charts()["sizes"]
    shares = [
        [100 * row["claimed"] / row["runs"] for row in numbers["by_size"]],
        [100 * (x["claimed"] - x["false"]["count"]) / x["runs"] for x in numbers["by_size"]],
    ]
    assert [[point.y for point in series.points] for series in enhsp.series] == shares
    assert [point.y for point in search.series[0].points] == [
        point.y for point in search.series[1].points
    ]


def test_the_text_has_no_numbers_but_conditions() -> None:
    """Results come from the file of numbers, so that none is typed."""
    prose = (FOLDER / "paper" / "paper.typ").read_text(encoding="utf-8").partition("[Abstract]")[2]
    prose = re.sub(r"#figure\(.*?\n\) <\w+>", "", prose, flags=re.DOTALL)
    prose = re.sub(r"\$.*?\$|`.*?`|#set .*|#bibliography.*|@\w+", "", prose, flags=re.DOTALL)
    prose = re.sub(r"#(\w+)(\.[\w-]+(\(.*?\))?)*(\([^()]*(\([^()]*\))*[^()]*\))?", "", prose)
    found = set(re.findall(r"\d[\d.,]*\d|\d", prose))
    assert found <= CONDITIONS


def test_the_paper_has_four_pages() -> None:
    typst = pytest.importorskip("typst")
    assert len(typst.compile(FOLDER / "paper" / "paper.typ", root=FOLDER, format="svg")) == 4
