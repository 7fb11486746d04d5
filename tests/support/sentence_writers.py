"""Writes plans the way models do, for tests of the reader of sentences.

Each writer takes the steps of a plan and returns a text that tells exactly these, so the truth is
the verdict on the steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

from pddl_pipeline.model.plan import Step

PHRASES: dict[str, dict[str, tuple[str, ...]]] = {
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
OPENINGS = ("", "", "", "then ", "now ", "next, ", "first, ", "please ")
BEFORE = ("", "", "Sure! Here is the plan:\n\n", "**Plan**\n\n", "Let me think about it.\n",
          "The goal can be reached like this:\n")  # fmt: skip
BEHIND = ("", "", "\n\nThis reaches the goal. \u2705", "\n\nDone!", "\n\n**Check:** all is well.",
          "\nLet me know if you need anything else.")  # fmt: skip
ASIDES = ("", "", "", " because it is needed", " so that the way is free", " (one more step)",
          " - as planned", " [ok]", " \u2705")  # fmt: skip
RETRACTIONS = ("Wait, that is wrong.", "Hold on, I made a mistake.", "No, let me try again.",
               "Oops, scratch that.", "Let me redo this.")  # fmt: skip


def call(step: Step) -> str:
    return f"{step.action}({', '.join(step.arguments)})"


def sentence(domain: str, step: Step, random: Random) -> str:
    """Return a step as a sentence."""
    return random.choice(PHRASES[domain][step.action]).format(*step.arguments)


def sentences(domain: str, steps: Sequence[Step], random: Random) -> list[str]:
    """Return a sentence with or without words around it for each step."""
    told = [f"{random.choice(OPENINGS)}{sentence(domain, s, random)}" for s in steps]
    return [f"{each[0].upper()}{each[1:]}" for each in told]


def listed(domain: str, steps: Sequence[Step], random: Random) -> str:
    """Return the steps as a list, one a line."""
    lines = [f"{each}{random.choice(ASIDES)}" for each in sentences(domain, steps, random)]
    form = random.randrange(7)
    if form == 0:
        return "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1))
    if form == 1:
        return "\n".join(f"- **{line}**" for line in sentences(domain, steps, random))
    if form == 2:
        return "\n".join(f"Step {at}: {line}" for at, line in enumerate(lines, 1))
    if form == 3:
        rows = [f"| {at} | {line} | ok |" for at, line in enumerate(lines, 1)]
        return "\n".join(["| Step | Action | Check |", "|---|---|---|", *rows])
    if form == 4:
        return "\n".join(["<ol>", *(f"<li>{line}</li>" for line in lines), "</ol>"])
    if form == 5:
        return "\n".join(f"{at}\ufe0f\u20e3 {line}" for at, line in enumerate(lines, 1))
    return "\n".join(lines)


def remarked(domain: str, steps: Sequence[Step], other: Step, random: Random) -> str:
    """Return the steps as a list, with remarks that name a step which is none of the plan."""
    lines = sentences(domain, steps, random)
    at, no_step = random.randrange(len(lines)), sentence(domain, other, random)
    thing = other.arguments[-1]
    form = random.randrange(6)
    if form == 0:
        lines[at] = f"{lines[at]} because {thing} has to be free"
    elif form == 1:
        lines[at] = f"Instead of doing it otherwise, {lines[at][0].lower()}{lines[at][1:]}"
    elif form == 2:
        lines.insert(at, f"{no_step[0].upper()}{no_step[1:]} is not needed.")
    elif form == 3:
        lines[at] = f"{lines[at]} (do not {no_step})"
    elif form == 4:
        lines[at] = f"{lines[at]} ({thing} is not needed)"
    else:
        lines.append(f"There is no need to {no_step}.")
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def in_line(domain: str, steps: Sequence[Step], random: Random) -> str:
    """Return the steps in one line."""
    told = [sentence(domain, step, random) for step in steps]
    form = random.randrange(4)
    if form == 0:
        return ", ".join(map(call, steps)) if len(steps) > 1 else call(steps[0])
    if form == 1:
        return f"\\boxed{{\\text{{{'; '.join(told)}}}}}"
    if form == 2:
        return " \u2192 ".join(told)
    return f"{'. '.join(f'{each[0].upper()}{each[1:]}' for each in told)}."


def structured(domain: str, steps: Sequence[Step], random: Random) -> str:
    """Return the steps in JSON or as calls in a fence."""
    form = random.randrange(4)
    if form == 0:
        rows = [{"step": at, "action": s.action, "args": s.arguments}
                for at, s in enumerate(steps, 1)]  # fmt: skip
        return json.dumps({"plan": rows}, indent=random.choice([None, 2]))
    if form == 1:
        return json.dumps([sentence(domain, step, random) for step in steps])
    if form == 2:
        lines = (f"{s.action}({', '.join(map(repr, s.arguments))})" for s in steps)
        return "\n".join(["```python", *lines, "```"])
    return "\n".join(["```", *(f"({s.action} {' '.join(s.arguments)})" for s in steps), "```"])


def told(domain: str, steps: Sequence[Step], random: Random) -> str:
    """Return a text that tells the steps, with prose around it."""
    writers: list[Callable[[str, Sequence[Step], Random], str]] = [
        listed, listed, listed, in_line, structured,
    ]  # fmt: skip
    text = random.choice(writers)(domain, steps, random)
    return f"{random.choice(BEFORE)}{text}{random.choice(BEHIND)}"


def taken_back(domain: str, first: Sequence[Step], steps: Sequence[Step], random: Random) -> str:
    """Return a text whose first plan is taken back for the steps."""
    one, two = listed(domain, first, random), listed(domain, steps, random)
    return f"{one}\n\n{random.choice(RETRACTIONS)}\n\n{two}"


def doubtful(domain: str, steps: Sequence[Step], other: Step, random: Random) -> str:
    """Return a text that leaves open which plan it tells, or that has an unknown step."""
    lines = sentences(domain, steps, random)
    at = random.randrange(len(lines))
    form = random.randrange(4)
    if form == 0:
        lines[at] = f"{lines[at]} or {sentence(domain, other, random)}"
    elif form == 1:
        lines.insert(at, f"Polish {other.arguments[0]}")
    elif form == 2:
        lines[at] = f"{lines[at]}, or maybe {sentence(domain, other, random)}"
    else:
        lines[at] = f"Juggle {' and '.join(steps[at].arguments)}"
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
