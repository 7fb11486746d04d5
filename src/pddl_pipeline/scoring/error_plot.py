"""The plot of errors: a heat map for each domain, models by kinds of error.

Requires matplotlib, which is an extra: other modules must not import this file at the top level.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

from matplotlib.figure import Figure

from pddl_pipeline.model.errors import ErrorKind, ErrorStage
from pddl_pipeline.scoring.score_rows import shown_name
from pddl_pipeline.scoring.tally import ModelTally, Tally
from pddl_pipeline.statistics.intervals import FEW
from pddl_pipeline.tables.heat_map import HeatCell, HeatPanel, heat_map
from pddl_pipeline.tables.plot_style import own_settings, picture, screen_dpi

_CAPTION: Final = (
    "% of a model's judged answers with the error; an answer may have several. "
    "Blank: no answers. *: fewer than {few} instances."
)


class _Errors:
    """The errors of a model in a domain."""

    def __init__(self) -> None:
        self.instances = 0
        self.answers = 0
        self.errors: Counter[ErrorKind] = Counter()

    def cell(self, error: ErrorKind) -> HeatCell:
        """Return the cell of an error."""
        return HeatCell(self.errors[error] / self.answers, self.instances < FEW)


def error_plot(tally: Tally, form: str = "png") -> bytes:
    """Return the plot as the content of a picture file; equal answers result in equal bytes.

    Args:
        tally: the scored answers, with one or more errors.
        form: one of `PLOT_FORMS`.
    """
    with own_settings():
        figure = _figure(tally)
        return picture(figure, form, screen_dpi(figure))


def _figure(tally: Tally) -> Figure:
    by_model = [_by_domain(tally, model) for model in tally.models.values()]
    domains = sorted({domain for found in by_model for domain in found})
    panels = (
        _panel(domain, {i: found[domain] for i, found in enumerate(by_model) if domain in found})
        for domain in domains
    )
    names = [shown_name(name) for name in tally.models]
    return heat_map([each for each in panels if each.columns], names, _CAPTION.format(few=FEW))


def _by_domain(tally: Tally, model: ModelTally) -> dict[str, _Errors]:
    found: defaultdict[str, _Errors] = defaultdict(_Errors)
    for name, trials in model.judged():
        each = found[tally.instances[name].domain]
        each.instances += 1
        each.answers += len(trials)
        for trial, count in trials.distinct():
            each.errors.update(dict.fromkeys(trial.errors, count))
    return dict(found)


def _panel(domain: str, found: dict[int, _Errors]) -> HeatPanel:
    """Return the panel of a domain, with the errors that occur there, in the order of stages.

    Args:
        domain: its name.
        found: the errors of models, by index.
    """
    occur = {error for each in found.values() for error in each.errors}
    errors = [error for stage in ErrorStage for error in ErrorKind
              if error in occur and error.stage is stage]  # fmt: skip
    return HeatPanel(
        domain,
        [str(error) for error in errors],
        {(index, str(e)): each.cell(e) for index, each in found.items() for e in errors},
        [str(error.stage) for error in errors],
    )
