"""Generates answers in pairs: a readable text, and the same text with one thing changed.

The verdict on the steps comes from the validator. A change that is only polite must not change the
verdict; a change of the plan must never be accepted; another layout has the same verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

from countdown_writers import PLAIN, expression, step
from text_grammar import VERBS, Kind, Subject, Writer, counting_instance, subjects

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Step
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators.given_pddl import given_instance

DOMAINS: Final = ("blocksworld", "ferry", "depots", "grippers", "rovers", "countdown")
GOALS: Final = {("blocksworld", "on"): "{} is on {}", ("ferry", "at"): "{} is at {}",
                ("depots", "on"): "{} is on {}", ("grippers", "at"): "{} is in {}"}  # fmt: skip
# A domain without words.
ROVERS: Final = """(define (domain small-rovers) (:requirements :typing)
 (:types rover waypoint sample)
 (:predicates (at ?r - rover ?w - waypoint) (path ?x ?y - waypoint) (lies ?s - sample ?w - waypoint)
  (has ?r - rover ?s - sample) (lander ?w - waypoint) (sent ?s - sample))
 (:action navigate :parameters (?r - rover ?x ?y - waypoint)
  :precondition (and (at ?r ?x) (path ?x ?y)) :effect (and (not (at ?r ?x)) (at ?r ?y)))
 (:action take_sample :parameters (?r - rover ?s - sample ?w - waypoint)
  :precondition (and (at ?r ?w) (lies ?s ?w)) :effect (and (not (lies ?s ?w)) (has ?r ?s)))
 (:action send_data :parameters (?r - rover ?s - sample ?w - waypoint)
  :precondition (and (at ?r ?w) (has ?r ?s) (lander ?w)) :effect (sent ?s)))"""
ROVERS_TASK: Final = """(define (problem rovers) (:domain small-rovers)
 (:objects rover0 rover1 - rover waypoint0 waypoint1 waypoint2 waypoint3 - waypoint
  soil0 rock0 - sample)
 (:init (at rover0 waypoint0) (at rover1 waypoint3) (path waypoint0 waypoint1)
  (path waypoint1 waypoint2) (path waypoint3 waypoint2) (path waypoint2 waypoint0)
  (lies soil0 waypoint1) (lies rock0 waypoint3) (lander waypoint2))
 (:goal (and (sent soil0) (sent rock0))))"""
ROVERS_PLAN: Final = [
    "(navigate rover0 waypoint0 waypoint1)", "(take_sample rover0 soil0 waypoint1)",
    "(navigate rover0 waypoint1 waypoint2)", "(send_data rover0 soil0 waypoint2)",
    "(take_sample rover1 rock0 waypoint3)", "(navigate rover1 waypoint3 waypoint2)",
    "(send_data rover1 rock0 waypoint2)",
]  # fmt: skip

# In all sentences, [a|b] is a choice, and {name} a field of the answer's `fields`.
OPENINGS: Final = (
    "[Sure|Of course|Certainly|Okay][!|,] [here is|here's] [my|the|a] [plan|solution|answer][:|.]",
    "Let's [solve it|think about this|work through this] step by step.",
    "[Great|Good|Nice|Interesting] [question|puzzle|problem][!|.]",
    "I [looked at|started from|thought about] the goal [first|before anything else].",
    "I reasoned backwards from the goal to find this.",
    "[Thank you|Thanks] for the [question|puzzle].",
)
CLOSINGS: Final = (
    "Thanks for the [nice |fun |]puzzle[!|.]",
    "[Hope|I hope] this helps[!|.]",
    "[Good luck|Have fun|Enjoy][!|.]",
    "That was [fun|a nice exercise|a pleasure][.|!]",
    (
        "[Let me know|Just say|Please tell me] if [you'd like|you would like|you want] me to "
        "[explain it|draw each state|go through it in detail|double-check it][!|.]"
    ),
    "Would you like [a picture of each state|the same in PDDL|a longer explanation]?",
    "[I can also|I could also|I'd be happy to] [explain the reasoning|show every state].",
    "[Feel free to|Don't hesitate to] ask if [anything|something] is unclear[.|!]",
    "[Do you have any questions|Is there anything else|Shall I explain it]?",
    "This [plan|solution|sequence] [works|reaches the goal|respects all the rules|is optimal].",
    "[Every|Each] precondition [holds|is satisfied] when [it is needed|its step is reached].",
    "The [idea|key idea|trick] [is|was] to think about the goal[ first|].",
    "No [step|move|action] is [wasted|superfluous].",
    "All goals are [met|achieved] [now|then].",
    "In total, [there are|this takes] {count} [steps|moves|actions].",
    "The goal [is reached|is satisfied|holds] [after the last step|at the end].",
    "I [checked|verified|simulated] [every step|the whole plan] [before answering|by hand].",
    "[Note|Keep in mind|Remember] that the order matters.",
)
RECAPS: Final = (
    "In short, it [amounts to|comes down to] {first_ing} and finally {last_ing}.",
    "[To recap|In summary], {first_past} at the start.",
    "[The plan|It] [starts|begins] with {first_ing} and [ends|finishes] with {last_ing}.",
    "The [last|final] step is {last_ing}.",
    "In step {n}, {passive}.",
    "Step {n} is {ing}.",
    "Step {n} is [needed|necessary|essential] for the goal.",
    "{past} because {a} [is part of the goal|was in the way].",
)
CLAIMS: Final = (
    "[At the end|Finally|Now|In the final state], {goal}.",
    "{goal}, as [required|requested].",
    "The goal was that {goal}.",
)
COUNTED_RECAPS: Final = (
    "[Each|Every] number is used [exactly |]once.",
    "The key [step|idea] is {key}.",
    "Here, {key}, [which helps|as needed].",
)
# Changes of a plan, by the numbers of its steps. Those of BY_NAMES need words for actions.
BY_NUMBERS: Final = {
    "skip": (
        "[Skip|Omit|Ignore|Leave out|Drop|Remove|Delete] [step {n}|the last step|the first step].",
        "[Step {n}|The last step] [can be|may be|should be|must be] [skipped|dropped|left out].",
        "You [may|can|should] [drop|skip|leave out] [step {n}|the first step].",
        "[Step {n}|The last step] is [unnecessary|superfluous|not needed|redundant].",
        "[Only|Just] [execute|perform] [step 1|the first step].", "Stop [after|before] step {n}.",
        "Steps 1 to {n} [apply to|belong to|are for] another [puzzle|problem].",
    ),
    "swap": (
        "[Swap|Exchange|Switch] steps {n} and {m}.", "Swap the [first two|last two] steps.",
        "Steps {n} and {m} [should be|must be|have to be] [swapped|exchanged].",
        "[Do|Execute|Perform] step {m} before step {n}.",
        "Step {m} [comes|goes|belongs] before step {n}.",
    ),
    "repeat": (
        "Repeat [step {n}|the last step|all of this|the whole list|the steps above].",
        "[Do|Execute|Perform] [step {n}|everything|the last step] [twice|again|once more].",
        "Then [start over|repeat everything].",
        "[Do the same|Continue in the same way] for [the others|the rest].",
    ),
    "reverse": (
        ("[Execute|Perform|Do|Read] [these steps|the list|everything above] "
        "[in reverse order|backwards|from bottom to top|from last to first]."),
        "The [list|plan|order] [must|should] be reversed.",
        "[Start|Begin] with the last step[ and work backwards|, and end with the first].",
    ),
    "withdraw": (
        ("[Actually|Wait|On second thought|Sorry|Hmm], [this|that|the plan|my plan|the above] "
        "[is wrong|does not work|is not correct|is invalid|fails]."),
        "[Scratch|Forget|Disregard|Ignore] [that|this|the above|everything above].",
        "Please [disregard|ignore|forget] the [plan|answer] above.",
        "I [take that back|withdraw this plan|retract the plan|made a mistake above].",
        "There is no [plan|solution].", "The goal cannot be reached.",
        "This plan [does not|doesn't] reach the goal.",
    ),
}  # fmt: skip
BY_NAMES: Final = {
    "skip": (
        "[Skip|Omit|Leave out] {ing}.", "There is no need to {do}.", "You do not have to {do}.",
        "Actually, do not {do}.", "{ing} is [unnecessary|not needed].", "Leave {a} where it is.",
    ),
    "swap": ("[Swap|Exchange] [the roles of |]{a} and {b}.", "{later_ing} must come before {ing}."),
    "repeat": ("[Repeat|Redo] {ing}.", "{do} [twice|again|once more].",
               "Do the same [for|with] {b}."),
    "replace": (
        "[Replace|Substitute] {a} with {b}[| in step {n}| everywhere].",
        "In step {n}, [use|take] {b} instead of {a}.", "Step {n} should [be|read] {other_ing}.",
        "Correction: step {n} is {other_ing}.", "[By|With] {a} I mean {b}.",
        "Where I wrote {a}, [read|I meant] {b}.", "Instead of {ing}, {other}.",
    ),
    "add": (
        "[Then|Next|Afterwards|Finally|After that|First], {other}.",
        "Before [that|step {n}|all this], {other}.", "After step {n}, also {other}.",
        "[Insert|Add] {other_ing} after step {n}.",
        "[Do not forget|Don't forget|Remember] to {other}.", "[One more step|Also]: {other}.",
        "[You|We] [also need to|must also|still have to] {other}.", "{other_pddl}",
    ),
}  # fmt: skip
COUNTED_AMENDMENTS: Final = (
    "Correction: {other}",
    "I mean {other}.",
    "[Use|Take] {other} instead.",
    "[Replace|Exchange] the {sign} [by|with] {other_sign}.",
    "Or {other}.",
    "[Better|Even better]: {other}",
)
ON_ITEMS: Final = (" (skip this)", " [cancelled]", " (twice)", " (repeat)", " (omit)", " x2",
                   " - do this twice", " (ignore this step)", " (not really)")  # fmt: skip
NO_STEPS: Final = ("Clear the table.", "Do the same with the others.", "Tidy up.", "Undo that.",
                   "Move everything back.", "Repeat the previous step.", "Reverse everything.",
                   "Do nothing for an hour.")  # fmt: skip
_BARE: Final = ("{}", "`{}`", "**{}**", "$${}$$")
_CHOICE: Final = re.compile(r"\[([^][]*)\]")


class Pair(NamedTuple):
    """A text and the same text with one thing changed."""

    kind: str
    """``courtesy``, ``form``, ``amendment`` or ``item``, and the name of its part."""
    instance: Instance[Any]
    base: str
    text: str
    right: bool
    """Whether the validator accepts the steps of the base."""
    accepted: tuple[str, ...] | None
    """The plan of the changed text if it may be valid; None if it may not.

    For a step that is repeated, the plan before it.
    """


@cache
def variants(template: str) -> tuple[str, ...]:
    """Return all sentences of a template: every choice in brackets, fields as they are."""
    parts = _CHOICE.split(template)
    choices = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
    return tuple(map("".join, product(*choices)))


class PlanTeller:
    """Tells a plan in one manner, in any layout."""

    def __init__(self, subject: Subject, random: Random, *, right: bool) -> None:
        """Draw the names, and a plan that is right or not."""
        self.subject, self.random, self.instance = subject, random, subject.instance
        domain = self.instance.domain
        self.worded = domain in VERBS
        writer = Writer(subject, random, Kind(1), subject.plan)
        self.writer, steps = writer, subject.plan
        while not right and subject.right(steps):
            steps = subject.mutated(subject.plan, random)
        self.steps, self.right = steps, right
        strays = [subject.altered(each, random) for each in (*steps, *steps)]
        self.stray = next((each for each in strays if each not in steps), None)
        if self.stray and subject.right((*steps, self.stray)):
            self.stray = None

    def say(self, told: Step, mood: str = "imperative") -> str:
        """Return a step in words; as a call if the domain has no words."""
        if not self.worded:
            return " ".join((told.action, *told.arguments))
        return self.writer.phrase(told, mood)

    def fields(self) -> dict[str, str]:
        """Return what sentences about the plan may name."""
        random, steps = self.random, self.steps
        at = random.randrange(len(steps) - 1)
        here, later = steps[at], steps[random.randrange(at + 1, len(steps))]
        names = self.writer.named(here)
        a = random.choice(names)
        b = random.choice([each for each in self.writer.names.values() if each != a])
        stray, goals = self.stray or here, list(self.goals())
        return {
            "n": str(at + 1), "m": str(steps.index(later, at + 1) + 1), "count": str(len(steps)),
            "a": a, "b": b, "do": self.say(here), "ing": self.say(here, "ing"),
            "past": self.say(here, "past"), "passive": self.say(here, "passive"),
            "first_ing": self.say(steps[0], "ing"), "first_past": self.say(steps[0], "past"),
            "last_ing": self.say(steps[-1], "ing"), "later_ing": self.say(later, "ing"),
            "other": self.say(stray), "other_ing": self.say(stray, "ing"),
            "other_pddl": str(stray), "goal": random.choice(goals) if goals else "",
        }  # fmt: skip

    def goals(self) -> Iterator[str]:
        """Yield sentences for the facts of the goal that have words here."""
        task = self.subject.task
        for fact, _ in task.unsatisfied(task.initial_state()):
            predicate, *names = fact.strip("()").split()
            form = GOALS.get((self.instance.domain, predicate))
            if form is not None:
                yield form.format(*(self.writer.names.get(name, name) for name in names))

    def layouts(self) -> dict[str, str]:
        """Return the plan in all layouts, by name."""
        pddl, calls = [str(each) for each in self.steps], [call(each) for each in self.steps]
        said = [self.writer.capital(self.say(each)) for each in self.steps]
        rows = [{"action": each.action, "args": list(each.arguments)} for each in self.steps]
        cells = [f"| {at} | {each.action} | {', '.join(each.arguments)} |"
                 for at, each in enumerate(self.steps, 1)]  # fmt: skip
        fence, lines = "```{}\n{}\n```", "\n".join
        return {
            "pddl": lines(pddl), "fence": fence.format("pddl", lines(pddl)),
            "plain fence": fence.format("", lines(calls)), "numbered pddl": numbered(pddl),
            "numbered calls": numbered(calls), "calls": ", ".join(calls),
            "json": json.dumps({"plan": pddl}), "json rows": json.dumps({"plan": rows}, indent=1),
            "json fence": fence.format("json", json.dumps(rows)),
            "table": lines(["| Step | Action | Arguments |", "|---|---|---|", *cells]),
            "tag": f"<answer>\n{lines(pddl)}\n</answer>",
            "plan tag": f"<plan>\n{numbered(said)}\n</plan>",
            "planbench": f"[PLAN]\n{lines(said)}\n[PLAN END]",
            "heading": f"## Final plan\n\n{numbered(said, '- {}')}",
            "label": f"Final plan:\n{numbered(pddl)}", "numbered": numbered(said),
            "bullets": numbered(said, "* {}"), "steps": numbered(said, "Step {n}: {}"),
            "bold": numbered(said, "{n}. **{}**"), "parentheses": numbered(said, "{n}) {}"),
            "html": f"<ol>\n{numbered(said, '<li>{}</li>')}\n</ol>",
            **({"sentences": " ".join(f"{each}." for each in said)} if self.worded else {}),
        }  # fmt: skip

    def polite(self) -> tuple[str, ...]:
        """Return the templates of sentences that leave the plan as it is."""
        claims = CLAIMS if self.right and any(self.goals()) else ()
        return (*CLOSINGS, *((*RECAPS, *claims) * 2 if self.worded else ()))

    def amendments(self) -> dict[str, tuple[str, ...]]:
        """Return the templates of changes by kind."""
        found = dict(BY_NUMBERS)
        for name, templates in BY_NAMES.items() if self.worded and self.stray else ():
            found[name] = found.get(name, ()) + templates
        return found

    def plan(self) -> tuple[str, ...]:
        """Return the steps as a reader returns them."""
        return tuple(map(str, self.steps))


class CountTeller:
    """Tells a way to combine the numbers of a countdown task, in any layout."""

    def __init__(self, random: Random, *, right: bool) -> None:
        """Draw a task, and a way that is right or not."""
        self.random, self.right = random, right
        self.instance, ways = counting_instance(random.choice((3, 4, 4)), random.randrange(40))
        target = self.instance.record.target
        whole = [way for way in ways if way.value.denominator == 1]
        self.way = random.choice([way for way in whole if (way.value == target) is right])
        self.other = random.choice([way for way in whole if way.value != target])

    def layouts(self) -> dict[str, str]:
        """Return the way in all layouts, by name."""
        told = expression(self.way, Random(0), PLAIN).replace("[", "(").replace("]", ")")
        whole = f"{told} = {self.way.value}"
        steps = [step(each, PLAIN) for each in self.way.steps]
        tried = f"I tried {expression(self.other, Random(0), PLAIN)} = {self.other.value}, no.\n\n"
        front = self.random.choice(("", tried))
        forms = (
            "Answer: {}", "**Answer:** {}", "FINAL: {}", "Solution: {}", "Final answer: {}",
            "<answer>{}</answer>", "<answer>\n{}\n</answer>", "\\boxed{{{}}}", "#### {}",
            "```\n{}\n```", "## Answer\n\n{}", "The solution is {}.", "<solution>{}</solution>",
            "Result: {}", "Expression: {}", "Therefore, {}.",
        )  # fmt: skip
        drawn = {form: self.random.choice((told, whole)) for form in (*forms, *_BARE)}
        found = {form: form.format(text) for form, text in drawn.items()}
        found |= {f"tried, {form}": f"{front}{found[form]}" for form in forms}
        listed = {"steps": numbered(steps), "bullets": numbered(steps, "- {}")}
        return {**found, "json": json.dumps({"answer": told}), **listed}

    def fields(self) -> dict[str, str]:
        """Return what sentences about the way may name."""
        other = expression(self.other, self.random, PLAIN)
        key, signs = step(self.way.steps[0], PLAIN), [each.sign for each in self.way.steps]
        sign = self.random.choice(signs)
        return {"n": "1", "m": "2", "count": str(len(signs)), "key": key,
                "other": f"{other} = {self.other.value}", "sign": sign,
                "other_sign": self.random.choice("+-*/".replace(sign, ""))}  # fmt: skip

    def polite(self) -> tuple[str, ...]:
        """Return the templates of sentences that leave the solution as it is."""
        return (*CLOSINGS, *COUNTED_RECAPS * 2)

    def amendments(self) -> dict[str, tuple[str, ...]]:
        """Return the templates of changes by kind."""
        return {"replace": COUNTED_AMENDMENTS, "withdraw": BY_NUMBERS["withdraw"]}

    def plan(self) -> tuple[str, ...] | None:
        """Return None: the reader's names for numbers are its own."""
        return None


