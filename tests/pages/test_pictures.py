"""Tests of the pictures: what they show, where, and what they mark."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path

import pytest
from page_browser import Browser
from places import ROOT, SUPPORT, TESTS

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.grid import neighbour_facts
from pddl_pipeline.pages.pictures.marks import marked_parts, svg_file
from pddl_pipeline.pages.pictures.picture import Drawing, Picture
from pddl_pipeline.pages.pictures.picture_file import read_picture
from pddl_pipeline.pages.pictures.registry import ChosenScene, scene_of
from pddl_pipeline.pages.pictures.svg import DARK, FILLS, LIGHT, ON_FILL, rect, text
from pddl_pipeline.pages.plan_page import plan_page
from pddl_pipeline.pages.walk import walk_of
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.validation.task import Task, read_task

PICTURE = {name: name for name in domain_names()} | {"budget-blocksworld": "blocksworld"}
PUBLIC = TESTS / "pddl_domains" / "public"
FOREIGN = SUPPORT / "foreign_pddl"
LOGISTICS = """(define (domain logistics) (:requirements :typing)
 (:types city place thing - object truck package - thing)
 (:predicates (at ?t - thing ?p - place) (in ?p - package ?t - truck)
   (in-city ?p - place ?c - city) (sealed ?p - package))
 (:action drive :parameters (?t - truck ?from ?to - place)
   :precondition (at ?t ?from) :effect (and (at ?t ?to) (not (at ?t ?from))))
 (:action load :parameters (?p - package ?t - truck ?at - place)
   :precondition (and (at ?t ?at) (at ?p ?at)) :effect (and (in ?p ?t) (not (at ?p ?at))))
 (:action unload :parameters (?p - package ?t - truck ?at - place)
   :precondition (and (at ?t ?at) (in ?p ?t))
   :effect (and (at ?p ?at) (sealed ?p) (not (in ?p ?t)))))"""
PARCELS = """(define (problem parcels) (:domain logistics)
 (:objects c - city a b - place t - truck p q - package)
 (:init (at t a) (at p a) (at q b) (in-city a c) (in-city b c)) (:goal (at p b)))"""
DELIVER = ["(load p t a)", "(drive t a b)", "(unload p t b)"]


def drawn(
    task: Task, plan: Plan | Path | list[str], picture: Picture | None = None
) -> tuple[ChosenScene, list[Drawing]]:
    states = list(task.trace(plan))
    scene = scene_of(task, states, picture)
    assert not isinstance(scene, str), scene
    return scene, [scene.draw(state) for state in states]


def own_task(name: str) -> tuple[Task, Path]:
    folder = domain_folder(name)
    return read_task(folder / "domain.pddl", folder / "p01.pddl"), folder / "p01.plan"


def place(drawing: Drawing, key: str) -> tuple[float, float, float, float]:
    if key in drawing.spots:
        return drawing.spots[key]
    (shape,) = (each for each in drawing.shapes if each.key == key)
    return shape.x, shape.y, shape.width, shape.height


def is_inside(drawing: Drawing, inner: str, outer: str) -> bool:
    (x, y, w, h), (ox, oy, ow, oh) = place(drawing, inner), place(drawing, outer)
    return ox <= x and oy <= y and x + w <= ox + ow and y + h <= oy + oh


@pytest.mark.parametrize("name", domain_names())
def test_own_domains_have_a_picture(name: str) -> None:
    task, plan = own_task(name)
    scene, drawings = drawn(task, plan)
    assert scene.picture.name == PICTURE[name]
    for drawing in drawings:
        assert len({shape.key for shape in drawing.shapes}) == len(drawing.shapes)
        for shape in drawing.shapes:
            assert 0 <= shape.x <= shape.x + shape.width <= drawing.width + 0.1
            assert 0 <= shape.y <= shape.y + shape.height <= drawing.height + 0.1
        assert (drawing.width, drawing.height, drawing.ground) == (
            drawings[0].width, drawings[0].height, drawings[0].ground,
        )  # fmt: skip


@pytest.mark.parametrize("name", domain_names())
def test_each_step_changes_the_picture_and_nothing_else_moves(name: str) -> None:
    """Every step is visible; what the step's facts do not name stays where it is."""
    task, plan = own_task(name)
    states = list(task.trace(plan))
    _, drawings = drawn(task, plan)
    for (before, after), (old, new) in zip(pairwise(states), pairwise(drawings), strict=True):
        assert old.shapes != new.shapes
        touched = {word for fact in before.facts ^ after.facts for word in fact[1:]}
        touched |= {
            word for fact in dict(before.values.items() ^ after.values.items()) for word in fact[1:]
        }
        for shape in old.shapes:
            if shape.objects and not touched.intersection(shape.objects) and not shape.within:
                assert place(new, shape.key) == place(old, shape.key)


