"""Language models as planners: ``llm:model=NAME``; the extra ``models``.

``python -m … SETTINGS domain.pddl problem.pddl plan`` asks one for a plan. SETTINGS is JSON. The
key is in the environment. The file ``record.json`` has the instance's id and budget, and the file
for the answers; those in the file are not asked for again. The output has every answer; its last
line reports the result.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from pddl_pipeline.endpoints.answer_file import AnswerFile
from pddl_pipeline.endpoints.endpoint import NoAnswer, Rejected, Unreachable
from pddl_pipeline.endpoints.prompt_lines import PromptFile
from pddl_pipeline.endpoints.settings import (
    KEY,
    EndpointSettings,
    Form,
    Reply,
    check_client,
    check_key,
)
from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.errors import InputError, StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import number_from_json
from pddl_pipeline.model.problem import RECORD
from pddl_pipeline.planners.canonical import unchanged
from pddl_pipeline.planners.own_process import (
    CALLS,
    FOUND,
    GAVE_UP,
    ending,
    explained,
    own_command,
    say,
    say_calls,
)
from pddl_pipeline.planners.planner import (
    ADDED_LATER,
    Command,
    Log,
    Needs,
    Planner,
    Plans,
    Words,
    read_settings,
    setting_key,
    settings_json,
)
from pddl_pipeline.search.baseline import UnsupportedTask
from pddl_pipeline.validation.features import UNTIMED

NAME: Final = "llm"
_PATIENCE: Final = frozenset({"base_url", "timeout", "tries"})
"""Settings on which an answer does not depend: they are not part of a run's key."""


@dataclass(frozen=True)
class ModelSettings:
    """The model, the prompt, and how often it is asked."""

    model: str = field(default="", metadata={"help": "name of the model at the endpoint"})
    base_url: str = field(
        default="",
        metadata={"help": "address of the endpoint; default: OPENAI_BASE_URL, then OpenAI"},
    )
    style: Literal["io", "cot"] = field(
        default="io", metadata={"help": "ask for the plan only (io), or for reasoning first (cot)"}
    )
    statement: str = field(default="", metadata={"help": "statement of the task; see prompt"})
    shots: Annotated[int, Meta(ge=0)] | None = field(
        default=None, metadata={"help": "number of solved examples"}
    )
    attempts: Annotated[int, Meta(ge=1)] = field(
        default=1, metadata={"help": "number of answers; the run's plan is that of the first one"}
    )
    temperature: float | None = field(default=None, metadata={"help": "sampling temperature"})
    max_tokens: int | None = field(
        default=None, metadata={"help": "largest number of tokens of an answer"}
    )
    seed: int | None = field(
        default=None, metadata={"help": "seed of the first attempt; each further one adds 1"}
    )
    system: str = field(default="", metadata={"help": "system message before the prompt"})
    form: Form = field(default="chat", metadata={"help": "chat or completion"})
    stop: str = field(default="", metadata={"help": "text at which the model stops"})
    soft_validation: str = field(
        default="",
        metadata={
            "help": "replace actions that are not applicable by the most similar ones: ngrams, or"
            " the name or path of a sentence encoder",
            **ADDED_LATER,
        },
    )
    timeout: float = field(default=600.0, metadata={"help": "seconds for one answer"})
    tries: int = field(default=6, metadata={"help": "how often a failing request is sent"})

    def __post_init__(self) -> None:
        if self.model:
            self.endpoint()

    def endpoint(self) -> EndpointSettings:
        """Return the settings of the requests.

        Raises:
            InputError: a value is invalid.
        """
        return EndpointSettings(
            self.model, self.base_url, form=self.form, temperature=self.temperature,
            max_tokens=self.max_tokens, seed=self.seed, system=self.system or None,
            stop=(self.stop,) if self.stop else (), timeout_s=self.timeout, tries=self.tries,
        )  # fmt: skip


