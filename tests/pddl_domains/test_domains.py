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

from pddl_pipeline import load_records, read_task, translate
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
    (stated,) = re.findall(r"; cost = (\d+)", text)
    assert (verdict.status, verdict.cost) == (Status.VALID, int(stated)), verdict.reason


@pytest.mark.parametrize("path", BAD_PLANS)
def test_bad_plan_is_refused(path: Path) -> None:
    verdict = sample(path.parent.parent.name).judge(path.read_text(encoding="utf-8"))
    expected = Status.MALFORMED if path.stem in MALFORMED else Status.INVALID
    assert verdict.status is expected
    assert verdict.reason


def problems(name: str) -> list[tuple[str, str]]:
    records = load_records(domain_folder(name) / "examples.jsonl")
    return [(texts.domain_pddl, texts.problem_pddl) for texts in map(translate, islice(records, 2))]


@pytest.mark.parametrize("name", domain_names())
def test_pddl_library_reads_domain_and_problems(name: str) -> None:
    read_domain, read_problem = DomainParser(), ProblemParser()
    for domain, problem in problems(name):
        # The one label on which readers part: the library asks for it beside :action-costs, and
        # Fast Downward's translator refuses it.
        labelled = domain.replace(":action-costs", ":action-costs :numeric-fluents")
        read_problem(problem).check(read_domain(labelled))


@pytest.mark.parametrize(
    "name", [name for name in domain_names() if "numeric" not in translator(name).features]
)
def test_fast_downward_translates_the_problems(name: str, tmp_path: Path) -> None:
    files = [tmp_path / "d", tmp_path / "p"]
    for texts in problems(name):
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert pddl_parser.open(*map(str, files)).actions
