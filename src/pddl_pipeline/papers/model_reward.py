"""Log-probabilities from a language model behind an OpenAI-compatible completions endpoint.

The prompts are those of CATS for a blocksworld (Figures 4 to 7), and those of SimPlan's training
examples (Figure 13) for all other tasks. ``POST <base>/completions`` with ``echo`` and ``logprobs``
returns the log-probability of each token of a prompt, which includes the tokens of a continuation.
vLLM and other servers support the same protocol.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from pddl_pipeline.endpoints.endpoint import PASSING, NoAnswer, Rejected, asked_to_wait_s, pauses
from pddl_pipeline.endpoints.settings import api_key, base_of
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.papers.rewards import ActionScore, Option, Reward, RewardSettings, Situation
from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.prompts.statements.choice import statements_of
from pddl_pipeline.prompts.statements.facts import FactWords, listed
from pddl_pipeline.prompts.statements.requests import PLAN_END, PLAN_START
from pddl_pipeline.prompts.statements.solved import own_examples
from pddl_pipeline.prompts.statements.worded import cats_introduction, planbench_facts
from pddl_pipeline.search.baseline import SearchInput
from pddl_pipeline.search.world import value_text, world_of
from pddl_pipeline.translators.domains.budget_blocksworld import ACTIONS, BudgetBlocksworld
from pddl_pipeline.translators.given_pddl import given_instance, own_record
from pddl_pipeline.translators.referee import Fact
from pddl_pipeline.translators.wording import Sentences, StepWords, own_phrases, step_words
from pddl_pipeline.validation.explanation import condition_text
from pddl_pipeline.validation.language import Ground, conjuncts
from pddl_pipeline.validation.task import Task


class Prompts(NamedTuple):
    """One layout, prepared for one task."""

    before_action: Callable[[Situation], str]
    """Return the text before the action whose probability is requested."""
    action: Callable[[Step], str]
    """Return the action in the words of the layout."""
    before_good: Callable[[Situation, Step], str]
    """Return the text before the word `` good``."""


class PromptSubject(NamedTuple):
    """The instance and the task that a prompt describes."""

    instance: Instance[Any]
    task: Task


def subject_of(given: SearchInput) -> PromptSubject:
    """Return the task with the instance that this project's domains recognise in it."""
    return PromptSubject(given_instance("task", *given.texts(), {}), given.task)


def facts_of(situation: Situation) -> list[Fact]:
    """Return the atoms that hold, without fluent values and without negated atoms."""
    words = (text[1:-1].split() for text in situation.state() if text.count("(") == 1)
    return [tuple(word) for word in words]


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
_WORDS: Final = (
    ("unstack the green block from the red block", "good"),
    ("pick up the blue block", "bad"),
)


class _Description(NamedTuple):
    """A situation in words."""

    initial: Sequence[str]
    current: Sequence[str]
    goal: Sequence[str]
    steps: Sequence[str]
    spent: Number


def cats_prompts(subject: PromptSubject, budget: Number | None) -> Prompts | None:
    """Return the layout; None if the task is not a blocksworld with CATS's wording."""
    known = statements_of(subject.instance, subject.task).values()
    facts, words = planbench_facts("blocksworld"), step_words("blocksworld")
    if not any(each.facts is facts and each.words is words for each in known):
        return None
    return _Cats(subject, budget).prompts()


class _Cats:
    def __init__(self, subject: PromptSubject, budget: Number | None) -> None:
        self._instance, self._task = subject
        self._budget = budget
        self._words, self._facts = step_words("blocksworld"), planbench_facts("blocksworld")
        self._sentences = Sentences(self._words, self._task)
        names = self._sentences.phrases
        self._phrases = partial(self._facts.phrases, object_phrases=names)
        self._initial = self._phrases(self._facts.initial(self._instance, self._task))
        self._goal = self._phrases(self._facts.goal(self._instance, self._task))
        self._costs = _costs(self._instance)
        examples = [self._example(*example) for example in _EXAMPLES]
        # The same for each state of the task, so it is written once.
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
        limit = (
            ""
            if self._budget is None
            else (f"\nOur time limit is {number_text(self._budget)} minutes.")
        )
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
            initial,
            (),
            phrases(self._facts.goal(example.instance, example.task)),
            sentences.write(Plan(done)),
            sum(self._costs[step.action] for step in done),
        )
        return f"{_asked(described)}{sentences.write(Plan((following,)))[0]}\n{PLAN_END}"


