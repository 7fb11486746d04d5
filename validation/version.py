"""The version of the verdicts, which changes when a verdict can change.

It covers all that decides a verdict: the reading of domains and problems, plans and answers, the
rules of the validator, and the referees. One number is enough, since judging everything again is
cheap beside running planners and models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

VERDICT_CHANGES: Final[Mapping[int, str]] = {
    1: "all verdicts that were stored without a version",
    2: "two scalings of one fluent in a step, types written `-name`, plan text such as `0.:`, "
    "countdown answers (rules, forms, false values), answers in sentences",
    3: "answers in sentences (`it`, other forms than commands, remarks, retractions, JSON), "
    "countdown answers (numbers in words, JSON operations, `8 : 2 = 4`)",
    4: "answers in sentences (calls of methods, check boxes, corrections in a line, headings of "
    "attempts, names in parentheses)",
    5: "answers in sentences (lines of keys, names of arguments in JSON, a noun and its name, "
    "words before a name), countdown answers (questions, braces, apostrophes)",
    6: "answers in sentences (steps in braces, in keys and in calls with names, actions as keys of "
    "JSON, LaTeX, labels of items, lines and clauses that may be steps)",
    7: "answers in sentences (labels in bullets, labels such as `Trip 1:`, `&` and `+` between "
    "steps, `(:action unstack b c)`)",
    8: "answers (a new reader: every clause is read, or the answer is unreadable)",
    9: "durative actions, timed literals, preferences and constraints, which were undecided; "
    "quantifiers over comparisons, total-cost without a value, derived atoms at one time",
    10: "outputs of planners (each line is read, or the plan is malformed), times with exponents; "
    "durations (rounded by at most 0.0005, the exact value counts), `?duration` in its own "
    "bound; object fluents and undefined fluents in preferences (undecided), timed fluents "
    "after a plan; processes, events, continuous effects and global constraints (PDDL+), "
    "which were undecided; answers (a new reader: the plan is its carrier, and only what "
    "could change it is doubted; denials above it, commands, words of change in all languages and "
    "English objects without relation are doubted; steps are read by the verb of their action in "
    "domains without words), blank files of planning.domains and messages without a role (no "
    "plan), messages of Gemini and LangChain, logs of TFD, Aries and LAPKT, comments in lists of "
    "Python (malformed)",
}
"""For each version, the verdicts that it changed. CHANGELOG.md has the details."""
FIRST_VERSION: Final = 1
"""The version of verdicts that are stored without one."""
VERDICT_VERSION: Final = max(VERDICT_CHANGES)
"""The version of the verdicts of this program."""
