"""TRL trains tiny models: by the tutorial in docs/train-with-rewards.md, on all shapes of rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from places import ROOT

from pddl_pipeline.integrations.trl import plan_reward

if TYPE_CHECKING:
    from command_line import Cli

trl, transformers, tokenizers, datasets = (
    pytest.importorskip(name, reason="runs under make test-ranker")
    for name in ("trl", "transformers", "tokenizers", "datasets")
)


def test_twenty_steps_and_their_curve(cli: Cli, tmp_path: Path) -> None:
    assert cli("generate", "ferry", "--size", "3", "-o", "ferry.jsonl", cwd=tmp_path).status == 0
    command = [sys.executable, ROOT / "examples" / "train_grpo.py", "ferry.jsonl", "curve.png"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert "20 steps, mean reward 0." in done.stdout, done.stderr
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


NUMBERS = {"nums": [3, 4, 5, 6], "target": 24}
RECORD = {"domain": "blocksworld", "init": [["a", "b"]], "goal": [["on", "a", "b"]]}
SHAPES: dict[str, dict[str, Any]] = {
    "fields": NUMBERS,
    "fields of a record": RECORD,
    "record": {"record": RECORD},
    "record as JSON": {"record": json.dumps(RECORD)},
    "verl": {"reward_model": {"style": "rule", "ground_truth": NUMBERS}},
    "extra_info": {"extra_info": {"index": 1, **NUMBERS}},
    "24.csv": {"Rank": 1, "Puzzles": "3 4 5 6"},
}
ASKED = {"text": "Make 24.", "messages": [{"role": "user", "content": "Make 24."}]}


@pytest.mark.filterwarnings("ignore::FutureWarning")  # TRL uses what transformers deprecates
@pytest.mark.parametrize("prompt", ASKED)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_step_ends_with_each_shape_of_a_dataset(
    shape: str, prompt: str, tmp_path: Path
) -> None:
    special = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
    words = {word: number for number, word in enumerate([*special.values(), "Make", "24."])}
    tokens = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, special["unk_token"]))
    tokens.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, **special)
    tokenizer.chat_template = "{% for each in messages %}{{ each['content'] }} {% endfor %}"
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=1, pad_token_id=0, eos_token_id=1, bos_token_id=1,
    ))  # fmt: skip
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path), max_steps=1, per_device_train_batch_size=2,
            num_generations=2, max_completion_length=2, use_cpu=True, bf16=False, logging_steps=1,
            save_strategy="no", report_to="none",
        ),
        train_dataset=datasets.Dataset.from_list([{"prompt": ASKED[prompt], **SHAPES[shape]}] * 2),
        reward_funcs=plan_reward,
    )  # fmt: skip
    trainer.train()
    assert [each["reward"] for each in trainer.state.log_history if "reward" in each] == [0]