Teller = PlanTeller | CountTeller


@cache
def rovers() -> list[Subject]:
    """Return a task of a domain without words."""
    extras = {"witness": ROVERS_PLAN}
    return [Subject(given_instance("rovers", ROVERS, ROVERS_TASK, extras))]


def teller(random: Random, *, right: bool) -> Teller:
    """Return a teller of a plan of any domain."""
    domain = random.choice(DOMAINS)
    if domain == "countdown":
        return CountTeller(random, right=right)
    known = rovers() if domain == "rovers" else subjects(domain)
    return PlanTeller(random.choice(known), random, right=right)


def drawn(template: str, told: Teller) -> str:
    """Return a sentence of a template with its fields filled in."""
    sentence = told.random.choice(variants(template)).format_map(told.fields())
    return sentence if sentence.startswith("(") else sentence[0].upper() + sentence[1:]


def courtesy(told: Teller) -> Pair:
    """Add a polite sentence before or behind an answer."""
    random, (name, base) = told.random, told.random.choice(list(told.layouts().items()))
    if random.random() < 0.3:
        sentence, behind = drawn(random.choice(OPENINGS), told), False
    else:
        sentence, behind = drawn(random.choice(told.polite()), told), True
    gap = random.choice(("\n\n", "\n\n", " " if name == "sentences" else "\n"))
    text = f"{base}{gap}{sentence}" if behind else f"{sentence}{gap}{base}"
    plan = told.plan() if told.right else None
    return Pair("courtesy", told.instance, base, text, told.right, plan)


