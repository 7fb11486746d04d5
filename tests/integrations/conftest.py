"""reasoning-gym comes with a package that must be compiled: without it, its tests are left out."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("reasoning_gym") else ["test_reasoning_gym.py"]
