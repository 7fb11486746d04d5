"""SimPlan's statement of a task (Hirsch et al., Figures 7 to 11, Tables 4 and 5).

The paper prints the actions of blocksworld; this project describes those of the other domains in
the same form. The paper does not ask for a plan; the request here follows the form of its
questions.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import chain
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains.words import ActionWords, DomainWords, SimplanWords
from pddl_pipeline.prompts.statement import Statement, Style
from pddl_pipeline.prompts.statements.facts import FactWords
from pddl_pipeline.prompts.statements.requests import ONLY, THINK, write_pddl
from pddl_pipeline.prompts.statements.states import StateWriter
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.given_pddl import their_names
from pddl_pipeline.translators.wording import StepWords, own_phrases
from pddl_pipeline.validation.task import Task

_FORM: Final = (
    "A plan is a list of actions, one a line, in parentheses as in the examples of the actions"
    " above, in the order in which they are executed."
)


def simplan(domain: DomainWords, own: SimplanWords, words: StepWords) -> Statement:
    """Return SimPlan's statement of a domain.

    Args:
        domain: the domain's words.
        own: the words of this statement.
        words: words for steps, as other statements use them.
    """
    facts = FactWords(domain.facts, StateWriter(domain, own).phrases)

    def described(instance: Instance[Any], task: Task) -> str:
        # The actions are named as in the task that is asked about, which may be a variant.
        theirs, known = their_names(instance), task.vocabulary.predicates
        actions = [
            _action(number, action, theirs.get(name, name), words.sentences[name][0], known)
            for number, (name, action) in enumerate(own.actions.items(), start=1)
        ]
        count = f"In this domain we have {len(actions)} possible actions:"
        return "\n".join([f"We are dealing with the {own.title} problem. {count}", *actions])

    def asked(instance: Instance[Any], task: Task) -> str:
        state = facts.state_phrases(facts.initial(instance, task), {})
        goal = facts.phrases(facts.goal(instance, task), own_phrases(task))
        objects = _objects(own.kinds, task)
        return (
            f"Given this initial state: {', '.join(state)}\n"
            + (f"and these objects: {objects}\n" if objects else "")
            + f"and the following goals: {', '.join(goal)}\n\n"
            "Which plan achieves all of the goals from this state?"
        )

    styles = {
        "io": Style(write_pddl, f"{_FORM} {ONLY}", "Answer:"),
        "cot": Style(None, f"{_FORM} {THINK}.", "Answer:"),
    }
    return Statement(
        described,
        asked,
        styles,
        covers=facts.covers,
        facts=facts,
        words=words.with_own_names(),
    )


def _action(
    number: int, action: ActionWords, name: str, sentence: str, known: Container[str]
) -> str:
    preconditions = next(
        (text for predicate, text in action.if_known.items() if predicate in known),
        action.preconditions,
    )
    meaning = action.meaning or sentence.format(*action.example)
    return (
        f"{number}. {name} - ({action.parameters})\n"
        f"  - Preconditions: {preconditions}\n"
        f"  - Effects: After executing the action, {action.effects}\n"
        f"  - Example: If you execute ({' '.join((name, *action.example))}), "
        f"it means you {meaning}."
    )


def _objects(kinds: Sequence[str], task: Task) -> str:
    """Return the list of all objects, empty if there are no kinds.

    It is grouped by kind, unless the task has neither types nor predicates for them (Figure 5).
    """
    groups: dict[str, list[str]] = {kind: [] for kind in kinds}
    objects = task.vocabulary.objects
    if not set(kinds) & {*task.vocabulary.predicates, *chain(*objects.values())}:
        return ", ".join(sorted(objects, key=natural)) if kinds else ""
    for name, types in objects.items():
        fitting = (kind for kind in kinds if kind in types or (kind, name) in task.facts.facts)
        groups[next(fitting, kinds[-1])].append(name)
    lists = [(kind, sorted(found, key=natural)) for kind, found in groups.items() if found]
    return "; ".join(
        f"{kind}{'s' if len(found) > 1 else ''} {', '.join(found)}" for kind, found in lists
    )