@pytest.mark.parametrize("case", sorted(PUBLIC.iterdir()), ids=lambda each: each.name)
def test_public_variants_have_the_picture(case: Path) -> None:
    domain, _, variant = case.name.partition("--")
    file = f"variants/{variant}.pddl" if variant else "domain.pddl"
    task = read_task(domain_folder(domain) / file, case / "problem.pddl")
    scene, drawings = drawn(task, case / "plan")
    assert scene.picture.name == domain
    assert all(one.shapes != other.shapes for one, other in pairwise(drawings))


def test_mystery_is_drawn_as_blocks() -> None:
    folder = FOREIGN / "mystery"
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    scene, drawings = drawn(task, folder / "good.plan")
    assert scene.picture.name == "mystery"
    assert "the hand" in drawings[0].spots


def test_blocks_stand_on_each_other() -> None:
    _, drawings = drawn(*own_task("blocksworld"))
    x1, y1, _, height = place(drawings[-1], "b1")
    assert place(drawings[-1], "b2")[:2] == (x1, y1 + height)


BLOCKS, DEPOTS = (domain_folder(name) / "domain.pddl" for name in ("blocksworld", "depots"))
WET = (
    ("(handempty)", "(handempty) (wet ?x)"),
    (":effect (and (holding ?ob)", ":effect (and (wet ?ob) (holding ?ob)"),
)
STORE = """(define (problem p) (:domain depots) (:objects d - depot h - hoist c - crate)
    (:init (at h d) (available h) (clear c)) (:goal (clear c)))"""


@pytest.mark.parametrize(
    ("domain", "changes", "problem"),
    [
        # A picture that leaves out a changing fact would be wrong.
        (BLOCKS, WET, BLOCKS.with_name("p01.pddl").read_text()),
        # Storage has the predicates of Depots, and no trucks.
        (DEPOTS, (), STORE),
    ],
)
def test_similar_domains_have_the_general_picture(
    domain: Path, changes: Sequence[tuple[str, str]], problem: str
) -> None:
    text = domain.read_text()
    for old, new in changes:
        text = text.replace(old, new, 1)
    scene, _ = drawn(read_task(text, problem), [])
    assert scene.picture.name == "general"


def test_countdown_joins_numbers_with_exact_fractions() -> None:
    _, drawings = drawn(own_task("countdown")[0], ["(divide n2 n1)", "(add n2 n3)"])  # 4/3 + 5
    bodies = [" ".join(shape.body for shape in drawing.shapes) for drawing in drawings]
    found = [[text for text in ("4/3<", ">÷<", ">19/3<") if text in body] for body in bodies]
    assert found == [[], ["4/3<", ">÷<"], ["4/3<", ">÷<", ">19/3<"]]


def test_minigrid_is_laid_out_as_its_floor_plan() -> None:
    task, plan = own_task("minigrid")
    _, drawings = drawn(task, plan)
    spots = drawings[0].spots
    assert spots["p1"][0] - spots["p0"][0] == spots["p0"][2]
    assert spots["p7"][1] - spots["p0"][1] == spots["p0"][3]
    assert spots["p30"][0] == spots["p1"][0]  # rows 0 and 5, column 1


def test_general_picture_nests_by_mutexes() -> None:
    task = read_task(LOGISTICS, PARCELS)
    scene, drawings = drawn(task, DELIVER)
    assert scene.picture.name == "general"
    where = [[outer for outer in "abt" if is_inside(each, "p", outer)] for each in drawings]
    assert where == [["a"], ["a", "t"], ["b", "t"], ["b"]]
    assert all(is_inside(each, "q", "b") for each in drawings)
    assert not is_inside(drawings[0], "a", "c")  # facts that never change do not nest
    badges = [shape.key for shape in drawings[-1].shapes if shape.key.startswith("badge")]
    assert badges == ["badge b ", "badge p sealed"]
    colours = {shape.key: re.findall(r"thing c\d", shape.body) for shape in drawings[-1].shapes}
    assert colours["p"] == colours["q"] != colours["c"]  # one for each type


