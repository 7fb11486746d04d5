"""Generates model answers whose truth is known: the evidence for the reader of answers.

Each text tells steps, right or wrong, in one of many ways. The verdict on the steps comes from the
validator, never from a reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from string import ascii_lowercase
from typing import Any, ClassVar, Final

from countdown_writers import (
    PLAIN,
    PRINTED,
    Way,
    expression,
    in_prose,
    in_sentence,
    marked,
    random_way,
    step,
    told_alone,
)

from pddl_pipeline import load_records
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task

Steps = tuple[Step, ...]
Allowed = frozenset[str]
RIGHT: Final = frozenset({"valid", "malformed"})
WRONG: Final = frozenset({"invalid", "malformed"})
UNCLEAR: Final = frozenset({"malformed"})
ANY: Final = RIGHT | WRONG


@dataclass(frozen=True)
class Told:
    """A text, and the verdicts on it that are not wrong."""

    domain: str
    instance: Instance[Any]
    kind: str
    text: str
    allowed: Allowed
    plain: bool
    """Whether a reader has no excuse for ``malformed``, but for one text in ten."""
    steps: Steps
    """The steps that the text tells, as a careful person reads them."""


@dataclass(frozen=True)
class Verb:
    """How an action is told: by its own name."""

    forms: str
    """Base form, third person, -ing, past, participle."""
    particle: str = ""
    thing: str = "{0}"
    """The object of the verb."""
    tails: tuple[str, ...] = ("",)
    agent: str = ""
    """The argument that acts, if the action has one."""
    tool: str = "with"
    """The preposition before the agent in a command."""
    goes: bool = False
    """Whether the object of the verb is its subject in the third person: the truck drives."""


_DROP: Final = "drop drops dropping dropped dropped"
_MOVE: Final = "move moves moving moved moved"
_PICK: Final = "pick picks picking picked picked"
_PUSH: Final = Verb(
    "push pushes pushing pushed pushed", thing="{1}", agent="{0} at {2}",
    tails=("from {3} to {4} in direction {5}", "from {3} to {4} by {5}"),
)  # fmt: skip
_BLOCKS: Final = {
    "pick-up": Verb(_PICK, "up", tails=("", "", "from the table")),
    "put-down": Verb("put puts putting put put", "down", tails=("", "", "on the table")),
    "stack": Verb("stack stacks stacking stacked stacked", tails=("on {1}", "on top of {1}")),
    "unstack": Verb("unstack unstacks unstacking unstacked unstacked",
                    tails=("from {1}", "from on top of {1}")),
}  # fmt: skip
VERBS: Final[Mapping[str, Mapping[str, Verb]]] = {
    "blocksworld": _BLOCKS,
    "budget-blocksworld": _BLOCKS,
    "ferry": {
        "sail": Verb("sail sails sailing sailed sailed", thing="", tails=("from {0} to {1}",)),
        "board": Verb("board boards boarding boarded boarded", tails=("at {1}",), goes=True),
        "debark": Verb("debark debarks debarking debarked debarked", tails=("at {1}",), goes=True),
    },
    "grippers": {
        "move": Verb(_MOVE, tails=("from {1} to {2}",), goes=True),
        "pick": Verb(_PICK, "up", "{1}", ("in {2} with {3}",), "{0}", "of"),
        "drop": Verb(_DROP, "", "{1}", ("in {2} with {3}",), "{0}", "of"),
    },
    "depots": {
        "drive": Verb("drive drives driving drove driven", tails=("from {1} to {2}",), goes=True),
        "lift": Verb("lift lifts lifting lifted lifted", "", "{1}", ("from {2} at {3}",), "{0}"),
        "drop": Verb(_DROP, "", "{1}", ("on {2} at {3}", "onto {2} at {3}"), "{0}"),
        "load": Verb("load loads loading loaded loaded", "", "{1}", ("into {2} at {3}",), "{0}"),
        "unload": Verb("unload unloads unloading unloaded unloaded", "", "{1}",
                       ("from {2} at {3}",), "{0}"),
    },
    "minigrid": {
        "move": Verb(_MOVE, thing="", tails=("from {0} to {1}",)),
        "unlock": Verb("unlock unlocks unlocking unlocked unlocked", "", "{1}",
                       ("from {0} with {2} of {3}",)),
        "pickup": Verb(_PICK, "up", "{1}", ("at {0}",)),
        "putdown": Verb("put puts putting put put", "down", "{1}", ("at {0}",)),
    },
    "sokoban": {
        "move": Verb(_MOVE, tails=("from {1} to {2} in direction {3}",
                                   "from {1} to {2} by {3}"), goes=True),
        "push-to-goal": _PUSH,
        "push-to-nongoal": _PUSH,
    },
}  # fmt: skip

# The same steps in other verbs.
OTHER_VERBS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "blocksworld": {
        "pick-up": ("pick up {0}", "pick {0} up", "lift {0} from the table", "grab {0}"),
        "put-down": ("put down {0}", "put {0} down", "place {0} on the table", "drop {0}"),
        "stack": ("stack {0} on {1}", "place {0} on top of {1}", "put {0} onto {1}"),
        "unstack": ("unstack {0} from {1}", "remove {0} from {1}", "take {0} off {1}"),
    },
    "ferry": {
        "sail": ("sail from {0} to {1}", "sail the ferry from {0} to {1}", "go from {0} to {1}"),
        "board": ("board {0} at {1}", "load {0} onto the ferry at {1}", "at {1}, board {0}"),
        "debark": ("debark {0} at {1}", "unload {0} from the ferry at {1}", "unload {0} at {1}"),
    },
    "grippers": {
        "move": ("move {0} from {1} to {2}", "{0} goes from {1} to {2}"),
        "pick": ("use {0} to pick up {1} in {2} with {3}", "{0} picks up {1} in {2} with {3}"),
        "drop": ("use {0} to drop {1} in {2} with {3}", "{0} drops {1} in {2} from {3}"),
    },
    "depots": {
        "drive": ("drive {0} from {1} to {2}", "{0} drives from {1} to {2}"),
        "lift": ("use {0} to lift {1} from {2} at {3}", "{0} lifts {1} off {2} at {3}"),
        "drop": ("use {0} to drop {1} on {2} at {3}", "at {3}, {0} lowers {1} onto {2}"),
        "load": ("use {0} to load {1} into {2} at {3}", "{0} loads {1} into {2} at {3}"),
        "unload": ("use {0} to unload {1} from {2} at {3}", "{0} unloads {1} from {2} at {3}"),
    },
}  # fmt: skip

# States that hold after an applied step, in words of this file.
_BLOCK_STATES: Final = {
    "pick-up": ("the hand is full", "{0} hangs in the hand"),
    "put-down": ("the hand is empty again", "{0} rests by itself"),
    "stack": ("{1} is covered", "{0} sits on {1}", "{0} is on {1}"),
    "unstack": ("{1} is free", "the top of {1} is bare", "{1} is clear"),
}
STATES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "blocksworld": _BLOCK_STATES,
    "budget-blocksworld": _BLOCK_STATES,
    "ferry": {"sail": ("the boat floats at {1}", "the ferry is at {1}"),
              "board": ("the deck is full", "{0} is on the ferry"),
              "debark": ("{0} stands at {1}", "the deck is free", "{0} is at {1}")},
    "grippers": {"move": ("{0} waits in {2}",), "pick": ("{3} is busy", "{1} hangs in {3}"),
                 "drop": ("{3} is free", "{1} lies in {2}", "{1} is at {2}")},
    "depots": {"drive": ("{0} stands at {2}", "{0} is at {2}"), "lift": ("{0} is busy",),
               "drop": ("{1} rests on {2}", "{1} is on {2}"), "load": ("{1} is inside {2}",),
               "unload": ("{1} hangs from {0}", "{0} is busy")},
    "minigrid": {"move": ("the robot stands at {1}", "the robot is at {1}"),
                 "unlock": ("the way to {1} is free",), "pickup": ("the robot has {1}",),
                 "putdown": ("{1} lies at {0}",)},
    "sokoban": {"move": ("{0} stands at {2}",), "push-to-goal": ("{1} rests at {4}",),
                "push-to-nongoal": ("{1} rests at {4}",)},
}  # fmt: skip
COLOURS: Final = ("red", "blue", "orange", "yellow", "white", "magenta", "black", "cyan", "green",
                  "violet", "silver", "gold")  # fmt: skip
MODALS: Final = ("we should", "you should", "we will", "I would", "we need to", "we have to",
                 "I will", "one must", "let us")  # fmt: skip
MOODS: Final = ("imperative", "first", "modal", "third", "past", "passive", "ing")
OPENINGS: Final = ("Then ", "Next, ", "After that, ", "Now ", "Afterwards, ")
LISTS: Final = ("{n}. {}", "{n}. {}", "{n}) {}", "- {}", "* {}", "Step {n}: {}", "{n}. **{}**",
                "**Step {n}:** {}", "{}", "<li>{}</li>", "| {n} | {} | ok |", "{n}\ufe0f\u20e3 {}",
                "- **{}**")  # fmt: skip
# Words around the steps, by the name of the field that draws one of them.
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "preface": ("", "", "Here is the plan:\n\n", "Sure! Here is one solution.\n\n", "Plan:\n",
                "**Plan**\n\n", "The goal can be reached like this:\n\n"),
    "opening": ("", "", "", "then ", "now ", "next, ", "first, ", "please "),
    "aside": ("", "", "", " because it is needed", " so that the way is free",
              " - as planned", " [ok]", " \u2705"),
    "closing": ("", "", "\n\nDone.", "\n\n**Check:** all is well.",
                "\n\nThis reaches the goal.", "\n\nAll goals are met now.",
                "\n\nLet me know if anything is unclear."),
    "label": ("Clear the way", "Free the base", "Main part", "Preparation", "Last bit"),
    "retraction": ("Wait, that is wrong.", "Hold on, this fails.", "Correction:",
                   "Let me fix that.", "No, let me try again.", "Oops, scratch that.",
                   "Let me redo this.", "Sorry, I made an error. Here is the corrected plan:"),
    "between": ("Alternatively:", "Another way:", "A different plan:", "It could also be:"),
    "opened": ("", "\n\nBoth are possible.", "\n\nEither will do."),
    "sum": ("In short:", "To recap:", "So the whole plan is to", "That is,", "**Summary:**"),
    "unknown": ("polish {some}", "paint {some}", "wobble {some}", "{some} hops back to {some}",
                "teleport {some}", "undo the last action", "repeat this for the others",
                "do the same again", "likewise for {some}", "hurl {some} at {some}",
                "relocate {some} next to {some}", "{some} must be shifted towards {some}",
                "continue in this manner", "reverse that", "{some} is scrubbed at the end",
                "jiggle {some} until it breaks", "juggle {some} and {some}"),
    "backwards": ("Working backwards from the goal:", "In reverse order:",
                  "Backwards, from the end:"),
    "half_end": ("and so on until the goal is reached", "(the rest is analogous)",
                 "The remaining actions follow the same pattern."),
}  # fmt: skip
PAIRS: Final = (
    "After {ing1}, {imperative2}", "Once you have {done1}, {imperative2}",
    "Having {done1}, {imperative2}", "By {ing1}, we make room; then {imperative2}",
    "Before {ing2}, {imperative1}", "{imperative1} before {ing2}", "{imperative2} after {ing1}",
    "{imperative1}, after which you {imperative2}", "{imperative1} and then {imperative2}",
    "{imperative1}, {ing2}", "{imperative1}, where {third2}",
    "{imperative2}, but first {imperative1}", "{imperative1}; afterwards, {imperative2}",
    "As soon as you have {done1}, {imperative2}", "When you have {done1}, {imperative2}",
    "{passive1}, and then {passive2}", "For the goal, {imperative1}; then {imperative2}",
    "{imperative1}, and once that is so, {imperative2}",
    "While we are at it, {imperative1}, then {imperative2}",
    "{imperative1} (and then {imperative2})",
)  # fmt: skip
RECALLED: Final = (
    "After {ing1}, {imperative2}", "Having {done1}, {imperative2}",
    "Now that {passive1}, {imperative2}", "Once you have {done1}, {imperative2}",
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A kind of texts. Fields in braces are methods of the writer, or rows of ``WORDS``."""

    weight: int
    """How often it is drawn, beside the other kinds."""
    texts: tuple[str, ...] = ("{list}",)
    readings: str = "steps"
    """The steps that the text may tell: names of the writer's readings, the likeliest first."""
    rule: str = "prefer"
    """``prefer`` the first reading, though another one that is right excuses everything; ``open``:
    readings that differ are unreadable; ``unclear``: nothing may be read; ``wrong``: nothing may be
    valid; ``broken``: unclear, unless a step before the place fails; ``cut``: likewise, but what is
    told may be all."""
    plain: bool = False
    each: tuple[str, ...] = ()
    """Forms of an item, one drawn for each."""
    item: tuple[str, ...] = ()
    """Forms of the item at the place that the writer draws. A form feed divides two items."""
    least: int = 1
    """The number of steps that it needs."""


