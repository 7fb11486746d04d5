"""The kinds of mistake in descriptions of states: SimPlan, table 6. They are not disjoint.

S is the state after the actions and T the state that the answer describes; both contain only atoms
that may change. Atoms that the wording leaves out because others imply them (open doors) may be
missing in T, but must not be wrong.

- ``multiple-states``: T contains two atoms that exclude each other and do not both hold in S. Atoms
  of one of the wording's groups with the same objects exclude each other.
- ``action-ignored``: T contains an atom that held before and that an action deleted, so that it is
  not in S; or T denies an atom of S that did not always hold.
- ``hallucinated-action``: T contains an atom that held in no state of the trajectory.
- ``atom-missing``: S contains an atom that T does not contain, deny or exclude.
- ``agent-location``: T wrongly places a thing where the agent is in S.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from pddl_pipeline.questions.fluents import Fluents, atom_words
from pddl_pipeline.questions.wording import StateDescription, Wording, wording_named

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
            **msgspec.to_builtins(self.fluents),
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
        asserted, denied = description
        # What is wrong now may have been right before: then an action was ignored.
        wrong, ever = asserted - self.end, frozenset[str]().union(*self.states)
        gained = self.end - frozenset.intersection(*self.states)
        found = {
            MULTIPLE_STATES: any(
                len(same) > 1 and not self.end.issuperset(same)
                for group in self._groups()
                for same in _by_objects(asserted, group).values()
            ),
            ACTION_IGNORED: bool(wrong & ever or denied & gained),
            HALLUCINATED: bool(wrong - ever),
            ATOM_MISSING: not self.missing(description) <= denied | self._excluded(wrong),
            AGENT_LOCATION: self._is_at_agent(wrong),
        }
        return tuple(kind for kind, is_so in found.items() if is_so)

    def missing(self, description: StateDescription) -> Atoms:
        """Return the atoms of the last state that a description lacks and no others imply."""
        implied = self.wording.states.implied if self.wording else ()
        missing = self.end - description.asserted
        return frozenset(atom for atom in missing if atom_words(atom)[0] not in implied)

    def _groups(self) -> Sequence[Mapping[str, Sequence[int]]]:
        return self.wording.states.exclusive if self.wording else ()

    def _excluded(self, wrong: Atoms) -> Atoms:
        """Return the atoms of the last state that wrong atoms exclude."""
        found = set[str]()
        for group in self._groups():
            taken = _by_objects(wrong, group)
            for objects, same in _by_objects(self.end, group).items():
                if objects in taken:
                    found.update(same)
        return frozenset(found)

    def _is_at_agent(self, wrong: Atoms) -> bool:
        agent = self.wording.states.agent if self.wording else None
        if agent is None:
            return False
        movers = self.fluents.types.get(agent.type or "", ())

        def is_agent(predicate: str, objects: Sequence[str]) -> bool:
            return predicate == agent.predicate and (agent.type is None or objects[0] in movers)

        places = {
            objects[agent.place]
            for predicate, *objects in map(atom_words, self.end)
            if is_agent(predicate, objects)
        }
        return any(
            predicate == agent.things
            and not is_agent(predicate, objects)
            and objects[agent.thing_place] in places
            for predicate, *objects in map(atom_words, wrong)
        )


def trajectory_from(given: Mapping[str, Any]) -> Trajectory:
    """Return the trajectory that `Trajectory.to_json` wrote."""
    states = [frozenset(given["initial"])]
    for change in given["changes"]:
        states.append(states[-1] - frozenset(change["delete"]) | frozenset(change["add"]))
    wording = wording_named(given["wording"]) if given["wording"] else None
    return Trajectory(msgspec.convert(given, Fluents), wording, tuple(states))


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
