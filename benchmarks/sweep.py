"""Read every PDDL problem below folders, and compare with the parsers of VAL and Fast Downward.

    python benchmarks/sweep.py FOLDER... [--peers-sample 300] [--fast-downward] \
        [--val VALIDATE] [--val-parser PARSER] [--lines sweep.jsonl]

The domain of a problem is found as for `translate`: a file with an expected name (domain.pddl,
NAME-domain.pddl, domain-NAME.pddl, domain-7.pddl for instance-7.pddl) that declares the domain
which the problem names, else the only file that declares it, else the file with the expected name;
in the problem's folder, then in the folders above it, and in the folder ``domains`` of each.

This project reads every problem. The peers read those that this project does not read, and a
sample of the others, for the times. With --lines, each problem is written to the file as one JSON
line, and problems that are in the file are not read again.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from pddl_readers import Program, Reader, Reading, Worker, fast_downward, ours

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.translators.formats.pddl import DomainFiles, kind_of

SLOW = 1.0
"""Seconds of reading that are always allowed."""
_QUOTED = re.compile(r"'[^']*'|\([^()]*\)|\b\d+\b")


class Pair(NamedTuple):
    """A problem file and its domain file, if one was found."""

    collection: str
    problem: Path
    domain: Path | None


def pairs(collection: Path) -> Iterator[Pair]:
    """Yield the problems below a folder, each with its domain."""
    domains = DomainFiles()
    for file in sorted(collection.rglob("*.pddl")):
        text, folder = read_file(file), file.parent.resolve()
        if kind_of(text)[0] == "problem":
            domain = domains.of(file.name, text, [folder, *folder.parents][:3])
            yield Pair(collection.name, file, domain)


def main() -> None:
    """Read the files and print the tables."""
    options = _options()
    for folder in options.folders:
        if not folder.is_dir():
            raise SystemExit(f"{folder}: found no folder")
    done = _done(options.lines, again=options.again)
    memory = int(options.memory_gb * 2**30)
    own = Worker(partial(ours, lenient=options.lenient), options.time_limit, memory)
    peers = _peers(options, memory)
    lines = list(done.values())
    try:
        for folder in options.folders:
            todo = [pair for pair in pairs(folder) if str(pair.problem) not in done]
            if options.only is not None:
                todo = Random(options.seed).sample(todo, min(options.only, len(todo)))
            chosen = Random(options.seed).sample(todo, min(options.peers_sample, len(todo)))
            sample = {pair.problem for pair in chosen}
            for pair in todo:
                line = _line(pair, own, peers, sampled=pair.problem in sample)
                lines.append(line)
                _store(options.lines, line)
    finally:
        own.close()
        for peer in peers.values():
            peer.close()
    _report(lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("folders", type=Path, nargs="+", metavar="FOLDER")
    add("--lenient", action="store_true", help="Read files as with --lenient.")
    add("--val", type=Path, help="VAL's program Validate.")
    add("--val-parser", type=Path, help="VAL's program Parser.")
    add("--fast-downward", action="store_true", help="Use the parser of up-fast-downward.")
    add("--peers-sample", type=int, default=0, metavar="N",
        help="Number of problems per folder that the peers read in any case.")  # fmt: skip
    add("--only", type=int, metavar="N", help="Read a random sample of N problems per folder.")
    add("--seed", type=int, default=0)
    add("--lines", type=Path, metavar="FILE")
    add("--again", action="store_true",
        help="Read problems again that FILE does not list as read within a second.")  # fmt: skip
    add("--time-limit", type=float, default=60.0, metavar="SECONDS")
    add("--memory-gb", type=float, default=4.0, metavar="GIB")
    return parser.parse_args()


def _peers(options: argparse.Namespace, memory: int) -> dict[str, Reader]:
    peers: dict[str, Reader] = {}
    if options.val:
        peers["val"] = Program(options.val, options.time_limit, memory)
    if options.val_parser:
        peers["val-parser"] = Program(options.val_parser, options.time_limit, memory)
    if options.fast_downward:
        peers["fast-downward"] = Worker(fast_downward, options.time_limit, memory)
    return peers


def _line(pair: Pair, own: Reader, peers: dict[str, Reader], *, sampled: bool) -> dict[str, Any]:
    line: dict[str, Any] = {
        "collection": pair.collection,
        "problem": str(pair.problem),
        "domain": pair.domain and str(pair.domain),
    }
    if pair.domain is None:
        return {**line, "ours": Reading("no domain", "no domain file found", 0.0)._asdict()}
    reading = own.read(pair.domain, pair.problem)
    line["ours"] = reading._asdict()
    if sampled or reading.status != "read" or reading.seconds > SLOW:
        for name, peer in peers.items():
            line[name] = peer.read(pair.domain, pair.problem)._asdict()
    return line


def _done(file: Path | None, *, again: bool) -> dict[str, dict[str, Any]]:
    """Return the lines of earlier sweeps by problem; the last line of a problem counts."""
    if file is None or not file.exists():
        return {}
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    found = {line["problem"]: line for line in lines}
    return {
        name: line
        for name, line in found.items()
        if not again or (line["ours"]["status"] == "read" and line["ours"]["seconds"] <= SLOW)
    }


def _store(file: Path | None, line: dict[str, Any]) -> None:
    if file is not None:
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")


def _report(lines: list[dict[str, Any]]) -> None:
    _report_counts(lines)
    _report_kinds([line for line in lines if line["ours"]["status"] != "read"])
    _report_times(lines)


def _report_counts(lines: list[dict[str, Any]]) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line in lines:
        counts[line["collection"]][line["ours"]["status"]] += 1
        if line["ours"]["status"] == "read" and line["ours"]["note"]:
            counts[line["collection"]]["not judged"] += 1
    for collection, found in counts.items():
        total = sum(count for status, count in found.items() if status != "not judged")
        each = ", ".join(f"{count:,} {status}" for status, count in found.most_common())
        print(f"{collection}: {total:,} problems, {each}")


def _report_kinds(lines: list[dict[str, Any]]) -> None:
    """Print the files that are not read, by the kind of the error."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        note = str(line["ours"]["note"])
        message = note.removeprefix(f"{line['domain']}:").removeprefix(f"{line['problem']}:")
        groups[f"{line['ours']['status']}: {_kind(message)}"].append(line)
    for kind, found in sorted(groups.items(), key=lambda group: -len(group[1])):
        accepted = Counter(
            name for line in found for name in ("val", "val-parser", "fast-downward")
            if line.get(name, {}).get("status") == "read"
        )  # fmt: skip
        peers = "".join(f", {name} reads {count}" for name, count in accepted.items())
        print(f"\n{len(found):,} {kind}{peers}")
        folders = Counter(str(Path(line["problem"]).parent) for line in found)
        for folder, count in folders.most_common():
            example = next(x for x in found if str(Path(x["problem"]).parent) == folder)
            note = example["ours"]["note"].replace(f"{Path(example['problem']).parent}/", "")
            print(f"    {count:,} in {folder}: {note}")