def test_general_picture_shows_objects_that_never_change() -> None:
    """An empty place beside the other places, and what has only static facts after them."""
    domain = LOGISTICS.replace("(sealed ?p - package)", "(road ?a ?b - place)", 1).replace(
        "(sealed ?p)", "", 1
    )
    problem = PARCELS.replace("a b - place", "a b kitchen - place").replace(
        "(at q b)", "(at q b) (road a kitchen)"
    )
    _, drawings = drawn(read_task(domain, problem), DELIVER)
    for drawing in drawings:
        x, y, width, height = place(drawing, "kitchen")
        assert 0 < x < x + width < drawing.width
        assert 0 < y < y + height < drawing.height
        assert not is_inside(drawing, "p", "kitchen")
    assert {"a", "b", "kitchen"} <= drawings[0].spots.keys()  # drawn below all shapes


TILES = """(define (domain tiles) (:requirements :typing)
 (:types tile robot can color depth) (:constants white black - color n0 n1 n2 - depth k - can)
 (:predicates (robot-at ?r - robot ?t - tile) (robot-has ?r - robot ?c - color) (clear ?t - tile)
   (painted ?t - tile ?c - color) (level ?t - tile ?n - depth) (next ?a ?b - depth)
   (filled ?k - can ?c - color) (up ?a ?b - tile) (down ?a ?b - tile) (left ?a ?b - tile)
   (right ?a ?b - tile))
 (:action paint :parameters (?r - robot ?a ?b - tile ?c - color ?m ?n - depth)
   :precondition (and (robot-at ?r ?b) (up ?a ?b) (robot-has ?r ?c) (level ?a ?m) (next ?m ?n))
   :effect (and (painted ?a ?c) (not (clear ?a)) (level ?a ?n) (not (level ?a ?m))))
 (:action move :parameters (?r - robot ?a ?b - tile ?c ?d - color)
   :precondition (and (robot-at ?r ?a) (right ?b ?a) (robot-has ?r ?c))
   :effect (and (robot-at ?r ?b) (not (robot-at ?r ?a)) (robot-has ?r ?d) (filled k ?c)
     (not (filled k ?d)) (not (robot-has ?r ?c)))))"""
MAPS = (
    "(up a b) (up c d) (right c a) (right d b)",
    "(up a b) (down b a) (up c d) (left a c) (right d b)",
    "(up a b) (up c d) (right c a)",  # a tree is no map
)
WALL = """(define (problem wall) (:domain tiles) (:objects a b c d - tile r - robot)
 (:init (robot-at r b) (robot-has r white) (clear a) (clear c) (level a n0) (level c n0)
  (next n0 n1) (next n1 n2) (filled k black) {}) (:goal (and (painted a white) (painted c black)
  (robot-at r d))))"""
PAINT = ["(paint r a b white n0 n1)", "(move r b d white black)", "(paint r c d black n0 n1)"]
PROFILE = (ROOT / "docs" / "look-at-a-plan.md").read_text().split("```toml\n")[1].split("```")[0]


@pytest.mark.parametrize("map_", MAPS)
def test_general_picture_finds_grids(map_: str) -> None:
    _, (drawing,) = drawn(read_task(TILES, WALL.format(map_)), [])
    x, y, width, height = place(drawing, "a")
    cells = {"a": (x, y), "c": (x + width, y), "b": (x, y + height), "d": (x + width, y + height)}
    assert (cells == {name: place(drawing, name)[:2] for name in cells}) == (map_ != MAPS[-1])


def test_places_without_column_and_row_are_off_the_map() -> None:
    facts = [("near", "area-0-0", "area-0-1"), ("near", "area-0-1", "loading-area")]
    assert neighbour_facts(facts, {"near"}) == facts[:1]


def test_numbers_and_colours_are_badges_and_goals_are_green() -> None:
    _, drawings = drawn(read_task(TILES, WALL.format(MAPS[0])), PAINT)
    keys = [each.key for each in drawings[1].shapes if each.key[:7] in ("badge a", "badge k")]
    assert keys == ["badge a level", "badge a painted", "badge k filled"]
    bodies = [[each.ground, *(shape.body for shape in each.shapes)] for each in drawings]
    green = [sum(body.count("class='good'") for body in each) for each in bodies]
    assert green == [6, 6, 6, 6]  # frames of a, c and d, their goals or what is reached


