"""The layout of SimPlan's training examples (Figure 13): facts after INITIAL, goals after GOAL.

SimPlan's model compares a query with each action; here, the action follows the query on a separate
line. The paper does not ask whether an action is good: this project adds those two lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.planners.baselines.rewards.prompts import Prompts, Subject, facts_of
from pddl_pipeline.planners.baselines.rewards.reward import Situation
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators.answers.sentences import Sentences, Words, own_names
from pddl_pipeline.translators.domains.blocksworld_text import FACTS as BLOCK_FACTS
from pddl_pipeline.translators.domains.blocksworld_text import WORDS as BLOCK_WORDS
from pddl_pipeline.translators.statements.choice import statements_of
from pddl_pipeline.translators.statements.facts import FactWords
from pddl_pipeline.validation.explanation import condition_text
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.schema import conjuncts

_BLOCKS: Final = FactWords(
    {
        **{
            predicate: phrase.replace("the {", "{")
            for predicate, phrase in BLOCK_FACTS.templates.items()
        },
        "holding": "the hand is holding {0}",
    }
)


def tagged_prompts(subject: Subject) -> Prompts:
    """Return the layout, in the words of the domain if it has any, else in PDDL."""
    found = _words(subject)
    if found is None:
        state, goal, action = _in_pddl(subject)
    else:
        state, goal, action = _in_words(subject, *found)

    def query(situation: Situation) -> str:
        initial = " ".join(f"<INITIAL> {phrase}" for phrase in state(situation))
        return f"{initial}\n{' '.join(f'<GOAL> {phrase}' for phrase in goal)}\n"

    def evaluated(situation: Situation, step: Step) -> str:
        return f"{query(situation)}<ACTION> {action(step)}\n<EVALUATION>"

    return Prompts(query, action, evaluated)


_Parts = tuple[Callable[[Situation], Sequence[str]], Sequence[str], Callable[[Step], str]]


def _words(subject: Subject) -> tuple[FactWords, Words] | None:
    """Return the words for facts and steps, with the names of the objects."""
    known = [each for each in statements_of(*subject).values() if each.facts and each.words]
    if any(each.words is BLOCK_WORDS for each in known):
        own = {
            name: tuple(each.replace("the {", "{") for each in sentences)
            for name, sentences in BLOCK_WORDS.sentences.items()
        }
        return _BLOCKS, replace(BLOCK_WORDS, sentences=own, names=own_names())
    last = known[-1] if known else None
    return (last.facts, last.words) if last and last.facts and last.words else None


def _in_words(subject: Subject, facts: FactWords, words: Words) -> _Parts:
    instance, task = subject
    names = {name: name for name in task.vocabulary.objects}
    sentences, fixed = Sentences(words, task), _fixed(subject)

    def state(situation: Situation) -> Sequence[str]:
        every = facts.ordered([*fixed, *facts_of(situation)], instance)
        return facts.state_phrases(every, names)

    goal = facts.phrases(facts.goal(instance, task), names)
    return state, goal, lambda step: sentences.tell(Plan((step,)))[0]


def _fixed(subject: Subject) -> list[Ground]:
    """Return the facts that never change."""
    world = world_of(subject.task)
    changing = set(world.told(world.start))
    return sorted(
        fact for fact in world.atoms(world.start) if f"({' '.join(fact)})" not in changing
    )


def _in_pddl(subject: Subject) -> _Parts:
    task = subject.task
    world = world_of(task)
    changing = " ".join(world.told(world.start))
    values = [
        text
        for fluent, value in sorted(task.facts.values.items())
        if (text := f"(= ({' '.join(fluent)}) {number_text(value)})") not in changing
    ]
    fixed = [*(f"({' '.join(fact)})" for fact in _fixed(subject)), *values]
    goal = [condition_text(part, {}) for part in conjuncts(task.facts.goal)]
    return lambda situation: [*fixed, *situation.state()], goal, str
