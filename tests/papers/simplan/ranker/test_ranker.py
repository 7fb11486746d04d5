"""Tests of SimPlan's trained ranker on tiny models; docs/simplan-ranker.md runs here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, check_mistake, json_lines
from page_blocks import check_page, link_checkout
from places import ROOT

from pddl_pipeline.papers.simplan.encoder import SmallTransformer, interaction, load
from pddl_pipeline.papers.simplan.pairs import read_pairs
from pddl_pipeline.papers.simplan.training import Training, mean_precision, train

torch = pytest.importorskip("torch", reason="runs under make test-ranker")
PAIRS, MODEL = "pairs.jsonl", "model"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the files that all tests share."""
    return tmp_path_factory.mktemp("ranker")


@pytest.fixture
def work(place: Path, cli: Cli) -> Path:
    """Return the folder with ferries, their pairs, and a model of one epoch."""
    if not (place / PAIRS).exists():
        for line in (
            ("generate", "ferry", "--size", "2-3", "--count", "6", "-o", "ferry.jsonl"),
            ("simplan", "data", "ferry.jsonl", "-o", PAIRS, "--permutations", "2"),
            ("simplan", "train", PAIRS, "-o", MODEL, "--epochs", "1"),
        ):
            done = cli(*line, cwd=place)
            assert done.status == 0, done.err
        assert done.out.startswith("ferry: MAP@100 0.")
        first = (place / "ferry.jsonl").read_text().splitlines()[:2]
        (place / "two-ferries.jsonl").write_text("\n".join(first))
    return place


def weights(folder: Path) -> dict[str, Any]:
    return load(folder / "checkpoint.pt")[1].modules.state_dict()


