"""Modules under the names that they had in version 1.0, for one release, with a warning."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

# Importing `typing` would take longer than importing the package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

FORMER = {
    "pddl_pipeline.pictures": "pages.pictures",
    "pddl_pipeline.pictures.names": "pages.pictures.names",
    "pddl_pipeline.pictures.picture": "pages.pictures.picture",
    "pddl_pipeline.pictures.svg": "pages.pictures.svg",
    "pddl_pipeline.planners.baselines.rewards": "papers.rewards",
    "pddl_pipeline.planners.baselines.rewards.reward": "papers.rewards.reward",
    "pddl_pipeline.studies": "papers",
    "pddl_pipeline.studies.study": "papers.study",
    "pddl_pipeline.studies.study_result": "papers.study_result",
    "pddl_pipeline.translators.text": "prompts.statement",
}
"""The modules that plug-ins and users of version 1.0 import, with their places in the package."""


class FormerModules:
    """Finds modules under former names. It comes first, so that no module is imported twice."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to load a module, or None if it has no former name."""
        del path, target
        return ModuleSpec(name, self) if name in FORMER else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python create the module, which is replaced when it is executed."""

    def exec_module(self, module: ModuleType) -> None:
        """Replace a module by the one with the present name, and warn."""
        import warnings  # noqa: PLC0415 -- rare

        name = module.__name__
        place = f"pddl_pipeline.{FORMER[name]}"
        warnings.warn(f"{name} is now {place}", DeprecationWarning, stacklevel=2)
        sys.modules[name] = import_module(place)