def _kind(message: str) -> str:
    """Return an error without its place, names and numbers."""
    return _QUOTED.sub("…", re.sub(r"^\d+:\d+: ", "", message))


def _report_times(lines: list[dict[str, Any]]) -> None:
    read = [line for line in lines if line["ours"]["status"] == "read"]
    if not read:
        return
    times = sorted(line["ours"]["seconds"] for line in read)
    late = sum(time > SLOW for time in times)
    print(f"\nreading, CPU ms: median {median(times) * 1e3:.1f}, longest {times[-1] * 1e3:.0f}")
    print(f"{late:,} of {len(times):,} take more than {SLOW:g} s")
    for name in ("val", "val-parser", "fast-downward"):
        pairs_read = [
            (line["ours"]["seconds"], line[name]["seconds"])
            for line in read
            if line.get(name, {}).get("status") == "read"
        ]
        if pairs_read:
            ratio = median(mine / max(theirs, 1e-4) for mine, theirs in pairs_read)
            late = sum(mine > max(SLOW, 2 * theirs) for mine, theirs in pairs_read)
            print(f"beside {name}: n = {len(pairs_read):,}, {ratio:.2f} times its time (median), "
                  f"{late} above the larger of {SLOW:g} s and twice its time")  # fmt: skip


if __name__ == "__main__":
    main()
