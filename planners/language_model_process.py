"""Asks a language model for a plan: ``python -m … SETTINGS domain.pddl problem.pddl plan``.

SETTINGS is JSON. The key is in the environment. The file ``record.json`` has the instance's id and
budget, and the file for the answers; those in the file are not asked for again. The output has
every answer; its last line reports the result.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.endpoints.answer_file import AnswerFile, fingerprint
from pddl_pipeline.endpoints.conversation import Message, Reply
from pddl_pipeline.endpoints.errors import NoAnswer, Rejected, Unreachable
from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.errors import PipelineError, StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import number_from_json
from pddl_pipeline.model.problem import RECORD
from pddl_pipeline.planners.language_model_settings import ModelSettings
from pddl_pipeline.planners.own_process import FOUND, GAVE_UP, explained, say
from pddl_pipeline.search.baseline import UnsupportedTask

_FAILED: Final = 1
_WAIT_S: Final = 10.0
"""For the end of the process of an attempt that was killed."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What the process is to do."""

    settings: ModelSettings
    instance: Instance[Any]
    file: Path
    """The file for the answers."""


def main() -> int:
    """Ask, write the plan of the first answer and print the figures; return the exit status."""
    text, *files = sys.argv[1:]
    domain, problem, plan = map(Path, files)

    def solved() -> tuple[int, str]:
        try:
            return _solve(_read(text, domain, problem), plan)
        except (NoAnswer, StoreError, Rejected, Unreachable) as error:
            return _FAILED, f"Error: {error}"

    status, line = explained(solved)
    say(line)
    return status


def _read(text: str, domain: Path, problem: Path) -> _Run:
    # Not imported by the programs that only need the command line of this process.
    from pddl_pipeline.translators.given_pddl import given_instance  # noqa: PLC0415

    record = json.loads((domain.parent / RECORD).read_text(encoding="utf-8"))
    first, second = (path.read_text(encoding="utf-8") for path in (domain, problem))
    names = (domain.name, problem.name)
    instance = given_instance(record["id"], first, second, {}, files=names)
    budget = number_from_json(record["budget"])
    return _Run(
        msgspec.convert(json.loads(text), ModelSettings),
        replace(instance, budget=budget),  # type: ignore[arg-type]
        Path(record["answers"]),
    )


def _solve(run: _Run, plan: Path) -> tuple[int, str]:
    """Return the exit status and the last line.

    Raises:
        NoAnswer, Rejected, Unreachable: the model does not answer.
        UnsupportedTask: the endpoint rejects this prompt, for example because it is too long.
    """
    import asyncio  # noqa: PLC0415 -- slow to import

    from pddl_pipeline.prompts.prompting import Prompter  # noqa: PLC0415

    chosen = run.settings
    prompter = Prompter(chosen.style, chosen.statement or None, chosen.shots)
    prompt = prompter.prompt(run.instance)
    say(f"Prompt: statement {prompt.statement}, {len(prompt.prompt)} characters")
    make_folder(run.file.parent)
    messages = [Message("user", prompt.prompt)]
    with AnswerFile(run.file, chosen.endpoint(), wait_s=_WAIT_S) as file:
        name = fingerprint(chosen.endpoint(), messages)
        file.stored.check(run.instance.id, name)
        asking = _Asking(run, file, name, plan)
        asyncio.run(asking.ask(messages))
    return asking.result


class _Asking:
    """Asks for the attempts that are not stored, all at the same time."""

    def __init__(self, run: _Run, file: AnswerFile, name: str, plan: Path) -> None:
        self._run = run
        self._file = file
        self._name = name
        self._plan = plan
        self.result = _FAILED, "Error: the first attempt has no answer"
        """The exit status and the last line, from the answer of the first attempt."""

    async def ask(self, messages: list[Message]) -> None:
        """Ask, and store each answer at once.

        Raises:
            NoAnswer, Rejected, Unreachable, UnsupportedTask: the first attempt has no answer.
        """
        from asyncio import gather  # noqa: PLC0415 -- slow to import

        from pddl_pipeline.endpoints.endpoint import AsyncEndpoint  # noqa: PLC0415 -- an extra

        self._say_figures()
        numbers = range(1, self._run.settings.attempts + 1)
        missing = [n for n in numbers if (self._run.instance.id, n) not in self._file.stored.usages]
        if 1 not in missing:
            self._decide(*_first(self._run.file))
        if not missing:
            return
        async with AsyncEndpoint(self._run.settings.endpoint()) as endpoint:
            seed = self._run.settings.seed

            async def answered(number: int) -> None:
                used = None if seed is None else seed + number - 1
                self._store(number, await endpoint.reply(messages, seed=used))

            found = await gather(*map(answered, missing), return_exceptions=True)
        for number, error in zip(missing, found, strict=True):
            if isinstance(error, BaseException):
                self._explain(number, error)

    def _explain(self, number: int, error: BaseException) -> None:
        """Print why an attempt has no answer; raise the error if the run's plan depends on it."""
        if not isinstance(error, PipelineError):
            raise error
        if number > 1:
            say(f"Attempt {number} without an answer: {error}")
        elif isinstance(error, Rejected) and not error.concerns_all:
            raise UnsupportedTask(str(error))
        else:
            raise error

    def _store(self, number: int, reply: Reply) -> None:
        self._file.add(self._run.instance.id, number, self._name, reply)
        say(f"Answer {number} ({reply.finish_reason}, {reply.seconds:.1f} s):")
        for line in reply.text.splitlines():
            say(f"  {line}")  # indented, so that an answer cannot look like this process's lines
        self._say_figures()
        if number == 1:
            # Now, since the time limit may end this process before the other attempts.
            self._decide(reply.text, reply.finish_reason)

    def _decide(self, answer: str, reason: str) -> None:
        """Write the plan of the first attempt's answer, if it has any."""
        if reason == "length":
            said = "the answer was cut at the largest number of tokens"
            self.result = GAVE_UP, f"Gave up: {said}"
        elif not answer.strip():
            said = f"the model returned no text ({reason or 'no reason'})"
            self.result = GAVE_UP, f"Gave up: {said}"
        else:
            # Not imported by the programs that only need the command line of this process.
            from pddl_pipeline.answers.readers import plan_text  # noqa: PLC0415
            from pddl_pipeline.translators import read_instance  # noqa: PLC0415

            instance = self._run.instance
            write_file(self._plan, plan_text(answer, instance, read_instance(instance)))
            self.result = FOUND, "Plan found"

    def _say_figures(self) -> None:
        """Print the figures of all stored answers, also of those of a killed process."""
        usages = self._file.stored.usages.values()
        say(f"Calls: {len(usages)}")
        for what, counts in (
            ("Prompt", [usage.prompt_tokens for usage in usages]),
            ("Answer", [usage.completion_tokens for usage in usages]),
        ):
            known = [count for count in counts if count is not None]
            if known:
                say(f"{what} tokens: {sum(known)}")


def _first(file: Path) -> tuple[str, str]:
    """Return the text of the first attempt's answer, and why the model stopped."""
    with file.open(encoding="utf-8") as lines:
        first = next(each for each in map(json.loads, lines) if each["attempt"] == 1)
    return first["answer"], first["finish_reason"]


if __name__ == "__main__":
    sys.exit(main())