def _costs(instance: Instance[Any]) -> Mapping[str, int]:
    """Return the cost of each action by the project's name for it; 1 if the task has no costs."""
    form = own_record(instance)
    return form.costs if isinstance(form, BudgetBlocksworld) else dict.fromkeys(ACTIONS, 1)


def _asked(described: _Description) -> str:
    """Return a statement up to the place of the next action (Figures 4 and 5)."""
    steps = "".join(f"{step}\n" for step in described.steps)
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


def tagged_prompts(subject: PromptSubject, left_out: frozenset[Ground] = frozenset()) -> Prompts:
    """Return the layout, in the words of the domain if it has any, else in PDDL.

    Args:
        subject: the task.
        left_out: facts that never change and are not written.
    """
    found = _words(subject)
    fixed = [fact for fact in _fixed(subject) if fact not in left_out]
    if found is None:
        state, goal, action = _in_pddl(subject, fixed)
    else:
        state, goal, action = _in_words(subject, fixed, *found)

    def query(situation: Situation) -> str:
        initial = " ".join(f"<INITIAL> {phrase}" for phrase in state(situation))
        return f"{initial}\n{' '.join(f'<GOAL> {phrase}' for phrase in goal)}\n"

    def evaluated(situation: Situation, step: Step) -> str:
        return f"{query(situation)}<ACTION> {action(step)}\n<EVALUATION>"

    return Prompts(query, action, evaluated)


_Parts = tuple[Callable[[Situation], Sequence[str]], Sequence[str], Callable[[Step], str]]


def _words(subject: PromptSubject) -> tuple[FactWords, StepWords] | None:
    """Return the words for facts and steps, with the names of the objects."""
    # The forms of baselines and PDDL have no words.
    known = [each for each in statements_of(*subject).values() if each.facts and each.words]
    blocks = step_words("blocksworld")
    if any(each.words is blocks for each in known):
        return FactWords(domain_words("blocksworld").training_facts), blocks.with_own_names()
    last = known[-1] if known else None
    return (last.facts, last.words) if last and last.facts and last.words else None


def _in_words(
    subject: PromptSubject, fixed: Sequence[Ground], facts: FactWords, words: StepWords
) -> _Parts:
    instance, task = subject
    names = own_phrases(task)
    sentences = Sentences(words, task)

    def state(situation: Situation) -> Sequence[str]:
        every = facts.ordered([*fixed, *facts_of(situation)], instance)
        return facts.state_phrases(every, names)

    goal = facts.phrases(facts.goal(instance, task), names)
    return state, goal, lambda step: sentences.write(Plan((step,)))[0]


def _fixed(subject: PromptSubject) -> list[Ground]:
    """Return the facts that never change."""
    world = world_of(subject.task)
    changing = set(world.fact_texts(world.start))
    return sorted(fact for fact in world.atoms(world.start) if atom_text(fact) not in changing)


def _in_pddl(subject: PromptSubject, atoms: Sequence[Ground]) -> _Parts:
    task = subject.task
    world = world_of(task)
    changing = " ".join(world.fact_texts(world.start))
    values = [
        text
        for fluent, value in sorted(task.facts.values.items())
        if (text := value_text(fluent, value)) not in changing
    ]
    fixed = [*map(atom_text, atoms), *values]
    goal = [condition_text(part, {}) for part in conjuncts(task.facts.goal)]
    return lambda situation: [*fixed, *situation.state()], goal, str


_BATCH: Final = 32
"""Number of prompts in one request."""
# A server may ask for hours until its quota returns: then the tries fail instead.
_LONGEST_WAIT_S: Final = 60.0


class Continuation(NamedTuple):
    """A text and a continuation of it."""

    before: str
    text: str


class _Logprobs(msgspec.Struct):
    tokens: list[str]
    token_logprobs: list[float | None]


class _Choice(msgspec.Struct):
    index: int
    logprobs: _Logprobs


class _Answer(msgspec.Struct):
    choices: list[_Choice]