KINDS: Final[Mapping[str, Kind]] = {
    "list": Kind(10, ("{preface}{list}{closing}",), plain=True),
    "data": Kind(6, ("{preface}{data}{closing}",), plain=True),
    "sentences": Kind(6, ("{preface}{running}{closing}",), plain=True),
    "other verbs": Kind(8, ("{preface}{list}{closing}",), each=("{opening}{worded}{aside}",),
                        plain=True),
    "one sentence": Kind(3, ("{told}", "{semicolons}", "{arrowed}", "{called}", "{json}",
                             "\\boxed{{\\text{{{semicolons}}}}}")),
    "mixed persons": Kind(2, each=("{imperative}", "{first}", "{modal}", "{third}", "{past}",
                                   "{passive}", "{ing}")),
    "states": Kind(4, ("{list}{closing}",), each=(
        "{line}", "{line}", "{line} ({state})", "{line}, so {state}", "{line} so that {state}",
        "{line}; now {state}", "{line}. Now {state}.", "{line} - {state}", "{line}\n   - {state}",
        "{line}\n   - Result: {state}.", "{line}, which means that {state}")),
    "preface": Kind(4, (
        "To solve this we need to {start} first.\n\n{list}",
        "My idea is to {start} first.\n\n{list}", "We first {start}.\n\n{list}",
        "Clearly, we have to {start} at the beginning.\n\n{list}",
        "For the goal it helps to {start} early on.\n\n{list}"), "steps started"),
    "considered": Kind(2, (
        "Let us think. If we {stray}, we are stuck.\n\nPlan:\n{list}",
        "Doubts: {stray_ing} at once would block us.\n\nPlan:\n{list}",
        "One could {stray}, but that does not help.\n\nPlan:\n{list}",
        "It is tempting to {stray}.\n\nPlan:\n{list}"), "steps strayed"),
    "labels": Kind(2, each=("{label}: {imperative}", "{imperative}")),
    "repeated labels": Kind(2, each=(
        "**{ing}**: {imperative}", "{ing}: {imperative}", "{imperative} (`{pddl}`)",
        "{imperative}\n   - `{pddl}`", "{imperative} - `{pddl}`")),
    "other label": Kind(1, readings="steps inserted", rule="open", item=("{stray}: {imperative}",)),
    "pairs": Kind(4, ("{pairs}",), least=2),
    "pairs in sentences": Kind(3, ("{paired_sentences}",), least=2),
    "recalled": Kind(3, readings="steps repeated", item=("{recalled}",), least=2),
    "denials": Kind(3, item=(
        "{imperative} (do not {stray})", "{imperative} instead of {stray_ing}",
        "{imperative} rather than {stray_ing}", "{imperative} (we avoid {stray_ing})",
        "{imperative}. There is no need to {stray}.", "{imperative}. Never {stray} here.",
        "{imperative} because {some} has to be free", "{imperative} ({some} is not needed)",
        "Instead of doing it otherwise, {imperative}", "{imperative}\f{stray} is not needed.")),
    "arrows": Kind(1, each=("{arrow}",)),
    "retold": Kind(2, ("{list}\n\nThe same plan in PDDL:\n\n{data}",
                       "{list}\n\nThe same plan in other words:\n\n{reworded}"), "steps doubled"),
    "marked": Kind(2, ("<think>\n{other_list}\n</think>\n\n{list}",
                       "{other_list}\n\n**Final plan:**\n\n{list}",
                       "Draft:\n{other_list}\n\n[PLAN]\n{list}\n[PLAN END]")),
    "summary": Kind(2, ("{list}\n\n{sum} {told}.",), "steps doubled"),
    "other summary": Kind(1, ("{list}\n\n{sum} {other_told}.",), "steps other both", "open"),
    "later step": Kind(2, ("{early}\n\nFinally, {last}.", "{early}\n\nThen {last}.",
                           "{early}\n\nAfter that, {last}."), least=2),
    "correction": Kind(3, ("{other_list}\n\n{retraction}\n\n{list}",), "steps both_after"),
    "corrected step": Kind(2, ("{wrong_list}\n\nCorrection: step {number} should be: {imperative}.",
                               "{wrong_list}\n\nWait, step {number} must be: {imperative}.")),
    "chosen": Kind(3, (
        "**Plan A:**\n{body}\n\n**Plan B:**\n{other_body}\n\nI choose Plan A.",
        "**Plan A:**\n{other_body}\n\n**Plan B:**\n{body}\n\nI choose Plan B.",
        "Option 1:\n{other_body}\n\nOption 2:\n{body}\n\nMy final answer is option 2.",
        "Option 1:\n{body}\n\nOption 2:\n{other_body}\n\nI recommend option 1.",
        "### Plan A\n{body}\n\n### Plan B\n{other_body}\n\nI settle on plan A.",
        "**Plan A (recommended)**\n{body}\n\n**Plan B**\n{other_body}",
        "**Plan A**\n{other_body}\n\n**Plan B (recommended)**\n{body}")),
    "not chosen": Kind(2, (
        "Plan A:\n{body}\n\nPlan B:\n{other_body}{opened}",
        "**Option 1:**\n{other_body}\n\n**Option 2:**\n{body}{opened}"), "steps other", "open"),
    "two lists": Kind(2, ("{list}\n\n{between}\n\n{other_list}",
                          "{other_list}\n\n{between}\n\n{list}"), "steps other", "open"),
    "withdrawn": Kind(3, (
        "Do not do this:\n\n{body}", "The following plan is wrong:\n\n{body}",
        "{body}\n\nThis plan does not work.", "{body}\n\nSorry, I give up.",
        "{body}\n\nOn reflection this plan fails, and I have no other one.",
        "{body}\n\nIgnore this plan.", "{body}\n\nThat would be wrong, so disregard it.",
        "{body}\n\nI withdraw this answer.", "This is what you must not do:\n\n{body}"),
        rule="unclear"),
    "either or": Kind(2, readings="steps replaced", rule="open", item=(
        "Either {imperative} or {replacement}", "{imperative} or {replacement}",
        "{imperative}, or maybe {replacement}", "{imperative} (or {replacement})")),
    "unknown words after": Kind(3, ("{list}\n\nFinally, {unknown}.", "{list}\n\nThen {unknown}."),
                                rule="broken"),
    "unknown words inside": Kind(3, rule="broken", item=("{imperative}\f{unknown}",
                                                         "{imperative}, then {unknown}")),
    "unknown object": Kind(1, rule="wrong", item=("{foreign}",)),
    "falling": Kind(2, ("{falling}",), "steps fallen", "open", least=3),
    "backwards": Kind(1, ("{backwards}\n\n{list}", "{backwards}\n\n{reversed_list}"),
                      "steps reversed", "open", least=2),
    "cut off": Kind(1, ("{half}\n{half_end}",), rule="cut", least=2),
}  # fmt: skip


