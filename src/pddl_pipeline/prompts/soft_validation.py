"""Soft validation of a model's plan, as SimPlan's baseline LLM4PDDL uses it (Appendix E.1).

Each action that is not applicable is replaced by the applicable action with the most similar text:
the cosine of embeddings, which are hashed character n-grams or those of a sentence encoder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import check_package
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.search.world import world_of
from pddl_pipeline.validation.task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

Embedding = Callable[[Sequence[str]], "NDArray[Any]"]
"""Returns a vector of length 1 for each text."""

NGRAMS: Final = "ngrams"
_LIBRARY: Final = "sentence_transformers"
_CALL: Final = re.compile(r"\(([^()]*)\)")
_SIZES: Final = (2, 3, 4)
_DIMENSIONS: Final = 4096


def check_embedding(name: str) -> None:
    """Check that an embedding can be used.

    Raises:
        EngineError: the library of sentence encoders is not installed.
    """
    if name != NGRAMS:
        check_package(f"soft-validation={name}", _LIBRARY)


def embedding(name: str) -> Embedding:
    """Return the embedding by hashed n-grams, or by the sentence encoder of another name or path.

    Raises:
        InputError: the sentence encoder cannot be loaded.
    """
    if name == NGRAMS:
        return _hashed
    try:
        encoder = import_module(_LIBRARY).SentenceTransformer(name)
    except (OSError, ValueError) as error:
        raise InputError(f"soft-validation={name}: cannot be loaded: {error}") from error
    return lambda texts: encoder.encode(list(texts), normalize_embeddings=True)


def soft_plan(text: str, task: Task, embed: Embedding) -> Plan:
    """Return the actions in parentheses in a text, or the most similar applicable ones.

    The plan ends in the first state that satisfies the goal, or that has no applicable action.
    """
    world = world_of(task)
    state, steps = world.start, []
    for call in _CALL.findall(text):
        found = {str(step): (step, after) for step, after in world.successors(state)}
        if world.is_goal(state) or not found:
            break
        wanted, known = f"({' '.join(call.lower().split())})", list(found)
        if wanted not in found:
            # Vectors have the length 1, so the product is the cosine.
            vectors = embed([wanted, *known])
            wanted = known[int(np.argmax(vectors[1:] @ vectors[0]))]
        step, state = found[wanted]
        steps.append(step)
    return Plan(steps)


def _hashed(texts: Sequence[str]) -> NDArray[Any]:
    """Return the numbers of character n-grams by their hash, scaled to length 1."""
    vectors = np.zeros((len(texts), _DIMENSIONS))
    for vector, text in zip(vectors, texts, strict=True):
        for size in _SIZES:
            for start in range(len(text) - size + 1):
                # Unlike `hash`, the same in each process.
                vector[crc32(text[start : start + size].encode()) % _DIMENSIONS] += 1
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
