"""What is wrong with a text that is not JSON, as found and expected."""

from __future__ import annotations

from json import JSONDecodeError
from typing import Final

_EXPECTED: Final = (
    ("Expecting value", "a JSON value"),
    ("Expecting property name", "a field name in double quotes"),
    ("Expecting ':'", "':'"),
    ("Expecting ','", "',' or a closing bracket"),
    ("Unterminated string", "'\"' at the end of the string"),
    ("Invalid control character", "an escape such as \\n in a string"),
    ("Invalid \\", "an escape such as \\n in a string"),
    ("Illegal trailing comma", "a JSON value after the comma"),
    ("Extra data", "nothing after the JSON value"),
)


def json_fault(error: JSONDecodeError, end: str = "the end of the text") -> str:
    """Return what was expected and found at the place of an error.

    Args:
        error: the error of Python's decoder.
        end: what the end of the decoded text is called.
    """
    expected = next((said for start, said in _EXPECTED if error.msg.startswith(start)), "JSON")
    rest = error.doc[error.pos :]
    # The place of a string that is not closed is its start.
    if not rest.strip() or error.msg.startswith("Unterminated"):
        return f"expected {expected}, found {end}"
    return f"expected {expected}, found {rest[:1]!r}"
