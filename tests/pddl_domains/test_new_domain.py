"""A new domain is a folder and a file; words are optional. Tried in a copy of the package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from package_copy import PackageCopy

DOMAIN = """(define (domain bell-tower)
  (:requirements :strips :typing)
  (:types bell - object)
  (:predicates (silent ?b - bell) (rung ?b - bell))
  (:action ring :parameters (?b - bell)
   :precondition (silent ?b) :effect (and (rung ?b) (not (silent ?b))))
  (:action mute :parameters (?b - bell)
   :precondition (rung ?b) :effect (and (silent ?b) (not (rung ?b)))))
"""
TRANSLATOR = '''"""Bells that ring."""

from dataclasses import dataclass

from pddl_pipeline.translators.problems import problem_text
from pddl_pipeline.translators.problems import goal_atoms, objects_of
from pddl_pipeline.translators.referee import play_all
from pddl_pipeline.translators.translator import Translator


@dataclass(frozen=True, slots=True)
class Bells:
    bells: tuple[str, ...]
    goal: tuple[str, ...]


def _problem(instance):
    bells = instance.record.bells
    silent = [("silent", bell) for bell in bells]
    goal = [("rung", bell) for bell in instance.record.goal]
    return problem_text(instance.id, "bell-tower", dict.fromkeys(bells, "bell"), silent, goal)


def _recover(task, _):
    return Bells(objects_of(task, "bell"), tuple(bell for _, bell in goal_atoms(task)))


def _referee(instance, plan):
    rung = set()

    def play(step):
        (rung.add if step.action == "ring" else rung.discard)(step.arguments[0])

    goal = [("rung", bell) for bell in instance.record.goal]
    return play_all(plan, play, goal, lambda atom: atom[1] in rung)


TRANSLATOR = Translator(
    record_type=Bells, size=lambda bells: len(bells.bells), unit="bells",
    problem=_problem, recover=_recover, referee=_referee,
)
'''
WORDS = """
[objects]
nouns = ["bell"]
[sentences]
ring = ["ring {0}"]
mute = ["mute {0}"]
[facts]
silent = "{0} is silent"
rung = "{0} is rung"
[simplan]
title = "Bell tower"
kinds = ["bell"]
[simplan.actions.ring]
parameters = "?b - bell"
preconditions = "The bell (?b) must be silent."
effects = "the bell (?b) is rung."
example = ["b1"]
[states]
exclusive = [{ silent = [0], rung = [0] }]
"""
RECORD = {"id": "t", "domain": "bell-tower", "bells": ["b1", "b2", "b3"], "goal": ["b2"]}


@pytest.mark.slow("starts a copy of the package nine times")
def test_a_domain_works_without_words_then_with_them(tmp_path: Path) -> None:
    """In a copy of the package."""
    copy = PackageCopy(tmp_path)
    copy.add("pddl_domains/bell-tower/domain.pddl", DOMAIN)
    copy.add("translators/domains/bell_tower.py", TRANSLATOR)
    (tmp_path / "t.jsonl").write_text(json.dumps(RECORD) + "\n")
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "t", "answer": "Ring bell b2."}))

    def run(*arguments: str, code: int = 0) -> str:
        done = copy.run(*arguments, cwd=tmp_path, code=code)
        return done.stdout + done.stderr

    def state_question() -> str:
        run("questions", "t.jsonl", "--kind", "state", "-o", "questions.jsonl")
        return str(json.loads((tmp_path / "questions.jsonl").read_text())["prompt"])

    assert "(define (problem t)" in json.loads(run("prompt", "t.jsonl"))["prompt"]
    refused = run("prompt", "t.jsonl", "--statement", "simplan", code=2)
    assert "no statement 'simplan' for 't' of bell-tower, known: pddl" in refused
    assert "(silent b1)" in state_question()

    copy.add("pddl_domains/bell-tower/words.toml", WORDS)
    prompt = json.loads(run("prompt", "t.jsonl"))["prompt"]
    assert "Given this initial state: b1 is silent, b2 is silent, b3 is silent\n" in prompt
    assert "and these objects: bells b1, b2, b3\n" in prompt
    assert "b1 is silent" in state_question()
    run("score", "t.jsonl", "a.jsonl")  # exit status 0: the answer is correct

    copy.add("pddl_domains/bell-tower/words.toml", WORDS.replace("nouns", "noun"))
    wrong = run("prompt", "t.jsonl", code=2)
    assert "words.toml: Object contains unknown field `noun` - at `$.objects`" in wrong
