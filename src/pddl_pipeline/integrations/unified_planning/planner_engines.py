"""The sandboxed planners as engines of Unified Planning.

The attribute with a planner's name is the class of its engine: Unified Planning finds engines by
module and attribute, also in the processes that it starts.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import IO, Any, ClassVar, Final

from unified_planning.engines import Engine
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.exceptions import UPUsageError
from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION

from pddl_pipeline.integrations.unified_planning.kinds import with_rewritten, written_features
from pddl_pipeline.integrations.unified_planning.planner_results import generation_result, refusal
from pddl_pipeline.integrations.unified_planning.planner_support import supported_features
from pddl_pipeline.integrations.unified_planning.translating import from_up
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.limits import Limits, parse_size
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.registry import planner_named, planners
from pddl_pipeline.runs.solving import solve_task

PREFIX: Final = "pddl-pipeline-"
# Without a time-out, Unified Planning waits as long as it takes; limits are finite.
_NO_TIMEOUT_S: Final = 1e7


class SandboxedPlanner(Engine, OneshotPlannerMixin):  # type: ignore[misc] # they have no types
    """A planner that runs under limits, and whose plans are judged before they are returned."""

    planner: ClassVar[Planner]

    def __init__(self, memory: str | int = "3.5G", settings: str = "") -> None:
        """Create the engine.

        Args:
            memory: memory limit of all processes of the planner together, as text such as ``3.5G``
                or in bytes.
            settings: settings of the planner, as after its name and a colon on the command line,
                such as ``search=lazygbfs``.

        Raises:
            UPUsageError: the limit or a setting is invalid.
        """
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        try:
            self._memory_bytes = memory if isinstance(memory, int) else parse_size(str(memory))
            named = f"{self.planner.name}:{settings}"
            self._planner = planner_named(named) if settings else self.planner
        except InputError as error:
            raise UPUsageError(f"{self.name}: {error}") from error

    @property
    def name(self) -> str:
        """The engine's name."""
        return f"{PREFIX}{self.planner.name}"

    @classmethod
    def supported_kind(cls) -> Any:
        """Return the features of the problems that the planner accepts."""
        features = with_rewritten(supported_features(cls.planner))
        return ProblemKind(features, version=LATEST_PROBLEM_KIND_VERSION)

    @classmethod
    def supports(cls, problem_kind: Any) -> bool:
        """Return whether the planner accepts the PDDL of problems with these features."""
        return written_features(problem_kind.features) <= supported_features(cls.planner)

    @classmethod
    def satisfies(cls, optimality_guarantee: Any) -> bool:
        """Return whether the planner claims that its plans are optimal, if that is asked for."""
        return cls.planner.claims.optimal or optimality_guarantee is OptimalityGuarantee.SATISFICING

    def _solve(
        self,
        problem: Any,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> Any:
        return self._solve_with_params(problem, heuristic, timeout, output_stream)

    def _solve_with_params(
        self, problem: Any, heuristic: Any = None, timeout: float | None = None,
        output_stream: IO[str] | None = None, warm_start_plan: Any = None, **_more: Any,
    ) -> Any:  # fmt: skip
        """Return the result; Unified Planning calls this."""
        if isinstance(heuristic, (int, float)):
            # For engines in parallel, version 1.3.0 passes the time-out in the wrong place.
            heuristic, timeout = None, heuristic
        for what, given in (("heuristic", heuristic), ("warm_start_plan", warm_start_plan)):
            if given is not None:
                warnings.warn(f"{self.name} ignores {what}", stacklevel=3)
        try:
            translation = from_up(problem)
        except InputError as error:
            return refusal(self.name, str(error))
        try:
            limits = Limits(_NO_TIMEOUT_S if timeout is None else timeout, self._memory_bytes)
            solution = solve_task(self._planner, translation.task, translation.problem, limits)
        except (EngineError, InputError) as error:
            raise UPUsageError(f"{self.name}: {error}") from error
        if output_stream is not None:
            output_stream.write(solution.attempt.log.decode(errors="replace"))
        return generation_result(self.name, solution, translation)


@cache
def engine_class(name: str) -> type[SandboxedPlanner]:
    """Return the class of the engine for a planner.

    Raises:
        KeyError: there is no planner with that name.
    """
    planner = planners()[name]
    # By the metaclass, which adds Unified Planning's questions on operation modes.
    metaclass: Any = type(SandboxedPlanner)
    made: type[SandboxedPlanner] = metaclass(
        name,
        (SandboxedPlanner,),
        {"planner": planner, "__module__": __name__, "__doc__": planner.about},
    )
    return made


def __getattr__(name: str) -> type[SandboxedPlanner]:
    try:
        return engine_class(name)
    except KeyError:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'") from None
