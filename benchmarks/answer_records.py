"""Verdicts on published answers, one by one: stored with one reader, compared with another's.

    python benchmarks/answer_records.py store DATA records.jsonl [--most N]
    python benchmarks/answer_records.py compare OLD.jsonl NEW.jsonl [--show N]

DATA is a folder with the public repositories' files: PlanBench's results with VAL's verdicts and
its problems, the logs of the 24 game, reasoning-gym, Stream of Search, llm-reasoners, RAP.
``compare`` prints a row a model, and the answers whose verdict differs, to be read by a person.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tarfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline import load_records
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record


class Published(NamedTuple):
    """An answer, with the verdict that its authors published."""

    model: str
    instance: Instance[Any]
    text: str
    right: bool | None = None


def problems(data: Path) -> dict[str, dict[str, Instance[Any]]]:
    """Return PlanBench's problems by set, each by its number."""
    planbench = data / "planbench"
    domains = {
        kind: (planbench / f"{kind}_domain.pddl").read_text() for kind in ("blocksworld", "mystery")
    }
    texts = defaultdict[str, dict[str, str]](dict)
    for name, folder in (
        ("blocksworld", data / "autotos" / "blocksworld" / "blocks_instances"),
        ("blocksworld_3", planbench / "blocksworld_3_instances"),
    ):
        texts[name] = {path.stem: path.read_text() for path in folder.glob("instance-*.pddl")}
    with tarfile.open(planbench / "mystery_generated_basic.tar.gz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None and "instance-" in member.name:
                name = "mystery_blocksworld" + "_3" * ("basic_3" in member.name)
                texts[name][Path(member.name).stem] = file.read().decode()
    return {
        name: {
            number: given_instance(
                f"{name} {number}", domains["mystery" if "mystery" in name else "blocksworld"],
                text, {},
            )
            for number, text in found.items()
        }
        for name, found in texts.items()
    }  # fmt: skip


def planbench(data: Path) -> Iterator[Published]:
    """Yield PlanBench's answers with VAL's verdicts."""
    known = problems(data)
    with gzip.open(data / "planbench" / "llm_plans_with_VAL_verdicts.jsonl.gz", "rt") as file:
        for row in map(json.loads, file):
            instance = known[row["domain"]][f"instance-{row['instance_id']}"]
            text = row["llm_raw_response"] or ""
            yield Published(f"{row['model']}, {row['domain']}", instance, text, row["llm_correct"])


def game24(data: Path) -> Iterator[Published]:
    """Yield the answers of GPT-4 to the 24 game."""
    folder = data / "game24"
    instances = list(load_records(folder / "24.csv"))
    for path in sorted(folder.glob("*naive*.json.gz")):
        model = "24 game CoT" if "cot" in path.name else "24 game IO"
        for item in json.loads(gzip.decompress(path.read_bytes())):
            right = item.get("accs") or [info["r"] for info in item["infos"]]
            for text, verdict in zip(item["ys"], right, strict=True):
                yield Published(model, instances[item["idx"]], text, bool(verdict))


def countdown(numbers: list[int], target: int) -> Instance[Any]:
    """Return a countdown instance by the rules of these datasets."""
    record = {"id": f"{numbers} {target}", "domain": "countdown", "numbers": numbers}
    rules = {"negatives": True, "division": "nonzero"}
    return from_record({**record, "target": target, "rules": rules})


def solutions(data: Path) -> Iterator[Published]:
    """Yield the solutions that datasets publish beside their problems."""
    for path in sorted((data / "reasoning_gym").glob("*.jsonl")):
        for row in map(json.loads, path.read_text().splitlines()):
            facts = row["metadata"]
            instance = countdown(facts["numbers"], facts.get("target", 24))
            yield Published("reasoning-gym", instance, row["answer"], right=True)
    for path in sorted((data / "stream_of_search").glob("*.json")):
        for row in json.loads(path.read_text()):
            instance = countdown(row["nums"], row["target"])
            yield Published("Stream of Search, best", instance, row["optimal_path"], right=True)
            found = row["rating"] > 0
            yield Published("Stream of Search", instance, row["search_path"], found)
    known = problems(data)
    for name, pattern in (
        ("llm-reasoners", "llm_reasoners_blocksworld/full_data/*.json"),
        ("RAP", "rap_blocksworld/step_*.json"),
    ):
        for path in sorted(data.glob(pattern)):
            for file, plan, *_ in json.loads(path.read_text()):
                of = known["blocksworld_3" if "generated_basic_3" in file else "blocksworld"]
                yield Published(name, of[Path(file).stem], plan, right=True)


SOURCES: Final[tuple[Callable[[Path], Iterator[Published]], ...]] = (game24, solutions, planbench)


def store(data: Path, out: Path, most: int | None) -> None:
    """Write a line for each answer: the verdict, the plan, and the text."""
    judge, count, start = Judge([]), 0, time.process_time()
    with out.open("w", encoding="utf-8") as file:
        for source in SOURCES:
            for at, each in enumerate(islice(source(data), most)):
                judge.instances[each.instance.id] = each.instance
                found = judge.judge(Answer(each.instance.id, each.text), 1)
                row = {
                    "key": f"{source.__name__} {at}", "model": each.model, "right": each.right,
                    "id": each.instance.id, "status": found.verdict.status,
                    "reason": found.verdict.reason, "errors": found.errors,
                    "plan": found.plan and [str(step) for step in found.plan], "text": each.text,
                }  # fmt: skip
                file.write(f"{json.dumps(row)}\n")
                count += 1
    sys.stdout.write(f"{count} answers, {time.process_time() - start:.1f} s of CPU time\n")


def compare(old: Path, new: Path, show: int) -> None:
    """Print the share of answers that each model loses or wins, and examples of each change."""
    rows = [[json.loads(line) for line in path.open(encoding="utf-8")] for path in (old, new)]
    counts, changes = defaultdict[str, Counter[str]](Counter), defaultdict[str, list[str]](list)
    for before, after in zip(*rows, strict=True):
        if before["key"] != after["key"]:
            sys.exit(f"found {after['key']}, expected {before['key']} as in the other file")
        model, truth = before["model"], {True: "right", False: "wrong"}.get(before["right"], "open")
        for group in {model, model.partition(",")[0]}:
            counts[group].update(("answers", truth))
            for name, row in (("old", before), ("new", after)):
                kind = "unread" if row["status"] == "malformed" else row["status"]
                counts[group].update((f"{name} {kind}", f"{name} {truth} {kind}"))
        if before["status"] != after["status"]:
            change = f"{truth}: {before['status']} -> {after['status']}"
            shown = f"{before['key']}, {model}, {before['id']}\nold: {before['reason']}\n"
            changes[change].append(f"{shown}new: {after['reason']}\n{before['text']}\n")
    head = ("model", "answers", "right", "right valid", "right invalid", "wrong valid", "unread")
    sys.stdout.write(" | ".join(head) + "\n")
    for model, found in sorted(counts.items()):
        both = (
            f"{found[f'old {name}']} -> {found[f'new {name}']}"
            for name in ("right valid", "right invalid", "wrong valid", "unread")
        )
        cells = (model, f"{found['answers']}", f"{found['right']}", *both)
        sys.stdout.write(" | ".join(cells) + "\n")
    for change, texts in sorted(changes.items()):
        sys.stdout.write(f"\n=== {change}: {len(texts)}\n\n" + "\n---\n".join(texts[:show]))


def main() -> None:
    """Store or compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("store", "compare"))
    parser.add_argument("paths", type=Path, nargs=2)
    parser.add_argument("--most", type=int, help="Number of answers of each source.")
    parser.add_argument("--show", type=int, default=5, help="Number of examples of each change.")
    given = parser.parse_args()
    if given.what == "store":
        store(*given.paths, given.most)
    else:
        compare(*given.paths, given.show)


if __name__ == "__main__":
    main()