class Subject:
    """An instance with its task, its names and a right plan."""

    def __init__(self, instance: Instance[Any]) -> None:
        self.instance = instance
        self.task: Task = read_instance(instance)
        self.objects = self.task.vocabulary.objects
        plan = self.task.read_plan("\n".join(instance.extras["witness"]))
        self.plan = tuple(Step(*each[:2]) for each in plan)  # without lines, as altered steps

    def right(self, steps: Sequence[Step]) -> bool:
        """Return whether the validator accepts the steps."""
        return self.task.judge(Plan(steps)).status is Status.VALID

    def other(self, name: str, random: Random) -> str:
        """Return another object of the same types."""
        alike = [each for each, types in self.objects.items() if types == self.objects[name]]
        return random.choice([each for each in alike if each != name] or [name])

    def altered(self, step: Step, random: Random) -> Step:
        """Return the step with another argument, and with the action that its words then mean."""
        at = random.randrange(len(step.arguments))
        named = list(step.arguments)
        named[at] = self.other(named[at], random)
        action = step.action
        if action.startswith("push-to"):
            goals = ("is-goal", named[4]) in self.task.initial_state().facts
            action = "push-to-goal" if goals else "push-to-nongoal"
        changed = Step(action, tuple(named))
        return changed if len(set(named)) == len(named) else step

    def mutated(self, steps: Steps, random: Random) -> Steps:
        """Return the steps with one deleted, inserted, replaced or in another place."""
        for _ in range(20):
            at, form, found = random.randrange(len(steps)), random.randrange(4), list(steps)
            if form == 0:
                del found[at]
            elif form == 1:
                found.insert(at, self.altered(random.choice(steps), random))
            elif form == 2:
                found[at] = self.altered(found[at], random)
            else:
                found.insert(random.randrange(len(found)), found.pop(at))
            stutters = any(one == two for one, two in pairwise(found))
            if found and not stutters and tuple(found) != steps:
                return tuple(found)
        return steps


