"""Values are kept up to a limit."""

from __future__ import annotations

import pytest

from pddl_pipeline.model.kept import Kept


@pytest.mark.parametrize("former", [0, 100, 5000])
def test_a_circle_that_is_a_little_longer_than_the_limit_is_mostly_found(former: int) -> None:
    kept = Kept[int, str](1000)
    for key in range(-former, 0):
        kept.keep(key, "former")
    for size, least in ((900, 800), (1200, 600)):
        for _ in range(4):
            found = sum(key in kept or not kept.keep(key, str(key)) for key in range(size))
            assert len(kept) <= 1000
        assert found >= least
    assert all(kept[key] == str(key) for key in kept if key >= 0)
