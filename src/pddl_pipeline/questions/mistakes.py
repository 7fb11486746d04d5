"""The kinds of mistake in descriptions of states: SimPlan, table 6. They are not disjoint.

S is the state after the actions and T the state that the answer describes; both contain only atoms
that may change. Atoms that the wording leaves out because others imply them (open doors) may be
missing in T, but must not be wrong.

- ``multiple-states``: T contains two atoms that exclude each other and do not both hold in S. Atoms
  of one of the wording's groups with the same objects exclude each other. In a domain without
  wording, an atom that a step deleted and one that it added do, if they share an object.
- ``action-ignored``: T contains an atom that held before and that an action deleted, so that it is
  not in S; or T denies an atom of S that did not always hold; or a step has lasting changes and T
  describes none of them.
- ``hallucinated-action``: T contains an atom that held in no state of the trajectory.
- ``atom-missing``: S contains an atom that T does not contain, deny or exclude.
- ``agent-location``: T wrongly places a thing where the agent is in S.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pddl_pipeline.pddl_domains.words import Agent
from pddl_pipeline.questions.fluents import Fluents, atom_words, fluents_from
from pddl_pipeline.questions.phrases import Wording, wordings
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
    """The states of a sequence of actions, with the data to judge a description of the last one."""

    fluents: Fluents
    wording: Wording | None
    states: tuple[Atoms, ...]
    """The atoms that hold before the first action and after each action."""

    @property
    def end(self) -> Atoms:
        """The atoms that hold after the last action."""
        return self.states[-1]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form: the first state and the changes of each step."""
        pairs = zip(self.states, self.states[1:], strict=False)
        return {
            **self.fluents.to_json(),
            "wording": self.wording.domain if self.wording else None,
            "initial": sorted(self.states[0]),
            "changes": [
                {"add": sorted(after - before), "delete": sorted(before - after)}
                for before, after in pairs
            ],
        }

    def is_right(self, description: StateDescription) -> bool:
        """Return whether a description matches the last state exactly."""
        return not (
            description.asserted - self.end
            or self.missing(description)
            or description.denied & self.end
        )

    def mistakes(self, description: StateDescription) -> tuple[str, ...]:
        """Return the kinds of mistake in a description, as this module defines them."""
        wrong = description.asserted - self.end
        found = {
            MULTIPLE_STATES: self._is_multiple(description.asserted),
            ACTION_IGNORED: self._is_ignored(description),
            HALLUCINATED: bool(wrong - frozenset().union(*self.states)),
            ATOM_MISSING: not self.missing(description) <= self._replaced(description),
            AGENT_LOCATION: any(map(self._is_at_agent, wrong)),
        }
        return tuple(kind for kind, is_so in found.items() if is_so)

    def missing(self, description: StateDescription) -> Atoms:
        """Return the atoms of the last state that a description lacks and the wording requires."""
        return self._required(self.end - description.asserted)

    def _required(self, atoms: Atoms) -> Atoms:
        """Return the atoms that descriptions must contain: those that no others imply."""
        implied = self.wording.implied if self.wording else frozenset()
        return frozenset(atom for atom in atoms if atom_words(atom)[0] not in implied)

    def _is_multiple(self, atoms: Atoms) -> bool:
        if self.wording is None:
            return any(
                taken in atoms and given in atoms and not {taken, given} <= self.end
                for taken, given in self._exchanges()
            )
        return any(
            len(same) > 1 and not self.end.issuperset(same)
            for group in self.wording.exclusive
            for same in _by_objects(atoms, group).values()
        )

    def _exchanges(self) -> Iterator[tuple[str, str]]:
        """Yield each pair of a deleted and an added atom of a step that share an object."""
        for before, after in zip(self.states, self.states[1:], strict=False):
            for taken in before - after:
                for given in after - before:
                    if _objects(taken) & _objects(given):
                        yield taken, given

    def _is_ignored(self, description: StateDescription) -> bool:
        earlier = frozenset().union(*self.states[:-1])
        always = frozenset.intersection(*self.states)
        if (description.asserted - self.end) & earlier or description.denied & (self.end - always):
            return True
        return bool(description.asserted) and any(
            self._is_not_described(step, description) for step in self._lasting()
        )

    def _is_not_described(self, step: tuple[Atoms, Atoms], description: StateDescription) -> bool:
        """Return whether a step has changes and a description contains none of them."""
        added, deleted = step
        asserted = description.asserted
        return bool(added | deleted) and not added & asserted and deleted <= asserted

    def _lasting(self) -> Iterator[tuple[Atoms, Atoms]]:
        """Yield for each step the atoms that it adds and deletes until the end."""
        for number, after in enumerate(self.states[1:], start=1):
            before, later = self.states[number - 1], self.states[number:]
            added = (after - before).intersection(*later)
            deleted = (before - after).difference(*later)
            yield self._required(added), self._required(deleted)

    def _replaced(self, description: StateDescription) -> Atoms:
        """Return the atoms of the last state that a description denies or excludes."""
        found = set(description.denied)
        for group in self.wording.exclusive if self.wording else ():
            taken = _by_objects(description.asserted - self.end, group)
            for objects, same in _by_objects(self.end, group).items():
                if objects in taken:
                    found.update(same)
        return frozenset(found)

    def _is_at_agent(self, text: str) -> bool:
        atom, agent = atom_words(text), self.wording.agent if self.wording else None
        return (
            agent is not None
            and atom[0] == agent.things
            and not self._is_agent(atom, agent)
            and atom[1:][agent.thing_place] in self._places(agent)
        )

    def _places(self, agent: Agent) -> set[str]:
        atoms = map(atom_words, self.end)
        return {
            atom[1:][agent.place]
            for atom in atoms
            if atom[0] == agent.predicate and self._is_agent(atom, agent)
        }

    def _is_agent(self, atom: Ground, agent: Agent) -> bool:
        if agent.type is None:
            return atom[0] == agent.predicate
        return atom[1] in self.fluents.types.get(agent.type, ())


def trajectory_from(given: Mapping[str, Any]) -> Trajectory:
    """Return the trajectory that `Trajectory.to_json` wrote."""
    states = [frozenset(given["initial"])]
    for change in given["changes"]:
        states.append(states[-1] - frozenset(change["delete"]) | frozenset(change["add"]))
    wording = wordings()[given["wording"]] if given["wording"] else None
    return Trajectory(fluents_from(given), wording, tuple(states))


def _by_objects(
    atoms: Iterable[str], group: Mapping[str, Sequence[int]]
) -> dict[tuple[str, ...], list[str]]:
    """Return the atoms of a group of `StateWords.exclusive`, grouped by their objects."""
    found: dict[tuple[str, ...], list[str]] = {}
    for text in atoms:
        predicate, *objects = atom_words(text)
        positions = group.get(predicate)
        if positions is not None and all(n < len(objects) for n in positions):
            found.setdefault(tuple(objects[n] for n in positions), []).append(text)
    return found


def _objects(atom: str) -> set[str]:
    return set(atom_words(atom)[1:])