class Draft:
    """What the writers of plans and of countdown share: fields in braces, and the verdicts."""

    random: Random
    kind: Kind
    fields: ClassVar[Mapping[str, Callable[[Any], str]]]

    def __getitem__(self, field: str) -> str:
        return self.drawn(WORDS[field]) if field in WORDS else self.fields[field](self)

    def drawn(self, forms: Sequence[str]) -> str:
        """Return one of the forms with its fields filled in."""
        return self.random.choice(forms).format_map(self)

    def right(self, reading: str) -> bool:
        """Return whether the validator accepts a reading."""
        raise NotImplementedError

    def certain(self) -> Allowed:
        """Return the verdicts on the first reading."""
        return RIGHT if self.right(self.kind.readings.split()[0]) else WRONG

    def broken(self) -> Allowed:
        """Return the verdicts on steps with something unclear behind the place."""
        return UNCLEAR if self.certain() == RIGHT else WRONG

    def allowed(self) -> Allowed:
        """Return the verdicts on the text that are not wrong."""
        first, *others = map(self.right, self.kind.readings.split())
        match self.kind.rule:
            case "unclear":
                return UNCLEAR
            case "wrong":
                return WRONG
            case "broken" | "cut" if self.kind.rule == "broken" or not first:
                return self.broken()
            case "open" if (not first) in others:
                return UNCLEAR
            case "prefer" if not first and any(others):
                return ANY
        return self.certain()


