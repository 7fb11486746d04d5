"""Breadth-first search: a path with the fewest steps."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Hashable, Mapping

from pddl_pipeline.autotos.space import Bounds, Searched, Space, retrace
from pddl_pipeline.search.baseline import SearchEffort


def breadth_first(
    space: Space, bounds: Bounds, effort: SearchEffort, *, late_test: bool = False
) -> Searched:
    """Search layer by layer, each state once; give up when too many would be remembered.

    Of an expanded state only keys are kept; the path is made anew at the end.

    Args:
        space: what to search.
        bounds: how much to do.
        effort: counts.
        late_test: whether to test a state before it is expanded, as AutoToS, not when it is made.

    Raises:
        Unsteady: the functions do not give the same again.
        NotAState: as the space's ``key``; and all that the space's functions raise.
    """
    deadline = bounds.deadline()
    before: dict[Hashable, Hashable] = {space.key(space.start): None}
    if space.isgoal(space.start):
        return Searched((space.start,))
    queue = deque([(next(iter(before)), space.start)])
    while queue:
        if time.monotonic() > deadline:
            return bounds.too_late()
        parent, state = queue.popleft()
        if late_test and space.isgoal(state):
            return Searched(retrace(space, _way(before, parent)))
        effort.expanded += 1
        for after in space.succ(state):
            effort.generated += 1
            if (key := space.key(after)) in before:
                continue
            if len(before) >= bounds.states:
                return Searched(None, f"no goal among {bounds.states} states, the most to remember")
            before[key] = parent
            if not late_test and space.isgoal(after):
                return Searched(retrace(space, _way(before, key)))
            queue.append((key, after))
    return Searched(None, f"none of the {len(before)} states is a goal", exhausted=True)


def _way(before: Mapping[Hashable, Hashable], last: Hashable) -> list[Hashable]:
    """Return the keys from the start to a state."""
    keys = [last]
    while (parent := before[keys[-1]]) is not None:
        keys.append(parent)
    return keys[::-1]
