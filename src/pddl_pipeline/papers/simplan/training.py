"""Training of SimPlan's ranker: cross-entropy with in-batch and hard negatives (section 4.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from pddl_pipeline.io.files import make_folder, write_bytes, write_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.simplan.encoder import (
    RANKER,
    SCRATCH,
    Encoder,
    interaction,
    library,
    load,
    new_encoder,
    save,
)
from pddl_pipeline.papers.simplan.pairs import DEV, TRAIN, Header, Pair
from pddl_pipeline.papers.study import Chart, Point, Series

CHECKPOINT: Final = "checkpoint.pt"
REPORT: Final = "training.json"
CURVE: Final = "curve.png"
PATIENCE: Final = 3
"""Training stops after so many epochs without a better MAP."""
CUT: Final = 100
"""Ranks above this one count as 0, as in MAP@100."""
_RATES: Final = {SCRATCH: 2e-3}
_RATE: Final = 4e-4
"""The paper's learning rate, for pretrained encoders."""
_DECAY: Final = 1e-3
_WARM_UP: Final = 100
_STRETCH: Final = 8
"""The number of successive pairs of a file that stay together in a batch."""
_ROWS: Final = 64
"""The number of queries that are ranked at a time."""


@dataclass(frozen=True)
class Training:
    """How a ranker is trained."""

    encoder: str = SCRATCH
    negatives: int = 2
    """The number of hard negatives per pair."""
    epochs: int = 10
    batch: int = 32
    seed: int = 0


class Epoch(NamedTuple):
    """The result of an epoch."""

    loss: float
    """The mean over the batches."""
    precision: float
    """MAP@100 on the development split."""


Splits = dict[str, list[Pair]]


