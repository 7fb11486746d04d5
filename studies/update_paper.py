"""Write the numbers and the figures of the paper from the stored runs, and the paper as a PDF.

``python studies/update_paper.py`` writes ``paper/numbers.json``, the figures, the tables of runs of
other planners and of mixing, and the parts of the page on them; with a file name, also the PDF. A
test computes all of these again. Shares have Clopper and Pearson's intervals.
"""

from __future__ import annotations

import csv
import io
import json
import re
import runpy
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from pddl_pipeline.model.operations import combine
from pddl_pipeline.papers.countdown import transition_data as data
from pddl_pipeline.papers.countdown import zeros
from pddl_pipeline.papers.countdown.accuracy import side_by_side
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.papers.study import Chart, Point
from pddl_pipeline.statistics.differences import LEVEL, exact_interval, odds_ratio
from pddl_pipeline.tables.text_table import NO_NUMBER

FOLDER: Final = Path(__file__).parent
PAPER: Final = FOLDER / "paper"
RESULTS: Final = FOLDER / "countdown" / "results"
NUMBERS: Final = PAPER / "numbers.json"
OTHERS: Final = FOLDER / "other_planners.py"
LATER: Final = FOLDER / "later_rounds.py"
MIXING: Final = FOLDER / "mixing.py"
PAGE: Final = FOLDER.parent / "docs" / "reproduction" / "countdown-transition.md"
ARM: Final = data.ARMS[-1]
LATE: Final = 16
TOLERANCE: Final = Fraction(1, 10**5)
_LONGEST: Final = 9
_PROTOCOLS: Final = "../../studies/countdown"
Runs = Sequence[StoredRun]


def share(count: int, of: int) -> dict[str, Any]:
    """Return a share in numbers and words."""
    ends = exact_interval(count, of, 0.95) if of else ()
    interval = " to ".join(f"{100 * end:.1f}" for end in ends) or "-"
    return {"count": count, "of": of, "text": f"{count} of {of}", "interval": interval}


def claims(runs: Runs) -> list[StoredRun]:
    """Return the runs with a claimed plan."""
    return [run for run in runs if run.result.claimed]


def false_share(runs: Runs) -> dict[str, Any]:
    """Return the share of false ones among claimed plans."""
    return share(sum(run.is_false for run in runs), len(claims(runs)))


def hours(runs: Runs) -> str:
    """Return the CPU time of runs."""
    return f"{sum(run.result.cpu_s for run in runs) / 3600:.1f}"


