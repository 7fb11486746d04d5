"""The rules of countdown by which answers count: the paper's, and those of other sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import check_name, item_named
from pddl_pipeline.translators.field_checks import FieldFault


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a source. The defaults are the rules of Katz et al."""

    negatives: bool = False
    """Whether intermediate results may be negative."""
    fractions: bool = True
    """Whether intermediate results may be fractions."""
    all_used: bool = True
    """Whether every number must be used."""
    division: Literal["positive", "nonzero", "exact"] = "positive"
    """Allowed divisions: by positive numbers; by any number but 0; without a remainder."""
    tolerance: str = "0"
    """Allowed difference between result and target, for sources that compare floats."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\d{1,20}(\.\d{1,20})?", self.tolerance, re.ASCII):
            found = repr(self.tolerance[:40])
            raise FieldFault("rules", f"found tolerance {found}, expected one such as '0.001'")


PYTHON_RULES: Final[dict[str, Any]] = {"negatives": True, "division": "nonzero"}
"""The rules, as in records, of sources that evaluate answers with Python's numbers."""

NAMED_RULES: Final[dict[str, dict[str, Any]]] = {
    "paper": {},
    "24game": PYTHON_RULES,
    "autotos-24game": {**PYTHON_RULES, "tolerance": "0.001"},
    "reasoning-gym": {**PYTHON_RULES, "tolerance": "0.000001"},
    "stream-of-search": {"fractions": False, "division": "exact"},
    "target-nums": {**PYTHON_RULES, "tolerance": "0.00001"},
}
"""The rules, as in records, by name: the paper's, and those of each format."""

_TRUTH: Final = {"yes": True, "true": True, "no": False, "false": False}
_DIVISION: Final = {
    "positive": "division by positive numbers",
    "nonzero": "division by any number but 0",
    "exact": "division without a remainder",
}


def parse_rules(text: str) -> dict[str, Any]:
    """Return the rules that a text names, as in records: a name, or settings.

    Args:
        text: a name of `NAMED_RULES`, or settings such as ``negatives=yes,tolerance=0.001``; what
            is not set is as in the paper.

    Raises:
        InputError: the name, a setting or its value is unknown.
    """
    if "=" not in text:
        return item_named(NAMED_RULES, text, "unknown rules")
    rules: dict[str, Any] = {}
    for setting in text.split(","):
        name, _, value = (part.strip() for part in setting.partition("="))
        check_name(name, Rules.__struct_fields__, "unknown setting")
        rules[name] = _TRUTH.get(value.lower(), value)
        if Rules.__annotations__[name] == "bool" and not isinstance(rules[name], bool):
            raise InputError(f"setting '{name}': found '{value}', expected yes or no")
    try:
        msgspec.convert(rules, Rules)
    except msgspec.ValidationError as error:
        fault = error.__cause__
        reason = fault.message if isinstance(fault, FieldFault) else str(error)
        raise InputError(f"{reason}; expected settings such as negatives=yes") from None
    return rules


def rules_text(rules: Mapping[str, Any]) -> str:
    """Return rules, as in records, in words; begin with their name if they have one."""
    found = msgspec.convert(rules, Rules)
    parts = [
        f"negative numbers {'allowed' if found.negatives else 'not allowed'}",
        f"fractions {'allowed' if found.fractions else 'not allowed'}",
        "all numbers used" if found.all_used else "not all numbers needed",
        _DIVISION[found.division],
        f"tolerance {found.tolerance}" if float(found.tolerance) else "target met exactly",
    ]
    names = [name for name, each in NAMED_RULES.items() if msgspec.convert(each, Rules) == found]
    return f"{names[0] if names else 'own'} ({', '.join(parts)})"
