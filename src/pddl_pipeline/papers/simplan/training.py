"""Training of SimPlan's ranker: cross-entropy with in-batch and hard negatives (section 4.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

import msgspec

from pddl_pipeline.io.files import make_folder, write_bytes, write_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.simplan.encoder import (
    RANKER,
    SCRATCH,
    Encoder,
    frames_of,
    interaction,
    library,
    load,
    make_encoder,
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
RATES: Final = {SCRATCH: 2e-3}
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


Splits = dict[str, list[Pair]]
Epoch = dict[str, Any]
"""``epoch``, its number; ``loss``, the mean over the batches; ``map``, MAP@100."""


def train(header: Header, splits: Splits, folder: Path, how: Training) -> Iterator[float]:
    """Train a ranker; yield the loss of each batch.

    The folder has the best model, the state after the last epoch, from which the same call goes
    on, and the report with its curve.

    Raises:
        EngineError: a library is not installed.
        InputError: the folder has other training, or a file cannot be read or written.
    """
    torch = library("torch")
    torch.manual_seed(how.seed)
    checkpoint = folder / CHECKPOINT
    texts = (text for x in chain(*splits.values()) for text in (x.query, *_actions(x)))
    shared = {
        "key": _key(header, splits, how),
        "kind": how.encoder,
        "frames": frames_of(texts, {*header.names}),
    }
    if checkpoint.exists():
        _, encoder, stored = load(checkpoint)
        if stored["key"] != shared["key"]:
            reason = "is of other pairs or options; expected a new folder"
            raise InputError(reason, file=str(checkpoint))
    else:
        stored = {"epochs": []}
        encoder = make_encoder(how.encoder, header, shared["frames"])
    make_folder(folder)
    rate, epochs = RATES.get(how.encoder, _RATE), stored["epochs"]
    optimizer = torch.optim.AdamW(encoder.modules.parameters(), rate, weight_decay=_DECAY)
    if epochs:
        optimizer.load_state_dict(stored["optimizer"])
    while len(epochs) < how.epochs and not has_stopped([epoch["map"] for epoch in epochs]):
        losses = list[float]()
        encoder.modules.train()
        for batch in _batches(splits[TRAIN], how, len(epochs)):
            # The warm-up goes on over epochs, also after a checkpoint.
            done = len(losses) + len(epochs) * steps_of(splits, how) / how.epochs
            optimizer.param_groups[0]["lr"] = rate * min(1.0, (done + 1) / _WARM_UP)
            loss = _loss(encoder, *batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.modules.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
            yield losses[-1]
        precision = mean_precision(encoder, splits[DEV])
        epochs.append({"epoch": len(epochs) + 1, "loss": fmean(losses), "map": precision})
        # The checkpoint last: after a stop before it, the epoch and its files are made again.
        if best_epoch(epochs) is epochs[-1]:
            save(folder / RANKER, header, encoder, **shared)
        _write_report(folder, epochs, how)
        state = optimizer.state_dict()
        save(checkpoint, header, encoder, optimizer=state, epochs=epochs, **shared)


def read_epochs(folder: Path) -> list[Epoch]:
    """Return the epochs of the report in a folder."""
    return [*json.loads((folder / REPORT).read_text(encoding="utf-8"))["results"]]


def best_epoch(epochs: Sequence[Epoch]) -> Epoch:
    """Return the first epoch with the largest MAP@100."""
    return max(epochs, key=lambda each: each["map"])


def has_stopped(values: Sequence[float]) -> bool:
    """Return whether the MAP@100 of the last epochs was no better than an earlier one."""
    return len(values) > PATIENCE and max(values[-PATIENCE:]) <= max(values[:-PATIENCE])


def _key(header: Header, splits: Splits, how: Training) -> str:
    """Return what must be equal if training continues."""
    content = msgspec.json.encode((header, splits), order="sorted")
    # A call with more epochs goes on with the same training.
    return f"{sha256(content).hexdigest()} {replace(how, epochs=0)}"


def _actions(pair: Pair) -> list[str]:
    """Return the right action and the hard negatives."""
    return [*dict.fromkeys((pair.action, *chain(*pair.negatives.values())))]


def steps_of(splits: Splits, how: Training) -> int:
    """Return the largest number of batches."""
    return -(-len(splits[TRAIN]) // how.batch) * how.epochs


def _batches(
    pairs: Sequence[Pair], how: Training, epoch: int
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the queries and the actions of each batch; the right actions come first.

    A batch has stretches of plans, so that other pairs' actions concern the same objects.
    """
    random = Random(f"{how.seed} {epoch}")
    stretches = [pairs[start : start + _STRETCH] for start in range(0, len(pairs), _STRETCH)]
    order = [*chain(*random.sample(stretches, len(stretches)))]
    for start in range(0, len(order), how.batch):
        batch = order[start : start + how.batch]
        hard = []
        for pair in batch:
            # The first one is the right action.
            _, *pool = _actions(pair)
            hard += random.sample(pool, min(how.negatives, len(pool)))
        yield [pair.query for pair in batch], [*(pair.action for pair in batch), *hard]


def _loss(encoder: Encoder, queries: list[str], actions: list[str]) -> Any:
    """Return the cross-entropy of a batch; the same action of another pair does not count."""
    torch = library("torch")
    scores = interaction(encoder.encode(queries), encoder.encode(actions))
    same = torch.tensor([[one == other for other in actions] for one in actions[: len(queries)]])
    # The action of the pair itself is the right one.
    same.fill_diagonal_(fill_value=False)
    right = torch.arange(len(queries), device=scores.device)
    masked = scores.masked_fill(same.to(scores.device), float("-inf"))
    return torch.nn.functional.cross_entropy(masked, right)


def mean_precision(encoder: Encoder, pairs: Sequence[Pair]) -> float:
    """Return MAP@100: each pair's action is ranked among all actions and negatives of the pairs."""
    torch = library("torch")
    encoder.modules.eval()
    actions = sorted({text for pair in pairs for text in _actions(pair)})
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


def _write_report(folder: Path, epochs: Sequence[Epoch], how: Training) -> None:
    write_file(folder / REPORT, json.dumps({**asdict(how), "results": epochs}, indent=1) + "\n")
    if find_spec("matplotlib") is not None:
        from pddl_pipeline.papers.chart_plot import draw  # extra

        charts = [
            Chart(title, "epoch", title,
                  (Series(title, tuple(Point(epoch["epoch"], epoch[name]) for epoch in epochs)),))
            for name, title in (("loss", "mean loss"), ("map", "MAP@100, development split"))
        ]  # fmt: skip
        write_bytes(folder / CURVE, draw(charts))
