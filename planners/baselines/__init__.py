"""The papers' baselines that need no language model: one file each, with a constant BASELINES."""
