"""How a type shows itself in a notebook, without importing what draws it.

Notebooks call the method ``_repr_html_`` of a value. The types that have it are below the rooms
that know pictures and HTML, so the module that writes the HTML is imported when a value is shown.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

_WRITER: Final = "pddl_pipeline.pages.notebook"


def notebook_html(value: Any) -> str:
    """Return a `Task`, `Plan`, `Verdict` or `State` as HTML."""
    html: str = import_module(_WRITER).html_of(value)
    return html
