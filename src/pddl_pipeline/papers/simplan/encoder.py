"""The model of SimPlan's ranker: a bi-encoder with late interaction (section 4.2).

A text is encoded token by token. The score of an action is the sum, over the tokens of the state
and the goal, of the largest cosine with a token of the action, as in ColBERT.

PyTorch is an extra: it is imported when it is needed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Union

import msgspec

from pddl_pipeline.io.files import write_bytes
from pddl_pipeline.io.text_lines import check_readable
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import check_package
from pddl_pipeline.papers.simplan.pairs import WORDS, Header

SCRATCH: Final = "scratch"
WIDTH: Final = 64
_HEADS: Final = 4
_LAYERS: Final = 4
_PLACES: Final = 16
_TIMES: Final = 64
_TAGS: Final = ("<INITIAL>", "<GOAL>", "<ACTION>")
_NEW: Final = "_"
"""Stands for all frames that training does not have."""
_PHRASE: Final = re.compile(r"(?=<(?:INITIAL|GOAL|ACTION)>)")
_GAPS: Final = re.compile(r"_( _)+")


check_torch: Final = partial(check_package, "the ranker of simplan", "torch", "ranker")
"""Checks that the library of the encoder is installed."""


@cache
def library(name: str) -> Any:
    """Return an optional library.

    Raises:
        EngineError: it is not installed.
    """
    check_torch()
    check_package("a pretrained encoder", name)
    return import_module(name)


class SmallTransformer:
    """A small transformer without pretraining.

    A token is the name of an object, or all other words of a phrase together: its frame. Facts have
    no order, and there may be more of them than in training: the place of a name is counted within
    its phrase, and only past actions are numbered. The layers alternate: one attends to the tokens
    of the phrase, the next one to the same name in all phrases, and from frame to frame.
    """

    def __init__(self, names: Iterable[str], frames: Iterable[str]) -> None:
        """Make an untrained encoder of these names and frames."""
        nn = library("torch").nn
        self._names = dict.fromkeys(names)
        self._numbers = {each: n for n, each in enumerate(("", *self._names, _NEW, *frames))}
        layers = [
            nn.TransformerEncoderLayer(
                WIDTH, _HEADS, 2 * WIDTH, dropout=0.0, batch_first=True, norm_first=True
            )
            for _ in range(_LAYERS)
        ]
        self.modules = nn.ModuleDict(
            {
                "tokens": nn.Embedding(len(self._numbers), WIDTH),
                "places": nn.Embedding(_PLACES, WIDTH),
                "times": nn.Embedding(_TIMES, WIDTH),
                "layers": nn.ModuleList(layers),
                "out": nn.Linear(WIDTH, WIDTH),
            }
        )
        # Each epoch encodes the same texts again.
        self._known: dict[str, list[_Token]] = {}

    def encode(self, texts: Sequence[str]) -> tuple[Any, Any]:
        """Return unit vectors, of shape (texts, tokens, width), and which tokens exist."""
        torch, parts = library("torch"), self.modules
        rows = list(map(self._tokens, texts))
        longest = max(map(len, rows))
        # The phrase -1 belongs to no token.
        padded = [row + [(0, 0, 0, -1)] * (longest - len(row)) for row in rows]
        device = parts["out"].weight.device
        tokens, places, times, phrases = torch.tensor(padded, device=device).unbind(-1)
        found = parts["tokens"](tokens) + parts["places"](places) + parts["times"](times)
        # All frames get one number, so that a layer joins frame with frame.
        names = tokens.masked_fill(tokens > len(self._names), len(self._names) + 1)
        # True hides a token: one mask for tokens of other phrases, one for other names; PyTorch
        # wants one for each head.
        masks = [
            (every[:, :, None] != every[:, None, :]).repeat_interleave(_HEADS, 0)
            for every in (phrases, names)
        ]
        for number, layer in enumerate(parts["layers"]):
            found = layer(found, src_mask=masks[number % len(masks)])
        return torch.nn.functional.normalize(parts["out"](found), dim=-1), phrases >= 0

    def _tokens(self, text: str) -> list[_Token]:
        if text not in self._known:
            time, found = 0, list[_Token]()
            for at, phrase in enumerate(phrases_of(text)):
                time = min(time + 1, _TIMES - 1) if phrase.startswith(_TAGS[-1]) else 0
                for place, token in enumerate(_split(phrase, self._names)):
                    number = self._numbers.get(token, self._numbers[_NEW])
                    # Later places, as later times, share the last row of their table.
                    found.append((number, min(place, _PLACES - 1), time, at))
            self._known[text] = found
        return self._known[text]


_Token = tuple[int, int, int, int]
"""Number; place, 0 for a frame, else that of the name in its phrase; time, the number of a past
action, 0 for other phrases; phrase."""


def phrases_of(text: str) -> list[str]:
    """Return the phrases of a text, each with its tag."""
    return [each.strip() for each in _PHRASE.split(text) if each.strip()]


def frames_of(texts: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the frames of all phrases of texts."""
    phrases = {phrase for text in texts for phrase in phrases_of(text)}
    return sorted({_split(each, names)[0] for each in phrases})


