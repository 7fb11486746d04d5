"""What is written as a countdown answer is read back, and every text has a verdict."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from countdown_writers import ALL_SIGNS, RETRACTIONS, expression, marked, random_way, told_alone
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline import score
from pddl_pipeline.answers.countdown.expression import reaches, read_expression, worked_out
from pddl_pipeline.answers.countdown.statements import plain
from pddl_pipeline.answers.lines import lines_of
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.translators.records import from_record

PIECES = [
    "4", "5", "6", "10", "24", "1.5", "8/3", "-3", "+", "-", "*", "/", "x", "(", ")", "[", "]", ",",
    "=", " ", "\n", "\u00d7", "**", "!", "sqrt(", "Answer:", "<answer>", "</answer>", "\\boxed{",
    "}", "\\frac{", "1. ", "- ", "(left: 4)", "(add n1 n2)", "Wait, ", "no", "Check: ", "or ", "|",
    "Current State: 24:[4, 5], Operations: ['4+5=9']", "24,24 equal: Goal Reached", '{"answer": "',
    "10 - 6 = 4\n", "4 + 5 * (10 - 6)", "[4, 5, 6, 10]\n", "[24]", "add 4 to 5 ", "is ", "\u2192",
]  # fmt: skip


def scored(numbers: list[int], target: int, *texts: str) -> list[Score]:
    record = {"id": "a", "domain": "countdown", "numbers": numbers, "target": target}
    return list(score([from_record(record)], [{"id": "a", "answer": text} for text in texts]))


@given(st.integers(0, 2**32))
def test_an_expression_that_is_written_is_read_back_equal(seed: int) -> None:
    random = Random(seed)
    numbers = [random.randint(1, 99) for _ in range(random.randint(2, 7))]
    way = random_way(random, numbers)
    text = plain(expression(way, random, random.choice(ALL_SIGNS))).replace("{", "(")
    worked = worked_out(text.replace("[", "(").replace("]", ")"))
    assert worked is not None
    assert (worked.value, list(worked.numbers)) == (way.value, sorted(numbers))
    if way.value.denominator == 1:
        assert reaches(text, numbers, int(way.value))


@given(st.integers(0, 2**32))
def test_ways_that_are_told_have_their_verdict(seed: int) -> None:
    random = Random(seed)
    numbers = [random.randint(1, 30) for _ in range(random.randint(2, 6))]
    one, two = random_way(random, numbers), random_way(random, numbers)
    target = int(one.value) if one.value.denominator == 1 else 7
    texts = [
        told_alone(one, random),
        marked(one, random),
        f"{marked(two, random)}{random.choice(RETRACTIONS)}{marked(one, random)}",
    ]
    for text, found in zip(texts, scored(numbers, target, *texts), strict=True):
        unread = "bad-format" in found.errors
        right = one.value == target
        assert unread or found.correct == right, (numbers, target, text, found.errors)
        assert not (unread and "</answer>" in text.rpartition("\n")[2]), (numbers, target, text)


@given(text=st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_has_a_verdict_and_a_whole_trace(text: str) -> None:
    (found,) = scored([4, 5, 6, 10], 24, text)
    assert bool(found.errors) != found.correct
    lines = [line.line for line in found.trace]
    assert lines == sorted(lines)
    assert list(dict.fromkeys(lines)) == [line.number for line in lines_of(text)]
    steps = [line.step for line in found.trace if line.step is not None]
    assert steps == list(range(1, len(found.plan or ()) + 1))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=60))
def test_signs_and_parentheses_are_exact(numbers: list[int]) -> None:
    text = "-" + "-(".join(map(str, numbers)) + ")" * (len(numbers) - 1)
    value = Fraction(numbers[-1])
    for number in reversed(numbers[:-1]):
        value = number - value
    worked = worked_out(text)
    expected = value - 2 * numbers[0] if len(numbers) > 1 else -value
    assert worked is not None
    assert worked.value == expected
    assert len(read_expression(text)[0]) == len(numbers)
