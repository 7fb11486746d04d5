"""Breadth-first search: a path with the fewest steps."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Hashable, Mapping

from pddl_pipeline.search.baseline import Effort
from pddl_pipeline.search.blackbox.space import Bounds, Searched, Space, retrace


def breadth_first(
    space: Space, bounds: Bounds, effort: Effort, *, late_test: bool = False
) -> Searched:
    """Search layer by layer, each state once; give up when too many would be remembered.

    Of a state that was expanded nothing is kept but its key and that of the state before it; the
    states of the path are made anew at the end.

    Args:
        space: what to search.
        bounds: how much to do.
        effort: counts.
        late_test: whether a state is tested when its turn has come to be expanded, as AutoToS does,
            and not when it is made; then more is expanded until the goal is found.

    Raises:
        Unsteady: the functions do not give the same again.
        NotAState: as the space's ``key``; and all that the space's functions raise.
    """
    deadline = time.monotonic() + bounds.seconds if bounds.seconds else float("inf")
    first = space.key(space.start)
    before: dict[Hashable, Hashable] = {first: None}
    if not late_test and space.isgoal(space.start):
        return Searched((space.start,))
    queue = deque([(first, space.start)])
    while queue:
        if time.monotonic() > deadline:
            return Searched(None, f"no goal within {bounds.seconds:g} s", late=True)
        parent, state = queue.popleft()
        if late_test and space.isgoal(state):
            return Searched(retrace(space, _way(before, parent)))
        effort.expanded += 1
        for after in space.succ(state):
            effort.generated += 1
            key = space.key(after)
            if key in before:
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
