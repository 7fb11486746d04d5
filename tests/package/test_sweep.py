"""The sweep of PDDL files: what it pairs, reads, refuses and resumes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import write_script
from places import ROOT

from pddl_pipeline.pddl_domains import domain_folder

BLOCKS = domain_folder("blocksworld")
DOMAIN, PROBLEM = ((BLOCKS / name).read_text() for name in ("domain.pddl", "p01.pddl"))
FILES = {
    "set/domains/domain-1.pddl": DOMAIN,
    "set/domains/domain-2.pddl": DOMAIN,
    "set/instances/instance-1.pddl": PROBLEM,
    "set/instances/instance-2.pddl": PROBLEM.replace("(:goal", "(:aim"),
    "set/instances/alone.pddl": "(define (problem p) (:domain other))",
    # Programs in place of VAL's: a count of errors, an end by a signal, and none in time.
    "Parser": '#!/bin/sh\necho "Errors: 1, warnings: 0"; echo "x: Error: aim"\n',
    "Validate": "#!/bin/sh\nkill -11 $$\n",
    "Slow": "#!/bin/sh\nexec sleep 60\n",
}


@pytest.mark.long
def test_sweep(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write_script(tmp_path / name, text)
    instances = tmp_path / "set" / "instances"

    def sweep(options: str, lines: str = "lines") -> str:
        command = [sys.executable, ROOT / "benchmarks" / "sweep.py", "set", "--lines", lines]
        return subprocess.run(
            [*command, *options.split()], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout

    programs = f"--val {tmp_path}/Validate --val-parser {tmp_path}/Parser"
    printed = sweep(f"{programs} --fast-downward --memory-gb 8")
    assert printed.startswith("set: 3 problems, 1 no domain, 1 read, 1 refused\n")
    assert "1 refused: unknown section …\n    1 in set/instances: instance-2" in printed
    before = (tmp_path / "lines").read_text()
    found = {Path(x["problem"]).stem: x for x in map(json.loads, before.splitlines())}
    second = found["instance-2"]
    assert Path(found["instance-1"]["domain"]).name == "domain-1.pddl"
    assert found["instance-1"]["ours"]["status"] == "read"
    assert "unknown section ':aim'" in second["ours"]["note"]
    assert (second["val"]["status"], second["val"]["note"]) == ("crash", "signal 11")
    assert second["val-parser"]["note"] == "x: Error: aim"
    assert second["fast-downward"]["status"] == "refused"
    assert found["alone"]["ours"]["status"] == "no domain"
    assert sweep("").startswith("set: 3 problems, 1 no domain, 1 read, 1 refused")
    assert (tmp_path / "lines").read_text() == before
    (instances / "instance-2.pddl").write_text(PROBLEM)
    assert sweep("--again").startswith("set: 3 problems, 2 read, 1 no domain")
    sweep(f"--val {tmp_path}/Slow --peers-sample 1 --time-limit 1", "slow")
    slow = [
        json.loads(line).get("val", {}) for line in (tmp_path / "slow").read_text().splitlines()
    ]
    assert "slow" in [each.get("status") for each in slow]
