"""`prompt`: the lines that it writes for programs that call models."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from places import ROOT, TESTS

from pddl_pipeline.pddl_domains import domain_folder, domain_names

if TYPE_CHECKING:
    from command_line import Cli

PAGES = (ROOT / "docs" / "prompts.md", TESTS / "prompts" / "full_prompts.md")
SHOWN = [
    pair
    for page in PAGES
    for pair in re.findall(
        r"^```sh\n(.*?)\n```\n\n```text\n(.*?)\n```$",
        page.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
]
FERRY = domain_folder("ferry") / "examples.jsonl"


def test_a_line_has_the_id_and_the_prompt(cli: Cli, tmp_path: Path) -> None:
    done = cli("prompt", FERRY, "--limit", "2")
    assert (done.status, done.err) == (0, "")
    first, second = (json.loads(line) for line in done.out.splitlines())
    assert (first["id"], second["id"]) == ("ferry-2-0", "ferry-3-1")
    assert [*first] == ["id", "prompt", "domain", "style", "statement"]
    again = cli("prompt", FERRY, "--limit", "2", "-o", "prompts.jsonl")
    assert (again.status, again.out, again.err) == (0, "", "2 prompts in prompts.jsonl\n")
    assert (tmp_path / "prompts.jsonl").read_text() == done.out
    quiet = cli("prompt", FERRY, "--limit", "1", "-q", "-o", "prompts.jsonl")
    assert (quiet.status, quiet.out, quiet.err) == (0, "", "")


def test_chat_is_a_batch_file_of_requests(cli: Cli) -> None:
    plain = cli("prompt", FERRY, "--style", "cot", "--shots", "1")
    chat = cli("prompt", FERRY, "--style", "cot", "--shots", "1", "--model", "m-1")
    for line, request in zip(plain.out.splitlines(), chat.out.splitlines(), strict=True):
        prompt = json.loads(line)
        messages = [{"role": "user", "content": prompt["prompt"]}]
        assert json.loads(request) == {
            "custom_id": prompt["id"],
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": "m-1", "messages": messages},
        }


def test_all_domains_in_one_file(cli: Cli) -> None:
    files = [domain_folder(name) / "examples.jsonl" for name in domain_names()]
    lines = [json.loads(line) for line in cli("prompt", *files).out.splitlines()]
    assert {line["domain"] for line in lines} == set(domain_names())


def test_examples_come_from_a_file(cli: Cli) -> None:
    done = cli("prompt", FERRY, "--limit", "1", "--examples", FERRY.with_name("solved.jsonl"))
    assert json.loads(done.out)["prompt"].count("Answer:\n(") == 1


@pytest.mark.parametrize(("line", "prompt"), SHOWN, ids=range(len(SHOWN)))
def test_prompts_in_the_documentation_are_true(cli: Cli, line: str, prompt: str) -> None:
    done = cli(*shlex.split(line.removeprefix("pddl-pipeline ")), cwd=ROOT)
    if "known: pddl" in done.err:
        pytest.skip("this domain has no words yet")
    assert json.loads(done.out)["prompt"] == prompt


def test_every_statement_is_shown() -> None:
    named = {line.partition("--statement ")[2].split(" ")[0] for line, _ in SHOWN}
    assert {"countdown", "pddl", "llm4pddl", "plansformer"} <= named
    assert len(SHOWN) == 9
