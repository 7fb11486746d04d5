"""Plans of files, answers and runs with their states, the files of their pages, and their list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.text import shortened
from pddl_pipeline.model.verdict import Status, Verdict, shown_status
from pddl_pipeline.pages.html_page import in_a_row, rendered, visible
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.marks import svg_file
from pddl_pipeline.pages.pictures.picture import Picture
from pddl_pipeline.pages.plan_page import AnswerText, plan_page
from pddl_pipeline.pages.walk import Walk, walk_of
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.tables.linked_text import Link, LinkedText
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.ids import FileNames
from pddl_pipeline.translators.judging import judge_plan

if TYPE_CHECKING:
    # Run stores import the planners, which pages of answers do not need.
    from pddl_pipeline.runs.rejudging import JudgedProblem

_HEADINGS: Final = ("instance", "by", "verdict", "why", "steps", "cost", "time (s)")
_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9._]+")


class ShownPlan(NamedTuple):
    """A plan to show, or why there is none."""

    id: str
    by: str
    """The model or planner, and the attempt; empty for a plan of a file."""
    walk: Walk | None
    """None if there is nothing to show."""
    domain: str
    reason: str = ""
    """Why there is no plan."""
    status: str = ""
    """The status in the list of plans, if there is no verdict."""
    about: tuple[str, ...] = ()
    """Lines below the heading; empty for one that names the model or planner."""
    answer: AnswerText | None = None
    plans: Sequence[Sequence[str]] = ()
    """All plans of the run: seconds, steps, cost and verdict of each."""
    time_s: float | None = None
    """Wall-clock time of the run, if it was one."""
    picture: Picture | None = None
    """The picture to use, if the user gives one."""

    def write(
        self,
        place: Path,
        svg: Path | None = None,
        way: Sequence[Link] = (),
        report: Callable[[str], object] = bool,
    ) -> PageData:
        """Write the page; return its content.

        Args:
            place: the file of the page.
            svg: the folder of the picture of each state, if they are written, too.
            way: the links at the top of the page.
            report: called with a line if there are no pictures.

        Raises:
            InputError: a file cannot be written.
            ValueError: there is nothing to show.
        """
        if self.walk is None:
            raise ValueError(self.reason)
        data = PageData(self.walk, self.picture)
        about = self.about or ((f"By {self.by}",) if self.by else ())
        title = shortened(f"Plan for {self.id} ({self.domain})", 200)
        write_file(
            place,
            plan_page(data, title, about=about, answer=self.answer, plans=self.plans, way=way),
        )
        if svg is not None:
            make_folder(svg)
            for name, content in svg_files(data):
                write_file(svg / name, content)
            if data.no_picture:
                report(f"{svg}: no pictures. {data.no_picture}")
        return data


def svg_files(data: PageData) -> Iterator[tuple[str, str]]:
    """Yield name and content of an SVG file for each state, with the marks of its step.

    Nothing if the task has too many objects for a picture; see `PageData.no_picture`.
    """
    digits = max(2, len(str(len(data.walk.frames))))
    pictures = zip(data.walk.frames, data.whys, data.drawings, data.pictures, strict=False)
    for place, (frame, why, drawing, parts) in enumerate(pictures):
        number = place if data.is_timed else frame.number
        name = f"step-{number:0{digits}}{'-fails' * frame.failed}.svg"
        yield name, svg_file(drawing, parts, f"{data.say(frame)} {why}".strip())


def write_pages(
    plans: Sequence[ShownPlan],
    folder: Path,
    overview: Path,
    svg: Path | None = None,
    report: Callable[[str], object] = bool,
) -> list[str]:
    """Write a page for each plan that can be shown; return the files of all plans.

    Args:
        plans: the plans.
        folder: the folder of the pages; created if it does not exist.
        overview: the page that lists them.
        svg: the folder of the folders of pictures, if they are written, too.
        report: called with a line for each plan without pictures.

    Raises:
        InputError: a file cannot be written, or the given picture does not fit a task.
    """
    make_folder(folder)
    with FileNames() as names:
        readable = [_UNUSUAL.sub("-", f"{plan.id} {plan.by}").strip("-") for plan in plans]
        files = [f"{names.name_of(name)}.html" for name in readable]
    pages = (each for each in zip(files, plans, strict=True) if each[1].walk is not None)
    for file, plan, way in in_a_row(pages, folder, overview):
        plan.write(folder / file, svg and svg / Path(file).stem, way, report=report)
    return files


def plan_of_score(score: Score, judge: Judge) -> ShownPlan:
    """Return the plan of a scored answer to an instance of the judge's dataset."""
    attempt = f"attempt {score.attempt}" if score.attempt is not None else ""
    by = ", ".join(filter(None, (score.answer.model, attempt)))
    if score.fault is not None or score.id is None:
        return ShownPlan(score.id or "?", by, None, "", score.fault or "", "no answer")
    task, instance = judge.task(score.id), judge.instances[score.id]
    given = Plan() if score.plan is None else score.plan
    walk = walk_of(task, given, score.verdict, instance.budget)
    if score.plan is None:
        walk = walk._replace(plan=None)
    answer = AnswerText(score.answer.text, score.trace)
    return ShownPlan(score.id, by, walk, instance.domain, answer=answer)