class Writer(Draft):
    """Writes the steps of a plan in the manner of one text: names, person, form of lists."""

    def __init__(self, subject: Subject, random: Random, kind: Kind, base: Steps) -> None:
        self.subject, self.random, self.kind, self.base = subject, random, kind, base
        other = subject.mutated(base, random)
        self.steps, self.others = (base, other) if random.random() < 0.5 else (other, base)
        self.mood = random.choice(("imperative", *MOODS))
        self.verbs = VERBS.get(subject.instance.domain, {})
        self.names = self._names()
        count = len(self.steps)
        first = 1 if "repeated" in kind.readings and count > 1 else 0
        self.at = random.randrange(first, count) if kind.item or first else count - 1
        if "wrong_list" in kind.texts[0]:
            self.at = random.randrange(count)
        self.changed = subject.altered(self.steps[self.at], random)
        strays = (subject.altered(each, random) for each in (*base, *base))
        self.strayed = next((each for each in strays if each not in {*base, *other}), None)
        self.leading = base[: random.randint(1, 2)]
        self.order = list(range(count))[::-1]
        if count > 2 and random.random() < 0.5:
            place = random.randrange(1, count - 1)
            self.order = [*range(place), place + 1, place, *range(place + 2, count)]

    @property
    def suitable(self) -> bool:
        """Whether the kind can be written with these steps."""
        needed = any("{stray" in form for form in (*self.kind.texts, *self.kind.item))
        return len(self.steps) >= self.kind.least and (self.strayed is not None or not needed)

    def reading(self, name: str) -> Sequence[Step]:
        """Return the steps that the text tells if it is read so."""
        steps, at, stray = self.steps, self.at, (self.strayed or self.changed,)
        return {
            "steps": steps, "other": self.others, "doubled": steps * 2,
            "started": self.leading + steps, "strayed": stray + steps,
            "inserted": steps[:at] + stray + steps[at:],
            "repeated": steps[:at] + steps[max(0, at - 1) :],
            "replaced": (*steps[:at], self.changed, *steps[at + 1 :]),
            "both": steps + self.others, "both_after": self.others + steps,
            "fallen": [steps[each] for each in self.order if each < len(steps)],
            "reversed": steps[::-1],
        }[name]  # fmt: skip

    def right(self, reading: str) -> bool:
        return self.subject.right(self.reading(reading))

    def allowed(self) -> Allowed:
        rest = iter(self.steps)
        if self.kind.readings == "steps other both" and all(each in rest for each in self.others):
            return ANY if self.right("steps") != self.right("other") else self.certain()
        return super().allowed()

    def broken(self) -> Allowed:
        verdict = self.subject.task.judge(Plan(self.steps[: self.at + 1]))
        return UNCLEAR if verdict.failed_step is None else WRONG

    def _names(self) -> dict[str, str]:
        domain, kinds = self.subject.instance.domain, self.subject.objects
        objects = sorted(kinds, key=lambda each: (len(each), each))
        style = self.random.randrange(3)
        if domain in {"ferry", "minigrid"} and style == 1:
            nouns = ("car", "location", "place", "key", "shape")
            typed = [(each, noun) for each in kinds for noun in nouns if noun in kinds[each]]
            return {each: f"{noun} {each}" for each, noun in typed}
        if not domain.endswith("blocksworld") or (style == 0 and len(objects[0]) > 1):
            return {each: each for each in objects}
        if style == 1 or len(objects) > len(COLOURS):
            return {each: f"block {each}" for each in objects}
        letters = dict(zip(ascii_lowercase, COLOURS, strict=False))
        ordered = dict(zip(objects, COLOURS, strict=False))
        colours = letters if set(objects) <= letters.keys() else ordered
        return {each: f"the {colours[each]} block" for each in objects}

    def phrase(self, step: Step, mood: str = "imperative", *, pronoun: bool = False) -> str:
        """Return the step in words, without a capital or a stop."""
        verb, named = self.verbs[step.action], self.named(step)
        base, third, ing, past, done = verb.forms.split()
        thing = "it" if pronoun and verb.thing else verb.thing.format(*named)
        agent, tail = verb.agent.format(*named), self.random.choice(verb.tails).format(*named)
        if mood == "passive" and thing:
            return _joined(thing, "is", done, verb.particle, tail, agent and f"by {agent}")
        if mood in {"third", "passive"}:
            robot = "the ferry" if self.subject.instance.domain == "ferry" else "the robot"
            subject = thing if verb.goes else agent or robot
            return _joined(subject, third, verb.particle, "" if verb.goes else thing, tail)
        if mood == "imperative" and agent and self.random.random() < 0.3:
            return _joined("use", agent, "to", base, verb.particle, thing, tail)
        start = {"first": "I", "past": "I", "modal": self.random.choice(MODALS)}.get(mood, "")
        form = {"past": past, "ing": ing, "done": done}.get(mood, base)
        told = [verb.particle, thing]
        if thing == "it" or self.random.random() < 0.3:
            told.reverse()
        return _joined(start, form, *told, tail, agent and f"{verb.tool} {agent}")

    def named(self, step: Step) -> list[str]:
        return [self.names.get(each, each) for each in step.arguments]

    def __getitem__(self, field: str) -> str:
        if field in MOODS:
            return self.phrase(self.steps[self.at], field)
        return super().__getitem__(field)

    def lines(self, steps: Sequence[Step], mood: str) -> list[str]:
        """Return a sentence for each step, some with an ordinary opening."""
        told = [self.phrase(each, mood) for each in steps]
        for at in range(len(told)):
            if mood != "ing" and self.random.random() < 0.35:
                last = at == len(told) - 1 > 0
                opening = "Finally, " if last else self.random.choice(OPENINGS)
                told[at] = f"{opening if at else 'First, '}{told[at]}"
        return [self.capital(each) for each in told]

    def items(self) -> list[str]:
        """Return the items of a list that tells the steps in the manner of the kind."""
        if self.kind.each:
            found = list[str]()
            for at in range(len(self.steps)):
                self.at = at
                found.append(self.drawn(self.kind.each))
        else:
            found = self.lines(self.steps, "imperative" if self.kind.item else self.mood)
        if self.kind.item:
            found[self.at] = self.drawn(self.kind.item)
        return [self.capital(each) for each in "\f".join(found).split("\f")]

    def capital(self, text: str) -> str:
        """Return the text with a capital, unless it begins with the name of an object."""
        first, *_ = text.split(maxsplit=1)
        return text if first.strip(",.") in self.subject.objects else f"{text[0].upper()}{text[1:]}"

    def listed(self, lines: Sequence[str], form: str = "") -> str:
        """Return the lines as a list."""
        nested = any("\n" in line for line in lines)
        form = "{n}. {}" if nested else form or self.random.choice(LISTS)
        text = "\n".join(form.format(line, n=at) for at, line in enumerate(lines, 1))
        head = "| Step | Action | Check |\n|---|---|---|\n"
        return {"<": f"<ol>\n{text}\n</ol>", "|": f"{head}{text}"}.get(form[0], text)

    def running(self) -> str:
        mood = self.mood if self.mood not in {"ing", "passive"} else "imperative"
        return " ".join(f"{each}." for each in self.lines(self.steps, mood))

    def data(self, told: Sequence[Step]) -> str:
        """Return the steps as PDDL, calls, JSON or a table."""
        pddl = [str(step) for step in told]
        calls = [f"{step.action}({', '.join(step.arguments)})" for step in told]
        rows = [{"action": step.action, "args": list(step.arguments)} for step in told]
        cells = [f"| {at} | {step.action} | {', '.join(step.arguments)} |"
                 for at, step in enumerate(told, 1)]  # fmt: skip
        return self.random.choice((
            "\n".join(pddl), "\n".join(["```pddl", *pddl, "```"]), self.listed(calls, "{n}. {}"),
            "\n".join(["```", *calls, "```"]), self.listed(pddl, "{n}. {}"),
            "\n".join(["| Step | Action | Arguments |", "|---|---|---|", *cells]),
            f"```json\n{json.dumps({'plan': rows}, indent=1)}\n```", json.dumps({"plan": pddl}),
        ))  # fmt: skip

    def state(self) -> str:
        states = STATES[self.subject.instance.domain][self.steps[self.at].action]
        return self.random.choice(states).format(*self.named(self.steps[self.at]))

    def worded(self) -> str:
        step, verbs = self.steps[self.at], OTHER_VERBS.get(self.subject.instance.domain, {})
        forms = verbs.get(step.action, ())
        return self.random.choice(forms).format(*step.arguments) if forms else self.phrase(step)

    def arrow(self) -> str:
        step = self.steps[self.at]
        travels = step.action in {"sail", "move"} and len(step.arguments) == 2
        return " \u2192 ".join(step.arguments) if travels else self.phrase(step)

    def foreign(self) -> str:
        action, arguments, *_ = self.steps[self.at]
        at = self.random.randrange(len(arguments))
        name = f"{arguments[at].rstrip('0123456789')}77"
        return self.phrase(Step(action, (*arguments[:at], name, *arguments[at + 1 :])))

    def half(self) -> str:
        self.steps = self.steps[: max(1, len(self.steps) // 2)]
        self.at = len(self.steps) - 1
        return self.listed(self.lines(self.steps, self.mood), "{n}. {}")

    def pair(self, forms: Sequence[str], one: Step, two: Step) -> str:
        """Return two steps in one sentence."""
        travels = one.action in {"sail", "drive", "move"}
        form = self.random.choice([each for each in forms if travels or "where" not in each])
        things = [self.verbs[each.action].thing.format(*each.arguments) for each in (one, two)]
        ahead = form.find("1}") < form.find("2}") and things[0] == things[1]
        again = ahead and self.random.random() < 0.6
        told = {
            f"{mood}{at}": self.phrase(step, mood, pronoun=again and at == 2)
            for at, step in ((1, one), (2, two))
            for mood in (*MOODS, "done")
        }
        return self.capital(form.format_map(told))

    def paired(self) -> list[str]:
        lines, at, steps = list[str](), 0, self.steps
        while at < len(steps):
            once = all(steps.count(each) == 1 for each in steps[at : at + 2])
            joined = at + 1 < len(steps) and once and self.random.random() < 0.6
            lines.append(self.pair(PAIRS, *steps[at : at + 2]) if joined
                         else self.capital(self.phrase(steps[at])))  # fmt: skip
            at += 2 if joined else 1
        return lines

    def spoken(self, steps: Sequence[Step], between: str = ", then ") -> str:
        return between.join(self.phrase(each) for each in steps)

    def ordinary(self, steps: Sequence[Step], form: str = "") -> str:
        """Return the steps as a list in the manner of the text."""
        return self.listed(self.lines(steps, self.mood), form)

    fields: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "list": lambda self: self.listed(self.items()),
        "data": lambda self: self.data(self.steps),
        "body": lambda self: self["data" if self.random.random() < 0.3 else "list"],
        "other_list": lambda self: self.ordinary(self.others),
        "other_data": lambda self: self.data(self.others),
        "other_body": lambda self: self["other_data" if self.random.random() < 0.3
                                        else "other_list"],
        "wrong_list": lambda self: self.ordinary(self.reading("replaced"), "{n}. {}"),
        "reversed_list": lambda self: self.ordinary(self.steps[::-1]),
        "reworded": lambda self: self.listed(self.lines(self.steps, "third")),
        "early": lambda self: self.ordinary(self.steps[:-1]),
        "falling": lambda self: "\n".join(
            f"{at + 1}. {self.capital(self.phrase(self.steps[at]))}" for at in self.order),
        "told": lambda self: self.spoken(self.steps),
        "semicolons": lambda self: self.spoken(self.steps, "; "),
        "called": lambda self: ", ".join(
            f"{step.action}({', '.join(step.arguments)})" for step in self.steps),
        "json": lambda self: json.dumps(self.lines(self.steps, "imperative")),
        "arrowed": lambda self: self.spoken(self.steps, " -> "),
        "other_told": lambda self: self.spoken(self.others),
        "start": lambda self: self.spoken(self.leading, " and "),
        "stray": lambda self: self.phrase(self.strayed),
        "stray_ing": lambda self: self.phrase(self.strayed, "ing"),
        "replacement": lambda self: self.phrase(self.changed),
        "last": lambda self: self.phrase(self.steps[-1]),
        "line": lambda self: self.phrase(self.steps[self.at], self.mood),
        "recalled": lambda self: self.pair(RECALLED, *self.steps[self.at - 1 : self.at + 1]),
        "pairs": lambda self: self.listed(self.paired()),
        "paired_sentences": lambda self: " ".join(f"{each}." for each in self.paired()),
        "number": lambda self: str(self.at + 1),
        "pddl": lambda self: str(self.steps[self.at]),
        "some": lambda self: self.random.choice(list(self.names.values())),
        "worded": worded, "running": running, "state": state, "arrow": arrow, "foreign": foreign,
        "half": half,
    }  # fmt: skip


def _joined(*words: str) -> str:
    return " ".join(word for word in words if word)


COUNTED: Final[Mapping[str, Kind]] = {
    "countdown": Kind(12, ("{body}",), plain=True),
    "countdown, chain": Kind(3, ("{chain}",)),
    "countdown, checked": Kind(3, ("Answer: {told}\n\nCheck:\n{list}",)),
    "countdown, tried before": Kind(3, (
        "Let us try {other}. That gives {value}, which misses the target.\n\n{body}",)),
    "countdown, aside": Kind(3, (
        "Answer: {told}\n\nI also considered {other}, but that does not work.",
        "{told} (I also tried {other}, without success.)")),
    "countdown, correction": Kind(3, (
        "{other_body}\n\nWait, that is wrong. The right solution is:\n\n{body}",)),
    "countdown, chosen": Kind(3, (
        "Answer A: {told}\nAnswer B: {other}\n\nI choose answer A.",
        "Option 1: {other}\nOption 2: {told}\n\nOf the two, option 2 is my answer.")),
    "countdown, either or": Kind(3, ("Answer: {told} or {other}",
                                     "The solution is either {told} or {other}."),
                                 "told other", "open"),
    "countdown, not chosen": Kind(2, ("Answer A: {told}\nAnswer B: {other}",
                                      "{list}\n\nAlternatively:\n\n{other_list}"),
                                  "told other", "open"),
    "countdown, withdrawn": Kind(3, (
        "{body}\n\nThis does not work after all, and I have no other answer.",
        "The following is not a solution:\n\n{body}"), rule="unclear"),
    "countdown, unknown words": Kind(3, ("{list}\n\nThen undo the last operation.",
                                         "{list}\n\nFinally, wobble the result by {first}."),
                                     rule="broken"),
    "countdown, broken": Kind(3, ("Answer: {text} = {false}", "Answer: {text} + 77 - 77",
                                  "Answer: {part}"), rule="wrong"),
}  # fmt: skip


class Counting(Draft):
    """Writes ways to compute numbers in the manner of one text."""

    def __init__(self, random: Random, kind: Kind, target: int, ways: Sequence[Way]) -> None:
        self.random, self.kind, self.target, (self.way, self.others) = random, kind, target, ways
        self.signs = random.choice((PLAIN, PRINTED))

    def right(self, reading: str) -> bool:
        return (self.others if reading == "other" else self.way).value == self.target

    def text(self, way: Way) -> str:
        return expression(way, self.random, self.signs)

    def written(self, way: Way) -> str:
        """Return the way in a plain form."""
        writer = self.random.choice((told_alone, in_sentence, marked))
        return in_prose(writer(way, self.random), self.random)

    def listed(self, way: Way) -> str:
        form = self.random.choice(("{n}. {}", "- {}", "Step {n}: {}", "{}", "{n}. **{}**"))
        lines = [step(each, self.signs) for each in way.steps]
        return "\n".join(form.format(line, n=at) for at, line in enumerate(lines, 1))

    def chain(self) -> str:
        """Return a chain such as 3 + 5 = 8 - 4 = 4, or the same over lines."""
        first, *rest = (step(each, self.signs) for each in self.way.steps)
        parts = [first, *(each.partition(" ")[2] for each in rest)]
        return self.random.choice((" ", "\n")).join(parts)

    fields: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "told": lambda self: f"{self.text(self.way)} = {self.way.value}",
        "other": lambda self: f"{self.text(self.others)} = {self.others.value}",
        "text": lambda self: self.text(self.way),
        "value": lambda self: str(self.others.value),
        "false": lambda self: str(self.way.value + self.random.randint(1, 9)),
        "body": lambda self: self.written(self.way),
        "other_body": lambda self: self.written(self.others),
        "list": lambda self: self.listed(self.way),
        "other_list": lambda self: self.listed(self.others),
        "first": lambda self: str(self.way.steps[0].parts[0].value),
        "part": lambda self: step(self.way.steps[0], self.signs),
        "chain": chain,
    }


