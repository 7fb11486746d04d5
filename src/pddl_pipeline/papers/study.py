"""The definition of a study, which its file contains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.papers.study_result import StudyResult
from pddl_pipeline.papers.workbench import Workbench

PAPERS: Final = {
    "countdown": "Seemingly Simple Planning Problems are Computationally Challenging: The "
    "Countdown Game (Katz, Kokel, Sreedharan)",
    "autotos": "Automating Thought of Search (Cao et al. 2024)",
    "simplan": "What's the Plan? Evaluating and Developing Planning-Aware Techniques for Language "
    "Models (Hirsch, Uziel, Anaby-Tavor)",
    "cats": "Cost-Augmented Tree Search, Budget-BlocksWorld (Zhang and Liu)",
    "tutorial": "Planning in the Era of Language Models (NeurIPS 2025 tutorial)",
}


@dataclass(frozen=True, slots=True)
class Study:
    """A figure, table or claim of a paper."""

    name: str
    """The name, which begins with the paper's name in `PAPERS`: ``countdown-figure1``."""
    title: str
    """A description of one line, for users."""
    run: Callable[[Workbench], StudyResult]
    """Runs the study; raises the errors that running planners raises."""
    cards: tuple[str, ...] = ()
    """The cards of its generated datasets, relative to the folder of its paper."""
    is_stored: bool = False
    """Whether it follows a protocol: its conditions are fixed, and it reports from stored runs."""

    @property
    def paper(self) -> str:
        """The paper's name in `PAPERS`."""
        return self.name.partition("-")[0]
