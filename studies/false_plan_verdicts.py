"""Write what validators say of each false plan of ENHSP in the stored runs of Countdown.

Usage (VAL's Validate on the PATH): python studies/false_plan_verdicts.py \
    > studies/countdown/results/false-plans/verdicts.csv
"""

from __future__ import annotations

import csv
import sys
from fractions import Fraction

from pddl_pipeline.papers.countdown import transition_data, zeros
from pddl_pipeline.papers.countdown.transition_data import read_runs, store_file
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.validation.opinions import open_validators
from pddl_pipeline.validation.task import Task

VALIDATORS = ("val", "kairos", "up")
STUDIES = {"transition": transition_data.read_cases, zeros.STORE: zeros.read_cases}


def least_tolerance(task: Task, plan: str) -> str:
    """Return the least power of ten, up to 1, with which the validator accepts a plan."""
    powers = (Fraction(10) ** -places for places in reversed(range(31)))
    accepted = (x for x in powers if task.judge(plan, tolerance=x).status.is_valid)
    return next((f"{float(power):.0e}" for power in accepted), "none")


def main() -> None:
    """Print a row for each false plan."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["study", "instance", "size", "exact", *VALIDATORS, "tolerance"])
    for study, read_cases in STUDIES.items():
        cases = read_cases()
        instances = {case.instance.id: case.instance for case in cases}
        for run in zeros.false_plans(read_runs(cases, store_file(study))):
            result, plan = run.result, "\n".join(run.result.plan or ())
            problem, task = translate_and_read(instances[result.id])
            texts = problem.domain_pddl, problem.problem_pddl
            judges = open_validators(VALIDATORS, *texts, task)
            opinions = [judges[name].judge(plan).status for name in VALIDATORS]
            exact = task.judge(plan).status
            row = [study, result.id, result.size, exact, *opinions, least_tolerance(task, plan)]
            writer.writerow(row)


if __name__ == "__main__":
    main()
