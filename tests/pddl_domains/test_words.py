"""The words of domains: every file is valid, and an invalid one is rejected with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_names, domain_text, files_named
from pddl_pipeline.pddl_domains.words import domain_words, read_words
from pddl_pipeline.validation.domain_reader import read_domain

OWN = sorted(set(domain_names()) & set(files_named("words.toml")))
VALID = """
[sentences]
ring = ["ring {0}"]
[facts]
rung = "{0} is rung"
[simplan]
title = "Bells"
[simplan.actions.ring]
parameters = "?b - bell"
preconditions = "The bell (?b) must be silent."
effects = "the bell (?b) is rung."
example = ["bell1"]
"""


@pytest.mark.parametrize("name", OWN)
def test_words_are_about_the_actions_and_predicates_of_the_domain(name: str) -> None:
    words, vocabulary = domain_words(name), read_domain(domain_text(name), name)
    assert words.words_of or set(words.sentences) == set(vocabulary.actions)
    assert set(words.facts) | set(words.planbench.facts) <= set(vocabulary.predicates)
    if words.simplan:
        for action, described in words.simplan.actions.items():
            assert described.parameters == ", ".join(
                f"{parameter} - {' '.join(types)}"
                for parameter, types in vocabulary.actions[action].parameters
            )


def test_a_variant_has_its_own_words() -> None:
    assert "attack" in domain_words("mystery").sentences


def test_a_domain_may_lack_words() -> None:
    assert domain_words("no-such-domain") == domain_words("countdown")
    assert not domain_words("countdown").sentences


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title", "tittle", "unknown field `tittle` - at `$.simplan`"),
        ("[facts]", "[fact]", "unknown field `fact`"),
        ('title = "Bells"', "", "missing required field `title` - at `$.simplan`"),
        ('["ring {0}"]', '"ring {0}"', "Expected `array`, got `str` - at `$.sentences[...]`"),
        ("actions.ring", "actions.rign", "simplan.actions: 'rign' is not in sentences"),
        ("[simplan]", "[aliases]\nchime = 'rong'\n[simplan]",
         "aliases: 'rong' is not in sentences"),
        ("[simplan]", "[states]\nexclusive = []\norder = ['rang']\n[simplan]",
         "states.order: 'rang' is not in facts"),
        ("[simplan]", "[states]\nexclusive = [{ rang = [0] }]\n[simplan]",
         "states.exclusive: 'rang' is not in facts"),
        ("{0} is rung", "{bell} is rung", "facts.rung: found '{bell} is rung', expected {0}, {1}"),
        ("ring {0}", "ring {0", "sentences.ring: found 'ring {0', expected {0}, {1}"),
        ("[facts]", "[facts", "at line 4"),
    ],
)  # fmt: skip
def test_an_invalid_file_is_refused_with_its_name_and_key(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "words.toml"
    file.write_text(VALID)
    assert read_words(file).facts == {"rung": "{0} is rung"}
    file.write_text(VALID.replace(old, new, 1))
    with pytest.raises(InputError) as refused:
        read_words(file)
    assert str(refused.value).startswith(f"{file}: ")
    assert message in str(refused.value)
