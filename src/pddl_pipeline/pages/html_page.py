"""Self-contained HTML pages, with figures and collapsible tables."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape
from typing import Final

from pddl_pipeline.pages.page_style import SCRIPT, STYLE
from pddl_pipeline.tables.text_table import TextTable

_LONG: Final = 20
_OPEN: Final = {True: " open", False: ""}


def html_page(title: str, parts: Iterable[str]) -> str:
    """Return a page with these parts below each other; empty parts are left out.

    Its tables can be sorted, and long ones filtered. Without JavaScript, they are just shown.
    """
    head = (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>"
    )
    return "\n".join(
        [head, *filter(None, parts), f"</main><script>{SCRIPT}</script></body></html>\n"]
    )


def html_figure(title: str, media_type: str, data: bytes) -> str:
    """Return a figure with the picture embedded in the page."""
    return (
        f"<figure><figcaption>{escape(title)}</figcaption><img alt='{escape(title)}' "
        f"src='data:{media_type};base64,{b64encode(data).decode()}'></figure>"
    )


def folded(title: str, table: TextTable) -> str:
    """Return a collapsible table below a heading; a long table is collapsed at first."""
    return (
        f"<details{_OPEN[len(table.rows) <= _LONG]}><summary><h2>{escape(title)}</h2></summary>\n"
        f"{table.to_html()}</details>"
    )