def _planner(text: str = "", repetition: int = 1) -> Planner:
    settings = read_settings(NAME, ModelSettings, text)
    if settings.seed is not None:
        # Each attempt of a repetition adds 1, so the next repetition begins behind them.
        seed = settings.seed + (repetition - 1) * settings.attempts
        settings = replace(settings, seed=seed)
    values = json.loads(setting_key(settings))
    named = [
        part
        for part in text.split(",")
        if part.partition("=")[0].replace("-", "_") not in _PATIENCE
    ]
    return Planner(
        name=f"{NAME}:{','.join(named)}" if text else NAME,
        about="a language model behind OpenAI's protocol, such as llm:model=NAME",
        distribution=OWN,
        command=Command(
            partial(_command, settings),
            configuration=settings_json(
                {name: value for name, value in values.items() if name not in _PATIENCE}
            ),
        ),
        features=UNTIMED,
        prepare=unchanged,
        needs=Needs(answers=True, secrets=(KEY,)),
        # The process replaces the plan file as a whole.
        plans=Plans(is_complete=lambda _plan, _log: True),
        # The predictions of SimPlan's search are its expanded states (Appendix E.2).
        log=Log(partial(ending, NAME), {"expanded": (r"(?m)^Predictions: (\d+)", 1), **CALLS}),
        seed=settings.seed,
        with_seed=None if settings.seed is None else partial(_planner, text),
        configure=_planner,
        specification=f"{NAME}:{text}" if text else "",
    )


def _command(settings: ModelSettings) -> Words:
    """Return the command line.

    Raises:
        EngineError: the client's package is not installed.
        InputError: there is no model, or no key.
    """
    if not settings.model:
        raise InputError(f"{NAME}: found no model, expected one such as {NAME}:model=NAME")
    if settings.soft_validation:
        # Not imported by the programs that only need the name of this planner.
        from pddl_pipeline.prompts.soft_validation import check_embedding

        check_embedding(settings.soft_validation)
    check_client()
    check_key(settings.endpoint().base)
    return own_command("language_model", settings_json(asdict(settings)))


PLANNERS: Final = (_planner(),)


# No status of `own_process`: the attempt is a crash, and the last line is its reason.
_FAILED: Final = 1
_WAIT_S: Final = 10.0
"""For the end of the process of an attempt that was killed."""
_PROMPT: Final = "prompt.jsonl"


def main() -> int:
    """Ask, write the plan of the first answer and print the figures; return the exit status."""
    text, *files = sys.argv[1:]
    domain, problem, plan = map(Path, files)
    settings = msgspec.convert(json.loads(text), ModelSettings)

    def solved() -> tuple[int, str]:
        try:
            record = json.loads((domain.parent / RECORD).read_text(encoding="utf-8"))
            instance = _instance(record, domain, problem)
            return _solve(instance, settings, Path(record["answers"]), plan)
        except (NoAnswer, StoreError, Rejected, Unreachable) as error:
            return _FAILED, f"Error: {error}"

    status, line = explained(solved)
    say(line)
    return status


def _instance(record: dict[str, Any], domain: Path, problem: Path) -> Instance[Any]:
    from pddl_pipeline.translators.given_pddl import given_instance  # as below

    first, second = (path.read_text(encoding="utf-8") for path in (domain, problem))
    names = (domain.name, problem.name)
    instance = given_instance(record["id"], first, second, {}, files=names)
    budget: Any = number_from_json(record["budget"])
    return replace(instance, budget=budget)


