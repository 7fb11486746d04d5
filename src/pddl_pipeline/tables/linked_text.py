"""Cells of tables that link to other pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain
from typing import NamedTuple, Self


class Link(NamedTuple):
    """A link to another page."""

    text: str
    href: str


class LinkedText(str):
    """A cell that is, on a page, a link or several; elsewhere it is its text."""

    __slots__ = ("links", "note", "style")

    links: tuple[Link, ...]
    """The links; the first may have the cell's own text."""
    note: str
    """A description of the cell for a page; empty if it needs none."""
    style: str
    """A class of a page's style sheet, such as the status of a verdict; empty for none."""

    def __new__(
        cls, text: str, links: Iterable[Link] = (), note: str = "", style: str = ""
    ) -> Self:
        """Return a cell."""
        cell = super().__new__(cls, text)
        cell.links, cell.note, cell.style = tuple(links), note, style
        return cell

    def to_html(self) -> str:
        """Return the content of the cell."""
        links = " ".join(
            f"<a href='{escape(href)}'>{escape(text)}</a>" for text, href in self.links
        )
        shown = any(text == self for text, _ in self.links)
        return links if shown else f"{escape(self)} {links}".rstrip()


def joined(cells: Sequence[LinkedText]) -> LinkedText:
    """Return one cell of several: the texts without a link, then all links."""
    plain = ", ".join(cell for cell in cells if not cell.links)
    return LinkedText(plain, chain.from_iterable(cell.links for cell in cells), style="prose")
