"""The options of ``pddl-pipeline-val``: those of VAL's Validate, in VAL's order of arguments.

They are not read by click: VAL looks only at the letter after the dash, and all options stand
before the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pddl_pipeline.model.errors import InputError

USAGE: Final = """Usage: pddl-pipeline-val [options] domainFile problemFile planFile1 ...
Judges plans as pddl-pipeline validate does, with the options and the output of VAL's Validate.
Options:
    -t <n>  Steps whose time stamps are at most n/10 apart happen together (default: equal stamps).
    -v      Tell what each step changes; advise on repairs.
    -a      No advice with -v.
    -g      Without a metric the value is the number of happenings, not of steps.
    -c      Continue after a step that fails, and check the goal.
    -e      As -c, with a report of all that fails, and advice.
    -s      Silent: print only what fails.
    -S      Print only each plan's value, or 'failed'.
    -L      Print the number of steps as the first value.
    -m -i -d  Accepted; they concern what is not judged here (-d: stratification is always checked).
    -h      Print this message.
Exit status: 0 all valid, 1 some plan invalid, 2 bad input (a plan that cannot be read included),
3 undecided.
"""
_NOT_OFFERED: Final = {
    "r": "robustness analysis", "j": "robustness analysis", "l": "LaTeX", "f": "LaTeX",
    "p": "LaTeX", "o": "LaTeX", "q": "LaTeX",
}  # fmt: skip
_IGNORED: Final = "mid"


@dataclass(slots=True)
class ValOptions:
    """What the arguments ask for."""

    files: Sequence[str] = ()
    """Domain, problem and plans; empty where the usage is to be printed."""
    verbose: bool = False
    advice: bool = True
    by_happenings: bool = False
    keep_going: bool = False
    error_report: bool = False
    silence: int = 0
    """1: only failures; 2: only values."""
    step_count: bool = False
    gap: Fraction = Fraction(0)
    """Time stamps that are no further apart count as equal."""

    @property
    def needs_account(self) -> bool:
        """Whether more is asked for than the verdict."""
        return self.verbose or self.keep_going or self.by_happenings

    @property
    def wants_advice(self) -> bool:
        """Whether repair advice is to be printed."""
        return self.advice and (self.verbose or self.error_report)


def parse_val_options(arguments: Sequence[str]) -> ValOptions:
    """Read the arguments.

    Raises:
        InputError: an option that is unknown or not offered, or fewer than two files.
    """
    options = ValOptions()
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        switch = rest.pop(0)
        letter = switch[1:2]
        if letter == "h":
            return ValOptions()
        if letter == "t":
            options.gap = _number(rest.pop(0) if rest else "nothing") / 10
        elif letter in _NOT_OFFERED:
            raise InputError(f"{_NOT_OFFERED[letter]} ({switch}) is not offered")
        elif not letter or not _set(options, letter):
            raise InputError(f"Unrecognised command line switch: {switch}")
    if rest and len(rest) < 2:
        raise InputError(f"found {len(rest)} file, expected a domain, a problem and plans")
    options.files = rest
    return options


def _set(options: ValOptions, letter: str) -> bool:
    """Set what a letter without a value asks for; return whether there is such an option."""
    match letter:
        case "v":
            options.verbose = True
        case "a":
            options.advice = False
        case "g":
            options.by_happenings = True
        case "c":
            options.keep_going = True
        case "e":
            options.keep_going = options.error_report = True
        case "s":
            options.silence = 1
        case "S":
            options.silence = 2
        case "L":
            options.step_count = True
        case _:
            return letter in _IGNORED
    return True


def _number(text: str) -> Fraction:
    try:
        if len(text) <= 50 and not {*"eE/-"} & {*text}:
            return Fraction(text)
    except ValueError:
        pass  # said below
    raise InputError(f"-t: found '{text}', expected a number such as 0.01")
