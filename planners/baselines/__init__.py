"""The papers' baselines, which need no language model: one file each, with a constant BASELINES."""