def _split(phrase: str, names: Collection[str]) -> list[str]:
    """Return the frame of a phrase, with gaps for names, and the names."""
    words = WORDS.findall(phrase)
    frame = " ".join("_" if word in names else word for word in words)
    return [_GAPS.sub("_", frame), *(word for word in words if word in names)]


class Pretrained:
    """An encoder of the library transformers, such as that of Flan-T5, with a projection."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        torch = library("torch")
        self._tokenizer = tokenizer
        tokenizer.add_tokens(list(_TAGS), special_tokens=True)
        model.resize_token_embeddings(len(tokenizer))
        encoder = model.get_encoder() if hasattr(model, "get_encoder") else model
        out = torch.nn.Linear(model.config.hidden_size, 2 * WIDTH)
        self.modules = torch.nn.ModuleDict({"encoder": encoder, "out": out})

    def encode(self, texts: Sequence[str]) -> tuple[Any, Any]:
        """Return the vectors of tokens; see `SmallTransformer.encode`."""
        torch, parts = library("torch"), self.modules
        read = self._tokenizer(list(texts), return_tensors="pt", padding=True)
        read = read.to(parts["out"].weight.device)
        found = parts["encoder"](read["input_ids"], read["attention_mask"]).last_hidden_state
        mask = read["attention_mask"] > 0
        return torch.nn.functional.normalize(parts["out"](found), dim=-1), mask


Encoder = Union[SmallTransformer, Pretrained]


def interaction(query: tuple[Any, Any], action: tuple[Any, Any]) -> Any:
    """Return the scores, of shape (queries, actions): sums of largest cosines."""
    (left, is_left), (right, is_right) = query, action
    found = (left.flatten(0, 1) @ right.flatten(0, 1).T).view(*left.shape[:2], *right.shape[:2])
    # The least cosine, which padding must not exceed.
    best = found.masked_fill(~is_right, -1.0).amax(-1)
    return (best * is_left[..., None]).sum(1)


RANKER: Final = "ranker.pt"


def make_encoder(name: str, header: Header, frames: Iterable[str]) -> Encoder:
    """Return an untrained encoder, on the GPU if there is one.

    Args:
        name: `SCRATCH`, or the folder of an encoder of the library transformers.
        header: the header of the pairs.
        frames: the frames that the small transformer knows.

    Raises:
        EngineError: a library is not installed.
        InputError: the pretrained encoder cannot be read.
    """
    if name == SCRATCH:
        found: Encoder = SmallTransformer(header.names, frames)
    elif not Path(name).is_dir():
        raise InputError("no such folder; expected an encoder of transformers", file=name)
    else:
        auto = library("transformers")
        try:
            model, tokenizer = (
                kind.from_pretrained(name, local_files_only=True)
                for kind in (auto.AutoModel, auto.AutoTokenizer)
            )
        except (OSError, ValueError) as error:
            reason = f"is not an encoder of transformers: {error}"
            raise InputError(reason.partition("\n")[0], file=name) from error
        found = Pretrained(model, tokenizer)
    found.modules.to("cuda" if library("torch").cuda.is_available() else "cpu")
    return found


def save(path: Path, header: Header, encoder: Encoder, **rest: Any) -> None:
    """Write a model and plain data, completely or not at all.

    Raises:
        InputError: the file cannot be written.
    """
    stream, weights = io.BytesIO(), encoder.modules.state_dict()
    content = {"header": msgspec.to_builtins(header), "weights": weights, **rest}
    library("torch").save(content, stream)
    write_bytes(path, stream.getvalue())


def load(path: Path) -> tuple[Header, Encoder, dict[str, Any]]:
    """Return the header and the encoder of a model, and everything that `save` wrote.

    Raises:
        EngineError: a library is not installed.
        InputError: the file cannot be read.
    """
    check_readable(path)
    try:
        found = library("torch").load(path, map_location="cpu", weights_only=True)
        header = msgspec.convert(found["header"], Header)
        encoder = make_encoder(found["kind"], header, found["frames"])
        encoder.modules.load_state_dict(found["weights"])
    except (EngineError, InputError):
        raise
    except Exception as error:  # PyTorch raises many kinds for a damaged file
        reason = "is cut off, or no model of this version of simplan train; remove it"
        raise InputError(reason, file=str(path)) from error
    return header, encoder, found
