"""Scores hostile answers, each within limits of time and memory; run by a test.

The arguments are a domain and a length: the answers have as many characters, or up to five times
as many. Each has 3 s of CPU time, or 3 s for each 100,000 characters: three times what a reader
may take (``benchmarks/reader_growth.py`` measures that), since the machine of a test may be slow.

Prints a line for each answer before scoring it, so the last line shows which one hit the limits.
"""

from __future__ import annotations

import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pddl_pipeline import load_records, score
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder

MEMORY = 200 * 2**20
LENGTH = int(sys.argv[2])
MANY = 5 * LENGTH
SECONDS = 3
STARTS = {"os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen"}
ANSWERS: dict[str, Callable[[], str]] = {
    "nested": lambda: "(" * MANY + "4" + ")" * MANY,
    "open": lambda: "(" * MANY,
    "digits": lambda: "4 + " + "9" * MANY + " = 24",
    "digits step": lambda: f"4 + 5 = {'9' * MANY}\n{'9' * MANY} - 4 = 24",
    "power": lambda: "9**9**9**9",
    "many powers": lambda: "9**" * MANY + "9",
    "call": lambda: "__import__('os').system('exit 1')",
    "call in a tag": lambda: "<answer>__import__('os').system('exit 1')</answer>",
    "control": lambda: "".join(map(chr, range(32))) * (LENGTH // 6),
    "prose": lambda: "I try 4, 5, 6 and 10: 4 + 5 = 9, and then some.\n" * (LENGTH // 5),
    "one line": lambda: "word " * MANY,
    "marks of direction": lambda: "\u202e4 + 5\u202c * (10 - 6) " * (LENGTH // 2),
    "half characters": lambda: "\ud800 4 + 5",
    "products": lambda: "9" * 4000 + (" * " + "9" * 4000) * 70,
    "product steps": lambda: "\n".join(f"{'9' * 4000} * {'7' * 4000} = 1" for _ in range(100)),
    "quotients": lambda: "\n".join(
        f"({' * '.join([str(7**4900 + i)] * 35)}) / ({' * '.join(['9' * 4000] * 35)}) = 1"
        for i in range(40)
    ),
    "equations": lambda: "1+1=2\n" * (LENGTH // 5),
    "equations in a line": lambda: "1+1=2," * (LENGTH * 3 // 4),
    "states": lambda: "[4, 5, 6, 10]\n" * (LENGTH // 5),
    "states in a line": lambda: "[" + "[4, 5, 6, 10]," * (LENGTH // 2) + "]",
    "long state": lambda: "[" + "4," * MANY + "]",
    "steps": lambda: "(add n1 n2)" * (LENGTH // 2),
    "step of many words": lambda: "(add " + "n1 " * MANY + ")",
    "lines": lambda: "a\n" * MANY,
    "spaces": lambda: "4" + " " * MANY + "+ 5",
    "dots": lambda: "1." * MANY,
    "line ends": lambda: "\n" * 10 * MANY,
    "comments": lambda: ";\n" * MANY,
    "plan file": lambda: "(pick-up b1)\n" * (LENGTH // 3),
    "thinking": lambda: "<think>\n" + "stack the red block\n" * (LENGTH // 5) + "</think>\n",
    **{
        f"read to its end: {part!r}": lambda part=part: (part * LENGTH)[:LENGTH]
        for part in (
            "[PLAN]", "[PLAN]\n[PLAN END]\n", "plan:\n", "```\n", "stack the ", "the ", "step ",
            "then ",
            "pick up a ", "stack b1 on b2, ", "and ", "explanation:\n", "not (", "(pick-up b1)",
            "1. pick up b1\n", "- lift b1\n", "use hoist0 to lift ", "\t- b1\n", "; ",
            "4 + 5 = 9\n", "\\frac{", "\\frac{4}{", "\\left(4 + ", "4(", "(4)", "4 + 5 = 9 -> ",
            "1,000,", "4,500+", "=4,500", "a = 4 + 5\n", "a = a + 4\n", "add 4 and 5 to get 9. ",
            "add 4, 5, 6, ", "multiply that by ", "to get ", "| 4 + 5 | 9 ", "4 | + | ",
            '{"a": "4 + 5", ', "[{", "wait, 4 + 5. ", "no, ", "Answer: 4 + 5\nwait. ",
            "\\boxed{24} ", "(4 + 5) * (6 + 10) = ", "4 + 5 = 9 (", "4 is 5 is ", "~~", "** ",
            "$4$ ", "= \n", "&= ", "check: ", "4 plus ", "not 4 + 5. ", "4\u2009", "4... ",
            "<answer>4 + 5</answer> wait. ",
        )
    },
    **{
        f"many {part!r}": lambda part=part: part * MANY  # type: ignore[misc]
        for part in (
            "1 + ", "= ", "<answer>", "</answer>", "<answer></answer>", "[", "Operations: [",
            "Current State: ", "Answer: ", "the answer is ", "\\boxed{", "\\frac{", "(left: ",
            "- ", "1. ", "x ", "* ", '"', "(add ", "\n<answer>",
        )
    },
}  # fmt: skip


def limit(text: str) -> None:
    """Leave this process little more memory than it uses, and time until SIGPROF ends it."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, -1))
    # Not RLIMIT_CPU: on a busy machine it counts up to a fifth more than Python can ask for.
    signal.setitimer(signal.ITIMER_PROF, SECONDS * max(1, len(text) / 100_000))


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """Stop if a program is started, or if code runs that is not from a module's file.

    A module that is loaded when it is first needed may define named tuples, whose code has no file.
    """
    code = arguments[0] if event == "exec" else None
    fileless = code and getattr(code, "co_filename", "") == "<string>"
    if event in STARTS or (fileless and not importing()):
        sys.exit(f"an answer was executed: {event}")


def importing() -> bool:
    """Return whether a module is being loaded."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
    return False


def scored(instance: Instance[object], text: str) -> None:
    (found,) = score([instance], [{"id": "a", "answer": text}])
    if found.verdict.status not in (Status.INVALID, Status.MALFORMED) or not found.errors:
        sys.exit(f"found {found.verdict.status} {found.errors}")


def main() -> None:
    examples = load_records(domain_folder(sys.argv[1]) / "examples.jsonl")
    instance = replace(next(examples), id="a")
    for warm in ("4 + 5", "4 + 5 = 9\n9 + 6 = 15", "[9, 6, 10]", "(add n1 n2)", "pick up b1", "?"):
        scored(instance, warm)
    sys.addaudithook(watch)
    for name, answer in ANSWERS.items():
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
        text = answer()
        limit(text)
        scored(instance, text)
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main()