def plan_of_run(run: RunResult, found: JudgedProblem | str) -> ShownPlan:
    """Return a run's plan, judged again.

    Args:
        run: the run, as it is stored.
        found: its problem, as `problem_of` returns it.
    """
    if isinstance(found, str):
        return ShownPlan(
            run.id, run.planner, None, run.domain, found, str(run.outcome), time_s=run.wall_s
        )
    text = "".join(f"{step}\n" for step in run.plan or ())
    verdict = judge_plan(text, found.task, found.instance, run.delta)
    walk = walk_of(found.task, text, verdict, found.instance.budget)
    ran = f"{run.wall_s:.2f} s, {run.memory_mb:.0f} MiB, {run.started}"
    about = f"{run.planner} {run.planner_version}: {run.outcome}, {ran}"
    rows = [
        (
            f"{time_s:.2f}",
            _cell(steps),
            _cell(cost),
            f"{status}: {shortened(reason, 160)}" if reason else status,
        )
        for time_s, status, cost, steps, reason in run.improvements or ()
    ]
    return ShownPlan(
        run.id, run.planner, walk, run.domain, about=(about,),
        plans=rows or [(NO_NUMBER,) * 4], time_s=run.wall_s,
    )  # fmt: skip


def _cell(number: Number | None) -> str:
    return NO_NUMBER if number is None else shortened(number_text(number), 30)


def index_page(
    title: str,
    plans: Sequence[ShownPlan],
    files: Sequence[str],
    pages: str,
    notes: Sequence[str] = (),
) -> str:
    """Return the page with a table of plans, in their order.

    Args:
        title: the heading.
        plans: the plans.
        files: the file of the page of each.
        pages: the number of pages, such as ``3 pages``.
        notes: lines below the heading.
    """
    return rendered(
        "index.html.j2",
        title=title,
        pages=pages,
        table=TextTable(_HEADINGS, tuple(map(_cells, plans, files)), names=4),
        notes=notes,
    )


def _cells(plan: ShownPlan, file: str) -> tuple[str, ...]:
    name = visible(shortened(plan.id))
    links = [Link(name, file)] if plan.walk else []
    verdict = plan.walk.verdict if plan.walk else Verdict(Status.UNDECIDED, reason=plan.reason)
    return (
        LinkedText(name, links),
        visible(plan.by),
        verdict_cell(verdict) if plan.walk else plan.status,
        visible(shortened(verdict.reason or "", 160)),
        NO_NUMBER if verdict.steps is None else f"{verdict.steps:,}",
        _cell(verdict.cost),
        rounded(plan.time_s),
    )


def verdict_cell(verdict: Verdict) -> LinkedText:
    """Return a verdict for a table, with its colour."""
    text, style = shown_status(verdict.status, within_budget=verdict.within_budget)
    return LinkedText(text, style=style or "")
