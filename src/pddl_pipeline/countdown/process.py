"""Solves a countdown problem in PDDL, as a process: ``python -m … domain.pddl problem.pddl plan``.

The last line of its output reports the result.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from pddl_pipeline.countdown.exact import Answer, solve_exact
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.search import process_end as process
from pddl_pipeline.translators.domains.countdown import TRANSLATOR, Countdown
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.translator import Encoding
from pddl_pipeline.validation.task import Task, read_task


def main() -> int:
    """Solve the problem, write the plan and print the figures; return the exit status."""
    domain, problem, plan = map(Path, sys.argv[1:])
    try:
        instance = countdown_of(read_task(domain, problem))
        if instance is None:
            return process.end(
                process.UNSUPPORTED, "Unsupported: this is not the countdown domain of this project"
            )
        answer = solve_exact(instance.numbers, instance.target)
    except InputError as error:
        return process.end(process.INPUT_ERROR, f"Input error: {error}")
    except EngineError as error:
        return process.end(process.UNSUPPORTED, f"Unsupported: {error}")
    except MemoryError:
        return process.end(process.OUT_OF_MEMORY, "Out of memory")
    return _finish(answer, plan)


def countdown_of(task: Task) -> Countdown | None:
    """Return the numbers and the target of a countdown problem; None for any other problem."""
    for encoding in TRANSLATOR.encodings.values():
        with suppress(KeyError, FieldFault):
            found = encoding.recover(task, "")
            if _says_the_same(task, found, encoding):
                return found
    return None


def _says_the_same(task: Task, found: Countdown, encoding: Encoding[Countdown]) -> bool:
    """Return whether a task equals the translator's task, apart from its name and metric."""
    instance = Instance("a", "countdown", len(found.numbers), found)
    own = read_task(domain_text("countdown", encoding.variant), encoding.problem(instance))
    return (
        task.vocabulary.actions == own.vocabulary.actions
        and task.vocabulary.objects == own.vocabulary.objects
        and task.facts.facts == own.facts.facts
        and task.facts.values == own.facts.values
        and task.facts.goal == own.facts.goal
        and not task.facts.unsupported
    )


def _finish(answer: Answer, file: Path) -> int:
    process.say(f"Values: {answer.values}")
    if answer.plan is not None:
        process.say(f"Plan cost: {len(answer.plan)}")
        file.write_text(str(answer.plan), encoding="utf-8")
        return process.end(process.FOUND, "Plan found")
    if answer.proof:
        return process.end(process.UNSOLVABLE, f"Unsolvable: {answer.reason}")
    return process.end(process.GAVE_UP, f"Gave up: {answer.reason}")


if __name__ == "__main__":
    sys.exit(main())
