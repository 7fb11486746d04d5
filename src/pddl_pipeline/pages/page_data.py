"""What a page knows of each step, as JSON for its script."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice, pairwise
from typing import Any, Final, TypeVar

from pddl_pipeline.model.errors import NotJudged, PddlError
from pddl_pipeline.model.number import Number, number_decimal, number_text
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import atom_text, shortened
from pddl_pipeline.pages.blockers import blockers
from pddl_pipeline.pages.html_page import visible
from pddl_pipeline.pages.pictures.marks import MarkedPart, Parts, marked_parts
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.pictures.registry import scene_of
from pddl_pipeline.pages.plan_words import TaskWords
from pddl_pipeline.pages.walk import Walk, WalkFrame
from pddl_pipeline.validation.language import DURATION, Ground
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.vocabulary import changing_predicates

Item = TypeVar("Item")
_MOST_LISTED: Final = 12
_MOST_SAID: Final = 2
"""Conditions in the sentence why, and facts that hold instead of each."""
_MOST_STEPS: Final = 1000
"""The steps that are tried to reach the goal with one more step."""
_STEP: Final = re.compile(r"step \d+ \([^()]*\): (unknown (?=action|object))?")
_DURING: Final = re.compile("over all from [^:]*")
_LONGEST_NUMBER: Final = 60
_LONGEST_LINE: Final = 500
_ATOMS: Final = re.compile(r"\(([^()]+)\)")
"""The atoms and fluents of a condition, which contain no others."""


class PageData:
    """The content of a page: frames, pictures, words."""

    def __init__(self, walk: Walk, picture: Picture | None = None) -> None:
        self.walk = walk
        states = [frame.state for frame in walk.frames]
        scene = (
            scene_of(walk.task, states, picture, _middle(walk))
            if states
            else "The state is not known."
        )
        self.no_picture = scene if isinstance(scene, str) else ""
        """Why there is no picture."""
        self.scene = None if isinstance(scene, str) else scene
        self.words = TaskWords(walk.task, self.scene.picture.facts if self.scene else {})
        self.drawings = [self.scene.draw(state) for state in states] if self.scene else []
        self.marked = [self._picture(index) for index in range(len(self.drawings))]
        """The parts of each picture, and what has no mark in it, in words."""
        self.pictures = [parts for parts, _ in self.marked]
        self.changing = changing_predicates(walk.task.vocabulary)
        """The names of the predicates that can change."""
        self.fixed = sorted(fact for fact in walk.task.facts.facts if fact[0] not in self.changing)
        changed = {name for index in range(len(states)) for name in self._values(index)} | {
            name for name in walk.task.facts.values if len(name) == 1
        }
        named = {
            tuple(atom.split())
            for frame in walk.frames
            for found in frame.unsatisfied
            for atom in _ATOMS.findall(found.condition)
        }.intersection(walk.task.facts.values)
        # What a failing condition reads is shown, also if no step changes it.
        others = sorted(changed - named)[: max(0, _MOST_LISTED - len(named))]
        self.fluents = sorted(named.union(others))
        self.is_timed = any(frame.time is not None for frame in walk.frames)
        """Whether the frames are the happenings of a plan with durations."""
        skipped = walk.frames[0].number if walk.frames else 0
        self.start = f"State after step {skipped:,}" if skipped else "Initial state"
        """The name of the first state."""
        self.unmet = [self._unmet(frame) for frame in walk.frames]
        """By frame, each condition that does not hold, as PDDL and in words."""
        self.whys = [self._why(*each) for each in zip(walk.frames, self.unmet, strict=True)]
        """By frame, why the step fails, the goal is missed or the budget is exceeded; or empty."""

    def _picture(self, index: int) -> tuple[Parts, list[str]]:
        """Return the parts of a frame's picture, and the changes and faults without a mark."""
        frame = self.walk.frames[index]
        states = [each.state for each in self.walk.frames[max(index - 1, 0) : index + 1]]

        def subject(said: str, *facts: Ground) -> MarkedPart:
            # A fact without objects is about what holds in its place.
            instead = (
                blocker
                for state in states
                for fact in facts
                if len(fact) == 1 and fact not in state.facts
                for blocker in blockers(self.walk.task, state, fact)
            )
            return MarkedPart(said, (*facts, *instead))

        old, new = states[0], states[-1]
        changed = [
            *(subject(self.words.fact(fact), fact) for fact in sorted(old.facts ^ new.facts)),
            *(subject(self.words.number(name), name) for name in self._values(index)),
        ]
        failing = [
            *(subject(self.words.condition(text), *map(tuple, map(str.split, _ATOMS.findall(text))))
              for text, _ in frame.unsatisfied),
            *(subject(self.step(step), ("", *step.arguments)) for step in frame.steps
              if frame.failed and not frame.unsatisfied),
        ]  # fmt: skip
        return marked_parts(
            self.drawings[index],
            self.drawings[index - 1] if index and not frame.failed else None,
            changed,
            failing,
        )

    def _values(self, index: int) -> list[Ground]:
        """Return the fluents whose values differ from those of the frame before."""
        old, new = (self.walk.frames[each].state.values for each in (max(index - 1, 0), index))
        # Values may be no ordinary numbers; most are the same object, which is quick to see.
        changed = (name for name in old | new if old.get(name) is not new.get(name))
        return sorted(
            name
            for name in changed
            if name[0] != DURATION and _number(old.get(name)) != _number(new.get(name))
        )

    def step(self, step: Step, frame: WalkFrame | None = None) -> str:
        """Return a step in words; a picture may have its own, given the states around it."""
        before = after = None
        if frame is not None and not frame.failed and len(frame.steps) == 1:
            before = self.walk.frames[self.walk.frames.index(frame) - 1].state
            after = frame.state
        own = self.scene and self.scene.picture.sentence
        return (own(step, before, after) if own is not None else "") or self.words.step(step)

    def json(self) -> dict[str, Any]:
        """Return the object that the script of the page reads."""
        # Parts and facts repeat from frame to frame: each is written once, and named by its number.
        parts: dict[str, int] = {}
        facts: dict[Ground, int] = {}
        # The first two fill the tables of facts and parts.
        initial = [
            _numbered(facts, fact)
            for frame in self.walk.frames[:1]
            for fact in sorted(frame.state.facts)
            if fact[0] in self.changing
        ]
        frames = [self._frame(*each, parts, facts) for each in enumerate(self.walk.frames)]
        return {
            "initial": initial,
            # A frame has what differs from the frame before.
            "frames": [
                {name: value for name, value in frame.items() if before.get(name, ...) != value}
                for before, frame in pairwise([dict[str, Any](), *frames])
            ],
            # The page has those of its first picture already.
            "parts": list(parts)[len({*self.pictures[0]}) if self.pictures else 0 :],
            "facts": [[atom_text(fact), self.words.fact(fact)] for fact in facts],
            "goals": self.words.goals,
            "start": next((index for index, why in enumerate(self.whys) if why), 0),
        }

    def _frame(
        self, index: int, frame: WalkFrame, parts: dict[str, int], facts: dict[Ground, int]
    ) -> dict[str, Any]:
        picture, unmarked = self.marked[index] if self.marked else ((), [])
        old = self.walk.frames[max(0, index - 1)].state
        before, missing = old.facts, [found.condition for found in frame.missing_goals or ()]
        title = f"Step {frame.number} of {len(self.walk.plan or ())}" if index else self.start
        if frame.time is not None:
            title = f"Time {number_decimal(frame.time, 6)} ({index} of {len(self.walk.frames) - 1})"
        return {
            **({} if self.is_timed or frame.number == index else {"number": frame.number}),
            "group": len(frame.steps) or len(frame.events),
            "time": None if frame.time is None else float(frame.time),
            "title": title,
            "say": self.say(frame),
            "why": self.whys[index],
            "failed": frame.failed,
            "parts": [_numbered(parts, part) for part in picture],
            "unmarked": shortened("; ".join(dict.fromkeys(unmarked)), _LONGEST_LINE),
            "add": [_numbered(facts, fact) for fact in sorted(frame.state.facts - before)],
            "del": [_numbered(facts, fact) for fact in sorted(before - frame.state.facts)],
            "values": [
                f"{self.words.number(name)}: "
                f"{_number(old.values.get(name))} → {_number(frame.state.values.get(name))}"
                for name in self._values(index)
            ],
            "unmet": self.unmet[index],
            "goals": "".join(
                "?" if frame.missing_goals is None else str(int(goal not in missing))
                for goal, _ in self.words.goals
            ),
            "cost": _number(frame.cost),
            "fluents": [_number(frame.state.values.get(name)) for name in self.fluents],
        }

    def _unmet(self, frame: WalkFrame) -> list[list[str]]:
        unmet = []
        for found in frame.unsatisfied[:_MOST_LISTED]:
            fact = tuple(found.condition[1:-1].split())
            is_missing = "(" not in found.condition[1:] and fact not in frame.state.facts
            others = blockers(self.walk.task, frame.state, fact) if is_missing else []
            # More facts than these are no reason, such as all the roads that there are.
            few = others[:_MOST_SAID] if len(others) <= _MOST_SAID + 1 else []
            instead = f", but {' and '.join(map(self.words.holds, few))}" if few else ""
            unmet.append([found.condition, f"{shortened(self.words.must(found), 240)}{instead}"])
        return unmet

    def _why(self, frame: WalkFrame, unmet: list[list[str]]) -> str:
        missing, goals, budget = len(frame.unsatisfied), len(self.words.goals), self.walk.budget
        # The page names the step already.
        reason = _STEP.sub(lambda found: "there is no " if found[1] else "", visible(frame.reason))
        said = "; ".join([words for _, words in unmet[:_MOST_SAID]] or [reason])
        said += f"; and {missing - _MOST_SAID} more" if missing > _MOST_SAID else ""
        if frame.failed:
            during = _DURING.search(reason) if unmet else None
            said = f"Step {frame.number} fails: {said}{f' ({during[0]})' if during else ''}"
        elif unmet:
            which = "the goal" if goals == 1 else f"{missing} of {goals} goals"
            said = f"The plan misses {which}: {said}{self._last_step(frame)}"
        elif not said and budget is not None and (frame.cost or 0) > budget:
            said = f"the cost so far is {_number(frame.cost)}; the budget is {_number(budget)}"
        return f"{said[0].upper()}{said[1:]}.".replace("?.", "?") if said else ""

    def _last_step(self, frame: WalkFrame) -> str:
        """Return a sentence with a step that reaches the goal from a frame, if there is one."""
        task = self.walk.task
        with suppress(PddlError, NotJudged):
            for step, state in islice(task.successors(frame.state), _MOST_STEPS):
                if task.goal_holds(state):
                    return f". One step is missing at the end: {step}"
        return ""

    def _event(self, text: str) -> str:
        """Return the start or the end of a step, or a timed literal, in words."""
        pddl, _, moment = text.partition(" - ")
        action, *arguments = pddl[1:-1].split()
        if action not in self.walk.task.vocabulary.actions and moment in {"", "literal"}:
            return "a timed literal"
        words = self.words.step(Step(action, tuple(arguments)))
        return f"{moment}{' of' * (moment != 'event')} {words}" if moment else words

    def say(self, frame: WalkFrame) -> str:
        """Return what a frame shows, in a sentence or two."""
        said = f"{self.start}." if frame is self.walk.frames[0] else "The plan ends."
        if frame.steps:
            words = "; at the same time, ".join(self.step(step, frame) for step in frame.steps)
            is_name = any(words.split(" ")[0] in step.arguments for step in frame.steps)
            said = f"Step {frame.number}: {words if is_name else words[:1].upper() + words[1:]}."
        if frame.time is not None and (frame.events or not frame.steps):
            events = "; ".join(map(self._event, frame.events)) or "the plan ends"
            said = f"At {number_decimal(frame.time, 6)}: {events}."
        is_end = not frame.failed and frame.missing_goals == ()
        return f"{said} The goal is reached." if is_end else said


def _middle(walk: Walk) -> tuple[State, list[str]]:
    """Return the state where a plan fails or ends, and the objects that this is about."""
    frame = walk.frames[-1]
    facts = [
        tuple(atom.split())
        for found in frame.unsatisfied
        for atom in _ATOMS.findall(found.condition)
    ]
    # What holds instead of `(empty-ferry)` names the car on the ferry.
    facts += [blocker for fact in facts for blocker in blockers(walk.task, frame.state, fact)]
    names = [name for fact in facts for name in fact[1:]]
    steps = frame.steps if frame.failed else () if names else walk.plan or ()
    return frame.state, [*names, *(name for step in steps for name in step.arguments)]


def _numbered(table: dict[Item, int], item: Item) -> int:
    """Return the number of an item in the order of first use, so that each is written once."""
    return table.setdefault(item, len(table))


def _number(value: Number | None) -> str:
    return "not known" if value is None else shortened(number_text(value), _LONGEST_NUMBER)
