"""Self-contained HTML pages, with figures and collapsible tables."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape
from typing import Final

from pddl_pipeline.tables.text_table import TextTable

_STYLE: Final = """
body { font: 13px/1.5 system-ui, sans-serif; max-width: 92rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; background: #fff; }
div.long { margin: 1rem 0 2rem; max-width: 70rem; }
div.wide { overflow-x: auto; margin: 1rem 0 2rem; }
table { border-collapse: collapse; }
th, td { padding: .3rem .4rem; border-bottom: 1px solid #ddd; text-align: left;
         vertical-align: top; }
th { border-bottom: 2px solid #888; vertical-align: bottom; }
div.wide td:nth-child(-n+3) { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.gap td { background: #fff3d6; }
p.note { color: #555; max-width: 50rem; }
summary { cursor: pointer; font-size: 1.3rem; font-weight: 600; margin: 1rem 0; }
figure { margin: 1rem 0 2rem; }
img { max-width: 100%; height: auto; }
"""
_LONG: Final = 20


def html_page(title: str, parts: Iterable[str]) -> str:
    """Return a page with these parts below each other; empty parts are left out."""
    head = (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
    )
    return "\n".join([head, *filter(None, parts), "</body></html>\n"])


def html_figure(title: str, media_type: str, data: bytes) -> str:
    """Return a figure with the picture embedded in the page."""
    return (
        f"<figure><figcaption>{escape(title)}</figcaption><img alt='{escape(title)}' "
        f"src='data:{media_type};base64,{b64encode(data).decode()}'></figure>"
    )


def folded(title: str, table: TextTable) -> str:
    """Return a collapsible table; a long table is collapsed at first."""
    opened = " open" if len(table.rows) <= _LONG else ""
    return f"<details{opened}><summary>{escape(title)}</summary>\n{table.to_html()}</details>"
