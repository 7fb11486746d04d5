"""The reader against texts whose truth is known: see ``text_grammar``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable

import pytest
from places import ROOT
from text_grammar import (
    KINDS,
    MODALS,
    OPENINGS,
    PAIRS,
    RECALLED,
    STATES,
    VERBS,
    WORDS,
    judged,
    shown,
    texts,
)

PLAIN_SHARE = 0.9


def assert_no_wrong_verdict(seed: int, count: int) -> None:
    found = list(judged(texts(seed, count)))
    wrong = [shown(*row) for row in found if row[1] not in row[0].allowed]
    assert not wrong, f"{len(wrong)} wrong verdicts of {count}:\n\n" + "\n".join(wrong[:10])
    unread = [shown(*row) for row in found if row[0].plain and row[1] == "malformed"]
    plain = sum(told.plain for told, _, _ in found)
    share = 1 - len(unread) / plain
    assert share >= PLAIN_SHARE, f"{share:.3f} of {plain} read:\n\n" + "\n".join(unread[:10])


def test_no_verdict_is_wrong_and_plain_texts_are_read() -> None:
    assert_no_wrong_verdict(0, 600)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_verdict_on_many_texts_is_wrong(seed: int) -> None:
    assert_no_wrong_verdict(seed, 20_000)


def test_a_seed_gives_the_same_texts() -> None:
    assert [each.text for each in texts(4, 60)] == [each.text for each in texts(4, 60)]


def frame_verbs() -> set[str]:
    """Return the verbs of all frames."""
    read = [tomllib.loads(path.read_text()) for path in ROOT.glob("pddl_domains/*/words*.toml")]
    groups = [each for words in read for each in words.get("frames", {}).values()]
    frames = [frame for group in groups for frame in group]
    return {verb for frame in frames for verb in frame["verbs"]}


def test_steps_are_told_by_the_names_of_the_actions() -> None:
    for verbs in VERBS.values():
        for action, verb in verbs.items():
            name = action.partition("-to-")[0].replace("-", "")
            assert f"{verb.forms.split()[0]}{verb.particle}".startswith(name)


def forms_of(verbs: Iterable[str]) -> set[str]:
    return {f"{verb.removesuffix(cut)}{end}" for verb in verbs
            for cut, end in [("", ""), ("", "s"), ("", "es"), ("", "ed"), ("", "ing"), ("e", "ed"),
                             ("e", "ing")]}  # fmt: skip


def test_no_other_verb_of_the_frames_stands_around_the_steps() -> None:
    texts_of_kinds = [form for kind in KINDS.values()
                      for form in (*kind.texts, *kind.each, *kind.item)]  # fmt: skip
    states = [form for each in STATES.values() for forms in each.values() for form in forms]
    words = [form for forms in WORDS.values() for form in forms]
    around = " ".join([*texts_of_kinds, *states, *words, *PAIRS, *RECALLED, *MODALS, *OPENINGS])
    used = set(re.findall(r"[a-z]+", re.sub(r"\{\w*\}", " ", around).lower()))
    assert used & (forms_of(frame_verbs()) - {"step", "steps"}) == set()  # "Step 3" is no verb