def test_a_profile_draws_a_domain(tmp_path: Path) -> None:
    (tmp_path / "tiles.toml").write_text(PROFILE)
    picture = read_picture(tmp_path / "tiles.toml", is_given=True)
    _, (_, drawing, *_) = drawn(read_task(TILES, WALL.format(MAPS[0])), PAINT, picture)
    assert is_inside(drawing, "r", "b")
    assert {shape.key for shape in drawing.shapes if len(shape.key) > 2} == {
        "badge r robot-has", "badge a painted", "badge c ", "badge d ",
        "badge other facts (level a n1)", "badge other facts (level c n0)",
        "badge other facts (filled k black)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"robot-at"', '"robots-at"', "rules: found 'robots-at', expected a known name; did you"),
        ('"{2}" }', '"{3}" }', "rules: robot-at: found '{3}', expected a known name; did"),
        ('"{2}" }', '"{1}" }', "rules: robot-at: parent of '{1}': found '{1}', expected a"),
        ('= "robot"', '= "robbot"', "looks.robot: found 'robbot', expected a known name; did"),
        ("color =", "colour =", "looks: found 'colour', expected a known name; did you mean"),
        ('["up", ', "[1, ", "Expected `str`, got `int` - at `$.grid[0]`; keys: predicates, rules"),
        ("grid =", "grids =", "Object contains unknown field `grids`; keys: predicates, rules"),
        ('"up", "down", ', "", "grid: found neighbours that fit no map, expected cells in rows"),
        ("[badges]", "[badges", "is not TOML: "),
    ],
)
def test_a_wrong_profile_is_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "tiles.toml"
    file.write_text(PROFILE.replace(old, new, 1))
    with pytest.raises(InputError, match=re.escape(f"{file}: {message}")):
        drawn(read_task(TILES, WALL.format(MAPS[0])), [], read_picture(file, is_given=True))


def test_marks_what_the_facts_of_a_step_name_and_what_fails() -> None:
    task = read_task(LOGISTICS, PARCELS)
    pages = [PageData(walk_of(task, DELIVER[:count])) for count in (2, 3)]
    found = [[" ".join(page.pictures[-1]).count(f"class='{mark}'")
              for mark in ("new", "old", "tip", "fault")] for page in pages]  # fmt: skip
    # The truck, not its package; package, badge and goal. The goal: package, place and badge.
    assert found == [[1, 1, 1, 3], [3, 1, 1, 0]]


@pytest.mark.parametrize(
    ("goal", "thing", "badges"),
    [
        ("(at p b)", "b", ["goal: p", "goal: p", "goal: p", "✓ p"]),
        ("(and (at p b) (at q b))", "b", [*["goal: p, ✓ q"] * 3, "✓ p, ✓ q"]),
        ("(sealed p)", "p", [*["goal: sealed"] * 3, "✓ sealed"]),
        ("(not (at p a))", "a", ["goal: not p", "✓ not p", "✓ not p", "✓ not p"]),
        ("(and (at p a) (at q a) (at r a) (at s a) (at u a))", "a",
         ["goal: q, r, s, u and 1 more", *["goal: p, q, r, s and 1 more"] * 3]),
    ],
)  # fmt: skip
def test_goals_are_marked_with_whether_they_are_reached(
    goal: str, thing: str, badges: list[str]
) -> None:
    problem = PARCELS.replace("(at p b)))", f"{goal}))").replace("p q ", "p q r s u ")
    _, drawings = drawn(read_task(LOGISTICS, problem), DELIVER)
    green = [[each.body for each in drawing.shapes if f"badge {thing} " in each.key
              and "class='goodtext'" in each.body] for drawing in drawings]  # fmt: skip
    assert [re.findall(r">([^<]+)</text>", each) for (each,) in green] == [[b] for b in badges]


def test_blocks_have_the_goals_of_what_is_below_them() -> None:
    folder = domain_folder("blocksworld")
    problem = (folder / "p01.pddl").read_text().replace("(:goal (and", "(:goal (and (ontable b3)")
    _, drawings = drawn(read_task(folder / "domain.pddl", problem), folder / "p01.plan")
    labels = [re.findall(r"goodtext'>([^<]+)<", "".join(each.body for each in drawing.shapes))
              for drawing in (drawings[0], drawings[-1])]  # fmt: skip
    assert list(map(sorted, labels)) == [
        ["goal: on b2", "goal: on b3", "goal: the table"],
        ["✓ on b2", "✓ on b3", "✓ the table"],
    ]


OUTSIDE = """
const boxes = [...document.querySelectorAll("#picture text")].map(
  (text) => [text.textContent, text.getBoundingClientRect(), text]);
const common = (one, other) => [
  Math.min(one.right, other.right) - Math.max(one.left, other.left),
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)];
const wrong = [...document.querySelectorAll("[data-mark]")].filter((entry) =>
  entry.hidden === Boolean(document.querySelector(`#picture .${entry.dataset.mark}`)));
const legend = wrong.map((entry) => `legend: ${entry.textContent}`);
return legend.concat(boxes.flatMap(([name, box, text], index) => {
  const drawn = [...text.parentNode.querySelectorAll("rect, path, circle")].map(
    (each) => each.getBoundingClientRect());
  const over = boxes.slice(index + 1).filter(([, other]) => {
    const [width, height] = common(box, other);
    return width > 1 && height > Math.min(box.height, other.height) / 4;
  });
  const isOut = drawn.length > 0 && (Math.min(...drawn.map((each) => each.left)) > box.left + 3
      || Math.max(...drawn.map((each) => each.right)) < box.right - 3);
  return [...over.map(([other]) => `${name} on ${other}`), ...(isOut ? [name] : [])];
}));"""
LONG_NAMES = ["spectrograph2", "spray-varnisher0", "mahogany-wood", "parcel-" * 12]