def _solve(
    instance: Instance[Any], settings: ModelSettings, answers: Path, plan: Path
) -> tuple[int, str]:
    """Ask for the attempts that are not stored, all at the same time, and store each at once.

    Write the plan as soon as there is an answer to the first attempt, since the time limit may end
    this process before the others. Return the exit status and the last line.

    Raises:
        NoAnswer, Rejected, Unreachable: the first attempt has no answer.
        UnsupportedTask: the endpoint rejects this prompt, for example because it is too long.
    """
    # Not imported by the programs that only need the command line of this process.
    from pddl_pipeline.endpoints.asking import Asked, ask, check_prompts, questions
    from pddl_pipeline.prompts.prompting import Prompter

    prompter = Prompter(settings.style, settings.statement or None, settings.shots)
    prompt = prompter.prompt(instance)
    say(f"Prompt: statement {prompt['statement']}, {len(prompt['prompt'])} characters")
    line = {"id": instance.id, "prompt": prompt["prompt"]}
    write_file(plan.with_name(_PROMPT), json.dumps(line))
    make_folder(answers.parent)
    endpoint, attempts, asked = settings.endpoint(), settings.attempts, Asked()
    result = _FAILED, "Error: the first attempt has no answer"
    with (
        PromptFile(plan.with_name(_PROMPT)) as prompts,
        AnswerFile(answers, endpoint, wait_s=_WAIT_S) as file,
    ):
        usages = file.stored.usages
        check_prompts(prompts, file.stored, endpoint)
        # Also if nothing is asked any more: a repeated run has the figures of the stored answers.
        _say_figures([*usages.values()], answers)
        if (instance.id, 1) in usages:
            result = _decided(instance, _answer(answers, 1), plan, settings.soft_validation)
        if not any(questions(prompts, file.stored, attempts)):
            return result
        asking = ask(prompts, file, endpoint, asked, attempts=attempts, at_a_time=attempts)
        for question in asking:
            answer = _answer(answers, question.attempt)
            _say_answer(answer)
            _say_figures([*usages.values()], answers)
            if question.attempt == 1:
                result = _decided(instance, answer, plan, settings.soft_validation)
    for (_, _, number), error in asked.failed:
        # The run's plan is that of the first attempt; the others may fail.
        if number > 1:
            say(f"Attempt {number} without an answer: {error}")
        elif isinstance(error, Rejected) and not error.concerns_all:
            raise UnsupportedTask(str(error))
        else:
            raise error
    return result


def _answer(file: Path, attempt: int) -> dict[str, Any]:
    """Return a stored answer as a JSON object."""
    with file.open(encoding="utf-8") as lines:
        return next(each for each in map(json.loads, lines) if each["attempt"] == attempt)


def _decided(
    instance: Instance[Any], answer: dict[str, Any], plan: Path, soft_validation: str
) -> tuple[int, str]:
    """Write the plan of the first attempt's answer, if it has any; return status and last line."""
    text, reason = answer["answer"], answer["finish_reason"]
    # A plan that was cut off may look complete.
    if reason == "length":
        return GAVE_UP, "Gave up: the answer was cut at the largest number of tokens"
    if not text.strip():
        return GAVE_UP, f"Gave up: the model returned no text ({reason or 'no reason'})"
    # Not imported by the programs that only need the command line of this process.
    from pddl_pipeline.answers.readers import plan_text
    from pddl_pipeline.translators import read_instance

    task = read_instance(instance)
    if soft_validation:
        from pddl_pipeline.prompts.soft_validation import embedding, soft_plan

        text = str(soft_plan(text, task, embedding(soft_validation)))
    write_file(plan, plan_text(text, instance, task))
    return FOUND, "Plan found"


def _say_answer(answer: dict[str, Any]) -> None:
    say(f"Answer {answer['attempt']} ({answer['finish_reason']}, {answer['seconds']:.1f} s):")
    # Indented, so that an answer cannot look like this process's lines.
    say(*(f"  {line}" for line in answer["answer"].splitlines()))


def _say_figures(replies: list[Reply], answers: Path) -> None:
    """Print the figures of all stored answers, also of those of a killed process.

    A closing parenthesis is the prediction of an action (Hirsch et al., Appendix E.2).
    """
    lines = answers.read_bytes().splitlines() if answers.exists() else []
    predictions = sum(json.loads(line)["answer"].count(")") for line in lines)
    say(f"Predictions: {predictions}")
    say_calls(replies)


if __name__ == "__main__":
    sys.exit(main())
