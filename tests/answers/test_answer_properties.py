"""A polite sentence, a changed plan, another layout: what each may do to a verdict.

See ``answer_properties``, which generates the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from answer_properties import (
    BY_NAMES,
    BY_NUMBERS,
    CLAIMS,
    CLOSINGS,
    COUNTED_AMENDMENTS,
    COUNTED_RECAPS,
    OPENINGS,
    RECAPS,
    Judged,
    judged,
    pairs,
    variants,
)

SHARE = 0.99


def test_there_are_enough_sentences() -> None:
    polite = (*OPENINGS, *CLOSINGS, *RECAPS, *CLAIMS, *COUNTED_RECAPS)
    changes = [each for kinds in (BY_NUMBERS, BY_NAMES) for kind in kinds.values() for each in kind]
    assert sum(len(variants(each)) for each in polite) >= 200
    assert sum(len(variants(each)) for each in (*changes, *COUNTED_AMENDMENTS)) >= 150


@pytest.mark.parametrize(
    ("seed", "count"),
    [(0, 400), pytest.param(1, 10_000, marks=pytest.mark.long)],
)
def test_verdicts_change_only_with_the_plan(seed: int, count: int) -> None:
    found = list(judged(list(pairs(seed, count))))
    wrong = [each for each in found if each.is_wrong]
    # Of 10,000 pairs, at most 1 is judged wrongly and 5 amendments are read, two of a kind.
    assert len(wrong) <= count // 5_000, shown("wrong verdicts", wrong)
    unread = [each for each in found if each.base == "malformed"]
    assert len(unread) <= (1 - SHARE) * len(found), shown("bases are not read", unread)
    read = [each for each in found if each.base != "malformed"]
    for kind in ("courtesy", "form"):
        every = [each for each in read if each.pair.kind.startswith(kind)]
        changed = [each for each in every if each.text != each.base]
        assert len(changed) <= (1 - SHARE) * len(every), shown(f"{kind}: other verdicts", changed)
    taken = [each for each in read if each.pair.kind.startswith("amendment")
             and each.text != "malformed" and each.pair.kind != "amendment add"]  # fmt: skip
    assert len(taken) <= count // 1_000, shown("amendments are read", taken)


def shown(what: str, found: Sequence[Judged]) -> str:
    """Return the number of pairs by kind, and the first of them."""
    kinds = dict(Counter(each.pair.kind for each in found))
    return f"{len(found)} {what}: {kinds}\n\n" + "\n".join(map(str, found[:15]))
