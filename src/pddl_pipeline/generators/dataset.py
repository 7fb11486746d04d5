"""Generates instances of a domain, selected by names and plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import msgspec

from pddl_pipeline.generators.generating import generate_sizes, generators
from pddl_pipeline.generators.generator import COUNT, Generator
from pddl_pipeline.model.errors import InputError, check_count, check_type
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import parse_range
from pddl_pipeline.model.suggestion import check_name, item_named


def generate(
    domain: str,
    sizes: int | Sequence[int] | None = None,
    count: int = COUNT,
    *,
    method: str | None = None,
    seed: int = 0,
    **settings: Any,
) -> Iterator[Instance[Any]]:
    """Yield new instances of a domain. Equal arguments generate equal instances.

        >>> next(generate("ferry", sizes=range(4, 7), count=2, seed=7))
        <Instance ferry ferry-4-0: size 4>

    Args:
        domain: name of a domain that has a generator, such as ``ferry``.
        sizes: one size, or a range or list of sizes; None selects all sizes of the method. The
            domain's README defines the unit of sizes (blocks, cars, numbers, ...).
        count: number of instances of each size.
        method: generation method; None selects the domain's default.
        seed: random seed.
        settings: options of the method, with the names that ``pddl-pipeline generate -h``
            shows.

    Raises:
        InputError: the domain, method or setting is unknown, or a size has fewer than ``count``
            different instances.
    """
    expected = "a size such as 4, or a range of sizes"
    check_type("domain", domain, str, "the name of a domain, such as 'ferry'")
    check_type("method", method, str | None, "the name of a method, or None")
    check_type("sizes", sizes, int | Sequence | None, expected)
    wanted = [sizes] if isinstance(sizes, int) else sizes
    for size in wanted or ():
        check_type("sizes", size, int, expected)
    if wanted is not None and not wanted:
        raise InputError(f"sizes: found none, expected {expected}")
    check_count("count", count)
    check_type("seed", seed, int, "a whole number")
    generator = generator_named(domain, method)
    chosen = settings_of(generator, settings)
    return generate_sizes(generator, chosen, sizes=wanted, number=count, seed=seed)


def generator_named(domain: str, method: str | None = None) -> Generator[Any]:
    """Return the generator of a domain; `method` None selects the domain's default method.

    Raises:
        InputError: the domain has no generator, or the method is unknown.
    """
    methods = item_named(generators(), domain, "no generator for domain")
    if method is None:
        return next(iter(methods.values()))
    return item_named(methods, method, f"{domain} has no method")


def settings_of(generator: Generator[Any], given: Mapping[str, Any]) -> Any:
    """Return the settings of a method; those that are given, perhaps as text, replace the defaults.

    Raises:
        InputError: a setting is unknown, or a text is not its value.
    """
    known = {field.name for field in fields(generator.settings)}
    for name in given:
        check_name(name, known, f"method {generator.method} has no setting")
    try:
        return msgspec.convert(dict(given), generator.settings, strict=False, dec_hook=_range)
    except msgspec.ValidationError as error:
        named = ", ".join(f"{name}={value}" for name, value in given.items())
        raise InputError(f"{named}: {error}") from error


def _range(_kind: type[Any], value: object) -> object:
    return parse_range(value) if isinstance(value, str) else value
