"""Every study of AutoToS without models' functions says that it runs the project's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pddl_pipeline.papers.autotos.search import OWN_FUNCTIONS
from pddl_pipeline.papers.study import Study, Workbench, studies_named

# These apply functions that models wrote.
OF_MODELS = {"autotos-replay", "autotos-replay-accuracy"}


@pytest.mark.parametrize(
    "study",
    [each for each in studies_named(["autotos"]) if each.name not in OF_MODELS],
    ids=lambda each: each.name,
)
def test_no_study_passes_for_a_reproduction_of_a_model(study: Study, tmp_path: Path) -> None:
    found = study.run(Workbench(tmp_path, number=1, time_s=60))
    assert any(OWN_FUNCTIONS in each.remarks for each in found.comparisons)
