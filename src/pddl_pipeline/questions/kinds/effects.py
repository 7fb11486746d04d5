"""The question what an action makes true and false: ACPBench's ``prog``.

The answer is the difference of two states.
"""

from __future__ import annotations

from typing import Final

from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, NoQuestion, Question, unreadable
from pddl_pipeline.questions.reading import list_text, two_lists
from pddl_pipeline.questions.templates import BREAK_DOWN, CURRENTLY


def _make(scene: Scene) -> Draft:
    stage, walk = scene.stage, scene.walk()
    if stage.fluents.functions:
        raise NoQuestion("the actions change numbers, which are not propositions")
    found = stage.world.successors(walk.end)
    if not found:
        raise NoQuestion("no action is applicable at the end of the walk")
    step, state = scene.random.choice(found)
    before, after = stage.facts(walk.end), stage.facts(state)
    answer = {"pos": sorted(after - before), "neg": sorted(before - after)}
    question = BREAK_DOWN.format(action=step)
    details = {"action": str(step), "walk": walk.texts}
    context = CURRENTLY.format(state=stage.describe(walk.end))
    return Draft(question, answer, len(walk.steps), details, context)


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
        order=7,
    ),
)  # fmt: skip
