"""Every domain folder is whole: one test file for all domains, present and future."""

from __future__ import annotations

import re
import warnings
from itertools import islice
from pathlib import Path

import pytest
from fast_downward.translate import pddl_parser
from pddl.parser.domain import DomainParser
from pddl.parser.problem import ProblemParser
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import get_environment

from pddl_pipeline import load_records, read_task, translate
from pddl_pipeline.integrations.up_opinion import UnifiedPlanning
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators.translator import translator
from pddl_pipeline.validation.task import Task

# What a bad plan is called says what is wrong with it; these are no plans of the task at all.
MALFORMED = {
    "cut",
    "no-parentheses",
    "prose",
    "unknown-action",
    "unknown-object",
    "wrong-arity",
    "wrong-type",
}
BAD_PLANS = [
    pytest.param(path, id=f"{name}-{path.stem}")
    for name in domain_names()
    for path in sorted(domain_folder(name).glob("bad/*.plan"))
]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def sample(name: str) -> Task:
    folder = domain_folder(name)
    return read_task(folder / "domain.pddl", folder / "p01.pddl")


def test_there_are_eight_domains() -> None:
    expected = {"countdown", "blocksworld", "ferry", "grippers", "depots", "minigrid"}
    assert expected | {"budget-blocksworld", "sokoban"} <= set(domain_names())


@pytest.mark.parametrize("name", domain_names())
def test_folder_is_whole(name: str) -> None:
    folder = domain_folder(name)
    for file in ("domain.pddl", "README.md", "examples.jsonl", "p01.pddl", "p01.plan"):
        assert (folder / file).is_file(), f"{name} has no {file}"
    assert len(list(folder.glob("bad/*.plan"))) >= 6, f"{name} has fewer than 6 bad plans"
    assert len(list(load_records(folder / "examples.jsonl"))) >= 5, f"{name} has few examples"


@pytest.mark.parametrize("name", domain_names())
def test_readme_names_everything(name: str) -> None:
    text = (domain_folder(name) / "README.md").read_text(encoding="utf-8")
    vocabulary = sample(name).vocabulary
    fields = translator(name).record_type.__dataclass_fields__
    for word in (*vocabulary.actions, *vocabulary.predicates, *vocabulary.functions, *fields):
        assert f"`{word}" in text or f"({word}" in text, f"README of {name} does not name {word}"


@pytest.mark.parametrize("name", domain_names())
def test_sample_plan_is_accepted(name: str) -> None:
    task = sample(name)
    text = (domain_folder(name) / "p01.plan").read_text(encoding="utf-8")
    verdict = task.judge(text)
    assert verdict.status is Status.VALID, verdict.reason
    stated = re.search(r"; cost = (\d+)", text)
    assert stated is not None
    assert verdict.cost == int(stated[1])


@pytest.mark.parametrize("path", BAD_PLANS)
def test_bad_plan_is_refused(path: Path) -> None:
    verdict = sample(path.parent.parent.name).judge(path.read_text(encoding="utf-8"))
    expected = Status.MALFORMED if path.stem in MALFORMED else Status.INVALID
    assert verdict.status is expected
    assert verdict.reason


@pytest.mark.parametrize("name", domain_names())
def test_unified_planning_agrees_on_samples_and_bad_plans(name: str) -> None:
    folder = domain_folder(name)
    domain, problem = ((folder / file).read_text() for file in ("domain.pddl", "p01.pddl"))
    task = read_task(domain, problem)
    other = UnifiedPlanning(domain, problem, task)
    assert other.judge((folder / "p01.plan").read_text()).status is Status.VALID
    for path in folder.glob("bad/*.plan"):
        ours, theirs = task.judge(path.read_text()), other.judge(path.read_text())
        expected = Status.INVALID if ours.status is Status.INVALID else Status.UNDECIDED
        assert theirs.status is expected, (path.stem, theirs)


def problems(name: str, most: int | None = None) -> list[tuple[str, str]]:
    records = load_records(domain_folder(name) / "examples.jsonl")
    return [
        (texts.domain_pddl, texts.problem_pddl) for texts in map(translate, islice(records, most))
    ]


@pytest.mark.parametrize("most", [2, pytest.param(None, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", domain_names())
def test_unified_planning_reads_the_problems(name: str, most: int | None) -> None:
    get_environment().credits_stream = None
    for domain, problem in problems(name, most):
        assert PDDLReader().parse_problem_string(domain, problem).goals


@pytest.mark.parametrize("name", domain_names())
def test_pddl_library_reads_domain_and_problems(name: str) -> None:
    read_domain, read_problem = DomainParser(), ProblemParser()
    for text, problem in problems(name):
        domain = text
        if name == "budget-blocksworld":
            # The one label on which readers part: the library asks for it beside :action-costs,
            # and Fast Downward's translator refuses it.
            domain = text.replace(":action-costs", ":action-costs :numeric-fluents")
        read_problem(problem).check(read_domain(domain))


@pytest.mark.parametrize(
    "name", [name for name in domain_names() if "numeric" not in translator(name).features]
)
def test_fast_downward_translates_the_problems(name: str, tmp_path: Path) -> None:
    for number, (domain, problem) in enumerate(problems(name)):
        domain_file, problem_file = tmp_path / f"d{number}", tmp_path / f"p{number}"
        domain_file.write_text(domain)
        problem_file.write_text(problem)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            task = pddl_parser.open(str(domain_file), str(problem_file))
        assert task.actions
