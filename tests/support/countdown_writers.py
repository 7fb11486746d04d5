"""Writes countdown solutions the way models do, for tests of the reader.

Each writer takes a way to combine numbers and returns a text, so the truth is known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from random import Random


@dataclass(frozen=True)
class Way:
    """A number, or an operation on two ways, with its exact value."""

    value: Fraction
    sign: str = ""
    parts: tuple[Way, ...] = ()
    """The two operands."""

    @property
    def steps(self) -> list[Way]:
        """The operations, inner ones first."""
        inner = [step for part in self.parts for step in part.steps]
        return [*inner, self] if self.sign else []


def random_way(random: Random, numbers: list[int], *, straight: bool = False) -> Way:
    """Return a way to combine all numbers that the paper's rules allow.

    Each operation of a straight way begins with the value of the one before.
    """
    board = random.sample([Way(Fraction(number)) for number in numbers], len(numbers))
    while len(board) > 1:
        x = board.pop(-1 if straight else random.randrange(len(board)))
        y = board.pop(random.randrange(len(board)))
        signs = ["+", "*", *("-" if x.value >= y.value else ""), *("/" if y.value else "")]
        sign = random.choice(signs)
        value = {"+": x.value + y.value, "-": x.value - y.value, "*": x.value * y.value}.get(sign)
        board.append(Way(x.value / y.value if value is None else value, sign, (x, y)))
    return board[0]


def shown(value: Fraction, *, commas: bool = False) -> str:
    return f"{value.numerator:,}" if commas and value.denominator == 1 else str(value)


def operand(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"({value})"


def step(way: Way, signs: dict[str, str], equals: str = " = ") -> str:
    x, y = way.parts
    value = f"{equals}{shown(way.value)}" if equals else ""
    return f"{operand(x.value)} {signs[way.sign]} {operand(y.value)}{value}"


PLAIN = {"+": "+", "-": "-", "*": "*", "/": "/"}
PRINTED = {"+": "+", "-": "\u2212", "*": "\u00d7", "/": "\u00f7"}
LATEX = {"+": "+", "-": "-", "*": "\\times", "/": "\\div"}
ALL_SIGNS = [PLAIN, PRINTED, LATEX, {**PLAIN, "*": "x"}, {**LATEX, "*": "\\cdot"},
             {**PRINTED, "*": "\u00b7", "/": "/"}]  # fmt: skip


def expression(way: Way, random: Random, signs: dict[str, str]) -> str:
    """Return an expression: with few or many parentheses, fractions, products without a sign."""
    if not way.sign:
        return str(way.value)
    left, right = way.parts
    x, y = (expression(part, random, signs) for part in (left, right))
    latex = "\\" in signs["/"]
    if way.sign == "/" and latex and random.random() < 0.6:
        return f"\\{random.choice(['frac', 'dfrac', 'tfrac'])}{{{x}}}{{{y}}}"
    opening, closing = ("\\left(", "\\right)") if latex else random.choice(["()", "()", "[]"])
    tight = {"+": "", "-": "", "*": "*/", "/": "*/"}[way.sign]
    needed = left.sign not in tight
    if left.sign and random.random() < (1 if needed and way.sign in "*/" else 0.4):
        x = f"{opening}{x}{closing}"
    wrapped = bool(right.sign) and (way.sign != "+" or random.random() < 0.5)
    if wrapped:
        y = f"{opening}{y}{closing}"
    # `a/b(c)` may mean two things, so nobody who is careful writes it.
    divides = any(sign in x for sign in ("/", "\u00f7", "\\div"))
    alone = not left.sign or x.endswith((")", "]"))
    if way.sign == "*" and wrapped and alone and not divides and random.random() < 0.4:
        return f"{opening}{x}{y}{closing}"
    return f"{x} {signs[way.sign]} {y}"


def steps_of(way: Way, random: Random) -> str:
    """Return the steps as a list, in one of many forms."""
    signs = random.choice(ALL_SIGNS[:4])
    lines = [step(each, signs) for each in way.steps]
    between = random.choice([" \u2192 ", " => ", " -> ", ", ", "; ", ", then ", "\n"])
    rows = [f"| {at} | {step(each, signs, ' | ')} |" for at, each in enumerate(way.steps, 1)]
    told = [{"operation": step(each, PLAIN, "").strip(), "result": shown(each.value)}
            for each in way.steps]  # fmt: skip
    return random.choice(
        [
            "\n".join(f"{at}. **{line}**" for at, line in enumerate(lines, 1)),
            "\n".join(f"- ${line}$ (left: {at})" for at, line in enumerate(lines, 1)),
            between.join(lines),
            "\n".join(["| Step | Operation | Result |", "|---|---|---|", *rows]),
            json.dumps({"steps": lines}, indent=random.choice([None, 2])),
            "\n".join(f"Step {at}: {line}." for at, line in enumerate(lines, 1)),
            json.dumps({"steps": told}),
            "We see " + " and then ".join(lines) + ", as required.",
            "\n".join(step(each, signs, " \u2192 ") for each in way.steps),
            verbal(way, random),
        ]
    )


def verbal(way: Way, random: Random) -> str:
    """Return the steps in words."""
    get = random.choice(["to get", "to obtain", "which gives", ", resulting in", "and get"])
    told = []
    for each in way.steps:
        x, y = (shown(part.value) for part in each.parts)
        words = {
            "+": [f"add {x} and {y}", f"add {y} to {x}", f"{x} plus {y}"],
            "-": [f"subtract {y} from {x}", f"{x} minus {y}"],
            "*": [f"multiply {x} by {y}", f"{x} times {y}"],
            "/": [f"divide {x} by {y}", f"{x} divided by {y}"],
        }[each.sign]
        chosen = random.choice(words)
        result = "is" if chosen[0].isdigit() else get
        told.append(f"{chosen} {result} {shown(each.value)}".replace(" ,", ","))
    first, *rest = told
    ends = random.choice([(". Then ", "."), (".\n- Next, ", "."), ("; ", ".")])
    return f"First, {first}" + "".join(f"{ends[0]}{each}" for each in rest) + ends[1]


def code(way: Way, random: Random) -> str:
    """Return a program that computes the steps, or the expression, with variables."""
    names: dict[int, str] = {}
    lines = []
    for at, each in enumerate(way.steps, 1):
        parts = (names.get(id(part), str(part.value)) for part in each.parts)
        names[id(each)] = f"step{at}"
        lines.append(f"step{at} = {f' {each.sign} '.join(parts)}  # {shown(each.value)}")
    if random.random() < 0.5:
        lines = [f"result = {expression(way, random, PLAIN)}".replace("[", "(").replace("]", ")")]
    return "\n".join(["```python", *lines, "print(result)", "```"])


def chain(way: Way, random: Random) -> str:
    """Return an expression with values that are stated for it, in a line or in several."""
    signs = random.choice(ALL_SIGNS)
    left, right = way.parts
    middle = f"{operand(left.value)} {signs[way.sign]} {operand(right.value)}"
    parts = [expression(way, random, signs), middle, shown(way.value, commas=True)]
    if random.random() < 0.5:
        del parts[1]
    equals = random.choice([" = ", "=", "\n= ", " == "] if "\\" not in signs["*"] else [" &= "])
    if random.random() < 0.2 and len(parts) == 2 and equals != " &= ":
        parts.reverse()
        equals = " = "
    return equals.join(parts)


def told_alone(way: Way, random: Random) -> str:
    """Return one statement of a solution."""
    return random.choice([chain, chain, chain, steps_of, code])(way, random)


BEFORE = ["", "", "Let me think.\n", "We can do it like this:\n\n", "Sure! \U0001f600\n",
          "To reach the target, I looked for factors first.\n"]  # fmt: skip
BEHIND = ["", "", " \u2705", "\n\nThis uses each number exactly once.", " \U0001f389",
          "\nNo other numbers are needed.", "\nLet me know if you want another one!"]  # fmt: skip


def in_prose(text: str, random: Random) -> str:
    """Return a statement with prose around it."""
    behind = random.choice(BEHIND)
    if text.endswith(("}", "|", "```")):
        behind = f"\n{behind.strip()}"
    return f"{random.choice(BEFORE)}{text}{behind}"


def in_sentence(way: Way, random: Random) -> str:
    """Return an expression in a sentence."""
    signs = random.choice(ALL_SIGNS)
    told = expression(way, random, signs)
    if random.random() < 0.6:
        told = f"{told} = {shown(way.value, commas=True)}"
    told = f"${told}$" if "\\" in signs["*"] else random.choice([told, f"`{told}`", f"**{told}**"])
    return random.choice([
        f"The solution is {told}, which uses every number.",
        f"One way that works: {told}.",
        f"So {told} does it.",
        f"> {told}",
        f"I found {told} after some thought!",
    ])  # fmt: skip


def marked(way: Way, random: Random) -> str:
    """Return an expression that is marked as the answer."""
    signs = random.choice(ALL_SIGNS)
    told = expression(way, random, signs)
    return random.choice([
        f"<answer>{told}</answer>",
        f"<answer>\n{told}\n</answer>",
        f"**Answer:** {told} = {shown(way.value)}",
        f"Final answer: ${told}$",
        f"So the final answer is \\boxed{{{told}}}.",
        f"### Answer\n\n{told}\n",
        f"Answer: {told}",
        f"Thus, the answer is ${told}$.",
        f"```answer\n{told}\n```",
    ])  # fmt: skip
