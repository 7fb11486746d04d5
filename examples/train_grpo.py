"""Train a tiny model with random weights by TRL's GRPO, without a network or a GPU.

Needs torch, transformers, trl and matplotlib. Writes the mean reward of each step as a picture.
The loop works; twenty steps from random weights teach nothing that counts.
"""

import sys

from datasets import Dataset
from matplotlib import pyplot as plt
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from pddl_pipeline import load_records, read_task, translate
from pddl_pipeline.integrations.rows import plan_rows
from pddl_pipeline.integrations.trl import plan_reward

STEPS, LENGTH = 20, 6
data, picture = sys.argv[1:]

# The rows have the columns `prompt` and `record`, which `plan_reward` reads.
rows = plan_rows(data=data, style="io")
words = {word for row in rows for word in row["prompt"].split()}
for instance in load_records(data):
    problem = translate(instance)
    task = read_task(problem.domain_pddl, problem.problem_pddl)
    words |= {str(step) for step, _ in task.successors(task.initial_state())}

# Each word of the prompts is a token, and so is each step of a plan.
special = ["<pad>", "<eos>", "<unk>"]
vocabulary = {word: number for number, word in enumerate([*special, *sorted(words)])}
words_of = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
words_of.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=words_of, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
)
model = LlamaForCausalLM(
    LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, pad_token_id=0, eos_token_id=1, bos_token_id=1,
    )
)  # fmt: skip
settings = GRPOConfig(
    output_dir=f"{picture}.model", max_steps=STEPS, per_device_train_batch_size=16,
    num_generations=8, max_completion_length=LENGTH, learning_rate=1e-3, use_cpu=True, bf16=False,
    logging_steps=1, save_strategy="no", report_to="none", seed=1,
)  # fmt: skip
trainer = GRPOTrainer(
    model=model, processing_class=tokenizer, args=settings, train_dataset=Dataset.from_list(rows),
    reward_funcs=plan_reward,
)  # fmt: skip
trainer.train()
means = [each["reward"] for each in trainer.state.log_history if "reward" in each]
plt.plot(range(1, len(means) + 1), means, marker="o")
plt.xlabel("step")
plt.ylabel("mean reward")
plt.savefig(picture)
print(f"{len(means)} steps, mean reward {means[0]:.3f} to {means[-1]:.3f}")
