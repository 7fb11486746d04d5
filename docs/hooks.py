"""Hooks of MkDocs: pages from files outside docs/, and tables from the schemas of file formats."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typst
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
# Files of the repository that are pages of the site, too.
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "studies/countdown/protocol.md": "countdown-protocol.md",
}
# How much the words of a section's pages count in the search; others count 1.
BOOSTS = {
    "Tutorials": 2,
    "How-to guides": 1.5,
    "The papers' experiments": 0.25,
    "Project": 0.25,
}
# The theme loads this script from the network; a copy is in docs/assets.
_SHIM = "https://unpkg.com/iframe-worker/shim"
# The theme gives the dialog of the search no name.
_DIALOG = 'data-md-component="search" role="dialog"'
_LINK = re.compile(r"\]\(([^)#:]+)(#[^)]*)?\)")
_COMMENT = re.compile(r"^<!-- .* -->\n", re.MULTILINE)
_SCHEMA = re.compile(r"^<!-- schema: (\S+) -->$", re.MULTILINE)
_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
_CODE = re.compile(r"`[^`]*`")
# Code of up to 30 characters, which fits on a line of a phone.
_SHORT_CODE = re.compile(r"<code>([^<]{1,30})</code>")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/, and the paper."""
    for source, target in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=_relinked(text, source)))
    studies = ROOT / "studies"
    paper = typst.compile(str(studies / "paper" / "paper.typ"), root=str(studies))
    files.append(File.generated(config, "paper.pdf", content=paper))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Insert tables of schemas, remove comments, and link to the pages from outside docs/."""
    del config, files
    if page.ancestors:
        page.meta["search"] = {"boost": BOOSTS.get(page.ancestors[0].title, 1)}
    if page.file.src_uri not in PAGES.values():
        text = _SCHEMA.sub(lambda found: schema_table(found[1]), markdown)
        markdown = _relinked(_COMMENT.sub("", text), f"docs/{page.file.src_uri}")
    return _ROW.sub(lambda row: _CODE.sub(_unescaped, row[0]), markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Mark short code, which the style sheet keeps on one line."""
    del page, config, files
    return _SHORT_CODE.sub(r'<code class="short">\1</code>', html)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Load the script for offline search from the site, and name the dialog of the search."""
    del config
    output = output.replace(_DIALOG, f'{_DIALOG} aria-label="Search"')
    return output.replace(_SHIM, f"{'../' * page.file.src_uri.count('/')}assets/iframe-worker.js")


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Do the same for the page of missing pages."""
    del template_name, config
    return output_content.replace(_SHIM, "assets/iframe-worker.js")


def on_post_build(config: MkDocsConfig) -> None:
    """Write a sample of each kind of page: a report, scores, and a plan."""
    samples = Path(config["site_dir"]) / "samples"
    samples.mkdir()
    data = [ROOT / "examples" / f"{name}.jsonl" for name in ("ferry", "grippers")]
    planners = ("--planner", "lama-first", "--planner", "bfs", "--time-limit", "5s")
    with TemporaryDirectory() as folder:
        runs, answers = Path(folder, "runs"), Path(folder, "answers.jsonl")
        _pipeline("run", *data, *planners, "-o", runs)
        _pipeline("report", runs, "--html", samples / "report.html")
        rows = [json.loads(line) for line in (runs / "runs.jsonl").read_text().splitlines()]
        plans = [row["plan"] or [] for row in rows]
        lines = (
            json.dumps(
                {"id": row["id"], "model": f"model-{row['planner']}", "answer": "\n".join(plan)}
            )
            for row, plan in zip(rows, plans, strict=True)
        )
        answers.write_text("\n".join(lines))
        _pipeline("score", *data, answers, "--html", samples / "score.html", status=1)
    ferry = ROOT / "pddl_domains" / "ferry"
    plan = ferry / "bad" / "two-cars.plan"
    _pipeline("show", ferry / "domain.pddl", ferry / "p01.pddl", plan, "-o", samples / "plan.html")


def _pipeline(*arguments: str | Path, status: int = 0) -> None:
    line = [sys.executable, "-m", "pddl_pipeline", *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise PluginError(f"{' '.join(line)}: exit status {done.returncode}\n{done.stderr}")


def _unescaped(code: re.Match[str]) -> str:
    """Return code in a table as the site's Markdown expects it; elsewhere, `|` is escaped there."""
    return code[0].replace("\\|", "|")


def _relinked(text: str, source: str) -> str:
    """Return a text of the repository with its links to pages as links of the site.

    Links to other files outside docs/ become their names, since the site has no such pages.
    """
    folder = (ROOT / source).parent
    own = PAGES.get(source) or str(Path(source).relative_to("docs"))
    up = "../" * own.count("/")

    def changed(link: re.Match[str]) -> str:
        target = (folder / link[1]).resolve()
        if not target.exists() or not target.is_relative_to(ROOT):
            return link[0]
        name = str(target.relative_to(ROOT))
        if name in PAGES:
            return f"]({up}{PAGES[name]}{link[2] or ''})"
        if name.startswith("docs/"):
            return f"]({up}{name.removeprefix('docs/')}{link[2] or ''})"
        return f"](# '{name}')"

    return _LINK.sub(changed, text)


def schema_table(name: str) -> str:
    """Return the fields of a schema in docs/schemas as a table in Markdown."""
    schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    required = schema.get("required", [])
    rows = ["| field | type | always | meaning |", "|---|---|---|---|"]
    for field, form in schema["properties"].items():
        always = "yes" if field in required else ""
        rows.append(f"| `{field}` | {_type(form)} | {always} | {form.get('description', '')} |")
    return "\n".join(rows)


def _type(form: dict[str, Any]) -> str:
    """Return the types of a field in words."""
    if "enum" in form:
        return ", ".join(f"`{json.dumps(value)}`" for value in form["enum"])
    types = form.get("type", "any")
    return " or ".join([types] if isinstance(types, str) else types)
