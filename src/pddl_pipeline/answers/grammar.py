"""Builds the grammar of a task's answers from the words of its domain."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import permutations
from typing import Final
from weakref import WeakKeyDictionary

from pddl_pipeline.answers.calls import Calls
from pddl_pipeline.answers.clauses import Grammar
from pddl_pipeline.answers.english import COMPLEMENTS, LINKS, forms, listed
from pddl_pipeline.answers.frames import ANY_ROLE, AWAY, TOWARDS, Frame, Frames
from pddl_pipeline.answers.lines import AnswerLine
from pddl_pipeline.answers.states import States
from pddl_pipeline.answers.terms import Naming, Terms
from pddl_pipeline.model.plan import Step
from pddl_pipeline.pddl_domains.words import DomainWords, domain_words
from pddl_pipeline.translators.wording import object_phrases
from pddl_pipeline.validation.language import Action, Atom, walk
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import TypeTree, Vocabulary, changing_predicates

_SLOT: Final = re.compile(r"\{(\d)\}")
_KNOWN: Final[WeakKeyDictionary[Task, dict[str, Grammar]]] = WeakKeyDictionary()
_BUILT: Final[dict[tuple[object, ...], Grammar]] = {}
_DIRECTIONS: Final = frozenset({"up", "down"})
_OPPOSITE: Final = (frozenset({"on", "off"}), _DIRECTIONS, frozenset({"in", "out"}))
"""Words that tell actions apart: ``switch_on`` and ``switch_off``."""
_MOST: Final = 200
"""Maximum number of grammars that are kept; tasks with the same names share one."""


def grammar_of(name: str, task: Task) -> Grammar:
    """Return the grammar of answers to a task, in the words of a domain if it has any.

    The words are the domain's own: `readers_of` finds the domain whose words another one uses.
    """
    known = _KNOWN.setdefault(task, {})
    found = known.get(name)
    if found is None:
        words = domain_words(name)
        vocabulary, static = _with_kinds(task), _static(words, task)
        key = (
            name, tuple(vocabulary.objects.items()), tuple(vocabulary.predicates), static,
            tuple((each, action.parameters) for each, action in vocabulary.actions.items()),
        )  # fmt: skip
        found = _BUILT.get(key)
        if found is None:
            if len(_BUILT) >= _MOST:
                _BUILT.clear()
            found = _BUILT[key] = _built(words, vocabulary, static)
        known[name] = found
    return found


def pddl_steps(line: AnswerLine, task: Task) -> Iterator[Step]:
    """Yield the steps in parentheses in a line, also those that the task does not have."""
    for group in grammar_of("", task).calls.groups(line.text):
        if group.step is not None:
            yield group.step._replace(line=line.number, column=group.start + 1)


def _with_kinds(task: Task) -> Vocabulary:
    """Return the vocabulary of a task; where types are not declared, predicates take their place.

    A predicate of one object that no action changes is a type: ``(truck ?t)`` in a precondition.
    """
    vocabulary = task.vocabulary
    if vocabulary.types.declared:
        return vocabulary
    kinds = {name for name, types in vocabulary.predicates.items() if len(types) == 1}
    kinds -= changing_predicates(vocabulary)
    if not kinds:
        return vocabulary
    found = vocabulary.extended()
    found.types = TypeTree(declared=True)
    for predicate, *names in task.facts.facts:
        if predicate in kinds:
            found.add_object(names[0], (predicate,))
    found.actions = {name: _of_kinds(each, kinds) for name, each in vocabulary.actions.items()}
    return found


def _of_kinds(action: Action, kinds: Collection[str]) -> Action:
    """Return an action whose parameters have the types that its precondition gives them."""
    needs = {
        part.terms[0]: (part.predicate,)
        for part, negative in walk(action.precondition)
        if isinstance(part, Atom) and part.predicate in kinds and not negative
    }
    parameters = [each._replace(types=needs.get(each.name, ("object",)))
                  for each in action.parameters]  # fmt: skip
    return action._replace(parameters=tuple(parameters))


def _static(words: DomainWords, task: Task) -> frozenset[tuple[str, ...]]:
    """Return the initial facts that frames depend on."""
    frames = (frame for many in words.frames.values() for frame in many)
    named = {frame.when.split()[0] for frame in frames if frame.when}
    return (
        frozenset(fact for fact in task.facts.facts if fact[0] in named) if named else frozenset()
    )


def _built(
    words: DomainWords, vocabulary: Vocabulary, static: frozenset[tuple[str, ...]]
) -> Grammar:
    frames = list(_frames(words, vocabulary))
    verbs = {form: verb for frame in frames for verb in frame.verbs for form in forms(verb)}
    for action in vocabulary.actions:
        verbs |= dict.fromkeys((action, action.replace("-", ""), action.replace("-", "_")), action)
    verbs |= {verb: verb for frame in frames for verb in frame.verbs}
    phrases = object_phrases(words.objects, vocabulary.objects)
    used = " ".join(phrases.values())
    strange = [colour for colour in words.objects.colours if colour not in used]
    adjectives = [name for name, types in vocabulary.predicates.items() if len(types) == 1]
    naming = Naming(
        phrases, _nouns(words, vocabulary), words.objects.prefixes, strange, adjectives,
        words.objects.roles,
    )  # fmt: skip
    terms = Terms(naming, verbs)
    agents = words.agents or listed("agents")
    steps = Frames(frames, verbs, agents, static, vocabulary)
    return Grammar(
        terms,
        steps,
        States(_phrases(words, vocabulary), words.objects.nouns),
        Calls(terms, steps, vocabulary),
        words.idle,
    )


def _frames(words: DomainWords, vocabulary: Vocabulary) -> Iterator[Frame]:
    """Yield the frames of the task's actions: of the words, of their sentences, or of the names."""
    for action in vocabulary.actions.values():
        own = words.aliases.get(action.name, action.name)
        given = words.frames.get(own, ())
        found = [
            Frame(
                action.name,
                each.verbs,
                tuple(frozenset(roles.split()) for roles in each.names),
                tuple(map(_led, each.words)),
                tuple(map(_led, each.optional)),
                each.when,
            )
            for each in given
        ]
        sentences = () if given else words.sentences.get(own, ())
        found += [_sentence_frame(action.name, each) for each in sentences]
        fitting = [each for each in found if len(each.roles) == len(action.parameters)]
        yield from fitting or _own_frames(action)


