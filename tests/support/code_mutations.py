"""Mutations of the code: which changes do the tests of a module not notice?

``python tests/support/code_mutations.py MODULE SEED NUMBER TEST...`` runs the tests once for each
of some random changes of the module, such as ``<`` for ``<=``, and prints which ones survive. No
file is changed: the process of the tests compiles the changed module.
"""

from __future__ import annotations

import ast
import os
import random
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

import pytest

_OPERATORS: dict[type[ast.AST], ast.AST] = {
    ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt(), ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(), ast.Is: ast.IsNot(), ast.IsNot: ast.Is(), ast.In: ast.NotIn(),
    ast.NotIn: ast.In(), ast.And: ast.Or(), ast.Or: ast.And(), ast.Add: ast.Sub(),
    ast.Sub: ast.Add(), ast.Mult: ast.Add(),
}  # fmt: skip


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield each node that can be changed with the name of its field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _OPERATORS:
            yield node, "ops"
        elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in _OPERATORS:
            yield node, "op"
        elif isinstance(node, ast.Constant) and type(node.value) in (bool, int):
            yield node, "value"
        elif isinstance(node, ast.If | ast.IfExp):
            yield node, "test"


def mutate(tree: ast.Module, number: int) -> str:
    """Apply a mutation to a module, in place; return its line and the code before and after."""
    node, name = list(places(tree))[number]
    before, old = ast.unparse(node).splitlines()[0], getattr(node, name)
    if name == "value":
        new = not old if isinstance(old, bool) else old + 1
    elif name == "test":
        new = ast.UnaryOp(ast.Not(), old)
    else:
        new = [_OPERATORS[type(old[0])], *old[1:]] if name == "ops" else _OPERATORS[type(old)]
    setattr(node, name, new)
    ast.fix_missing_locations(tree)
    return f"{getattr(node, 'lineno', 0)}: {before}  ->  {ast.unparse(node).splitlines()[0]}"


def run_tests(module: Path, number: int, tests: list[str]) -> int:
    """Run tests with a mutation of a module, in a process of their own; return the exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        if Path(loader.path).resolve() != module:
            return original(loader, name)
        tree = ast.parse(module.read_text(encoding="utf-8"))
        mutate(tree, number)
        return compile(tree, module, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os._exit(pytest.main(["-q", "-x", "-n0", "-p", "no:cacheprovider", *tests]))


def main() -> None:
    """Run the tests on some mutations and print whether each survives."""
    path, seed, count, *tests = sys.argv[1:]
    module = Path(path).resolve()
    text = module.read_text(encoding="utf-8")
    numbers = range(len(list(places(ast.parse(text)))))
    chosen = random.Random(seed).sample(numbers, min(int(count), len(numbers)))
    for number in chosen:
        fate = "killed" if run_tests(module, number, tests) else "survives"
        sys.stdout.write(f"{fate}: {path}:{mutate(ast.parse(text), number)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
