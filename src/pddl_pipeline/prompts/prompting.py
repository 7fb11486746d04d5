"""Prompts for language models: instances in the wording of a paper, with solved examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import hint, item_named
from pddl_pipeline.prompts.statement import PDDL, Statement, Style
from pddl_pipeline.prompts.statements.baselines import BASELINES
from pddl_pipeline.prompts.statements.choice import statements_of
from pddl_pipeline.prompts.statements.in_pddl import IN_PDDL
from pddl_pipeline.prompts.statements.requests import write_pddl
from pddl_pipeline.prompts.statements.solved import Solved, own_examples, solved
from pddl_pipeline.translators import read_instance, translate
from pddl_pipeline.translators.datasets import Data, as_instances
from pddl_pipeline.translators.given_pddl import same_actions
from pddl_pipeline.translators.wording import words_name
from pddl_pipeline.validation.language import conjuncts
from pddl_pipeline.validation.task import Task

_WRITE_PROBLEM: Final = (
    "Write the task as a problem of this domain in PDDL, with all objects, the initial state and "
    "the goal. Answer with the problem and nothing else."
)


def prompt_for(
    instance: Instance[Any],
    *,
    style: str = "io",
    statement: str | None = None,
    shots: int | None = None,
    examples: Iterable[Instance[Any]] = (),
) -> str:
    """Return the prompt of one instance; see `prompts`."""
    return str(Prompter(style, statement, shots, examples).prompt(instance)["prompt"])


def prompts(
    instances: Data,
    *,
    style: str = "io",
    statement: str | None = None,
    shots: int | None = None,
    examples: Iterable[Instance[Any]] = (),
) -> Iterator[dict[str, Any]]:
    """Yield the prompt of each instance, as `Prompter.prompt` returns it.

    Args:
        instances: instances as `load_records` returns them, or anything that it reads.
        style: ``io`` asks for the plan only, ``cot`` for reasoning before it, ``pddl`` for the
            problem in PDDL.
        statement: name of a statement; None selects the first one of the domain.
        shots: number of solved examples before the task. None selects the paper's number, but at
            least one if `examples` is not empty.
        examples: instances with a witness, of any domain, to use as examples; if empty, the
            examples of the domain are used. An instance is never its own example.

    Raises:
        InputError: the statement or style is unknown, or there are too few examples.
    """
    prompter = Prompter(style, statement, shots, examples)
    for instance in as_instances(instances):
        yield prompter.prompt(instance)


def chat_request(prompt: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Return a prompt as a line of a batch file for OpenAI's chat completions."""
    return {
        "custom_id": prompt["id"],
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": model, "messages": [{"role": "user", "content": prompt["prompt"]}]},
    }


