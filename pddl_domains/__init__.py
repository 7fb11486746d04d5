"""The planning domains as data: one folder per domain, found by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def domain_names() -> tuple[str, ...]:
    """Return the names of the installed domains, sorted."""
    return tuple(sorted(file.parent.name for file in Path(__file__).parent.glob("*/domain.pddl")))


def domain_folder(name: str) -> Path:
    """Return a domain's folder: domain.pddl, variants, examples, a sample, invalid plans."""
    return Path(__file__).parent / name


@cache
def domain_text(name: str, variant: str = "") -> str:
    """Return the PDDL text of a domain, or of one of its variants."""
    file = f"variants/{variant}.pddl" if variant else "domain.pddl"
    return (domain_folder(name) / file).read_text(encoding="utf-8")
