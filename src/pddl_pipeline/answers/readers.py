"""Finds the reader of an instance's answers, and reads whole answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pddl_pipeline.answers.countdown.reader import read_countdown_answer
from pddl_pipeline.answers.free_text import read_plan
from pddl_pipeline.answers.lines import END_OF_LINE, LONGEST, SHOWN, AnswerLine, lines_of
from pddl_pipeline.answers.marks import Part, after_thinking
from pddl_pipeline.answers.phrases import BESIDE, amends
from pddl_pipeline.answers.planbench import read_as_planbench
from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.errors import ErrorKind, PlanSyntaxError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.translators.wording import step_words, words_name
from pddl_pipeline.validation.task import Task

LONGEST_PLAN: Final = 1_000_000
"""Maximum number of characters of a text that is read as a plan file."""
Reader = Callable[[str, Instance[Any], Task], ReadAnswer]
"""Reads an answer without a model's thinking, given the instance and its task. It never raises
because of the text, and takes time linear in its length."""


class Readers(NamedTuple):
    """The readers of an instance's answers."""

    parse_answer: Reader
    """Reads a plan from free text."""
    has_rules: bool = False
    """Whether answers are judged by rules beyond PDDL, so that plan files are read here too."""
    others: Mapping[str, Reader] = MappingProxyType({})
    """Other readers of the same answers, by name. Their results are reported as well."""


def readers_of(instance: Instance[Any], task: Task) -> Readers:
    """Return the readers of the answers to an instance, found by the name of its domain."""
    name = words_name(instance, task)
    if name == "countdown":
        return _COUNTDOWN
    words = domain_words(name)
    own = words.words_of or name
    others = {}
    if domain_words(own).planbench.published_reader:
        others["planbench"] = partial(_as_planbench, own)
    return Readers(partial(_in_words, own), others=others)


def _in_words(name: str, text: str, instance: Instance[Any], task: Task) -> ReadAnswer:
    del instance
    return read_plan(text, name, task)


def _as_planbench(name: str, text: str, instance: Instance[Any], task: Task) -> ReadAnswer:
    del instance
    return read_as_planbench(text, step_words(name).phrases(task), task)


_COUNTDOWN: Final = Readers(
    partial(read_countdown_answer, otherwise=partial(_in_words, "countdown")), has_rules=True
)


def parse_answer(text: str, instance: Instance[Any], task: Task) -> ReadAnswer:
    """Return the plan that a text tells, without a model's thinking; see `Reader`."""
    return readers_of(instance, task).parse_answer(text, instance, task)


def read_answer(text: str, instance: Instance[Any], task: Task) -> ReadAnswer:
    """Return the plan in a whole answer, with the faults that make the answer wrong.

    Args:
        text: the answer.
        instance: the instance that the model was asked to solve.
        task: the instance's task.
    """
    readers = readers_of(instance, task)
    read = None if readers.has_rules else read_plan_file(text, task)
    if read is not None:
        return read
    return read_part(after_thinking(text), readers.parse_answer, readers, instance, task)


def plan_text(answer: str, instance: Instance[Any], task: Task) -> str:
    """Return the plan in a whole answer as text; a text that is no plan if the answer is wrong."""
    read = read_answer(answer, instance, task)
    plan = "" if read.plan is None else str(read.plan)
    return plan + "".join(f"wrong answer: {fault.message}\n" for fault in read.faults[:1])


def read_plan_file(text: str, task: Task) -> ReadAnswer | None:
    """Return the reading of a text that is a plan file of the task; None for other texts."""
    if len(text) > LONGEST_PLAN or ("(" not in text and ";" not in text):
        return None
    comments = (line.partition(";")[2] for line in text.splitlines()) if ";" in text else ()
    if any(amends(each) or BESIDE.match(each.lstrip(" ;<-")) for each in filter(None, comments)):
        return None  # `(stack b a) ; wrong block`, `(stack b a) ; should be c`
    try:
        # A plan's lines are counted as those of the trace.
        plan = task.read_plan(END_OF_LINE.sub("\n", text))
    except PlanSyntaxError:
        return None
    return ReadAnswer(plan, LazyTrace(lambda: _file_trace(text, [step.line for step in plan])))


def _file_trace(text: str, places: Sequence[int]) -> tuple[TraceLine, ...]:
    """Return the trace of a plan file, given the line of each step."""
    found = [(line, [at for at, place in enumerate(places, start=1) if place == line.number])
             for line in lines_of(text)]  # fmt: skip
    return tuple(
        entry for line, here in found
        for entry in (map(line.used, here) if here else [line.dropped("no step")])
    )  # fmt: skip


def read_part(
    part: Part, reader: Reader, readers: Readers, instance: Instance[Any], task: Task
) -> ReadAnswer:
    """Read the text after a model's thinking; line numbers count the whole answer."""
    if len(part.text) > LONGEST:
        return _too_long(part, readers)
    read = reader(part.text, instance, task)
    if not part.before and not part.unread:
        return read
    faults = [fault._replace(line=fault.line and fault.line + part.before) for fault in read.faults]
    trace = LazyTrace(
        lambda: (
            *part.unread,
            *(entry._replace(line=entry.line + part.before) for entry in read.trace),
        )
    )
    return read._replace(trace=trace, faults=tuple(faults))


def _too_long(part: Part, readers: Readers) -> ReadAnswer:
    """Return the reading of an answer that is too long to be read."""
    reason = f"the answer has {len(part.text):,} characters, at most {LONGEST:,} are read"
    start = AnswerLine(part.before + 1, part.text[:SHOWN].strip().partition("\n")[0])
    slug = ErrorKind.BAD_FORMAT if readers.has_rules else ErrorKind.UNREADABLE
    return ReadAnswer(
        None,
        (*part.unread, start.dropped(reason)),
        (Fault(slug, reason, start.number),),
    )