@cache
def counting_instance(size: int, number: int) -> tuple[Instance[Any], list[Way]]:
    """Return an instance with ways to combine its numbers, some of them right."""
    random = Random(f"{size} {number}")
    numbers = [random.randint(1, 30) for _ in range(size)]
    ways = [random_way(random, numbers, straight=at % 2 == 0) for at in range(1_000)]
    target = next(int(way.value) for way in ways if way.value.denominator == 1)
    record = {"id": f"c{size}-{number}", "domain": "countdown", "numbers": numbers}
    return from_record({**record, "target": target}), ways


def counted(random: Random) -> Told:
    """Return a text about countdown."""
    name = random.choices(list(COUNTED), [each.weight for each in COUNTED.values()])[0]
    instance, ways = counting_instance(random.choice((3, 4, 4, 5)), random.randrange(40))
    ways, target = ways[::2] if name == "countdown, chain" else ways, instance.record.target
    by_truth = [[way for way in ways if (way.value == target) is truth] for truth in (True, False)]
    drawn = [random.choice(each or ways) for each in by_truth]
    random.shuffle(drawn)
    writer = Counting(random, COUNTED[name], target, drawn)
    text = writer.drawn(writer.kind.texts)
    return Told("countdown", instance, name, text, writer.allowed(), writer.kind.plain, ())


