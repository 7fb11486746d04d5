"""The limits of exact counting and solving, and the choice of the arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, TypeVar

from pddl_pipeline.countdown.arithmetic import PlainArithmetic, Ratio
from pddl_pipeline.countdown.compiling import has_numba
from pddl_pipeline.countdown.sweep import Sweep
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command

Result = TypeVar("Result")

PLAIN: Final = 7
"""Up to this size, dictionaries take less time than the import of numba."""
PLAIN_REACH: Final = 9
"""Largest size for dictionaries, used if numbers exceed 64 bits or numba is not installed."""
REACH: Final = 11
"""Largest size. There are at most 3^(n-1) n! (n-1)! sequences; for 12 numbers, this exceeds 64
bits."""
# `ratio_kernel` requires the first limit for tables and needs, and both for its check of equality.
_PART_BELOW, _WHOLE_BELOW = 1 << 61, 1 << 69


def with_sweep(
    numbers: Sequence[Ratio], target: Ratio, use: Callable[[Sweep[Any]], Result]
) -> Result:
    """Return the result of a function on the sweep of an instance of at least two numbers.

    The function is called again with a new sweep if a prime is not usable.

    Raises:
        InputError: the instance is too large.
        EngineError: numba is not installed but required.
    """
    reason = why_beyond_reach(numbers, target)
    if reason is not None:
        raise InputError(reason)
    size = len(numbers)
    if size <= PLAIN or (size <= PLAIN_REACH and not (_fits(numbers, target) and has_numba())):
        return use(Sweep(numbers, target, PlainArithmetic()))
    if not has_numba():
        raise EngineError(f"numba is missing; fix: {install_command('countdown')}")
    return _compiled(numbers, target, use)


def why_beyond_reach(numbers: Sequence[Ratio], target: Ratio) -> str | None:
    """Return why an instance is beyond exact reach; None if it is not.

    The reason does not depend on whether numba is installed.
    """
    size = len(numbers)
    if size > REACH:
        return f"{size} numbers are beyond exact reach, which is {REACH} numbers"
    if size > PLAIN_REACH and not _fits(numbers, target):
        return (
            f"{size} numbers are beyond exact reach if they are too large for 64 bits: the "
            "product of x + 1 over all but the smallest, and the target, must be below 2^61; up to "
            f"{PLAIN_REACH} numbers may have any size"
        )
    return None


def _compiled(
    numbers: Sequence[Ratio], target: Ratio, use: Callable[[Sweep[Any]], Result]
) -> Result:
    # Slow to import.
    from pddl_pipeline.countdown.compiled_arithmetic import (
        PRIMES,
        CompiledArithmetic,
        Unlucky,
    )  # slow to import

    for prime in PRIMES:
        try:
            return use(Sweep(numbers, target, CompiledArithmetic(prime)))
        except Unlucky:
            continue
    raise InputError(
        "no prime is usable: each divides a numerator or denominator of a reachable value"
    )


def _fits(numbers: Sequence[Ratio], target: Ratio) -> bool:
    """Return whether numerators and denominators of parts, and the target, fit into 64 bits."""
    bounds = sorted(sum(number) for number in numbers)
    return (
        prod(bounds[1:]) < _PART_BELOW and prod(bounds) < _WHOLE_BELOW and sum(target) < _PART_BELOW
    )
