"""The prompts of CATS for a blocksworld (Figures 4 to 7).

Figure 4 has one example, and Figure 5 mentions another in the same form; here, it is the second
example of Figure 9. Figure 6 also shows one of two examples; this project adds the other, a bad
action. In backward search, the facts to be achieved take the place of the initial state, and the
steps to the goal that of the previous plan; the paper does not describe this case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.papers.rewards.prompts import Prompts, Subject, facts_of
from pddl_pipeline.papers.rewards.reward import Situation
from pddl_pipeline.prompts.statements.choice import statements_of
from pddl_pipeline.prompts.statements.costs import cats_introduction
from pddl_pipeline.prompts.statements.facts import listed
from pddl_pipeline.prompts.statements.requests import PLAN_END, PLAN_START
from pddl_pipeline.prompts.statements.solved import own_examples
from pddl_pipeline.prompts.statements.worded import planbench_facts
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS, BudgetBlocksworld
from pddl_pipeline.translators.given_pddl import own_record
from pddl_pipeline.translators.wording import Sentences, step_words

_EXAMPLES: Final = ((0, 1), (1, 2))
"""Numbers of the solved examples, and how many of their steps form the previous plan."""
_EVALUATED: Final = """[STATEMENT]
The initial state: I have that, the yellow block is on the table. The red block is on the top of\
 the yellow block. The green block is on the top of the red block. The blue block is on the green\
 block. The blue block is clear. The hand is clear.
The current state: I have that, the yellow block is on the table. The red block is on the top of\
 the yellow block. The green block is on the top of the red block. The blue block is on the table.\
 The blue block is clear. The hand is clear.
Goal: The green block is on the top of blue block.
[PREVIOUS ACTION]
unstack the blue block from the green block.
put down the blue block.
We have used 21 minutes.
Our time limit is 33 minutes
[ACTION] {action}
[EVALUATION] {word}"""
_WORDS: Final = (("unstack the green block from the red block", "good"),
                 ("pick up the blue block", "bad"))  # fmt: skip


class _Description(NamedTuple):
    """A situation in words."""

    initial: Sequence[str]
    current: Sequence[str]
    goal: Sequence[str]
    steps: Sequence[str]
    spent: Number


def cats_prompts(subject: Subject, budget: Number | None) -> Prompts | None:
    """Return the layout; None if the task is not a blocksworld with CATS's wording."""
    known = statements_of(subject.instance, subject.task).values()
    facts, words = planbench_facts("blocksworld"), step_words("blocksworld")
    if not any(each.facts is facts and each.words is words for each in known):
        return None
    return _Cats(subject, budget).prompts()


class _Cats:
    def __init__(self, subject: Subject, budget: Number | None) -> None:
        self._instance, self._task = subject
        self._budget = budget
        self._words, self._facts = step_words("blocksworld"), planbench_facts("blocksworld")
        self._sentences = Sentences(self._words, self._task)
        names = self._sentences.phrases
        self._phrases = partial(self._facts.phrases, object_phrases=names)
        self._initial = self._phrases(self._facts.initial(self._instance, self._task))
        self._goal = self._phrases(self._facts.goal(self._instance, self._task))
        self._costs = _costs(self._instance)
        examples = [self._example(*each) for each in _EXAMPLES]
        self._opening = "\n\n".join([cats_introduction(self._costs), *examples])

    def prompts(self) -> Prompts:
        return Prompts(self._before_action, self._action, self._before_good)

    def _action(self, step: Step) -> str:
        return self._sentences.write(Plan((step,)))[0]

    def _before_action(self, situation: Situation) -> str:
        return f"{self._opening}\n\n{_asked(self._described(situation))}"

    def _before_good(self, situation: Situation, step: Step) -> str:
        described = self._described(situation)
        examples = [_EVALUATED.format(action=action, word=word) for action, word in _WORDS]
        limit = "" if self._budget is None else (
            f"\nOur time limit is {number_text(self._budget)} minutes."
        )  # fmt: skip
        asked = (
            f"[STATEMENT]\nThe initial state: I have that, {_sentences(described.initial)}\n"
            f"The current state: I have that, {_sentences(described.current)}\n"
            f"Goal: {_capital(_sentences(described.goal))}\n"
            f"[PREVIOUS ACTION]\n{''.join(f'{each}.{chr(10)}' for each in described.steps)}"
            f"We have used {number_text(described.spent)} minutes so far.{limit}\n"
            f"[ACTION] {self._action(step)}\n[EVALUATION]"
        )
        return "\n\n".join([cats_introduction(self._costs), *examples, asked])

    def _described(self, situation: Situation) -> _Description:
        current = self._phrases(self._facts.ordered(facts_of(situation), self._instance))
        initial = current if situation.backward else self._initial
        steps = self._sentences.write(Plan(situation.steps()))
        return _Description(initial, current, self._goal, steps, situation.spent)

    def _example(self, number: int, count: int) -> str:
        """Return a solved example with the first `count` steps of its plan as previous plan."""
        example = own_examples("budget-blocksworld")[number]
        sentences = Sentences(self._words, example.task)
        phrases = partial(self._facts.phrases, object_phrases=sentences.phrases)
        done, (following, *_) = example.plan[:count], example.plan[count:]
        initial = phrases(self._facts.initial(example.instance, example.task))
        described = _Description(
            initial, (), phrases(self._facts.goal(example.instance, example.task)),
            sentences.write(Plan(done)), sum(self._costs[step.action] for step in done),
        )  # fmt: skip
        return f"{_asked(described)}{sentences.write(Plan((following,)))[0]}\n{PLAN_END}"


def _costs(instance: Instance[Any]) -> Mapping[str, int]:
    """Return the cost of each action by the project's name for it; 1 if the task has no costs."""
    form = own_record(instance)
    return form.costs if isinstance(form, BudgetBlocksworld) else dict.fromkeys(ACTIONS, 1)


def _asked(described: _Description) -> str:
    """Return a statement up to the place of the next action (Figures 4 and 5)."""
    steps = "".join(f"{each}\n" for each in described.steps)
    return (
        f"[STATEMENT]\nAs initial conditions I have that, {listed(described.initial)}.\n"
        f"My goal is to have that {listed(described.goal)}.\n"
        f"My previous plan is:\n\n[PREVIOUS PLAN]\n{steps}[PREVIOUS PLAN END]\n\n"
        f"The current time usage for the previous plan is {number_text(described.spent)} min\n"
        f"My plan is as follows:\n\n{PLAN_START}\n"
    )


def _sentences(phrases: Sequence[str]) -> str:
    """Return phrases as sentences; the first one continues the preceding text."""
    first, *others = phrases
    return ". ".join([first, *map(_capital, others)]) + "."


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