@pytest.mark.parametrize("name", [*domain_names(), *LONG_NAMES])
def test_names_stand_in_their_boxes_and_the_legend_fits(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    task, plan = read_task(LOGISTICS, PARCELS.replace(" q", f" {name}")), "(drive t a b)"
    if name not in LONG_NAMES:
        task, file = own_task(name)
        plan = file.read_text().rpartition("(")[0]
    page = tmp_path / "page.html"
    page.write_text(plan_page(PageData(walk_of(task, plan)), name))
    browser.open(page)
    assert browser.js(OUTSIDE) == []


@pytest.mark.parametrize(
    ("name", "plan", "marked"),
    [
        ("ferry", "(board c0 l1)\n(sail l1 l2)\n(board c1 l2)", {"c0", "the ferry"}),
        ("blocksworld", "(pick-up b1)\n(pick-up b3)", {"b1", "b3", "the hand", "the table"}),
        ("ferry", "(sail c0 l1)", {"c0", "l1"}),
        ("ferry", "(board c9 l1)", {"l1"}),
        ("countdown", "(checkgoal n1)", {"target", "n1", "n2", "n3", "n4"}),
        ("countdown", "(add n1 n1)", {"n1"}),
    ],
)
def test_a_fault_marks_the_carrier_the_value_or_the_objects_of_the_step(
    name: str, plan: str, marked: set[str]
) -> None:
    data = PageData(walk_of(own_task(name)[0], plan))
    drawing = data.drawings[-1]
    boxes = {shape.key: shape[1:5] for shape in drawing.shapes} | drawing.spots
    found = {
        key
        for key, (x, y, width, height) in boxes.items()
        if rect(x - 3, y - 3, width + 6, height + 6, "fault", 6) in data.pictures[-1]
    }
    assert found == marked
    assert "N1" not in data.say(data.walk.frames[-1])  # a name keeps its letters


def test_a_large_task_has_a_reason_instead_of_a_picture() -> None:
    many = " ".join(f"p{number}" for number in range(201))
    task = read_task(LOGISTICS, PARCELS.replace("p q - package", f"p q {many} - package"))
    reason = scene_of(task, [task.initial_state()])
    assert isinstance(reason, str)
    assert "207 objects" in reason


@pytest.mark.parametrize("name", [*domain_names(), "general"])
def test_svg_files_are_valid_and_need_nothing_else(name: str) -> None:
    task, plan = own_task(name) if name != "general" else (read_task(LOGISTICS, PARCELS), DELIVER)
    _, drawings = drawn(task, plan)
    for before, drawing in pairwise(drawings):
        file = svg_file(drawing, marked_parts(drawing, before)[0], "a <b> & c")
        root = ET.fromstring(file)  # noqa: S314 -- this project wrote it
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "href" not in file
        assert "url(" not in file


def test_names_with_markup_are_escaped() -> None:
    name = "x<script>alert&lt"
    task = read_task(LOGISTICS, PARCELS.replace(" q", f" {name}"))
    _, drawings = drawn(task, DELIVER)
    file = svg_file(drawings[0], marked_parts(drawings[0])[0], name)
    assert "<script" not in file
    ET.fromstring(file)  # noqa: S314 -- this project wrote it


@pytest.mark.parametrize("name", ["spectrograph2", "str__patricia", "block-of-7-and-more"])
def test_a_long_name_is_written_in_lines_and_not_cut(name: str) -> None:
    written = ET.fromstring(text(0, 9, name, width=38))  # noqa: S314 -- this project wrote it
    assert "".join(written.itertext()) == name
    assert len(written) in (1, 2)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_the_contrast_of_level_aa(mode: dict[str, str]) -> None:
    pairs = [*product(("ink", "muted"), ("paper", "panel", "box", "floor", "water")),
             *product(("new", "fault", "good"), ("paper", "panel"))]  # fmt: skip
    for ink, ground in [*((mode[i], mode[g]) for i, g in pairs), *((ON_FILL, f) for f in FILLS)]:
        assert contrast(ink, ground) >= 4.5, (ink, ground)
