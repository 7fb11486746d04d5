"""The template kit of all pages: escaped text, and pages that need no other file.

The templates are in ``templates``. Every text in them is escaped by `html`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from html import escape
from itertools import chain, islice, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from markupsafe import Markup

from pddl_pipeline.io.files import relative_link
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.pages.pictures.svg import DARK, FILLS, LIGHT, ON_FILL, line, number, rect, text
from pddl_pipeline.tables.linked_text import Link

if TYPE_CHECKING:
    from jinja2 import Environment

T = TypeVar("T")

# A joiner is part of letters and emoji; every other character of these kinds is shown by its code.
_JOINERS: Final = "\u200c\u200d"
_NAMED: Final = 3
"""The most domains that the title of a page names."""
_UNSEEN: Final = tuple(
    (re.compile(unseen, re.DOTALL), instead)
    for unseen, instead in (
        (rb"<!--.*?-->", b""),
        (rb">\s+<", b"><"),
        (rb'<g id="[^"]*"', b"<g"),  # nothing refers to groups
        (rb"(\d\d\.\d)\d+", rb"\1"),  # a tenth of a pixel; factors are smaller numbers
    )
)
"""What does not show in the pictures of matplotlib, and what stands instead."""
_INDENT: Final = re.compile(r"\n\s*(?:(?://|/\*) .*\n\s*)*")
_ENDS_SCRIPT: Final = re.compile("<(?=!|/?script)", re.IGNORECASE)
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def visible(text: str) -> str:
    """Return a text without characters that hide or turn around other text, such as RTL marks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    is_hidden = unicodedata.category(character) in _HIDDEN
    if is_hidden and character not in f"{_JOINERS}\t\n":
        return f"[U+{ord(character):04X}]"
    return character


def html(text: str) -> Markup:
    """Return a text as HTML that stands alone: the direction of its letters ends with it."""
    shown = plain_html(text)
    return shown if shown.isascii() else Markup(f"<bdi>{shown}</bdi>")  # noqa: S704 -- escaped


def plain_html(text: str) -> Markup:
    """Return a text as HTML without elements, for attributes and titles."""
    return Markup(escape(visible(text)))  # noqa: S704 -- escaped


def rendered(template: str, **content: Any) -> str:
    """Return a template, filled in; see `html` for its texts."""
    return _environment().get_template(template).render(content)


def part(template: str, macro: str, *content: Any) -> Markup:
    """Return what a macro of a template makes of its arguments."""
    made: Markup = getattr(_environment().get_template(template).module, macro)(*content)
    return made


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # takes 40 ms

    found = Environment(
        loader=PackageLoader("pddl_pipeline.pages"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        finalize=lambda value: (
            html(value) if isinstance(value, str) and not isinstance(value, Markup) else value
        ),
    )  # fmt: skip
    found.filters |= {
        "plain": plain_html,
        "number": number,
        "atom": atom_text,
        "base64": lambda data: b64encode(_smaller(data)).decode(),
        "json": _json,
        "lean": lambda code: Markup(_INDENT.sub("\n", code).replace("; }", "}")),  # noqa: S704 -- a file of templates
    }
    found.globals |= {"light": LIGHT, "dark": DARK, "fills": FILLS, "on_fill": ON_FILL}
    found.globals["variables"] = {name: f"var(--{name})" for name in LIGHT}
    found.globals |= {draw.__name__: _safe(draw) for draw in (line, rect, text)}
    return found


def _json(value: Any) -> Markup:
    """Return a value as JSON for a script element, which no text in it ends."""
    text = json.dumps(value, separators=(",", ":"))
    return Markup(_ENDS_SCRIPT.sub(r"\\u003c", text))  # noqa: S704 -- escaped


def _smaller(picture: bytes) -> bytes:
    """Return a picture; one of matplotlib as SVG without what does not show."""
    if not picture.startswith(b"<?xml"):
        return picture
    for unseen, instead in _UNSEEN:
        picture = unseen.sub(instead, picture)
    return picture


def _safe(draw: Callable[..., str]) -> Callable[..., Markup]:
    return lambda *given, **more: Markup(draw(*given, **more))  # noqa: S704 -- it escapes names


def html_page(title: str, parts: Iterable[str]) -> str:
    """Return a page with these parts of HTML below each other; empty parts are left out.

    Its tables can be sorted, and long ones filtered. Without JavaScript, they are just shown.
    """
    return rendered("tables.html.j2", title=title, parts=map(Markup, filter(None, parts)))


def title_of(what: str, domains: Iterable[str]) -> str:
    """Return the title of a page, with the domains that it is about, or their number."""
    names = list(dict.fromkeys(domains))
    where = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} domains"
    return visible(f"{what} in {where}" if names else what)


def in_a_row(
    pages: Iterable[tuple[str, T]], folder: Path, overview: Path
) -> Iterator[tuple[str, T, list[Link]]]:
    """Yield each page with its links: to the overview, and to the pages before and after it.

    Args:
        pages: file and content of each page; read one page ahead.
        folder: the folder of the pages.
        overview: the page that lists them, which may be standard output.
    """
    up = relative_link(overview, folder / "page") if str(overview) != STANDARD else ""
    # A link to the next page needs its name before it is written.
    pages, ahead = tee(pages)
    following = chain((file for file, _ in islice(ahead, 1, None)), [""])
    before = ""
    for (file, content), after in zip(pages, following, strict=False):
        links = Link("All", up), Link("← Previous", before), Link("Next →", after)
        yield file, content, [link for link in links if link.href]
        before = file
