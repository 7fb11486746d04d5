"""The kinds of mistake in descriptions of states: SimPlan, table 6. They are not disjoint.

S is the state after the actions, T what the answer tells; both hold only what may change. What a
wording leaves out since the rest implies it (open doors) may be missing in T, never wrong.

- ``multiple-states``: T holds two atoms that exclude each other and do not both hold in S. By the
  domain's wording, atoms of one of its groups with the same objects exclude each other; in a domain
  without wording, what a step took away and what it gave, if they share an object.
- ``action-ignored``: T holds an atom that is not in S and that an action took away (it held
  before); or denies one that is in S and did not always hold; or of all the lasting changes of
  some step not one is told, and there are some.
- ``hallucinated-action``: T holds an atom that held in no state on the way: nothing did that.
- ``atom-missing``: S holds an atom that is not in T, neither denied nor excluded by what T tells.
- ``agent-location``: T has a thing, wrongly, at the place where in S the agent is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pddl_pipeline.questions.fluents import Fluents, atom_words, fluents_from
from pddl_pipeline.questions.phrases import Agent, Exclusive, Wording, wordings
from pddl_pipeline.questions.state_reading import StateDescription
from pddl_pipeline.validation.language import Ground

MULTIPLE_STATES: Final = "multiple-states"
ACTION_IGNORED: Final = "action-ignored"
HALLUCINATED: Final = "hallucinated-action"
ATOM_MISSING: Final = "atom-missing"
AGENT_LOCATION: Final = "agent-location"

Atoms = frozenset[str]


@dataclass(frozen=True)
class Trajectory:
    """What a sequence of actions does, and what is needed to judge a description of its end."""

    fluents: Fluents
    wording: Wording | None
    states: tuple[Atoms, ...]
    """What holds before the first action and after each."""

    @property
    def end(self) -> Atoms:
        """What holds after the last action."""
        return self.states[-1]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form: the first state, and what each step changes."""
        pairs = zip(self.states, self.states[1:], strict=False)
        return {
            **self.fluents.to_json(),
            "wording": self.wording.domains[0] if self.wording else None,
            "initial": sorted(self.states[0]),
            "changes": [
                {"add": sorted(after - before), "delete": sorted(before - after)}
                for before, after in pairs
            ],
        }

    def is_right(self, told: StateDescription) -> bool:
        """Whether a description is exactly the state."""
        return not (told.told - self.end or self.missing(told) or told.denied & self.end)

    def mistakes(self, told: StateDescription) -> tuple[str, ...]:
        """Return the kinds of mistake in a description; see this module."""
        wrong = told.told - self.end
        found = {
            MULTIPLE_STATES: self._is_multiple(told.told),
            ACTION_IGNORED: self._is_ignored(told),
            HALLUCINATED: bool(wrong - frozenset().union(*self.states)),
            ATOM_MISSING: not self.missing(told) <= self._replaced(told),
            AGENT_LOCATION: any(map(self._is_at_agent, wrong)),
        }
        return tuple(kind for kind, is_so in found.items() if is_so)

    def missing(self, told: StateDescription) -> Atoms:
        """Return what holds and is not told, though the rest does not imply it."""
        implied = self.wording.implied if self.wording else frozenset()
        return frozenset(a for a in self.end - told.told if atom_words(a)[0] not in implied)

    def _is_multiple(self, told: Atoms) -> bool:
        if self.wording is None:
            return any(
                taken in told and given in told and not {taken, given} <= self.end
                for taken, given in self._exchanges()
            )
        return any(
            len(same) > 1 and not self.end.issuperset(same)
            for group in self.wording.exclusive
            for same in _by_objects(told, group).values()
        )

    def _exchanges(self) -> Iterator[tuple[str, str]]:
        """Yield what a step took away with what it gave, where they share an object."""
        for before, after in zip(self.states, self.states[1:], strict=False):
            for taken in before - after:
                for given in after - before:
                    if _objects(taken) & _objects(given):
                        yield taken, given

    def _is_ignored(self, told: StateDescription) -> bool:
        earlier = frozenset().union(*self.states[:-1])
        always = frozenset.intersection(*self.states)
        if (told.told - self.end) & earlier or told.denied & (self.end - always):
            return True
        return bool(told.told) and any(self._is_untold(step, told) for step in self._lasting())

    def _is_untold(self, step: tuple[Atoms, Atoms], told: StateDescription) -> bool:
        """Whether none of the changes of a step, of which there are some, is told."""
        added, deleted = step
        return bool(added | deleted) and not added & told.told and deleted <= told.told

    def _lasting(self) -> Iterator[tuple[Atoms, Atoms]]:
        """Yield for each step what it adds and deletes for good."""
        implied = self.wording.implied if self.wording else frozenset()
        for number, after in enumerate(self.states[1:], start=1):
            before, later = self.states[number - 1], self.states[number:]
            added = (after - before).intersection(*later)
            deleted = (before - after).difference(*later)
            yield (
                frozenset(a for a in added if atom_words(a)[0] not in implied),
                frozenset(a for a in deleted if atom_words(a)[0] not in implied),
            )

    def _replaced(self, told: StateDescription) -> Atoms:
        """Return the atoms of the state that are denied, or excluded by what is told instead."""
        found = set(told.denied)
        for group in self.wording.exclusive if self.wording else ():
            taken = _by_objects(told.told - self.end, group)
            for objects, same in _by_objects(self.end, group).items():
                if objects in taken:
                    found.update(same)
        return frozenset(found)

    def _is_at_agent(self, text: str) -> bool:
        atom = atom_words(text)
        agents = self.wording.agents if self.wording else ()
        return any(
            atom[0] == agent.thing.predicate
            and not self._is_agent(atom, agent)
            and atom[agent.thing.positions[0]] in self._places(agent)
            for agent in agents
        )

    def _places(self, agent: Agent) -> set[str]:
        atoms = map(atom_words, self.end)
        return {
            atom[agent.at.positions[0]]
            for atom in atoms
            if atom[0] == agent.at.predicate and self._is_agent(atom, agent)
        }

    def _is_agent(self, atom: Ground, agent: Agent) -> bool:
        if agent.type is None:
            return atom[0] == agent.at.predicate
        return atom[1] in self.fluents.types.get(agent.type, ())


def course_from(given: Mapping[str, Any]) -> Trajectory:
    """Return the inverse of `Trajectory.to_json`."""
    states = [frozenset(given["initial"])]
    for change in given["changes"]:
        states.append(states[-1] - frozenset(change["delete"]) | frozenset(change["add"]))
    wording = wordings()[given["wording"]] if given["wording"] else None
    return Trajectory(fluents_from(given), wording, tuple(states))


def _by_objects(atoms: Iterable[str], group: Exclusive) -> dict[tuple[str, ...], list[str]]:
    """Return the atoms of a group, those with the same objects together."""
    found: dict[tuple[str, ...], list[str]] = {}
    for text in atoms:
        atom = atom_words(text)
        for slot in group:
            if slot.predicate == atom[0] and all(n < len(atom) for n in slot.positions):
                found.setdefault(tuple(atom[n] for n in slot.positions), []).append(text)
    return found


def _objects(atom: str) -> set[str]:
    return set(atom_words(atom)[1:])