def studies() -> tuple[list[data.Case], list[StoredRun], list[StoredRun]]:
    """Return the instances of both studies, and the stored runs of each."""
    cases, new = data.read_cases(), zeros.read_cases()
    first = data.read_runs(cases, data.store_file())
    return [*cases, *new], first, data.read_runs(new, data.store_file(zeros.STORE))


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a stored table."""
    with (RESULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numbers() -> dict[str, Any]:
    """Return all numbers of the paper."""
    cases, first, fresh = studies()
    arms = {case.instance.id: case.arm for case in cases}
    own = {"first": data.runs_of(data.ENHSP, first), "fresh": data.runs_of(data.ENHSP, fresh)}
    every = [run for runs in own.values() for run in runs]
    small = [run for run in every if arms[run.result.id] == ARM]
    exact = [run for run in zeros.exact_plans(fresh) if run.result.size in zeros.SIZES[data.EXACT]]
    on_the_way = {id(run): zeros.values_on_the_way(run) for run in (*claims(every), *exact)}
    false = [run for run in every if run.is_false]
    fresh_false = [run for run in own["fresh"] if run.is_false]
    late = [run for run in every if run.result.size >= LATE]
    phases = [
        {
            "name": phase.name,
            "claims": share(len(claims(at)), len(at)),
            "valid": share(sum(run.result.solved for run in at), len(claims(at))),
        }
        for phase in data.PHASES[1:]
        if (at := [run for run in small if run.result.size in phase.sizes])
    ]
    shares = [part["claims"][name] for part in phases[::-1] for name in ("count", "of")]
    ratio, ends = odds_ratio(*shares)
    return {
        "tolerance": "1e-5",
        "enhsp_runs": len(every),
        "first": {"runs": len(first), "hours": hours(first), "false": false_share(own["first"])},
        "fresh": {
            "runs": len(fresh), "enhsp_runs": len(own["fresh"]), "hours": hours(fresh),
            "planned": len(zeros.planned_runs(zeros.read_cases())),
            "false": false_share(own["fresh"]),
        },
        "pooled": false_share(every),
        "arms": {
            arm: {"runs": sum(arms[run.result.id] == arm for run in every),
                  "claimed": len(claims([x for x in every if arms[x.result.id] == arm]))}
            for arm in data.ARMS
        },
        "late": {"size": LATE, "pooled": false_share(late),
                 "below": false_share([run for run in every if run not in late]),
                 "fresh": false_share([run for run in own["fresh"] if run in late])},
        "phases": phases,
        "odds_ratio": f"{ratio:.2f} ({ends.low:.2f} to {ends.high:.2f})",
        "by_size": [
            {"size": size, "runs": len(at), "claimed": len(claims(at)), "false": false_share(at)}
            for size in sorted({run.result.size for run in small})
            if (at := [run for run in small if run.result.size == size])
        ],
        "kinds": {
            name: dict(Counter(map(zeros.kind_of, runs)))
            for name, runs in (
                ("false", false), ("valid", [run for run in claims(every) if not run.is_false]),
            )
        },
        "tiny": share(sum(any(map(zeros.is_tiny, on_the_way[id(x)])) for x in fresh_false),
                      len(fresh_false)),
        "divided": share(sum(map(_is_made_by_division, fresh_false)), len(fresh_false)),
        "without_zero": share(sum(0 not in on_the_way[id(run)] for run in exact), len(exact)),
        "settings": [
            {"name": solver.label, "runs": len(runs), "claimed": len(claims(runs)),
             "false": false_share(runs),
             "default_false": len({x.result.id for x in runs} & {x.result.id for x in false})}
            for solver in (data.STRICT, data.ZERO, data.RATIONAL, data.CHECKED)
            if (runs := data.runs_of(solver, first))
        ],
        "kind_rows": [list(row) for row in zeros.kind_table([*first, *fresh]).rows],
        "planned": planned_runs(),
        "example": example(min(false, key=lambda run: run.result.size)),
        **validators(),
        "ipc": numeric_domains(),
        "planners": other_planners(),
        "planners_planned": len(runpy.run_path(str(OTHERS))["planned_runs"]()),
        "mixing": mixing(),
        "later_rounds": later_rounds(),
    }  # fmt: skip


def _is_made_by_division(run: StoredRun) -> bool:
    """Return whether the first value of a plan that is nearly zero is a quotient."""
    made = (action for action, value in zeros.steps_on_the_way(run) if zeros.is_tiny(value))
    return next(made, "") == "divide"


def planned_runs() -> list[dict[str, Any]]:
    """Return the instances of each size of the second study, with limits and solvers."""
    planned = zeros.planned_runs(zeros.read_cases())
    found = []
    for size in sorted({run.instance.size for run in planned}):
        own = [run for run in planned if run.instance.size == size]
        found.append({
            "size": size, "instances": len({run.instance.id for run in own}),
            "cpu_s": round(own[0].limits.cpu_s or 0),
            "solvers": " and ".join(dict.fromkeys(
                {data.ENHSP.planner: "ENHSP", data.EXACT.planner: "search"}[x.planner] for x in own
            )),
        })  # fmt: skip
    return found


def example(run: StoredRun) -> dict[str, Any]:
    """Return the steps of a plan with their exact values, and how far it misses the target."""
    board: dict[str, Any] = {f"n{at}": x for at, x in enumerate(run.record["numbers"], start=1)}
    steps = []
    for action, one, other in re.findall(
        r"\((\S+) (\S+) (\S+)\)", "\n".join(run.result.plan or ())
    ):
        first, second = board[one], board.pop(other)
        board[one] = combine(action, first, second)
        sign = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}[action]
        steps.append(
            {"step": f"{_operand(first)} {sign} {_operand(second)}", "value": _short(board[one])}
        )
    target = run.record["target"]
    (last,) = board.values()
    miss = _short(abs(Fraction(last) - target))
    return {"numbers": run.record["numbers"], "target": target, "steps": steps, "miss": miss}


def _short(number: Any) -> str:
    """Return a number as it is if it is short, else eight digits, or three if it is small."""
    text = str(number)
    if len(text) <= _LONGEST:
        return text
    return f"{float(number):{'.8g' if number >= 1 else '.3g'}}".replace("e-0", "e-")


def _operand(number: Any) -> str:
    text = _short(number)
    return f"({text})" if "/" in text else text


def validators() -> dict[str, Any]:
    """Return the verdicts of validators on the false plans, and the tolerances that accept them."""
    found = rows("false-plans/verdicts.csv")
    names = {"val": "VAL 3c7a1f3", "kairos": "Kairos 1.0.6", "up": "Unified Planning 1.3.0",
             "exact": "pddl-pipeline"}  # fmt: skip
    counts = sorted(Counter(Fraction(row["tolerance"]) for row in found).items())
    totals = accumulate(count for _, count in counts)
    verdicts = [
        {"name": name, **share(sum(row[column] == "valid" for row in found), len(found))}
        for column, name in names.items()
    ]
    verdicts[-1]["interval"] = "by definition"
    return {
        "validators": verdicts,
        "tolerances": [
            {"tolerance": f"{float(power):.0e}".replace("e-0", "e-"), "accepted": total}
            for (power, _), total in zip(counts, totals, strict=True)
        ],
    }


def numeric_domains() -> dict[str, Any]:
    """Return the claims of ENHSP on the numeric domains of the competition."""
    found = rows("numeric-ipc/claims.csv")
    claimed = [row for row in found if row["outcome"] == "plan-found"]
    return {
        "runs": len(found),
        "domains": len({row["domain"] for row in found}),
        "claimed_domains": len({row["domain"] for row in claimed}),
        "false": share(sum(row["verdict"] != "valid" for row in claimed), len(claimed)),
        "at_limit": sum(row["outcome"] == "timeout" for row in found),
        "distances": distances(),
    }


def distances() -> dict[str, Any]:
    """Return the distances of the comparisons of these plans from their bounds."""
    found = [row for row in rows("numeric-ipc/distances.csv") if row["comparisons"]]
    above = [Fraction(row["least"]) for row in found if row["least"]]
    return {
        "plans": len(found),
        "valid": sum(row["valid"] == "True" for row in found),
        "comparisons": f"{sum(int(row['comparisons']) for row in found):,}",
        "at_bound": sum(row["at bound"] != "0" for row in found),
        "near": sum(distance <= TOLERANCE for distance in above),
        "least": f"{float(min(above)):g}",
    }


def other_planners() -> list[dict[str, Any]]:
    """Return the claims of other planners on the instances of the second study."""
    script = runpy.run_path(str(OTHERS))
    runs = script["stored_runs"]()
    return [
        {
            "name": {"kairos": "Kairos", "tamer": "Tamer"}[planner], "runs": len(own),
            "claimed": len(claims(own)), "false": false_share(own),
            "kinds": dict(Counter(zeros.kind_of(run) for run in own if run.is_false)),
        }
        for planner in script["PLANNERS"]
        if (own := [run for run in runs if run.result.planner == planner])
    ]  # fmt: skip


def later_rounds() -> dict[str, Any]:
    """Return the test of the rounds that the second study planned and did not run."""
    script = runpy.run_path(str(LATER))
    runs, p = script["found"]()
    false = [run for run in runs if run.is_false]
    known = [x for x in data.runs_of(data.ENHSP, studies()[2]) if x.result.size in script["SIZES"]]
    return {
        "before": false_share(known), "runs": len(runs), "claimed": len(claims(runs)),
        "false": false_share(runs),
        "sizes": " to ".join(str(end({run.result.size for run in runs})) for end in (min, max)),
        "p": float(f"{p:.2g}"), "holds": p <= LEVEL,
        "kinds": dict(Counter(zeros.kind_of(run) for run in false)),
    }  # fmt: skip


def mixing() -> dict[str, Any]:
    """Return the claims of ENHSP in the second domain with division."""
    script = runpy.run_path(str(MIXING))
    found: list[dict[str, Any]] = script["table"]()
    mixtures = {row["instance"]: row for row in found}
    false = script["verdicts_file"]()
    groups = [
        {
            "target": target, "tolerance": tolerance, "runs": len(own),
            "claimed": sum(row["verdict"] != "" for row in own), "false": _false_rows(own),
            "unsolvable": sum(row["outcome"] == "claims-unsolvable" for row in own),
        }
        for target in script["TARGETS"]
        for planner, tolerance in zip(script["PLANNERS"], ("1e-5", "1e-9"), strict=True)
        if (own := [x for x in found if (x["target"], x["planner"]) == (target, planner)])
    ]  # fmt: skip
    default = [row for row in found if row["target"] == "sample" and row["planner"] == "enhsp"]
    strict = [x for x in found if x["target"] == "constant" and x["planner"] == "enhsp-strict"]
    ended = [row for row in strict if row["outcome"] == "claims-unsolvable"]
    solved = [row for row in strict if row["verdict"] == "valid"]
    return {
        "instances": len(mixtures),
        "planned_instances": len(script["read_instances"]()),
        "least": _least_difference(script),
        "planned": len(script["planned_runs"](script["read_instances"]())),
        "runs": len(found), "hours": f"{sum(row['cpu_s'] for row in found) / 3600:.2f}",
        "groups": groups,
        "by_size": [
            {"size": size, "runs": len(own),
             "claimed": sum(row["verdict"] != "" for row in own), "false": _false_rows(own),
             "near": _near(own)}
            for size in script["SIZES"]
            if (own := [row for row in default if row["size"] == size])
        ],
        "near": _near(mixtures.values()),
        "with_near": _false_rows([row for row in default if row["near"]]),
        "single": {
            "without": share(sum(x["single"] == 0 for x in ended), len(ended)),
            "solved_without": share(sum(x["single"] == 0 for x in solved), len(solved)),
        },
        "validators": [
            {"name": name, **share(sum(row[name] == "valid" for row in false), len(false))}
            for name in script["VALIDATORS"]
        ],
    }  # fmt: skip


def _least_difference(script: dict[str, Any]) -> str:
    """Return a bound of the difference of two fractions of mixing: 1 by their greatest masses."""
    size = max(script["SIZES"])
    most = [1 + portions * script["LARGEST"] + script["WATER"] for portions in (size, size // 2)]
    return f"{1 / (most[0] * most[1]):.1e}".replace("e-0", "e-")


def _near(rows: Collection[dict[str, Any]]) -> dict[str, Any]:
    reaching, near = (sum(row[name] for row in rows) for name in ("reaching", "near"))
    return share(near, reaching + near)


def _false_rows(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    verdicts = [row["verdict"] for row in rows if row["verdict"]]
    return share(sum(verdict != "valid" for verdict in verdicts), len(verdicts))


def tables() -> dict[Path, str]:
    """Return the tables of the runs of other planners and of mixing, by file."""
    others, mixed = io.StringIO(), io.StringIO()
    runpy.run_path(str(OTHERS))["write_table"](others)
    script = runpy.run_path(str(MIXING))
    script["write"](script["table"](), mixed)
    return {
        RESULTS / "other-planners" / "claims.csv": others.getvalue(),
        script["CLAIMS"]: mixed.getvalue(),
    }


def page(text: str, found: dict[str, Any]) -> str:
    """Return the page with its parts on other planners and on mixing."""
    parts = {
        "later rounds": _later_part(found["later_rounds"]),
        "planners": _planners_part(found),
        "mixing": _mixing_part(found["mixing"]),
    }
    for name, part in parts.items():
        begin, end = f"<!-- {name} -->\n", "<!-- end -->"
        before, found_begin, rest = text.partition(begin)
        text = f"{before}{found_begin}{part}\n{end}{rest.partition(end)[2]}"
    return text


def _later_part(found: dict[str, Any]) -> str:
    said = "holds" if found["holds"] else "is undecided"
    return _filled(f"""\
