"""What a page knows of each step, as JSON for its script."""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import atom_text, shortened
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.html_page import visible
from pddl_pipeline.pages.pictures.marks import Parts, marked_parts
from pddl_pipeline.pages.pictures.picture import Drawing
from pddl_pipeline.pages.pictures.registry import ChosenScene, scene_of
from pddl_pipeline.pages.plan_words import TaskWords
from pddl_pipeline.pages.walk import Frame, Walk
from pddl_pipeline.validation.explanation import Unsatisfied
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.vocabulary import changing_predicates

Item = TypeVar("Item")
_MOST_FLUENTS: Final = 12
_MOST_INSTEAD: Final = 3
_LONGEST_NUMBER: Final = 60


class PageData:
    """The content of a page: frames, pictures, words."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        scene = scene_of(walk.task, walk.states) if walk.frames else "The state is not known."
        self.scene: ChosenScene | None = None if isinstance(scene, str) else scene
        own = self.scene.picture.facts if self.scene is not None else {}
        self.words = TaskWords(walk.task, own)
        self.no_picture = scene if isinstance(scene, str) else ""
        """Why there is no picture."""
        self.drawings: list[Drawing] = []
        if self.scene is not None:
            self.drawings = [self.scene.draw(state) for state in walk.states]
        self.pictures = [self._picture(index) for index in range(len(self.drawings))]
        changing = changing_predicates(walk.task.vocabulary)
        self.changing = [fact for fact in walk.task.facts.facts if fact[0] in changing]
        self.fixed = sorted(fact for fact in walk.task.facts.facts if fact[0] not in changing)
        told = {change[0] for frame in walk.frames for change in frame.values}
        told |= {name for name in walk.task.facts.values if len(name) == 1}
        self.fluents = sorted(told)[:_MOST_FLUENTS]

    def _picture(self, index: int) -> Parts:
        """Return the parts of a frame's picture, with what changed and what is at fault."""
        frame = self.walk.frames[index]
        before = self.drawings[index - 1] if index and not frame.failed else None
        conditions = " ".join(found.condition for found in frame.unsatisfied if frame.failed)
        return marked_parts(self.drawings[index], before, re.findall(r"[^\s()]+", conditions))

    def sentence(self, frame: Frame) -> str:
        """Return the steps of a frame in words."""
        said = "; at the same time, ".join(self.step(step, frame) for step in frame.steps)
        return said[:1].upper() + said[1:]

    def step(self, step: Step, frame: Frame | None = None) -> str:
        """Return a step in words; a picture may have its own, given the states around it."""
        own = self.scene.picture.sentence if self.scene is not None else None
        if own is not None:
            before = None
            if frame is not None and not frame.failed and len(frame.steps) == 1:
                before = self.walk.frames[self.walk.frames.index(frame) - 1].state
            said = own(step, before, None if before is None or frame is None else frame.state)
            if said:
                return said
        return self.words.step(step)

    def json(self) -> dict[str, Any]:
        """Return the object that the script of the page reads."""
        parts: dict[str, int] = {}
        facts: dict[Ground, int] = {}
        initial = self.walk.frames[0].state.facts if self.walk.frames else frozenset()
        changing = changing_predicates(self.walk.task.vocabulary)
        first = [_numbered(facts, fact) for fact in sorted(initial) if fact[0] in changing]
        frames = [
            self._frame(index, frame, parts, facts) for index, frame in enumerate(self.walk.frames)
        ]
        return {
            "frames": frames,
            "parts": list(parts),
            "facts": [[atom_text(fact), self.words.fact(fact)] for fact in facts],
            "initial": first,
            "goals": [[goal, self.words.condition(goal)] for goal in self.walk.goals],
            "start": self._start(),
        }

    def _start(self) -> int:
        """Return the index of the frame that the page opens at: the one with the fault, if any."""
        last = len(self.walk.frames) - 1
        if last < 0 or self.walk.verdict.status is Status.VALID:
            return 0
        frame = self.walk.frames[last]
        return last if frame.failed or frame.unsatisfied or frame.reason else 0

    def _frame(
        self, index: int, frame: Frame, parts: dict[str, int], facts: dict[Ground, int]
    ) -> dict[str, Any]:
        picture = self.pictures[index] if self.pictures else ()
        return {
            "number": frame.number,
            "group": len(frame.steps),
            "title": self.title(frame),
            "say": self.say(frame),
            "failed": frame.failed,
            "parts": [_numbered(parts, part) for part in picture],
            "add": [_numbered(facts, fact) for fact in frame.added],
            "del": [_numbered(facts, fact) for fact in frame.deleted],
            "values": [
                f"{self.words.number(name)}: {_number(old)} → {_number(new)}"
                for name, old, new in frame.values
            ],
            "unmet": [self._unmet(found, frame) for found in frame.unsatisfied],
            "reason": visible(frame.reason),
            "goals": "".join(
                "?" if frame.missing_goals is None else str(int(goal not in frame.missing_goals))
                for goal in self.walk.goals
            ),
            "cost": self._cost(frame),
            "fluents": [_number(frame.state.values.get(name)) for name in self.fluents],
        }  # fmt: skip

    def _unmet(self, found: Unsatisfied, frame: Frame) -> list[str]:
        """Return a condition as PDDL and in words, and what holds instead."""
        instead = self.words.values(found)
        if not instead:
            others = [self.words.fact(fact) for fact in _instead(found.condition, frame.state)]
            instead = f"Instead: {', '.join(others)}." if others else ""
        return [found.condition, self.words.condition(found.condition), instead]

    def title(self, frame: Frame) -> str:
        """Return the number of a frame's step in words."""
        steps = len(self.walk.plan or ())
        return f"Step {frame.number} of {steps}" if frame.steps else "Initial state"

    def say(self, frame: Frame) -> str:
        """Return what a frame shows, in a sentence or two."""
        if not frame.steps:
            said = "Initial state."
        else:
            failing = " This step cannot be executed." if frame.failed else ""
            said = f"Step {frame.number}: {self.sentence(frame)}.{failing}"
        if not frame.failed and frame.missing_goals == frozenset():
            said += " The goal is reached."
        elif not frame.failed and frame is self.walk.frames[-1] and frame.unsatisfied:
            said += " The plan ends here, and the goal is not reached."
        return said

    def _cost(self, frame: Frame) -> str:
        """Return the cost so far, and whether it exceeds the budget."""
        budget = self.walk.budget
        is_over = budget is not None and frame.cost is not None and frame.cost > budget
        return f"{_number(frame.cost)}{' (over the budget)' if is_over else ''}"


def _numbered(table: dict[Item, int], item: Item) -> int:
    """Return the number of an item in the order of first use, so that each is written once."""
    return table.setdefault(item, len(table))


def _instead(condition: str, state: State) -> list[Ground]:
    """Return the facts of a missing fact's predicate about the same object, if they are few."""
    predicate, *objects = condition[1:-1].split()
    if len(objects) < 2 or "(" in condition[1:]:
        return []
    found = [fact for fact in state.facts if fact[:2] == (predicate, objects[0])]
    return sorted(found) if len(found) <= _MOST_INSTEAD else []


def _number(value: Number | None) -> str:
    return "not known" if value is None else shortened(number_text(value), _LONGEST_NUMBER)
