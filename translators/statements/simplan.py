"""SimPlan's statement of a task (Hirsch et al., Figures 7 to 11, Tables 4 and 5).

The paper prints the actions of blocksworld; this project describes those of the other domains in
the same form. The paper does not ask for a plan; the request here follows the form of its
questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.translators.answers.sentences import Sentences, Words, own_names
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.translators.pddl_printing import Fact
from pddl_pipeline.translators.statements.facts import FactWords, our_names
from pddl_pipeline.translators.text import Statement, Style
from pddl_pipeline.validation.task import Task

_ASK: Final = (
    "A plan is a list of actions, one a line, in parentheses as in the examples of the actions"
    " above, in the order in which they are executed. Answer with the plan and nothing else."
)
_THINK: Final = (
    "A plan is a list of actions, one a line, in parentheses as in the examples of the actions"
    " above, in the order in which they are executed. Think step by step first: say for each"
    " action what it changes. Then give the whole plan between [PLAN] and [PLAN END]."
)


class ActionWords(NamedTuple):
    """The description of one action."""

    name: str
    """This project's name of the action."""
    parameters: str
    preconditions: str
    effects: str
    example: tuple[str, ...]
    """The objects of an example step."""
    meaning: str = ""
    """Effect of the example step; if empty, the action's sentence is used."""


class Kinds(NamedTuple):
    """The kinds of objects that a statement lists."""

    names: tuple[str, ...] = ()
    """Names of types, or of predicates in untyped domains. Objects of no kind count as the last."""

    def told(self, task: Task) -> str:
        """Return the list of all objects by kind, empty if no kind is listed."""
        groups: dict[str, list[str]] = {kind: [] for kind in self.names}
        for name, types in task.vocabulary.objects.items():
            fitting = (k for k in self.names if k in types or (k, name) in task.facts.facts)
            if groups:
                groups[next(fitting, self.names[-1])].append(name)
        lists = [(kind, sorted(found, key=natural)) for kind, found in groups.items() if found]
        return "; ".join(f"{_plural(kind, found)} {', '.join(found)}" for kind, found in lists)


@dataclass(frozen=True)
class _Simplan:
    """SimPlan's statement of a domain; see `simplan`."""

    title: str
    actions: Sequence[ActionWords]
    words: Words
    facts: FactWords
    kinds: Kinds

    def domain(self, instance: Instance[Any], task: Task) -> str:
        del task
        theirs = {ours: theirs for theirs, ours in our_names(instance).items()}
        actions = [
            _action(number, action, theirs.get(action.name, action.name), self.words)
            for number, action in enumerate(self.actions, start=1)
        ]
        count = f"In this domain we have {len(actions)} possible actions:"
        return "\n".join([f"We are dealing with the {self.title} problem. {count}", *actions])

    def task(self, instance: Instance[Any], task: Task) -> str:
        own = {name: name for name in task.vocabulary.objects}
        state = self.facts.state_phrases(self.facts.initial(instance, task), own)
        goal = self.facts.phrases(self.facts.goal(instance, task), own)
        objects = self.kinds.told(task)
        return (
            f"Given this initial state: {', '.join(state)}\n"
            + (f"and these objects: {objects}\n" if objects else "")
            + f"and the following goals: {', '.join(goal)}\n\n"
            "Which plan achieves all of the goals from this state?"
        )

    def tell(self, plan: Plan, instance: Instance[Any], task: Task) -> str:
        del instance, task
        return str(plan).rstrip("\n")

    def think(self, plan: Plan, instance: Instance[Any], task: Task) -> str:
        own = {name: name for name in task.vocabulary.objects}
        sentences = Sentences(_with_own_names(self.words), task).tell(plan)
        reasoning = self.facts.reasoning(plan, instance, task, sentences, own)
        return f"{reasoning}\n\n[PLAN]\n{self.tell(plan, instance, task)}\n[PLAN END]"


def simplan(
    title: str, actions: Sequence[ActionWords], words: Words, facts: FactWords, kinds: Kinds
) -> Statement:
    """Return SimPlan's statement of a domain.

    Args:
        title: name of the domain in the first sentence.
        actions: the descriptions of the actions, in this order.
        words: words for steps.
        facts: words for facts, with the objects' own names.
        kinds: the kinds of objects that are listed.
    """
    parts = _Simplan(title, actions, words, facts, kinds)
    styles = {
        "io": Style(parts.tell, _ASK, "Answer:"),
        "cot": Style(parts.think, _THINK, "Answer:"),
    }
    own = _with_own_names(words)
    return Statement(parts.domain, parts.task, styles, covers=facts.covers, facts=facts, words=own)


def _with_own_names(words: Words) -> Words:
    """Return words that use the objects' own names, as SimPlan does."""
    sentences = {
        name: tuple(sentence.replace("the {", "{") for sentence in every)
        for name, every in words.sentences.items()
    }
    return replace(words, sentences=sentences, names=own_names())


def _action(number: int, action: ActionWords, name: str, words: Words) -> str:
    example = " ".join((name, *action.example))
    meaning = action.meaning or words.sentences[action.name][0].format(*action.example)
    return (
        f"{number}. {name} - ({action.parameters})\n"
        f"  - Preconditions: {action.preconditions}\n"
        f"  - Effects: After executing the action, {action.effects}\n"
        f"  - Example: If you execute ({example}), it means you {meaning}."
    )


def _plural(kind: str, found: Sequence[str]) -> str:
    return kind if len(found) == 1 else f"{kind}s"


def together(facts: Sequence[Fact], predicate: str, opening: str) -> list[str]:
    """Return one phrase for all facts of a predicate: the opening and their first objects."""
    named = [fact[1] for fact in facts if fact[0] == predicate]
    return [f"{opening}: {', '.join(named)}"] if named else []
