"""Execute the notebooks in examples/ without Jupyter: their cells are plain Python."""

from __future__ import annotations

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

STREAM = "stream"


def executed(path: Path) -> dict[str, Any]:
    """Return the notebook with the outputs that its cells give now."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = _outputs("".join(cell["source"]), names, count)
    return notebook


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Execute a cell and return its outputs: what it prints, and its last value as Jupyter does."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102 -- a cell of our notebook
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append(
            {"name": "stdout", "output_type": STREAM, "text": text.splitlines(keepends=True)}
        )
    if value is not None:
        data = {"text/plain": [repr(value)]}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        outputs.append(
            {
                "data": data, "execution_count": count, "metadata": {},
                "output_type": "execute_result",
            }
        )  # fmt: skip
    return outputs


def written(notebook: dict[str, Any]) -> str:
    """Return the text of a notebook's file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":  # Stores the outputs in the files that are given.
    for name in sys.argv[1:]:
        Path(name).write_text(written(executed(Path(name))), "utf-8")
