"""The plot of accuracy by size: its points and the labels of its axes."""

from __future__ import annotations

import matplotlib as mpl
import pytest
from matplotlib.container import ErrorbarContainer
from score_trials import budgeted, countdown, scored

from pddl_pipeline.scoring.plots import accuracy_figure, accuracy_plot
from pddl_pipeline.scoring.score import Score
from pddl_pipeline.scoring.score_rows import ScoreRow, group_rows
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.statistics.intervals import wilson

SIZES = {f"c{size}-{number}": size for size in (4, 5, 10) for number in range(size)}
UNITS = {None: "numbers", "countdown": "numbers", "budget-blocksworld": "blocks"}


def rows(scores: list[Score]) -> list[ScoreRow]:
    instances = [countdown(name, size) for name, size in SIZES.items()]
    tally = Tally([*instances, budgeted("b", None)] if scores[-1].id == "b" else instances)
    for score in scores:
        tally.add(score)
    return group_rows(tally, "size", 1)


def all_scored(model: str | None, right: int = 1) -> list[Score]:
    return [scored(name, int(number < right), model=model) for number, name in enumerate(SIZES)]


def test_bars_are_wilsons_intervals() -> None:
    (axes,) = accuracy_figure(rows(all_scored(None, 3)), UNITS).axes
    (bars,) = axes.containers
    assert isinstance(bars, ErrorbarContainer)
    line, _, (segments,) = bars.lines
    assert [list(point) for point in line.get_xydata()] == [[4, 75], [5, 0], [10, 0]]  # type: ignore[union-attr]
    drawn = [segment[:, 1].tolist() for segment in segments.get_segments() if segment.size]
    # The interval of four instances is not drawn.
    for (low, high), (right, count) in zip(drawn, [(0, 5), (0, 10)], strict=True):
        assert (low / 100, high / 100) == pytest.approx(wilson(right, count))
    assert axes.get_xlabel() == "size (numbers)"
    assert axes.get_ylabel() == "accuracy (%)"


def test_models_stand_beside_each_other_and_are_named() -> None:
    names = [f"model {number}" for number in range(6)]
    figure = accuracy_figure(rows([s for name in names for s in all_scored(name)]), UNITS)
    (axes,) = figure.axes
    starts = [bars.lines[0].get_xdata()[0] for bars in axes.containers]  # type: ignore[attr-defined]
    assert len(set(starts)) == 6
    assert 3.7 < min(starts) < 4 < max(starts) < 4.3
    assert [text.get_text() for text in figure.legends[0].get_texts()] == names


def test_each_domain_has_a_panel() -> None:
    figure = accuracy_figure(rows([*all_scored("m"), scored("b", 1, model="n")]), UNITS)
    assert [axes.get_title() for axes in figure.axes] == ["budget-blocksworld", "countdown"]
    assert figure.get_figwidth() > figure.get_figheight()
    assert [axes.get_xlabel() for axes in figure.axes] == ["size (blocks)", "size (numbers)"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["m", "n"]


@pytest.mark.parametrize(
    ("form", "begin"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)
def test_same_rows_same_bytes_whatever_the_settings(form: str, begin: bytes) -> None:
    found = rows(all_scored("$m_1^\\frac"))
    picture = accuracy_plot(found, UNITS, form)
    with mpl.rc_context({"lines.linewidth": 7.0}):
        assert accuracy_plot(found, UNITS, form) == picture
        assert mpl.rcParams["lines.linewidth"] == 7.0
    assert picture.startswith(begin)
