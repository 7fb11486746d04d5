"""The question what an action makes true and false: ACPBench's ``prog``.

The answer is the difference of two states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.described import described_step, quoted
from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, NoQuestion, Question, unreadable
from pddl_pipeline.questions.reading import list_text, two_lists
from pddl_pipeline.questions.situation import Situation
from pddl_pipeline.questions.templates import BREAK_DOWN, CURRENTLY
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.translators.field_checks import natural


def _make(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    if stage.fluents.functions:
        raise NoQuestion("the actions change numbers, which are not propositions")
    found = stage.world.successors(walk.end)
    if not found:
        raise NoQuestion("no action is applicable at the end of the walk")
    step, state = scene.random.choice(found)
    answer = _difference(stage.facts(walk.end), stage.facts(state))
    question = BREAK_DOWN.format(action=step)
    details = {"action": str(step), "walk": walk.texts}
    context = CURRENTLY.format(state=stage.describe(walk.end))
    return Draft(question, answer, len(walk.steps), details, context)


def _difference(before: frozenset[str], after: frozenset[str]) -> dict[str, list[str]]:
    pos, neg = (sorted(atoms, key=natural) for atoms in (after - before, before - after))
    return {"pos": pos, "neg": neg}


def _solve(
    situation: Situation, details: Mapping[str, Any], effort: Effort
) -> dict[str, list[str]]:
    del effort
    step = described_step(situation, quoted(details["question"]))
    world = situation.world
    before, after = (
        frozenset(map(atom_text, world.atoms(state)))
        for state in (situation.state, world.apply(step, situation.state))
    )
    return _difference(before, after)


def _mark(question: Question, text: str) -> Mark:
    found = two_lists(text)
    if found is None:
        return unreadable("two lists")
    shown = {"pos": found[0], "neg": found[1]}
    wanted = [{str(atom).lower() for atom in question.answer[name]} for name in ("pos", "neg")]
    if [set(each) for each in found] == wanted:
        return Mark(correct=True, found=shown)
    parts = [
        name for name, got, want in zip(("positive", "negative"), found, wanted, strict=True)
        if set(got) != want
    ]  # fmt: skip
    return Mark(correct=False, found=shown, reason=f"{' and '.join(parts)} effects differ")


KINDS: Final = (
    Kind(
        "effects", "what an action makes true and false", _make, _mark,
        lambda question: " ".join(list_text(question.answer[name]) for name in ("pos", "neg")),
        order=7, solve=_solve,
    ),
)  # fmt: skip