@dataclass(frozen=True, slots=True)
class Completions:
    """An endpoint and a model."""

    model: str
    base: str
    """Address without ``/completions``; if empty, that of the environment or OpenAI's."""
    timeout: float
    """Seconds for one answer."""
    tries: int
    pause: float
    """Seconds before the second try; they double with each further try."""

    def token_logprobs(self, asked: Sequence[Continuation]) -> list[list[float]]:
        """Return the natural log-probabilities of each continuation's tokens.

        Raises:
            Rejected: the endpoint rejects the request.
            NoAnswer: the endpoint does not answer, or does not follow the protocol.
        """
        found: list[list[float]] = []
        for start in range(0, len(asked), _BATCH):
            found += self._batch(asked[start : start + _BATCH])
        return found

    def _batch(self, asked: Sequence[Continuation]) -> list[list[float]]:
        body = {
            "model": self.model,
            "prompt": [before + text for before, text in asked],
            # Generate one token: some servers reject a request for none.
            "max_tokens": 1,
            "temperature": 0,
            "echo": True,
            "logprobs": 1,
        }
        # The pause doubles; a server that names a longer time gets it.
        fault, wait = "", 0.0
        for pause in pauses(self.pause, self.tries):
            time.sleep(max(pause, min(wait, _LONGEST_WAIT_S)))
            try:
                return _read(self._post(body), asked)
            except urllib.error.HTTPError as error:
                said = error.read(500).decode(errors="replace")
                if error.code not in PASSING:
                    raise Rejected(self._address, error.code, said) from None
                fault = f"HTTP {error.code} {said}".rstrip()
                wait = asked_to_wait_s(error.headers.get("Retry-After"))
            except (OSError, ValueError, msgspec.DecodeError) as error:
                # OSError: the connection failed, was lost or timed out.
                fault, wait = str(error) or type(error).__name__, 0.0
        raise NoAnswer(self._address, self.tries, fault)

    @property
    def _address(self) -> str:
        return f"{base_of(self.base)}/completions"

    def _post(self, body: dict[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json"}
        if key := api_key():
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(  # noqa: S310 -- checked to be http
            self._address, json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
            content: bytes = answer.read()
        return content


def _read(content: bytes, asked: Sequence[Continuation]) -> list[list[float]]:
    """Return the log-probabilities in an answer.

    Raises:
        ValueError: the answer does not have them.
    """
    choices = msgspec.json.decode(content, type=_Answer).choices
    if sorted(choice.index for choice in choices) != list(range(len(asked))):
        raise ValueError(f"expected {len(asked)} choices, found {len(choices)}")
    choices.sort(key=lambda each: each.index)
    return [_part(each.logprobs, one) for each, one in zip(choices, asked, strict=True)]


def _part(found: _Logprobs, asked: Continuation) -> list[float]:
    """Return the log-probabilities of all tokens that overlap a continuation.

    Offsets are computed here, since the offsets of servers may or may not count start tokens.
    """
    # Servers may put tokens of their own before the prompt.
    begin = "".join(found.tokens).find(asked.before + asked.text)
    if begin < 0:
        raise ValueError("the tokens in the answer do not spell the prompt")
    first, last = begin + len(asked.before), begin + len(asked.before) + len(asked.text)
    values, place = [], 0
    for token, value in zip(found.tokens, found.token_logprobs, strict=True):
        if place < last and place + len(token) > first:
            # None for a first token, or NaN, for which no comparison is true.
            if value is None or not value > -1e9:
                raise ValueError(f"no log-probability of the token '{token}'")
            values.append(min(value, 0.0))
        place += len(token)
    return values


_GOOD: Final = " good"


class _FromModel:
    """Scores actions with the prompts of the papers.

    The log-probability of an action is the sum over all tokens of its text after the prompt. The
    log-probability of ``good`` is that of its first token. The probabilities of a state's actions
    need not add up to 1.
    """

    def __init__(self, settings: RewardSettings, given: SearchInput) -> None:
        subject = subject_of(given)
        chosen = cats_prompts(subject, given.budget) if settings.prompt == "cats" else None
        self._prompts = chosen or tagged_prompts(subject)
        self._evaluate = settings.evaluate
        self._endpoint = Completions(
            settings.model, settings.url, settings.timeout, settings.tries, settings.pause
        )

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[ActionScore]:
        prompts = self._prompts
        before = prompts.before_action(situation)
        asked = [Continuation(before, prompts.action(option.step)) for option in options]
        if self._evaluate:
            asked += [
                Continuation(prompts.before_good(situation, option.step), _GOOD)
                for option in options
            ]
        found = self._endpoint.token_logprobs(asked)
        count = len(options)
        good = [values[0] for values in found[count:]] if self._evaluate else [0.0] * count
        return [
            ActionScore(sum(values), first)
            for values, first in zip(found[:count], good, strict=True)
        ]


REWARDS: Final = (
    Reward("url", "log-probabilities of a model behind a completions endpoint", _FromModel),
)
