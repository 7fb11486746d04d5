"""Breadth-first search, which finds a path with the fewest steps."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Hashable, Mapping

from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.space import Bounds, Searched, Space, retrace


def breadth_first(
    space: Space, bounds: Bounds, effort: SearchEffort, *, late_test: bool = False
) -> Searched:
    """Search layer by layer, each state once; stop when the limit of stored states is reached.

    Only the keys of expanded states are stored; the states of the path are computed again at the
    end.

    Args:
        space: the space to search.
        bounds: the limits of the search.
        effort: counts the expanded and generated states.
        late_test: whether to test a state for the goal before it is expanded, as AutoToS does,
            instead of when it is generated.

    Raises:
        NonDeterministic: the functions return different results when called again.
        NotAState: raised by the space's ``key``; exceptions of the space's functions also pass.
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
