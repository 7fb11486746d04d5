"""Scoring in one process and in several: the same bytes, and nothing is left behind."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from command_line import Cli
from places import PROGRAM
from processes_of_tests import assert_ended

from pddl_pipeline import load_records
from pddl_pipeline.cli.score_output import scores_in_view
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.scoring.answer_files import AnswerSource, answer_file
from pddl_pipeline.scoring.batches import BatchJudge, JudgedAnswers, ScoringWork, judged_batches

FERRY, COUNTDOWN = (domain_folder(name) / "examples.jsonl" for name in ("ferry", "countdown"))


def rows(count: int) -> list[object]:
    """Return answers of two models to countdown and ferry: right, wrong, unread and faulty ones."""
    rng, found = random.Random(1), list[object]()
    instances = [*load_records(COUNTDOWN), *load_records(FERRY)]
    for number in range(count):
        instance, model = rng.choice(instances), rng.choice(["a", "b"])
        texts = ["(sail l0 l1)", "I give up.", "", f"Answer: {rng.randint(1, 9)} * 3 + 4"]
        row = {"id": instance.id, "answer": rng.choice(texts), "model": model, "note": number % 3}
        if number % 97 == 5:
            row |= {"attempt": 1}  # given twice, from the second time on
        found.append({**row, "id": "nothing"} if number % 101 == 7 else row)
    found[11] = "not an object"
    return found


def write(path: Path, found: list[object], bad_line: int | None = 23) -> Path:
    lines = [f"{json.dumps(row)}\n" for row in found]
    if bad_line is not None:
        lines.insert(bad_line, '{"id": \n')
    path.write_text("".join(lines))
    return path


def scored(cli: Cli, answers: Path, *options: str) -> tuple[object, ...]:
    """Return everything that the command gives: status, tables, messages, lines, CSV."""
    output, table = answers.with_name("o.jsonl"), answers.with_name("t.csv")
    done = cli(
        "score", COUNTDOWN, FERRY, answers, "-o", output, "--table", table, "--by", "note",
        "--by", "domain", *options,
    )  # fmt: skip
    return done.status, done.out, done.err, output.read_bytes(), table.read_bytes()


def test_answers_are_judged_in_batches_of_many(tmp_path: Path) -> None:
    source = AnswerSource([answer_file(write(tmp_path / "a.jsonl", rows(12), None))], rows=5)
    assert [len(batch.rows) for batch in source.batches()] == [5, 5, 2]


@pytest.mark.parametrize(
    ("name", "more"), [("lines", ()), ("lines", ("--json",)), ("list", ()), ("table.csv", ())]
)
def test_several_processes_give_the_same_bytes(
    cli: Cli, tmp_path: Path, name: str, more: tuple[str, ...]
) -> None:
    answers, found = tmp_path / name, rows(300)
    good = [row for row in found if isinstance(row, dict)]
    if name == "lines":
        write(answers, found)
    elif name == "list":
        answers.write_text(json.dumps(good))
    else:
        lines = [f"{each['id']},{each['answer']},{each['model']},{each['note']}" for each in good]
        answers.write_text("\n".join(["id,answer,model,note", *lines]))
    alone = scored(cli, answers, *more)
    assert alone == scored(cli, answers, "-j", "2", *more)
    assert (alone[0], len(alone[3].splitlines())) == (2, 301 if name == "lines" else 299)
    assert "unknown id 'nothing'" in str(alone[2])


class Deadly(BatchJudge):
    """Ends the process that judges the first row of the file."""

    def judged(self, _: object) -> JudgedAnswers:
        os._exit(3)


def test_a_process_that_dies_ends_the_command(tmp_path: Path) -> None:
    source = AnswerSource([answer_file(write(tmp_path / "answers.jsonl", rows(600)))])
    judge = Deadly(ScoringWork([*load_records(COUNTDOWN), *load_records(FERRY)], source))
    with (
        pytest.raises(EngineError, match="a process that judged answers died"),
        judged_batches(judge, 2) as batches,
    ):
        list(batches)


@pytest.mark.parametrize(
    "sign",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.long),
        pytest.param(signal.SIGKILL, marks=pytest.mark.long),
    ],
)
def test_an_interrupt_is_one_line_and_leaves_nothing(tmp_path: Path, sign: signal.Signals) -> None:
    answers, output = write(tmp_path / "answers.jsonl", rows(6000), None), tmp_path / "o.jsonl"
    command = [PROGRAM, "score", COUNTDOWN, FERRY, answers, "-o", output, "-j", "2", "-q"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while len(family := psutil.Process(process.pid).children()) < 2:
            time.sleep(0.02)
        process.send_signal(sign)
        said = process.stderr.read()
    assert process.returncode == (-9 if sign == signal.SIGKILL else 130)
    assert_ended(family)
    assert not output.exists()
    kept = tmp_path / "o.jsonl.part"
    said_so = f"interrupted; the scores so far are in {kept}, the same command starts again\n"
    assert said.endswith(said_so) == (sign != signal.SIGKILL)
    done = subprocess.run(command[:-1], check=False, stderr=subprocess.PIPE, text=True)
    assert (kept.exists(), output.read_text().count("\n")) == (False, 6000)
    assert f"{kept} has the scores of an interrupted command; scoring starts again" in done.stderr


def test_an_interrupt_while_scores_are_printed() -> None:
    with (
        pytest.raises(KeyboardInterrupt, match="interrupted; the scores so far are printed, the s"),
        scores_in_view(Path("-")),
    ):
        raise KeyboardInterrupt


@pytest.mark.long
def test_memory_hardly_grows_with_the_answers(tmp_path: Path) -> None:
    """Of 1,000,000 answers: see the measurement in docs/measurements.md."""
    peaks = [peak_of(tmp_path, count) for count in (5_000, 50_000)]
    assert peaks[1] < peaks[0] * 1.15 < 400 << 20


def peak_of(folder: Path, count: int) -> int:
    """Return the peak of the memory of a scoring by two processes and their parent, in bytes."""
    ids = [instance.id for instance in load_records(COUNTDOWN)]
    text = "I look at the numbers for a while. " * 28 + "\nAnswer: 1 + 2"
    path = folder / f"{count}.jsonl"
    with path.open("w") as file:
        for number in range(count):
            row = {"id": ids[number % len(ids)], "answer": f"{text} + {number % 50}"}
            file.write(f"{json.dumps({**row, 'attempt': 1 + number // len(ids)})}\n")
    command = [PROGRAM, "score", COUNTDOWN, path, "-j", "2", "-q"]
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                family = [psutil.Process(process.pid)]
                family += family[0].children()
                peak = max(peak, sum(each.memory_info().rss for each in family))
            except psutil.Error:
                pass  # a process ended meanwhile
            time.sleep(0.05)
    return peak