def form(told: Teller) -> Pair:
    """Tell a plan in two layouts."""
    one, two = told.random.sample(list(told.layouts().items()), 2)
    plan = told.plan() if told.right else None
    return Pair(f"form {two[0]}", told.instance, one[1], two[1], told.right, plan)


def amendment(told: Teller) -> Pair:
    """Add a sentence that changes the plan."""
    random, base = told.random, told.random.choice(list(told.layouts().values()))
    kind = random.choice(list(told.amendments()))
    sentence = drawn(random.choice(told.amendments()[kind]), told)
    # A fence or a table ends with its line.
    # Without a sign between them, two sentences are one.
    gap = random.choice(("\n\n", "\n\n", "\n", " " if base[-1] in ".)]>" else "\n"))
    text = f"{base}{gap}{sentence}"
    plan = told.plan() if kind == "repeat" else None
    return Pair(f"amendment {kind}", told.instance, base, text, told.right, plan)


def item(told: PlanTeller) -> Pair:
    """Delete an item of a list, insert one, or change one by a comment."""
    random, steps = told.random, list(told.steps)
    lines = random.choice(([told.writer.capital(told.say(each)) for each in steps],
                           list(map(call, steps)), list(map(str, steps))))  # fmt: skip
    marks = random.choice(("{n}. {}", "- {}", "{n}) {}", "Step {n}: {}", "{}"))
    base, order = numbered(lines, marks), list(range(len(lines)))
    at = random.randrange(len(order))
    kind = random.choice(("deleted", "doubled", "swapped", "inserted", "comment"))
    if kind == "deleted":
        del order[at]
    elif kind == "doubled":
        order.insert(at, at)
    elif kind == "swapped":
        order[at], order[at - 1] = order[at - 1], order[at]
    lines, steps = [lines[each] for each in order], [steps[each] for each in order]
    plan = tuple(map(str, steps)) if told.subject.right(steps) else None
    if kind == "inserted":
        lines.insert(at + 1, random.choice(NO_STEPS))
    elif kind == "comment":
        lines[at] += random.choice(ON_ITEMS)
    plan = None if kind in ("inserted", "comment") else plan
    text = numbered(lines, marks)
    return Pair(f"item {kind}", told.instance, base, text, told.right, plan)


