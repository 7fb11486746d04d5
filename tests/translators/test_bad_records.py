"""A fault in a dataset is one line with file, line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_strategies import records

from pddl_pipeline import load_records
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.records import from_record

GOOD: dict[str, dict[str, Any]] = {
    "countdown": {"id": "a", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24},
    "blocksworld": {
        "id": "a",
        "domain": "blocksworld",
        "init": [["b1", "b2"]],
        "holding": None,
        "goal": [["on", "b1", "b2"]],
    },
    "ferry": {
        "id": "a",
        "domain": "ferry",
        "locations": ["l0", "l1"],
        "cars": ["c0"],
        "at": {"c0": "l0"},
        "aboard": None,
        "ferry": "l1",
        "goal": {"c0": "l1"},
    },
    "minigrid": {
        "id": "a",
        "domain": "minigrid",
        "floorplan": ["..L", "..w"],
        "keys": {"key0": {"shape": "shape0", "at": "p1"}},
        "locks": {"p2": "shape0"},
        "robot": "p0",
        "goal": "p2",
    },
    "depots": {
        "id": "a",
        "domain": "depots",
        "places": {"d0": "depot"},
        "trucks": [],
        "hoists": ["h0"],
        "pallets": ["q0", "q1"],
        "crates": ["c0", "c1"],
        "at": {"h0": "d0", "q0": "d0", "q1": "d0"},
        "on": {"c0": "q0", "c1": "c0"},
        "goal": [["on", "c0", "q1"]],
    },
    "grippers": {
        "id": "a",
        "domain": "grippers",
        "robots": {"r1": ["g1"]},
        "rooms": ["x1"],
        "balls": ["b1"],
        "at": {"r1": "x1", "b1": "x1"},
        "goal": {"b1": "x1"},
    },
    "budget-blocksworld": {
        "id": "a",
        "domain": "budget-blocksworld",
        "init": [["b1", "b2"]],
        "holding": None,
        "goal": [["on", "b1", "b2"]],
        "costs": {"pick-up": 1, "unstack": 1, "put-down": 20, "stack": 1},
        "budget": 44,
    },
    "sokoban": {"id": "a", "domain": "sokoban", "map": ["#####", "#@$.#", "#####"]},
}

MISSING = object()

FAULTS = [
    ("countdown", {"numbers": []}, "field 'numbers': found no number, expected at least one"),
    ("countdown", {"numbers": [3, -4]}, "field 'numbers': found -4, expected 0 or more"),
    ("countdown", {"numbers": ["3"]}, "field 'numbers': Expected `int`, got `str` at numbers[0]"),
    ("countdown", {"numbers": [3.5]}, "field 'numbers': Expected `int`, got `float` at numbers[0]"),
    ("countdown", {"numbers": [True]}, "field 'numbers': Expected `int`, got `bool` at numbers[0]"),
    ("countdown", {"target": "24"}, "field 'target': Expected `int`, got `str` at target"),
    ("countdown", {"target": None}, "field 'target': Expected `int`, got `null` at target"),
    ("countdown", {"target": MISSING}, "field 'target' is missing"),
    (
        "countdown",
        {"numbers": MISSING, "nubmers": [1]},
        "field 'nubmers' is unknown; did you mean 'numbers'?",
    ),
    ("countdown", {"domain": "cuntdown"}, "unknown domain 'cuntdown'; did you mean 'countdown'?"),
    ("countdown", {"domain": 7}, "field 'domain': unknown domain '7', known: blocksworld"),
    ("countdown", {"id": ["a"]}, "field 'id': found [\"a\"], expected a text or a number"),
    ("countdown", {"id": True}, "field 'id': found true, expected a text or a number"),
    ("countdown", {"id": " "}, "field 'id' is empty"),
    ("countdown", {"id": "ä" * 201}, "of 201 characters, expected at most 200"),
    ("countdown", {"id": "a\ud800"}, "contains an unpaired surrogate (\\ud800)"),
    ("countdown", {"seed": "x"}, "field 'seed': Expected `int | null`, got `str` at seed"),
    ("blocksworld", {"init": [["b1", "b1"]]}, "field 'init': the name 'b1' is used twice"),
    ("blocksworld", {"init": [["B1", "b2"]]}, "field 'init': found 'B1', expected a name of"),
    ("blocksworld", {"init": [["object"]]}, "field 'init': found 'object', expected a name of"),
    ("blocksworld", {"init": [[]]}, "field 'init': found an empty stack"),
    ("blocksworld", {"init": []}, "field 'init': found no block"),
    ("blocksworld", {"holding": "b1"}, "field 'holding': 'b1' is also in a stack"),
    ("blocksworld", {"goal": [["on", "b1"]]}, "field 'goal': 'on' takes 2 names, found 1"),
    ("blocksworld", {"goal": [["in", "b1"]]}, "field 'goal': found 'in', expected one of on"),
    (
        "blocksworld",
        {"goal": [["clear", "b9"]]},
        "field 'goal': 'b9' is not an object that",
    ),
    ("blocksworld", {"goal": []}, "field 'goal': found no atom, expected at least one"),
    ("ferry", {"at": {}}, "field 'at': 'c0' is missing"),
    ("ferry", {"at": {"c0": "l9"}}, "field 'at': 'l9' is not a location"),
    ("ferry", {"at": {"c0": "l0", "l1": "l0"}}, "field 'at': 'l1' is not expected here"),
    ("ferry", {"at": {"c0": "l0"}, "aboard": "c0"}, "field 'at': 'c0' is not expected here"),
    ("ferry", {"cars": ["l0"]}, "field 'cars': 'l0' is also a location"),
    ("minigrid", {"floorplan": ["..", "."]}, "field 'floorplan': expected rows of the same length"),
    ("minigrid", {"floorplan": ["..x"]}, "field 'floorplan': found row '..x', expected cells"),
    ("minigrid", {"locks": {}}, "field 'locks': 'p2' is missing"),
    ("minigrid", {"robot": "p9"}, "field 'robot': 'p9' is not a place"),
    ("minigrid", {"keys": {"key0": {"at": "p1"}}}, "field 'keys': Object missing required field"),
    (
        "minigrid",
        {"keys": {"key0": {"shape": "shape0", "at": "p1", "colour": "red"}}},
        "field 'keys': Object contains unknown field `colour`",
    ),
    ("ferry", {"cars": ["at"]}, "field 'cars': 'at' is declared by the domain"),
    ("countdown", {"size": -7}, "field 'size': found -7, expected 0 or more"),
    ("countdown", {"optimal_cost": "cheap"}, "field 'optimal_cost': found 'cheap', expected a"),
    ("countdown", {"target": MISSING, "targ\net": 1}, "field 'targ\\net' is unknown"),
    ("depots", {"on": {"c0": "c1", "c1": "c0"}}, "field 'on': 'c0' does not stand on a pallet"),
    (
        "depots",
        {"on": {"c0": "q0", "c1": "q0"}},
        "field 'on': two crates stand on the same surface",
    ),
    ("depots", {"places": {"d0": "shop"}}, "field 'places': Invalid enum value 'shop'"),
    ("grippers", {"rooms": ["g1"]}, "field 'rooms': the name 'g1' is used twice"),
    ("budget-blocksworld", {"costs": {"stack": 1}}, "field 'costs': 'pick-up' is missing"),
    ("budget-blocksworld", {"budget": -1}, "field 'budget': found -1, expected 0 or more, or null"),
    ("budget-blocksworld", {"budget": MISSING}, "field 'budget' is missing"),
    ("sokoban", {"map": []}, "field 'map': found no row"),
    ("sokoban", {"map": ["@$x"]}, "field 'map': found 'x', expected one of"),
    ("sokoban", {"map": ["@$@"]}, "field 'map': found 2 players, expected one"),
    ("sokoban", {"map": ["@."]}, "field 'map': found no stone"),
    ("ferry", {"rules": {}}, "field 'rules': ferry instances cannot have rules"),
    ("countdown", {"rules": {"negative": 1}}, "field 'rules': Object contains unknown field"),
    ("countdown", {"rules": {"negatives": 1}}, "field 'rules': Expected `bool`, got `int`"),
]


def fault_of(tmp_path: Path, content: str | bytes) -> str:
    file = tmp_path / "data.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        list(load_records(file))
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(str(file))
    return text.removeprefix(str(file))


@pytest.mark.parametrize("domain", domain_names())
def test_good_record_is_accepted(domain: str) -> None:
    assert from_record(GOOD[domain]).domain == domain


@pytest.mark.parametrize(("domain", "change", "message"), FAULTS)
def test_wrong_field(tmp_path: Path, domain: str, change: dict[str, Any], message: str) -> None:
    record = {k: v for k, v in (GOOD[domain] | change).items() if v is not MISSING}
    text = fault_of(tmp_path, f"\n{json.dumps(record)}\n")
    place, _, rest = text.partition(": ")
    assert message in rest
    _, line, column = place.split(":")
    assert line == "2"
    field = next(iter(change))
    if field in record:
        assert json.dumps(record)[int(column) - 1 :].startswith(json.dumps(field))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": the file contains no record"),
        (" \n\n", ": the file contains no record"),
        ("numbers", ":1:1: expected a JSON value, found 'n'"),
        ('{"id": "a",', ":1:12: expected "),
        ('[{"id": "a"}]', ": item 1: field 'domain' is missing; --domain NAME"),
        ("7", ":1:1: found no object, expected one JSON object per line"),
        ('{"id": "a", "id": "b"}', ":1:2: field 'id' is given twice"),
        ('{"id": NaN}', ":1: found NaN, which is not JSON"),
        ("[" * 100_000, ": nested too deeply"),
        ('{"id": ' + "[" * 100_000, ":1: nested too deeply"),
        ('{"target": ' + "9" * 5000 + "}", ":1: a number of more than 4300 digits"),
        (b'{"id": "\0"}', ":1:9: expected UTF-8 text, found byte 0x00"),
        (b'{"id": "\xff"}', ":1:9: expected UTF-8 text, found byte 0xff"),
    ],
)
def test_not_a_record_at_all(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert fault_of(tmp_path, content).startswith(message)


def test_id_used_twice_names_the_first_place(tmp_path: Path) -> None:
    line = json.dumps(GOOD["countdown"]) + "\n"
    assert fault_of(tmp_path, line + line).startswith(":2:2: field 'id': 'a' is already used at ")


def test_id_used_in_two_files(tmp_path: Path) -> None:
    files = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for file in files:
        file.write_text(json.dumps(GOOD["countdown"]))
    with pytest.raises(InputError, match="is already used at"):
        list(load_records(*files))


@pytest.mark.parametrize("domain", domain_names())
@given(data=st.data())
def test_no_field_can_be_left_out_or_replaced_unnoticed(domain: str, data: st.DataObject) -> None:
    record = data.draw(records(domain))
    field = data.draw(st.sampled_from(sorted(record.keys() - {"id", "domain"})))
    if field != "holding":  # without it, the hand is empty
        with pytest.raises(FieldFault):
            from_record({name: value for name, value in record.items() if name != field})
    with pytest.raises(FieldFault):
        from_record({**record, field: 0.5})