def _own_frames(action: Action) -> Iterator[Frame]:
    """Yield the frames of an action without words: ``load-truck`` is to load something.

    Of parameters of one type, those named as ``?from`` or ``?to`` have this role, and the other of
    two the opposite one; others have any.
    """
    verb, *others = re.split("[-_]", action.name)
    types = [each.types for each in action.parameters]
    against = {each for pair in _OPPOSITE for each in pair if pair - {each} <= {*others}}
    ways = {each.name: _way(each.name) for each in action.parameters if types.count(each.types) > 1}
    for one, other in permutations(ways) if len(ways) == 2 else ():
        if ways[other] and not ways[one]:  # `?f ?to - place`
            ways[one] = AWAY if ways[other] == TOWARDS else TOWARDS
    roles = [ways.get(each.name) or ANY_ROLE - against for each in action.parameters]
    words = {*others, *_DIRECTIONS} - LINKS - against
    may = [(links, word) for word in sorted(words) for links in (frozenset[str](), LINKS)]
    yield Frame(action.name, (verb,), tuple(roles), may=tuple(may))
    if verb in _DIRECTIONS:  # `The lift goes up from f0 to f1`
        yield Frame(action.name, ("go", "move"), tuple(roles), ((frozenset(), verb),))


def _way(name: str) -> frozenset[str]:
    """Return the role of a parameter by its name, or none: ``?to``, ``?loc_from``, ``?d_new``."""
    words = {*re.split("[-_]", name.lstrip("?"))}
    ways = ((AWAY, {"from", "prev", "old", "start"}), (TOWARDS, {"to", "new", "next", "end"}))
    return next((way for way, names in ways if words & names), frozenset())


def _led(words: str) -> tuple[frozenset[str], str]:
    """Return a word and the prepositions that may lead to it."""
    *links, word = words.split()
    return frozenset(links), word


def _sentence_frame(action: str, sentence: str) -> Frame:
    """Return the frame of a sentence such as ``lift {0} from {1}``."""
    verb, roles, links, needs = "", dict[int, frozenset[str]](), set[str](), list[str]()
    for word in re.findall(r"\{\d\}|[\w-]+", re.sub(r"\b(?:the|an?|top)\b", "", sentence.lower())):
        slot = _SLOT.fullmatch(word)
        if slot is not None:
            roles[int(slot[1])] = frozenset(links or {"object" if verb else "subject"})
        elif word in LINKS:
            links.add(word)
            continue
        elif verb:
            needs.append(" ".join((*links, word)))
        verb, links = verb or ("" if slot else word), set()
    return Frame(
        action, (verb,), tuple(roles[slot] for slot in sorted(roles)), tuple(map(_led, needs))
    )


def _nouns(words: DomainWords, vocabulary: Vocabulary) -> Mapping[str, Collection[str]]:
    """Return the nouns that may stand for an object, each with the objects that it may mean."""
    objects = vocabulary.objects
    types = {type_ for ancestry in objects.values() for type_ in ancestry} - {"object", "number"}
    found: dict[str, Collection[str]] = dict.fromkeys(words.objects.nouns, objects)
    for noun in {*words.objects.nouns, *types}:
        mine = [name for name, ancestry in objects.items() if noun in ancestry]
        found[noun] = mine or found.get(noun, ())
    return found


def _phrases(words: DomainWords, vocabulary: Vocabulary) -> Iterator[tuple[str, str, bool]]:
    """Yield the phrases for facts: the predicate, the phrase, and whether it denies the fact."""
    states = words.states
    tables = [
        words.facts,
        words.planbench.facts,
        words.training_facts,
        states.texts if states else {},
    ]
    told = [(predicate, phrase) for table in tables for predicate, phrase in table.items()]
    for lists in (states.also_read if states else {}, words.told):
        told += [(predicate, text) for predicate, texts in lists.items() for text in texts]
    for idle in words.idle:  # `The robot is at p1`, without `the robot`
        told = [(predicate, text.removeprefix(f"{idle} ")) for predicate, text in told]
    arity = {name: len(types) for name, types in vocabulary.predicates.items()}
    # Words for a predicate of the same name with more arguments, in another version of a domain.
    larger = {name for name, text in told if f"{{{arity.get(name, 9)}}}" in text}
    yield from ((name, text, False) for name, text in told if name not in larger)
    yield from (("", phrase, False) for phrase in COMPLEMENTS)
    for predicate, types in vocabulary.predicates.items():
        slots = [f"{{{slot}}}" for slot in range(len(types))]
        yield predicate, " ".join([predicate, *slots]), False
        # `in-city`: `l1 in c1`
        link = predicate.partition("-")[0]
        if len(slots) == 2 and link in LINKS:
            yield predicate, f"{{0}} {link} {{1}}", False
        if len(slots) == 2:
            yield predicate, f"{{0}} {predicate} {{1}}", False
        if len(slots) == 1:
            yield predicate, f"{{0}} {predicate}", False
