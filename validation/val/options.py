"""The options of ``pddl-pipeline-val``: those of VAL's Validate, in VAL's order of arguments.

Click does not parse them: VAL looks only at the letter after the dash, and all options precede the
files.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.text import counted

USAGE: Final = """Usage: pddl-pipeline-val [options] domainFile problemFile planFile1 ...
Judge plans like pddl-pipeline validate, with the options and the output of VAL's Validate.
Options:
    -t <n>  Treat steps whose time stamps are at most n/10 apart as simultaneous (default: equal).
    -v      Print the changes of each step, and repair advice.
    -a      Omit the repair advice.
    -g      Without a metric, use the number of happenings, not of steps, as the value.
    -c      Continue after a step that fails, and check the goal.
    -e      Like -c, and report all failures, with advice.
    -s      Silent: print only failures.
    -S      Print only each plan's value, or 'failed'.
    -L      Print the number of steps as the first value.
    -m -i -d  Accepted and ignored: they concern features that are not judged here (-d:
            stratification is always checked).
    -h      Print this message.
Exit status: 0 all valid, 1 at least one plan invalid, 2 bad input (including a plan that cannot be
read), 3 undecided.
"""
_NOT_SUPPORTED: Final = {
    "r": "robustness analysis", "j": "robustness analysis", "l": "LaTeX", "f": "LaTeX",
    "p": "LaTeX", "o": "LaTeX", "q": "LaTeX",
}  # fmt: skip
_SWITCHES: Final[dict[str, dict[str, Any]]] = {
    "v": {"verbose": True},
    "a": {"advice": False},
    "g": {"by_happenings": True},
    "c": {"keep_going": True},
    "e": {"keep_going": True, "error_report": True},
    "s": {"silence": 1},
    "S": {"silence": 2},
    "L": {"step_count": True},
    **{ignored: {} for ignored in "mid"},
}
"""The fields of `ValOptions` that the letters without a value set."""


class ValOptions(NamedTuple):
    """The parsed arguments."""

    files: Sequence[str] = ()
    """Domain, problem and plans; empty if the usage is to be printed."""
    verbose: bool = False
    advice: bool = True
    by_happenings: bool = False
    keep_going: bool = False
    error_report: bool = False
    silence: int = 0
    """1: only failures; 2: only values."""
    step_count: bool = False
    gap: Fraction = Fraction(0)
    """Time stamps that are at most this far apart count as equal."""

    @property
    def needs_account(self) -> bool:
        """Whether the options require more than the verdict."""
        return self.verbose or self.keep_going or self.by_happenings

    @property
    def wants_advice(self) -> bool:
        """Whether repair advice is to be printed."""
        return self.advice and (self.verbose or self.error_report)


def parse_val_options(arguments: Sequence[str]) -> ValOptions:
    """Parse the arguments.

    Raises:
        InputError: an option is unknown or not supported, or there are fewer than two files.
    """
    options = ValOptions()
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        switch = rest.pop(0)
        letter = switch[1:2]
        if letter == "h":
            return ValOptions()
        if letter == "t":
            gap = _number(rest.pop(0) if rest else "nothing") / 10
            options = options._replace(gap=gap)
        elif letter in _NOT_SUPPORTED:
            raise InputError(f"{_NOT_SUPPORTED[letter]} ({switch}) is not supported")
        elif letter not in _SWITCHES:
            raise InputError(f"Unrecognised command line switch: {switch}")
        else:
            options = options._replace(**_SWITCHES[letter])
    if len(rest) < 2:
        found = f"found {counted(len(rest), 'file')}"
        raise InputError(f"{found}, expected a domain, a problem and plans; -h prints the options")
    return options._replace(files=rest)


def _number(text: str) -> Fraction:
    try:
        # `Fraction` also reads `1e999999999`, which takes all memory, and `7/3`.
        if len(text) <= 50 and not {*"eE/-"} & {*text}:
            return Fraction(text)
    except ValueError:
        pass  # reported below
    raise InputError(f"-t: found '{text}', expected a number such as 0.01")
