"""The layout of SimPlan's training examples (Figure 13): facts after INITIAL, goals after GOAL.

SimPlan's model compares a query with each action; here, the action follows the query on a separate
line. The paper does not ask whether an action is good: this project adds those two lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.papers.rewards.prompts import Prompts, Subject, facts_of
from pddl_pipeline.papers.rewards.reward import Situation
from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.prompts.statements.choice import statements_of
from pddl_pipeline.prompts.statements.facts import FactWords
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators.wording import Sentences, StepWords, own_phrases, step_words
from pddl_pipeline.validation.explanation import condition_text
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.schema import conjuncts


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


def _words(subject: Subject) -> tuple[FactWords, StepWords] | None:
    """Return the words for facts and steps, with the names of the objects."""
    known = [each for each in statements_of(*subject).values() if each.facts and each.words]
    blocks = step_words("blocksworld")
    if any(each.words is blocks for each in known):
        return FactWords(domain_words("blocksworld").training_facts), blocks.with_own_names()
    last = known[-1] if known else None
    return (last.facts, last.words) if last and last.facts and last.words else None


def _in_words(subject: Subject, facts: FactWords, words: StepWords) -> _Parts:
    instance, task = subject
    names = own_phrases(task)
    sentences, fixed = Sentences(words, task), _fixed(subject)

    def state(situation: Situation) -> Sequence[str]:
        every = facts.ordered([*fixed, *facts_of(situation)], instance)
        return facts.state_phrases(every, names)

    goal = facts.phrases(facts.goal(instance, task), names)
    return state, goal, lambda step: sentences.write(Plan((step,)))[0]


def _fixed(subject: Subject) -> list[Ground]:
    """Return the facts that never change."""
    world = world_of(subject.task)
    changing = set(world.fact_texts(world.start))
    return sorted(fact for fact in world.atoms(world.start) if atom_text(fact) not in changing)


def _in_pddl(subject: Subject) -> _Parts:
    task = subject.task
    world = world_of(task)
    changing = " ".join(world.fact_texts(world.start))
    values = [
        text
        for fluent, value in sorted(task.facts.values.items())
        if (text := f"(= {atom_text(fluent)} {number_text(value)})") not in changing
    ]
    fixed = [*(atom_text(fact) for fact in _fixed(subject)), *values]
    goal = [condition_text(part, {}) for part in conjuncts(task.facts.goal)]
    return lambda situation: [*fixed, *situation.state()], goal, str
