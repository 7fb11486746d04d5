"""Byte strings on the disk come back as they were; a full disk is an error of one line."""

from __future__ import annotations

import errno
from tempfile import gettempdir
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.io.spool import Spool
from pddl_pipeline.model.errors import InputError


@given(st.lists(st.binary(max_size=300)), st.data())
def test_contents_come_back_in_any_order(contents: list[bytes], data: st.DataObject) -> None:
    with Spool() as spool:
        for number, content in enumerate(contents):
            spool.add(content)
            assert len(spool) == number + 1
            # Reading moves the place in the file; what is added next must not care.
            index = data.draw(st.integers(0, number))
            assert spool[index] == contents[index]
        assert [spool[index] for index in range(len(spool))] == contents


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Mock()
    full.return_value.write.side_effect = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr("pddl_pipeline.io.spool.TemporaryFile", full)
    message = f"{gettempdir()}: a temporary file cannot be written: No space left on device"
    with Spool() as spool, pytest.raises(InputError, match=message):
        spool.add(b"x")
    assert len(spool) == 0
