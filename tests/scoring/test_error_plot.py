"""Plots of 13 models in 8 domains: what they show, that labels do not touch, their height."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from score_trials import scored

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.scoring.plots import accuracy_figure, error_figure, error_plot
from pddl_pipeline.scoring.score_rows import group_rows
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.tables.plot_style import own_settings, screen_dpi, short_names

DOMAINS = [name for name in domain_names() if "4ops" not in name][:8]
MODELS = [f"a-model-of-some-name-{number}" for number in range(12)] + ["an-even-longer-name-" * 3]
PLANNING = (ErrorKind.UNREADABLE, ErrorKind.UNKNOWN_OBJECT, ErrorKind.PRECONDITION, ErrorKind.GOAL)
COUNTDOWN = (ErrorKind.BAD_FORMAT, ErrorKind.UNKNOWN_NUMBER, ErrorKind.NOT_TARGET)


@pytest.fixture(scope="module")
def tally() -> Tally:
    """All models in all domains, but one with 3 instances of one domain, and one without it."""
    sizes = range(3, 11)
    instances = [Instance(f"{d}-{s}", d, s, None) for d in DOMAINS for s in sizes]
    found = Tally(instances)
    for number, model in enumerate(MODELS):
        for each in instances:
            if each.domain == DOMAINS[-1] and (number == 0 or (number == 1 and each.size > 5)):
                continue
            kinds = COUNTDOWN if each.domain == "countdown" else PLANNING
            error = kinds[(each.size + number) % len(kinds)]
            right = int((each.size + number) % 3 == 0)
            score = scored(each.id, right, model=model)
            found.add(score if right else replace(score, errors=(error,)))
    return found


def touching(texts: Iterable[Text], figure: Figure) -> list[tuple[str, str]]:
    """Return the pairs of texts that overlap, and texts that leave the figure."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    boxes = [(t.get_text(), t.get_window_extent(renderer)) for t in texts if t.get_text()]
    width, height = figure.bbox.width, figure.bbox.height
    outside = [
        (name, "the border") for name, box in boxes
        if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height
    ]  # fmt: skip
    pairs = combinations(boxes, 2)
    return outside + [(one[0], other[0]) for one, other in pairs if one[1].overlaps(other[1])]


def all_texts(figure: Figure) -> list[Text]:
    """Return the texts of the figure, without the numbers in the cells of a heat map."""
    cells = {text for axes in figure.axes for text in axes.texts if text.get_text()[0].isdigit()}
    return [text for text in figure.findobj(Text) if text.get_visible() and text not in cells]


def check_shape(figure: Figure) -> None:
    assert figure.get_figwidth() > figure.get_figheight()
    dpi = screen_dpi(figure)
    assert 700 < dpi * figure.get_figheight() <= 1200
    assert 1000 < dpi * figure.get_figwidth() <= 2600


@pytest.mark.parametrize("name", ["errors", "accuracy"])
def test_labels_of_heat_maps_do_not_touch(tally: Tally, name: str) -> None:
    with own_settings():
        if name == "errors":
            figure = error_figure(tally)
        else:
            figure = accuracy_figure(group_rows(tally, "size", 1), {})
        assert touching(all_texts(figure), figure) == []
    assert len([axes for axes in figure.axes if axes.axison]) == 8
    check_shape(figure)


@pytest.mark.parametrize("count", [1, 6])
def test_labels_of_lines_do_not_touch(tally: Tally, count: int) -> None:
    rows = [row for row in group_rows(tally, "size", 1) if row.model in MODELS[:count]]
    with own_settings():
        figure = accuracy_figure(rows, {})
        assert touching(all_texts(figure), figure) == []
    check_shape(figure)


def test_cells_are_shares_of_answers_and_few_instances_are_marked(tally: Tally) -> None:
    figure = error_figure(tally)
    panels = {axes.get_title(loc="left"): axes for axes in figure.axes if axes.axison}
    assert list(panels) == sorted(DOMAINS)
    last = panels[DOMAINS[-1]]
    kinds = [label.get_text() for label in last.get_xticklabels()]
    assert kinds == ["unreadable", "unknown-object", "precondition", "goal"]
    groups = [text.get_text() for text in last.texts if not text.get_text()[0].isdigit()]
    assert groups == ["reading", "step", "planning"]
    numbers = {
        (round(text.get_position()[1] - 0.5), kinds[round(text.get_position()[0] - 0.5)]):
        text.get_text()
        for text in last.texts if text.get_text()[0].isdigit()
    }  # fmt: skip
    # Model 0 has no answers. Model 1: sizes 3, 4 and 5, of which 5 is right.
    assert {row for row, _ in numbers} == set(range(1, 13))
    assert [numbers[1, kind] for kind in kinds] == ["33*", "33*", "0*", "0*"]
    # Model 2: sizes 4, 7 and 10 are right; 3, 5, 6, 8 and 9 have these kinds, of 8 answers.
    assert [numbers[2, kind] for kind in kinds] == ["12", "12", "12", "25"]


def test_names_that_are_cut_alike_have_numbers() -> None:
    names = ["x" * 40 + "y" * 40, "x" * 41 + "y" * 40, "z"]
    assert short_names(names) == [f"{'x' * 13}…{'y' * 13} ({number})" for number in (1, 2)] + ["z"]


def test_models_whose_long_names_begin_alike_have_their_own_rows() -> None:
    instances = [Instance(f"f{number}", "ferry", 3, None) for number in range(5)]
    found = Tally(instances)
    for number in range(7):
        for place, each in enumerate(instances):
            found.add(scored(each.id, int(place < number), model="x" * 90 + str(number)))
    (errors,) = error_figure(found).axes
    assert [text.get_text() for text in errors.texts][:-1] == [
        "100", "80", "60", "40", "20", "0", "0"
    ]  # fmt: skip
    (accuracy,) = accuracy_figure(group_rows(found, "size", 1), {}).axes
    assert [text.get_text() for text in accuracy.texts] == [
        "0", "20", "40", "60", "80", "100", "100"
    ]  # fmt: skip


def test_equal_answers_have_equal_bytes() -> None:
    found = Tally([Instance("a", "ferry", 3, None)])
    found.add(scored("a", 0, model="$m_1^\\frac"))
    for form, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        picture = error_plot(found, form)
        assert picture.startswith(begin)
        assert picture == error_plot(found, form)