class Prompter:
    """Creates prompts and reads each example once. The arguments are those of `prompts`."""

    def __init__(
        self,
        style: str = "io",
        statement: str | None = None,
        shots: int | None = None,
        examples: Iterable[Instance[Any]] = (),
    ) -> None:
        self._style = style
        self._statement = statement
        self._shots = shots
        self._given = [solved(example) for example in examples if "witness" in example.extras]

    def prompt(self, instance: Instance[Any]) -> dict[str, Any]:
        """Return the prompt of an instance as the object of a line.

        It has the fields ``id`` (`score` requires it with the answer), ``prompt``, ``domain``,
        ``style`` and ``statement``; ``completion``, the plan of the record, if the statement is
        meant for training and the record has a witness; ``extra``, the record's other fields.

        Raises:
            PddlError: the task is not classical.
        """
        task = read_instance(instance)
        task.check_supported()
        name, statement = self._chosen(instance, task)
        if self._style == PDDL:
            style = _translation(instance, statement)
        else:
            style = item_named(statement.styles, self._style, "unknown style")
        shown = self._examples(instance, task, statement, style)
        parts = [
            statement.domain(instance, task),
            style.ask,
            *(_answered(statement, style, example, instance) for example in shown),
            _asked(statement, style, instance, task),
        ]
        text = "\n\n".join(part for part in parts if part)
        line = {
            "id": instance.id,
            "prompt": text,
            "domain": instance.domain,
            "style": self._style,
            "statement": name,
        }
        if statement.is_paired and "witness" in instance.extras:
            line["completion"] = statement.write(solved(instance).plan, instance, task)
        return line | ({"extra": instance.extra} if instance.extra else {})

    def _chosen(self, instance: Instance[Any], task: Task) -> tuple[str, Statement]:
        known = statements_of(instance, task)
        name = self._statement or next(iter(known))
        if name not in known:
            where = f"no statement '{name}' for '{instance.id}' of {instance.domain}"
            raise InputError(f"{where}{hint(name, known)}")
        return name, known[name]

    def _examples(
        self, instance: Instance[Any], task: Task, statement: Statement, style: Style
    ) -> Sequence[Solved]:
        count = self._shots
        # Reasoning cannot be written for an example, so such styles have none.
        if count is None and style.write is None:
            count = 0
        elif count is None:
            count = max(statement.shots, 1) if self._given else statement.shots
        elif count and style.write is None:
            raise InputError(f"the style '{self._style}' has no examples here; use --shots 0")
        words, itself = words_name(instance, task), _content(task)
        candidates = (
            each
            for each in (self._given or own_examples(words) if count else ())
            if words_name(each.instance, each.task) == words
            and _fits(each, instance, task, statement)
            and _content(each.task) != itself
        )
        found = list(islice(candidates, count))
        if len(found) < count:
            missing = f"found {len(found)} solved examples for '{instance.id}', expected {count}"
            raise InputError(f"{missing}; provide records of {words} that have a witness")
        return found


def _translation(instance: Instance[Any], statement: Statement) -> Style:
    """Return the style that asks for tasks as problems in PDDL.

    Raises:
        InputError: the statement is in PDDL, too.
    """
    if statement is IN_PDDL:
        where = f"'{instance.id}' of {instance.domain}"
        raise InputError(f"the style 'pddl' needs a statement in words, found only PDDL of {where}")
    domain = translate(instance).domain_pddl.strip()
    return Style(
        lambda _plan, shown, _task: translate(shown).problem_pddl.strip(),
        f"This is the domain in PDDL:\n\n{domain}\n\n{_WRITE_PROBLEM}",
        "This is the problem in PDDL:",
    )


def _asked(statement: Statement, style: Style, instance: Instance[Any], task: Task) -> str:
    """Return a task, up to the beginning of its answer."""
    text = statement.task(instance, task)
    return f"{text}\n\n{style.opening}" if style.opening else text


def _answered(statement: Statement, style: Style, example: Solved, instance: Instance[Any]) -> str:
    """Return a task with its answer, as an example that precedes an instance."""
    shown = statement.adapt(example.instance, example.plan, instance)
    answer = style.write(example.plan, shown, example.task) if style.write else ""
    return f"{_asked(statement, style, shown, example.task)}\n{answer}"


def _fits(example: Solved, instance: Instance[Any], task: Task, statement: Statement) -> bool:
    """Return whether an example suits an instance: plans in PDDL need the same actions."""
    if statement in BASELINES.values():
        texts = (translate(each).domain_pddl for each in (example.instance, instance))
        return same_actions(*texts) and statement.covers(example.instance, example.task)
    if statement is IN_PDDL:
        return translate(example.instance).domain_pddl == translate(instance).domain_pddl
    same = example.task.vocabulary.actions.keys() == task.vocabulary.actions.keys()
    # Plans in words may be of a variant whose actions have other names.
    in_pddl = statement.styles["io"].write is write_pddl
    return (same or not in_pddl) and statement.covers(example.instance, example.task)


def _content(task: Task) -> object:
    """Return a value that is equal for equal tasks, without the id, costs and budget."""
    # The plan of the task under other costs would give the answer away.
    values = {
        fluent: value for fluent, value in task.facts.values.items() if "cost" not in fluent[0]
    }
    return task.facts.facts, values, frozenset(conjuncts(task.facts.goal))
