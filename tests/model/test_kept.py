"""Values are kept up to a limit."""

from __future__ import annotations

import pytest

from pddl_pipeline.model.kept import Kept


@pytest.mark.parametrize("former", [0, 100, 5000])
def test_what_is_found_of_a_circle_falls_slowly_with_its_length(former: int) -> None:
    kept = Kept[int, str](1000)
    for key in range(-former, 0):
        kept.keep(key, "former")
    for size, least in ((900, 650), (1200, 600), (1500, 500), (2000, 330)):
        for _ in range(4):
            found = sum(key in kept or not kept.keep(key, str(key)) for key in range(size))
            assert len(kept) <= 1000
        assert found >= least
    assert all(kept[key] == str(key) for key in kept if key >= 0)
