"""The prompts of CATS for a blocksworld (Figures 4 to 7).

Figure 4 has one example and Figure 5 says that there is another, in the same form: it is made of
the second example of Figure 9. Figure 6, too, has one of two; the other, a bad action, is ours.
Going backward, what is to hold stands for the initial state, and the steps to the goal for the
previous plan: the paper says nothing of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.planners.baselines.rewards.prompts import Prompts, Subject, facts_of
from pddl_pipeline.planners.baselines.rewards.reward import Situation
from pddl_pipeline.translators.answers.sentences import Sentences
from pddl_pipeline.translators.domains.blocksworld_text import FACTS, WORDS
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS, BudgetBlocksworld
from pddl_pipeline.translators.domains.budget_blocksworld_text import introduction
from pddl_pipeline.translators.given_pddl import GivenPddl
from pddl_pipeline.translators.statements.choice import statements_of
from pddl_pipeline.translators.statements.facts import listed
from pddl_pipeline.translators.statements.solved import own_examples

_EXAMPLES: Final = ((0, 1), (1, 2))
"""Which of the solved examples, and how many of its steps are the previous plan."""
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


class _Told(NamedTuple):
    """A situation in words."""

    initial: Sequence[str]
    current: Sequence[str]
    goal: Sequence[str]
    steps: Sequence[str]
    spent: Number


def cats_prompts(subject: Subject, budget: Number | None) -> Prompts | None:
    """Return the layout, None where a task is no blocksworld that CATS has words for."""
    known = statements_of(subject.instance, subject.task).values()
    if not any(each.facts is FACTS and each.words is WORDS for each in known):
        return None
    return _Cats(subject, budget).prompts()


class _Cats:
    def __init__(self, subject: Subject, budget: Number | None) -> None:
        self._instance, self._task = subject
        self._budget = budget
        self._sentences = Sentences(WORDS, self._task)
        names = self._sentences.names.told
        self._phrases = partial(FACTS.phrases, told=names)
        self._initial = self._phrases(FACTS.initial(self._instance, self._task))
        self._goal = self._phrases(FACTS.goal(self._instance, self._task))
        self._costs = _costs(self._instance)
        examples = [self._example(*each) for each in _EXAMPLES]
        self._opening = "\n\n".join([introduction(self._costs), *examples])

    def prompts(self) -> Prompts:
        return Prompts(self._before_action, self._action, self._before_good)

    def _action(self, step: Step) -> str:
        return self._sentences.tell(Plan((step,)))[0]

    def _before_action(self, situation: Situation) -> str:
        return f"{self._opening}\n\n{_asked(self._told(situation))}"

    def _before_good(self, situation: Situation, step: Step) -> str:
        told = self._told(situation)
        examples = [_EVALUATED.format(action=action, word=word) for action, word in _WORDS]
        limit = "" if self._budget is None else (
            f"\nOur time limit is {number_text(self._budget)} minutes."
        )  # fmt: skip
        asked = (
            f"[STATEMENT]\nThe initial state: I have that, {_sentences(told.initial)}\n"
            f"The current state: I have that, {_sentences(told.current)}\n"
            f"Goal: {_capital(_sentences(told.goal))}\n"
            f"[PREVIOUS ACTION]\n{''.join(f'{each}.{chr(10)}' for each in told.steps)}"
            f"We have used {number_text(told.spent)} minutes so far.{limit}\n"
            f"[ACTION] {self._action(step)}\n[EVALUATION]"
        )
        return "\n\n".join([introduction(self._costs), *examples, asked])

    def _told(self, situation: Situation) -> _Told:
        current = self._phrases(FACTS.ordered(facts_of(situation), self._instance))
        initial = current if situation.backward else self._initial
        steps = self._sentences.tell(Plan(situation.steps()))
        return _Told(initial, current, self._goal, steps, situation.spent)

    def _example(self, number: int, count: int) -> str:
        """Return one of the solved examples, with so many steps of its plan behind it."""
        example = own_examples("budget-blocksworld")[number]
        sentences = Sentences(WORDS, example.task)
        phrases = partial(FACTS.phrases, told=sentences.names.told)
        done, (following, *_) = example.plan[:count], example.plan[count:]
        initial = phrases(FACTS.initial(example.instance, example.task))
        told = _Told(
            initial, (), phrases(FACTS.goal(example.instance, example.task)),
            sentences.tell(Plan(done)), sum(self._costs[step.action] for step in done),
        )  # fmt: skip
        return f"{_asked(told)}{sentences.tell(Plan((following,)))[0]}\n[PLAN END]"


def _costs(instance: Instance[Any]) -> Mapping[str, int]:
    """Return what each action costs under our name of it: 1 where the task has no costs."""
    given = instance.record
    known = given.known if isinstance(given, GivenPddl) else None
    form = given if known is None else known.form
    return form.costs if isinstance(form, BudgetBlocksworld) else dict.fromkeys(ACTIONS, 1)


def _asked(told: _Told) -> str:
    """Return a statement up to where the next action begins (Figures 4 and 5)."""
    steps = "".join(f"{each}\n" for each in told.steps)
    return (
        f"[STATEMENT]\nAs initial conditions I have that, {listed(told.initial)}.\n"
        f"My goal is to have that {listed(told.goal)}.\n"
        f"My previous plan is:\n\n[PREVIOUS PLAN]\n{steps}[PREVIOUS PLAN END]\n\n"
        f"The current time usage for the previous plan is {number_text(told.spent)} min\n"
        "My plan is as follows:\n\n[PLAN]\n"
    )


def _sentences(phrases: Sequence[str]) -> str:
    """Return phrases as sentences, the first of which goes on from what is before it."""
    first, *others = phrases
    return ". ".join([first, *map(_capital, others)]) + "."


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