def test_scores_are_sums_of_largest_cosines() -> None:
    """Two queries and two actions with vectors in the plane; the last token of one is padding."""
    queries = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.6, 0.8], [1.0, 0.0]]])
    actions = torch.tensor([[[1.0, 0.0], [0.0, -1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    is_query = torch.tensor([[True, True], [True, False]])
    is_action = torch.tensor([[True, True], [True, False]])
    found = interaction((queries, is_query), (actions, is_action))
    assert torch.allclose(found, torch.tensor([[1.0, 1.0], [0.6, 0.8]]))


def test_the_order_of_facts_and_padding_make_no_difference() -> None:
    torch.manual_seed(0)
    encoder = SmallTransformer(["a", "b"], ["<INITIAL> _ is on _", "<GOAL> _ is clear"])
    facts = ["<INITIAL> a is on b", "<INITIAL> b is on a", "<GOAL> a is clear"]
    texts = [" ".join(facts), " ".join(facts[::-1]), facts[0]]
    action = encoder.encode(["<GOAL> b is clear"])
    first, second, short = interaction(encoder.encode(texts), action)[:, 0]
    assert torch.isclose(first, second)
    assert torch.isclose(short, interaction(encoder.encode(texts[2:]), action)[0, 0])
    new = interaction(encoder.encode([facts[2] + " <ACTION> drop a"]), action)  # a new frame
    assert torch.isfinite(new).all()


def test_an_interrupted_training_ends_like_another(work: Path, tmp_path: Path) -> None:
    header, splits = read_pairs(work / PAIRS)
    for epochs in (1, 2):
        first = [*train(header, splits, tmp_path / "two", Training(epochs=epochs))]
    both = [*train(header, splits, tmp_path / "one", Training(epochs=2))]
    assert both[-len(first) :] == first
    ends = weights(tmp_path / "one"), weights(tmp_path / "two")
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in ends[0])
    report = json.loads((tmp_path / "one" / "training.json").read_text())
    assert [each["epoch"] for each in report["results"]] == [1, 2]
    assert (tmp_path / "one" / "curve.png").read_bytes().startswith(b"\x89PNG")
    _, encoder, _ = load(tmp_path / "one" / "ranker.pt")
    best = max(each["map"] for each in report["results"])
    assert mean_precision(encoder, splits["dev"]) == pytest.approx(best)


def test_every_planner_with_rewards_uses_the_model(work: Path, cli: Cli) -> None:
    lines = [
        ("--planner", f"{name}:reward=ranker,path={MODEL}") for name in ("simplan", "rap", "cats")
    ]
    words = (word for line in lines for word in line)
    done = cli("run", "two-ferries.jsonl", *words, "-o", "runs", "--time-limit", "60s", cwd=work)
    assert done.status == 0, done.out
    runs = json_lines(work / "runs" / "runs.jsonl")
    assert len(runs) == 6
    assert {run["outcome"] for run in runs} <= {"plan-found", "gave-up"}
    assert all(run["outcome"] == "plan-found" for run in runs if run["planner"].startswith("simp"))


def test_mistakes(work: Path, cli: Cli) -> None:
    cut = work / "cut"
    cut.mkdir()
    (cut / "checkpoint.pt").write_bytes((work / MODEL / "checkpoint.pt").read_bytes()[:5000])
    (cut / "ranker.pt").write_bytes((work / MODEL / "ranker.pt").read_bytes()[:5000])
    header, first, *rest = (work / PAIRS).read_text().splitlines()
    other = header.replace('"ferry"', '"boat"')
    for name, lines in {
        "two": (header, first, other), "none": (), "dev": (header, first),
        "header": (first,), "fewer": (header, *rest[:-1]),
    }.items():  # fmt: skip
        (work / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    for pairs, folder, message in (
        ("two.jsonl", "new", "two.jsonl:3: found a pair without a header, or another header"),
        ("none.jsonl", "new", "none.jsonl: found no pairs of the split train"),
        ("dev.jsonl", "new", "dev.jsonl: found no pairs of the split"),
        ("header.jsonl", "new", "header.jsonl:1: found a pair without a header"),
        ("fewer.jsonl", MODEL, "checkpoint.pt: is of other pairs or options"),
        (PAIRS, "new --encoder t5", "t5: no such folder"),
        (PAIRS, "cut", "checkpoint.pt: is cut off, or no model of this version"),
    ):
        check_mistake(cli("simplan", "train", pairs, "-o", *folder.split(), cwd=work), message)
    assert not (work / "new").exists()
    blocks = ROOT / "pddl_domains" / "blocksworld"
    problem = (ROOT / "pddl_domains" / "ferry" / "p01.pddl").read_text()
    (work / "many.pddl").write_text(problem.replace("c0", "c99"))
    ferry = ROOT / "pddl_domains" / "ferry" / "domain.pddl"
    for domain, file, model, message in (
        (blocks / "domain.pddl", blocks / "p01.pddl", MODEL, "with other actions: ferry"),
        (ferry, "many.pddl", MODEL, "the model does not know the object '"),
        (ferry, "many.pddl", "cut", "ranker.pt: is cut off, or no model"),
    ):
        planner = f"simplan:reward=ranker,path={model}"
        done = cli("solve", domain, file, "--planner", planner, cwd=work)
        assert (done.status, done.out, message in done.err) == (2, "", True), done.err


def test_an_encoder_of_transformers_is_trained(work: Path, tmp_path: Path, cli: Cli) -> None:
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    words = (work / PAIRS).read_text().replace('"', " ").split()
    model = tokenizers.models.WordLevel({w: n for n, w in enumerate(["<unk>", *{*words}])}, "<unk>")
    plain = tokenizers.Tokenizer(model)
    plain.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=plain)
    fast.add_special_tokens({"pad_token": "<unk>"})
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    config = transformers.T5Config(vocab_size=len(fast), **sizes, decoder_start_token_id=0)
    for each in (transformers.T5Model(config), fast):
        each.save_pretrained(tmp_path / "t5")
    line = ("simplan", "train", work / PAIRS, "-o", MODEL, "--epochs", "1", "--encoder", "t5")
    done = cli(*line)
    assert done.status == 0, done.err
    planner = f"simplan:reward=ranker,path={MODEL},predictions=5"
    done = cli("run", work / "two-ferries.jsonl", "--planner", planner, "-o", "runs")
    assert done.status == 0, done.err


def test_the_page_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "simplan-ranker.md").read_text()
    check_page(page, link_checkout(tmp_path))