@cache
def subjects(domain: str) -> list[Subject]:
    """Return the solved examples of a domain."""
    return [Subject(each) for each in load_records(domain_folder(domain) / "solved.jsonl")]


def planned(domain: str, random: Random) -> Told:
    """Return a text about a domain with actions."""
    subject = random.choice(subjects(domain))
    base = subject.plan
    worded = all(step.action in VERBS[domain] for step in base)
    drawn = random.choices(list(KINDS), [each.weight for each in KINDS.values()])[0]
    name = drawn if worded else "data"
    writer = Writer(subject, random, KINDS[name], base)
    if not writer.suitable:
        name, writer = "list", Writer(subject, random, KINDS["list"], base)
    text = writer.capital(writer.drawn(writer.kind.texts).strip())
    allowed, plain = writer.allowed(), writer.kind.plain
    return Told(domain, subject.instance, name, text, allowed, plain, writer.steps)


def texts(seed: int, count: int) -> Iterator[Told]:
    """Yield texts of all domains."""
    random = Random(seed)
    for _ in range(count):
        domain = random.choice([*VERBS, "countdown", "blocksworld"])
        yield counted(random) if domain == "countdown" else planned(domain, random)


def judged(told: Iterable[Told]) -> Iterator[tuple[Told, str, str]]:
    """Yield each text with the reader's verdict and its reason, by instance."""
    groups: dict[tuple[str, str], list[Told]] = {}
    for each in told:
        groups.setdefault((each.domain, each.instance.id), []).append(each)
    for (_, name), group in groups.items():
        answers = [{"id": name, "answer": each.text} for each in group]
        for each, found in zip(group, score([group[0].instance], answers), strict=True):
            # Steps before a part that cannot be read are judged, and miss the target.
            unread = found.verdict.status == "invalid" and "bad-format" in found.errors
            status = "malformed" if unread else str(found.verdict.status)
            yield each, status, found.verdict.reason or ""


def shown(told: Told, verdict: str = "", reason: str = "") -> str:
    """Return a text and what the reader made of it, to print."""
    allowed, plan = ", ".join(sorted(told.allowed)), " ".join(map(str, told.steps))
    head = f"{told.domain} {told.instance.id}, {told.kind}: {verdict}, allowed: {allowed}"
    return f"{head}\nreason: {reason}\nsteps: {plan}\n{told.text}\n"
