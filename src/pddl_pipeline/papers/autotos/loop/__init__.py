"""The AutoToS loop: a language model writes `succ` and `isgoal`, checks answer with feedback.

After Cao et al. 2024, section 4. `loop` has the steps, `experiment` runs and stores them,
`published_log` reads the conversations that IBM/AutoToS publishes, and `evaluation` applies
accepted functions to a dataset.
"""
