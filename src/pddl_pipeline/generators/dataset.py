"""New instances of a domain, by names and plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from pddl_pipeline.generators.generating import generate_sizes
from pddl_pipeline.generators.generator import Generator
from pddl_pipeline.generators.registry import generators
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import hint


def generate(
    domain: str,
    sizes: int | range | None = None,
    count: int = 100,
    *,
    method: str | None = None,
    seed: int = 0,
    **settings: Any,
) -> Iterator[Instance[Any]]:
    """Yield new instances of a domain. The same arguments give the same instances.

        >>> next(generate("ferry", sizes=range(4, 7), count=2, seed=7))
        <Instance ferry ferry-4-0: size 4>

    Args:
        domain: name of a domain that has a generator, such as ``ferry``.
        sizes: one size or a range of them; None takes all sizes of the method. What a size counts
            (blocks, cars, numbers, ...) is in the domain's README.
        count: instances of each size.
        method: how they are made; None takes the domain's default.
        seed: everything else follows from it.
        settings: options of the method, named as by ``pddl-pipeline generate DOMAIN --help``.

    Raises:
        InputError: there is no such domain, method or setting, or a size has fewer than ``count``
            different instances.
    """
    generator = generator_named(domain, method)
    chosen = _settings(generator, settings)
    wanted = range(sizes, sizes + 1) if isinstance(sizes, int) else sizes
    return generate_sizes(generator, chosen, sizes=wanted, number=count, seed=seed)


def generator_named(domain: str, method: str | None = None) -> Generator[Any]:
    """Return the generator of a domain; of its default method where None is given.

    Raises:
        InputError: there is none.
    """
    known = generators()
    if domain not in known:
        raise InputError(f"no generator for domain '{domain}'{hint(domain, known)}")
    methods = known[domain]
    if method is None:
        return next(iter(methods.values()))
    if method not in methods:
        raise InputError(f"{domain} has no method '{method}'{hint(method, methods)}")
    return methods[method]


def _settings(generator: Generator[Any], given: dict[str, Any]) -> Any:
    known = [setting.name for setting in fields(generator.settings)]
    for name in given:
        if name not in known:
            raise InputError(
                f"method {generator.method} has no setting '{name}'{hint(name, known)}"
            )
    return generator.settings(**given)