def pairs(seed: int, count: int) -> Iterator[Pair]:
    """Yield pairs of all kinds; those with a change of the plan have a right base."""
    random = Random(seed)
    for _ in range(count):
        kind: Any = random.choice((courtesy, courtesy, form, amendment, amendment, item))
        right = kind in (amendment, item) or random.random() < 0.6
        told = teller(random, right=right)
        if kind is item:
            yield item(told) if isinstance(told, PlanTeller) else amendment(told)
        else:
            yield kind(told)


class Judged(NamedTuple):
    """A pair with the statuses of its texts, and the reason of the changed one."""

    pair: Pair
    base: str
    text: str
    plan: tuple[str, ...]
    reason: str

    @property
    def is_wrong(self) -> bool:
        """Whether a verdict on one of the texts is wrong."""
        pair, truth = self.pair, "valid" if self.pair.right else "invalid"
        same = pair.kind == "courtesy" or pair.kind.startswith("form")
        if self.base not in (truth, "malformed"):
            return True
        if same and self.text not in (truth, "malformed"):
            return True
        if pair.kind == "amendment repeat" and self.plan:  # `Stack b on c again.`
            *before, last = self.plan
            return self.text == "valid" and (tuple(before) != pair.accepted or last not in before)
        differs = pair.accepted not in (None, self.plan)
        return self.text == "valid" and (differs or (pair.accepted is None and not same))

    def __str__(self) -> str:
        head = f"{self.pair.kind}, {self.pair.instance.id}: {self.base} -> {self.text}"
        return f"{head}\nreason: {self.reason}\n{self.pair.text}\n"


def judged(given: Sequence[Pair]) -> Iterator[Judged]:
    """Yield the pairs with the reader's verdicts."""
    judge = Judge([])
    for pair in given:
        name = pair.instance.id
        judge.instances[name] = pair.instance
        base, text = (judge.judge(Answer(name, each), 1) for each in (pair.base, pair.text))
        plan = tuple(map(str, text.plan or ()))
        yield Judged(pair, status(base), status(text), plan, text.verdict.reason or "")


def status(found: Score) -> str:
    """Return the status; steps of countdown before a part that cannot be read have one, too."""
    return "malformed" if "bad-format" in found.errors else str(found.verdict.status)


def call(told: Step) -> str:
    """Return a step as a call."""
    return f"{told.action}({', '.join(told.arguments)})"


def numbered(lines: Sequence[str], form: str = "{n}. {}") -> str:
    """Return the lines as a list."""
    return "\n".join(form.format(line, n=at) for at, line in enumerate(lines, 1))