Of the rounds that this protocol did not run, the {found["runs"]} instances of {found["sizes"]}
numbers were run on 2026-11-30 ([protocol]({_PROTOCOLS}/protocol-late.md), written when
{found["before"]["text"]} such claims were known to be false): ENHSP claims
{found["claimed"]} plans, {_with(found["false"])} false ({_kinds(found["kinds"])}).
That more than 75 % are false {said}
(exact binomial test, one-sided, p = {found["p"]:g}).""")


def _planners_part(found: dict[str, Any]) -> str:
    made = sum(each["runs"] for each in found["planners"])
    claimed = "; ".join(
        f"{each['name']} claims {each['claimed']} of {each['runs']}"
        + (f", {_with(each['false'])} false" if each["claimed"] else "")
        + (f" ({_kinds(each['kinds'])})" if each["kinds"] else "")
        for each in found["planners"]
    )
    return _filled(f"""\
Other planners on the new instances, 60 s each, {made} of {found["planners_planned"]} planned runs
([protocol]({_PROTOCOLS}/protocol-planners.md)): {claimed}.""")


def _kinds(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _mixing_part(found: dict[str, Any]) -> str:
    rows = ["| target | tolerance | claims | false | says unsolvable |", "|---|---|--:|--:|--:|"]
    rows += [
        f"| {each['target']} | {each['tolerance']} | {each['claimed']} of {each['runs']} | "
        f"{_with(each['false'])} | {each['unsolvable']} |"
        for each in found["groups"]
    ]
    first = next(each["size"] for each in found["by_size"] if each["false"]["count"])
    last = found["by_size"][-1]
    names = {"val": "VAL", "kairos": "Kairos", "up": "Unified Planning"}
    accept = ", ".join(f"{names[each['name']]} {each['text']}" for each in found["validators"])
    single, strict = found["single"], found["groups"][-1]
    said = f"""\
