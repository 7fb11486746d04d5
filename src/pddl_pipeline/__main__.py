"""Runs ``pddl-pipeline`` as ``python -m pddl_pipeline``."""

from pddl_pipeline.cli.main import main

if __name__ == "__main__":
    main()