def train(header: Header, splits: Splits, folder: Path, how: Training) -> Iterator[float]:
    """Train a ranker; yield the loss of each batch.

    The folder has the best model, the state after the last epoch, from which the same call goes
    on, and the report with its curve.

    Raises:
        EngineError: a library is not installed.
        InputError: the folder has other training, or a file cannot be read or written.
    """
    torch = library("torch")
    make_folder(folder)
    key = _key(header, splits, how)
    torch.manual_seed(how.seed)
    if (folder / CHECKPOINT).exists():
        _, encoder, stored = load(folder / CHECKPOINT)
        if stored.get("key") != key:
            reason = "is of other pairs or options; expected a new folder"
            raise InputError(reason, file=str(folder / CHECKPOINT))
        epochs = [Epoch(*each) for each in stored["epochs"]]
    else:
        epochs = []
        encoder = new_encoder(how.encoder, header.names, _texts(splits), folder)
        encoder.modules.to("cuda" if torch.cuda.is_available() else "cpu")
        stored = {}
    rate = _RATES.get(how.encoder, _RATE)
    optimizer = torch.optim.AdamW(encoder.modules.parameters(), rate, weight_decay=_DECAY)
    if stored:
        optimizer.load_state_dict(stored["optimizer"])
    while len(epochs) < how.epochs and not has_stopped(epochs):
        losses = list[float]()
        encoder.modules.train()
        for batch in _batches(splits[TRAIN], how, len(epochs)):
            done = len(losses) + len(epochs) * _count(splits, how)
            optimizer.param_groups[0]["lr"] = rate * min(1.0, (done + 1) / _WARM_UP)
            loss = _loss(encoder, *batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.modules.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
            yield losses[-1]
        epochs.append(Epoch(sum(losses) / len(losses), mean_precision(encoder, splits[DEV])))
        if epochs[-1].precision == max(each.precision for each in epochs):
            save(folder / RANKER, header, encoder)
        state = optimizer.state_dict()
        save(folder / CHECKPOINT, header, encoder, key=key, optimizer=state,
             epochs=[tuple(each) for each in epochs])  # fmt: skip
        _write_report(folder, epochs, how)


def has_stopped(epochs: Sequence[Epoch]) -> bool:
    """Return whether the last epochs were no better than an earlier one."""
    values = [each.precision for each in epochs]
    return len(values) > PATIENCE and max(values[-PATIENCE:]) <= max(values[:-PATIENCE])


def _key(header: Header, splits: Splits, how: Training) -> str:
    values = {name: value for name, value in asdict(how).items() if name != "epochs"}
    content = msgspec.json.encode((header, splits), order="sorted")
    return json.dumps([sha256(content).hexdigest(), values], sort_keys=True)


def _texts(splits: Splits) -> set[str]:
    return {
        text for pair in chain(*splits.values())
        for text in (pair.query, pair.action, *chain(*pair.negatives.values()))
    }  # fmt: skip


def _count(splits: Splits, how: Training) -> int:
    return -(-len(splits[TRAIN]) // how.batch)


def steps_of(splits: Splits, how: Training) -> int:
    """Return the largest number of batches."""
    return _count(splits, how) * how.epochs


def _batches(
    pairs: Sequence[Pair], how: Training, epoch: int
) -> Iterator[tuple[list[str], list[str]]]:  # fmt: skip
    """Yield the queries and the actions of each batch; the right actions come first.

    A batch has stretches of plans, so that other pairs' actions concern the same objects.
    """
    random = Random(f"{how.seed} {epoch}")  # noqa: S311 -- reproducible
    stretches = [pairs[start : start + _STRETCH] for start in range(0, len(pairs), _STRETCH)]
    order = [*chain(*random.sample(stretches, len(stretches)))]
    for start in range(0, len(order), how.batch):
        batch = order[start : start + how.batch]
        hard = []
        for pair in batch:
            pool = [*dict.fromkeys(chain(*pair.negatives.values()))]
            hard += random.sample(pool, min(how.negatives, len(pool)))
        yield [pair.query for pair in batch], [*(pair.action for pair in batch), *hard]


def _loss(encoder: Encoder, queries: list[str], actions: list[str]) -> Any:
    """Return the cross-entropy of a batch; the same action of another pair does not count."""
    torch = library("torch")
    scores = interaction(encoder.encode(queries), encoder.encode(actions))
    same = torch.tensor([[one == other for other in actions] for one in actions[: len(queries)]])
    same.fill_diagonal_(fill_value=False)
    right = torch.arange(len(queries), device=scores.device)
    masked = scores.masked_fill(same.to(scores.device), float("-inf"))
    return torch.nn.functional.cross_entropy(masked, right)


def mean_precision(encoder: Encoder, pairs: Sequence[Pair]) -> float:
    """Return MAP@100: each pair's action is ranked among all actions and negatives of the pairs."""
    torch = library("torch")
    encoder.modules.eval()
    actions = sorted({
        text for pair in pairs for text in (pair.action, *chain(*pair.negatives.values()))
    })  # fmt: skip
    place, found = {text: number for number, text in enumerate(actions)}, 0.0
    with torch.no_grad():
        encoded = encoder.encode(actions)
        for start in range(0, len(pairs), _ROWS):
            rows = pairs[start : start + _ROWS]
            scores = interaction(encoder.encode([pair.query for pair in rows]), encoded)
            own = scores[range(len(rows)), [place[pair.action] for pair in rows]]
            ranks = 1 + (scores > own[:, None]).sum(1)
            found += (1 / ranks)[ranks <= CUT].sum().item()
    return found / len(pairs)


def best_epoch(folder: Path) -> tuple[int, float]:
    """Return number and MAP of the best epoch in a folder's report."""
    rows = json.loads((folder / REPORT).read_text(encoding="utf-8"))["results"]
    best = max(rows, key=lambda row: row["map"])
    return best["epoch"], best["map"]


def _write_report(folder: Path, epochs: Sequence[Epoch], how: Training) -> None:
    rows = [{"epoch": n, "loss": x.loss, "map": x.precision} for n, x in enumerate(epochs, 1)]
    write_file(folder / REPORT, json.dumps({**asdict(how), "results": rows}, indent=1) + "\n")
    try:
        from pddl_pipeline.papers.chart_plot import draw  # noqa: PLC0415 -- extra
    except ImportError:
        return
    panels = (("Training", "mean loss"), ("Development split", "MAP@100"))
    charts = [
        Chart(title, "epoch", label,
              (Series(label, tuple(Point(n, each[at]) for n, each in enumerate(epochs, 1))),))
        for at, (title, label) in enumerate(panels)
    ]  # fmt: skip
    write_bytes(folder / CURVE, draw(charts))