- **At 1e-5, false claims occur here too**, from size {first} on, and {_with(last["false"])} at size
  {last["size"]} (sample). Of all mixtures that 1e-5 accepts, {found["near"]["text"]} miss the
  target, by enumeration; on the instances with such a mixture, {_with(found["with_near"])} claims
  are false.
  Validators accept the false plans of all rows: {accept}.
- **At 1e-9, no claim can be false**: different fractions here differ by at least
  {found["least"]} (in percent, a hundred times that, so 1e-5 would do).
- **A constant target breaks 1e-9**: ENHSP calls {strict["unsolvable"]} of {strict["runs"]}
  instances unsolvable, although each has a plan. No mixture is within 1e-9 of the target's nearest
  32-bit float in {single["without"]["text"]} of these, and in {single["solved_without"]["text"]}
  that it solves."""
    return "\n".join((*rows, "", *(_filled(point) for point in re.split(r"\n(?=- )", said))))


def _filled(text: str) -> str:
    """Return a paragraph, or a point of a list, in lines of the width of the page."""
    indent = "  " if text.startswith("- ") else ""
    return fill(
        " ".join(text.split()), 120, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _with(part: dict[str, Any]) -> str:
    return f"{part['text']} ({part['interval']})" if part["of"] else NO_NUMBER


def charts() -> dict[str, list[Chart]]:
    """Return the charts of each figure."""
    cases, first, fresh = studies()
    arms = {case.instance.id: case.arm for case in cases}
    panels = []
    for solver, title in ((data.ENHSP, "ENHSP"), (data.EXACT, "exact depth-first search")):
        runs = [x for x in data.runs_of(solver, [*first, *fresh]) if arms[x.result.id] == ARM]
        by_size = {size: [x for x in runs if x.result.size == size]
                   for size in sorted({run.result.size for run in runs})}  # fmt: skip
        points = {
            f"{measure} plans": [
                _point(size, sum(getattr(run.result, name) for run in at), len(at))
                for size, at in by_size.items()
            ]
            for measure, name in (("claimed", "claimed"), ("valid", "solved"))
        }
        least, most = min(map(len, by_size.values())), max(map(len, by_size.values()))
        panels.append(
            Chart(
                title, f"size (numbers), n={least} to {most} instances a size",
                "instances (%), 95 % intervals", tuple(side_by_side(points)), bottom=0, top=100,
                sizes=tuple(by_size),
            )
        )  # fmt: skip
    return {"sizes": panels}


def _point(size: int, count: int, number: int) -> Point:
    low, high = exact_interval(count, number, 0.95)
    return Point(size, 100 * count / number, 100 * low, 100 * high)


def compile_paper(target: Path) -> None:
    """Write the paper as a PDF."""
    import typst  # an extra

    typst.compile(str(PAPER / "paper.typ"), output=str(target), root=str(FOLDER))


if __name__ == "__main__":
    from pddl_pipeline.papers.chart_plot import draw  # an extra

    written = numbers()
    NUMBERS.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), written), encoding="utf-8")
    for path, text in tables().items():
        path.write_text(text, encoding="utf-8")
    for figure, panels in charts().items():
        (PAPER / f"{figure}.svg").write_bytes(draw(panels, "svg"))
    for target in sys.argv[1:]:
        compile_paper(Path(target))
