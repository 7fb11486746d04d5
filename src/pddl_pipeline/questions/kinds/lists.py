"""The questions whose answers are lists: ACPBench's ``app`` and ``prog``.

What an action makes true and false is the difference of two states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.described import described_step
from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, NoQuestion, right_if, unreadable
from pddl_pipeline.questions.reading import list_text, lists_in
from pddl_pipeline.questions.situation import Situation
from pddl_pipeline.translators.field_checks import natural

_MOST: Final = 200
_SIGNS: Final = ("pos", "neg")


def _applicable(situation: Situation) -> list[str]:
    return sorted((str(step) for step, _ in situation.successors), key=natural)


def _all_applicable(scene: Scene) -> Draft:
    draft = scene.situated("all-applicable", _applicable)
    if len(draft.answer) > _MOST:
        raise NoQuestion(f"more than {_MOST} actions are applicable at the end of the walk")
    return draft


def _effects(situation: Situation) -> dict[str, list[str]]:
    """Return what an action makes true and false; a published text describes the action."""
    world, details = situation.world, situation.details
    steps = {str(step): step for step, _ in situation.successors}
    step = steps.get(details.get("action", "")) or described_step(situation, details["question"])
    before, after = (
        frozenset(map(atom_text, world.atoms(state)))
        for state in (situation.state, world.apply(step, situation.state))
    )
    changes = (after - before, before - after)
    return {name: sorted(atoms, key=natural) for name, atoms in zip(_SIGNS, changes, strict=True)}


def _effects_of_one(scene: Scene) -> Draft:
    def action(situation: Situation) -> dict[str, str]:
        if scene.stage.fluents.functions:
            raise NoQuestion("the actions change numbers, which are not propositions")
        if not situation.successors:
            raise NoQuestion("no action is applicable at the end of the walk")
        return {"action": str(scene.random.choice(situation.successors)[0])}

    return scene.situated("effects", _effects, action)


def _marked(text: str, wanted: Mapping[str, Sequence[Any]], what: str) -> Mark:
    """Mark the lists of an answer, each compared as a set."""
    found = lists_in(text, len(wanted))
    if found is None:
        return unreadable(what)
    faults = list[str]()
    for (name, items), given in zip(wanted.items(), found, strict=True):
        right = {str(item).lower() for item in items}
        wrong, missing = {*given} - right, right - {*given}
        if wrong or missing:
            faults.append(f"{name}: {len(wrong)} wrong, {len(missing)} missing")
    shown = found[0] if len(found) == 1 else dict(zip(wanted, found, strict=True))
    return right_if(not faults, shown, "; ".join(faults))


KINDS: Final = (
    Kind(
        "all-applicable", "all applicable actions", _all_applicable,
        lambda question, text: _marked(text, {"actions": question.answer}, "list of actions"),
        lambda question: list_text(question.answer), solve=_applicable,
    ),
    Kind(
        "effects", "what an action makes true and false", _effects_of_one,
        lambda question, text: _marked(
            text, {name: question.answer[name] for name in _SIGNS}, "two lists"
        ),
        lambda question: " ".join(list_text(question.answer[name]) for name in _SIGNS),
        solve=_effects,
    ),
)  # fmt: skip
