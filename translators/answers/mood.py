"""Writes sentences about steps as commands: ``we will stack a on b`` is ``stack a on b``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.translators.answers.names import ARTICLES, Names
from pddl_pipeline.translators.answers.remembered import remembered
from pddl_pipeline.translators.answers.verbs import by_gerund, by_past

_SUBJECTS: Final = frozenset({"i", "we", "you", "he", "she", "it", "they"})
_OPENINGS: Final = frozenset({
    "let", "lets", "us", "so", "thus", "hence", "therefore", "have", "make", "please", "simply",
    "just", "carefully", "also", "again", "now", "then", "first", "next", "finally", "ll", "m",
    "re", "am", "are", "d",
})  # fmt: skip
"""Words before a command that say nothing, with the rests of ``we'll`` and ``I'm``."""
_MODALS: Final = frozenset({"will", "shall", "should", "must"})
_BEFORE_TO: Final = frozenset({"need", "needs", "have", "has", "want", "wants", "going", "like"})
_FEW: Final = 2
_LONGEST: Final = 30
"""Number of words among which the verb is looked for."""
_START: Final = frozenset({"start", "starts", "begin", "begins", "starting", "beginning"})


class Command(NamedTuple):
    """The words of a sentence as a command."""

    words: list[str]
    report: bool = False
    """Whether it was none, so that it may speak of steps that stand elsewhere."""
    whole: bool = False
    """Whether it begins in -ing, and so is a step only if every word belongs to it."""
    past: bool = False
    """Whether it tells the past."""


class Mood:
    """The forms of a domain's verbs in sentences that are no commands."""

    def __init__(
        self,
        forms: Collection[str],
        commands: Collection[str],
        names: Names,
        agents: Collection[str],
    ) -> None:
        """Create the forms.

        Args:
            forms: the verbs as commands and in the third person.
            commands: the verbs as commands.
            names: the names of the objects.
            agents: words for who acts.
        """
        self._forms, self._names, self._agents = frozenset(forms), names, frozenset(agents)
        self._gerunds = {g: verb for g, verb in by_gerund(commands).items() if g not in forms}
        self._past = {p: verb for p, verb in by_past(commands).items() if p not in forms}
        self._silent = ARTICLES | names.nouns

    def is_verb(self, word: str) -> bool:
        """Return whether a word is a form of a verb of the domain."""
        return word in self._forms or word in self._gerunds or word in self._past

    @remembered(64)
    def command(
        self, words: Sequence[str], *, continues: bool = False, past: bool = False
    ) -> Command:
        """Return a sentence as a command; a sentence of another kind stays the same.

        Args:
            words: the words of the sentence.
            continues: whether a step stands before it: ``…, placing b on the table``.
            past: whether what stands before it tells the past.
        """
        near = words[:_LONGEST]
        at, subject, report = self._opening(near, 0)
        by = at > 0 and words[at - 1] in {"by", "with"}
        continues |= by
        kept: list[str] = []
        while at < len(near):
            word = near[at]
            if word in self._forms:
                return Command([*kept, *words[at:]], report)
            rest = words[at + 1 :]
            if word in self._gerunds and not kept and (by or not subject):
                verb = self._gerunds[word]
                return Command([verb, *rest], not continues, whole=not continues)
            if word in self._past and (subject or past):
                return Command([*kept, self._past[word], *rest], report=True, past=True)
            mention = self._names.at(near, at)
            if mention is None and word not in self._silent:
                if len(kept) > _FEW:
                    break
                subject |= word in self._agents
            end = at + 1 if mention is None else mention.end
            kept += words[at:end]
            at, _, reports = self._opening(near, end)
            report |= reports
        return Command(list(words))

    def bare(self, words: Sequence[str]) -> list[str]:
        """Return words without ``we will``, ``you have to`` and the like before a verb."""
        return list(words[self._opening(words[:_LONGEST], 0)[0] :])

    def _opening(self, words: Sequence[str], at: int) -> tuple[int, bool, bool]:
        """Return the end of words that say nothing, and whether one is a subject or a modal."""
        subject, report = False, False
        while at < len(words):
            word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
            if (word in _BEFORE_TO and after == "to") or (
                word in _START and after in {"by", "with"}
            ):
                at, report = at + 2, report or after == "to"
                continue
            modal = word in _MODALS
            if word not in _SUBJECTS and word not in _OPENINGS and not modal:
                break
            subject, report, at = subject or word in _SUBJECTS, report or modal, at + 1
        return at, subject, report
