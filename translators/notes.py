"""What is assumed about a dataset, each said once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators import has_referee
from pddl_pipeline.translators.domains.countdown_rules import Rules, rules_text
from pddl_pipeline.translators.registry import translator

_MOST: Final = 20
"""The largest number of names, and of different rules, that a note contains."""


class Notes:
    """Collects notes about a dataset, each once, until it has been read.

    A fault in the dataset is then the only message about it.
    """

    def __init__(self, on_note: Callable[[str], None]) -> None:
        self._on_note = on_note
        self._notes: dict[str, None] = {}
        self._extra: dict[str, None] = {}
        self._rules: list[Any] = []
        self._given = self._example = ""
        self._instances = self._unnamed = 0
        self.has_rules = False
        """Whether there was an instance whose domain has rules."""

    def add(self, note: str) -> None:
        """Add a note."""
        self._notes[note] = None

    def add_unnamed(self, name: str) -> None:
        """Add the id that the next instance gets because its row has none."""
        self._given = name

    def add_instance(self, instance: Instance[Any]) -> None:
        """Add the names of the extra fields of an instance, and its rules."""
        self._instances += 1
        if instance.id == self._given:
            self._unnamed += 1
            self._example = self._example or instance.id
        if instance.extra:
            self._extra.update(dict.fromkeys(instance.extra))
        if takes_rules(instance):
            self.has_rules = True
            rules = instance.extras.get("rules") or {}
            if len(self._rules) < _MOST and rules not in self._rules:
                self._rules.append(rules)

    def pass_on(self) -> None:
        """Pass on the notes."""
        if self._unnamed:
            some = f"rows without an id: {self._unnamed:,} of {self._instances:,}; their"
            which = some if self._unnamed < self._instances else "no ids;"
            origin = "ids are the file name and the position from 0"
            self.add(f"{which} {origin}, such as {self._example}")
        if self._extra:
            names = [ascii(name)[1:-1] if not name.isprintable() else name for name in self._extra]
            more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
            shown = ", ".join(names[:_MOST])
            self.add(f"extra fields, kept in every output: {shown}{more}")
        for rules in self._rules:
            self.add(f"countdown rules: {rules_text(rules)}")
        for note in self._notes:
            self._on_note(note)


def takes_rules(instance: Instance[Any]) -> bool:
    """Return whether an instance is of countdown, which is played by different rules."""
    return has_referee(instance) and translator(instance.domain).rules is Rules
