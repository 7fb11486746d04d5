"""Judge plans whose tasks have derived predicates or preferences, beside the same plans without.

    python benchmarks/incremental.py

CPU time in this process, from a plan's text to the verdict; the smallest of five measurements. The
closure is that of a graph of 30 nodes, over which a robot moves; with `cut`, each step removes an
edge or adds it again. A preference is a constraint on one of 100 places.
"""

from __future__ import annotations

import random

from clock import best, cpu_of
from rich.console import Console
from rich.table import Table

from pddl_pipeline import read_task
from pddl_pipeline.model.verdict import Status

NODES, STEPS, PREFERENCES = 30, 990, 100
DOMAIN = """(define (domain graph) (:requirements :adl :derived-predicates :constraints)
  (:predicates (edge ?x ?y) (at ?x) (reach ?x ?y)) {rule}
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (edge ?x ?y))
    :effect (and (not (at ?x)) (at ?y)))
  (:action cut :parameters (?x ?y) :precondition (edge ?x ?y) :effect (not (edge ?x ?y)))
  (:action join :parameters (?x ?y) :precondition (not (edge ?x ?y)) :effect (edge ?x ?y)))
"""
RULE = """(:derived (reach ?x ?y)
    (or (edge ?x ?y) (exists (?z) (and (edge ?x ?z) (reach ?z ?y)))))"""
Edges = list[tuple[int, int]]


def ring(size: int) -> Edges:
    """Return a circle of nodes."""
    return [(node, (node + 1) % size) for node in range(size)]


def problem(edges: Edges, size: int, preferences: int = 0) -> str:
    """Return a problem on a graph."""
    constraints = " ".join(
        f"(preference p{node} (at-most-once (at n{node})))" for node in range(preferences)
    )
    return f"""(define (problem p) (:domain graph)
      (:objects {" ".join(f"n{node}" for node in range(size))})
      (:init (at n0) {" ".join(f"(edge n{x} n{y})" for x, y in edges)}) (:goal (and))
      (:constraints (and {constraints})))"""


def seconds_a_step(domain: str, problem_text: str, plan: str) -> float:
    """Return the CPU time of judging a plan, divided by its steps."""
    task = read_task(domain, problem_text)

    def judge() -> None:
        if task.judge(plan).status is not Status.VALID:
            raise SystemExit("a plan is not valid")

    return best(lambda: cpu_of(judge), 5) / plan.count("(")


def main() -> None:
    """Print the table."""
    table = Table(title="Judging, µs of CPU time a step")
    for column in ("task", "without", "with", "ratio"):
        table.add_column(column, justify="left" if column == "task" else "right")
    without, rule = DOMAIN.format(rule=""), DOMAIN.format(rule=RULE)
    walk = "".join(f"(go n{x % NODES} n{(x + 1) % NODES})" for x in range(STEPS))
    rng = random.Random(1)
    more = sorted({(rng.randrange(NODES), rng.randrange(NODES)) for _ in range(60)})
    dense = list(dict.fromkeys([*ring(NODES), *more]))
    rows = [("closure, no edge changes", ring(NODES), walk)]
    for name, edges in (("ring", ring(NODES)), ("dense graph", dense)):
        changed = (rng.choice(edges) for _ in range(STEPS // 2))
        plan = "".join(f"(cut n{x} n{y})(join n{x} n{y})" for x, y in changed)
        rows.append((f"closure, an edge of the {name} changes", edges, plan))
    for name, edges, plan in rows:
        text = problem(edges, NODES)
        times = seconds_a_step(without, text, plan), seconds_a_step(rule, text, plan)
        table.add_row(name, *(f"{each * 1e6:.1f}" for each in times), f"{times[1] / times[0]:.1f}")
    size = PREFERENCES
    walk = "".join(f"(go n{x % size} n{(x + 1) % size})" for x in range(STEPS))
    plain, preferring = (problem(ring(size), size, count) for count in (0, PREFERENCES))
    times = seconds_a_step(without, plain, walk), seconds_a_step(without, preferring, walk)
    ratio = f"{times[1] / times[0]:.1f}"
    table.add_row(f"{size} preferences", *(f"{each * 1e6:.1f}" for each in times), ratio)
    Console().print(table)


if __name__ == "__main__":
    main()
