"""Pictures and files: DOT, SVG, GraphML, JSON, Mermaid, Aldebaran."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import networkx as nx
import pytest

from models.language.errors import ModelError
from solvers.contract import Limits
from solvers.flows import Texts, as_json, aut, clusters, dot, flow, graphml, mermaid, svg
from solvers.flows.clusters import back_edges
from tests.flow_games import forced_circle, lanterns, nowhere, rooms

SVG = "{http://www.w3.org/2000/svg}"
LANTERNS = flow(lanterns().build(), games=50)


def drawn(source: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg(source))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == name]


def words(root: ElementTree.Element) -> set[str]:
    return {(t.text or "").strip() for t in root.iter(f"{SVG}text")}


def test_the_same_flow_gives_the_same_text_and_picture() -> None:
    again = flow(lanterns().build(), games=50)
    assert dot(LANTERNS) == dot(again)
    assert svg(dot(LANTERNS)) == svg(dot(again))


def test_every_node_and_every_seen_step_is_drawn() -> None:
    root = drawn(dot(LANTERNS, legend=False))
    assert len(of_class(root, "node")) == len(LANTERNS.graph) + 1  # the dot at which the game begins
    assert len(of_class(root, "edge")) == sum(1 for _ in LANTERNS.edges(seen=True)) + 1
    assert {"LIGHT", "GUESS", "SETTLE", "OVER", "light", "rest", "guess", "settle"} <= words(root)


def test_a_picture_has_no_scripts_and_loads_nothing() -> None:
    text = svg(dot(LANTERNS)).decode()
    assert "<script" not in text
    assert not re.findall(r'(?:href|src)="(?!#)', text)


def test_names_cannot_break_out_of_the_text() -> None:
    evil = 'x"]; "<script>alert(1)</script>\\" \n {}'
    source = dot(LANTERNS, Texts(place=lambda name: evil, loop=lambda first: evil, rule=lambda name: evil))
    root = drawn(source)
    assert len(of_class(root, "node")) == len(of_class(drawn(dot(LANTERNS)), "node"))
    assert not list(root.iter(f"{SVG}script"))


def test_unseen_steps_are_dashed_where_they_may_still_happen() -> None:
    cut = flow(lanterns().build(), games=0, limits=Limits(states=1))
    dashed = [
        g for g in of_class(drawn(dot(cut)), "edge") if any(p.get("stroke-dasharray") for p in g.iter())
    ]
    assert len(dashed) == sum(1 for _ in cut.edges(seen=False)) > 3
    whole = flow(nowhere().build(), games=5)
    assert 'style="dashed"' not in dot(whole, unseen=False)
    assert dot(whole) == dot(whole, unseen=False)
    assert dot(whole, unseen=True).count('style="dashed"') == 1


def test_a_phase_that_nobody_reaches_is_pale() -> None:
    source = dot(flow(nowhere().build(), games=5))
    (line,) = [x for x in source.splitlines() if 'label="NOWHERE"' in x]
    assert 'style="rounded,dashed"' in line


def test_loops_are_clusters_and_the_game_goes_down_the_page() -> None:
    (loop,) = clusters(LANTERNS)
    assert (loop.first, loop.nodes) == ("LIGHT", ("LIGHT", "GUESS", "SETTLE"))
    assert back_edges(LANTERNS) == {("SETTLE", "LIGHT")}
    root = drawn(dot(LANTERNS, Texts(loop=lambda first: f"again from {first}"), legend=False))
    assert "again from LIGHT" in words(root)
    heights = {}
    for node in of_class(root, "node"):
        for text in list(node.iter(f"{SVG}text"))[:1]:
            heights[text.text] = float(text.get("y", "0"))
    assert heights["LIGHT"] < heights["GUESS"] < heights["SETTLE"] < heights["OVER"]


def test_forty_rooms_are_drawn_without_boxes_that_overlap() -> None:
    found = flow(rooms(40).build(), games=20)
    root = drawn(dot(found, legend=False))
    boxes = []
    for node in of_class(root, "node"):
        paths = [p.get("d", "") for p in node.iter(f"{SVG}path")] or [
            p.get("points", "") for p in node.iter(f"{SVG}polygon")
        ]
        numbers = [float(x) for x in re.findall(r"-?\d+\.?\d*", paths[0])] if paths else []
        if numbers:
            boxes.append((min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])))
    assert len(boxes) >= 40
    for k, (a, b, c, d) in enumerate(boxes):
        for e, f, g, h in boxes[:k]:
            assert c <= e or g <= a or d <= f or h <= b


def test_too_many_nodes_are_one_message() -> None:
    found = flow(rooms(320).build(), games=0)
    with pytest.raises(ModelError, match="a picture of 321 nodes cannot be read"):
        dot(found)


def test_graphml_is_read_back_by_networkx() -> None:
    text = graphml(LANTERNS)
    back = nx.parse_graphml(text, force_multigraph=True)
    assert sorted(back.nodes) == sorted(LANTERNS.graph.nodes)
    assert back.number_of_edges() == LANTERNS.graph.number_of_edges()
    assert back.graph["rulebook"] == "lanterns"
    edge = back["SETTLE"]["OVER"]["settle"]
    assert (edge["actor"], edge["clauses"], edge["seen"]) == ("chance", "settle", True)


def test_json_has_all_attributes() -> None:
    whole = json.loads(as_json(LANTERNS, {"every_game": ["LIGHT"]}))
    assert (whole["schema"], whole["rulebook"], whole["level"], whole["complete"]) == (
        1,
        "lanterns",
        "phase",
        True,
    )
    assert whole["answers"] == {"every_game": ["LIGHT"]}
    assert len(whole["edges"]) == LANTERNS.graph.number_of_edges()
    assert whole["loops"] == [{"first": "LIGHT", "nodes": ["LIGHT", "GUESS", "SETTLE"], "inner": []}]
    first = whole["edges"][0]
    assert set(first) == {
        "source", "target", "rule", "actor", "clauses", "transitions", "per_game", "seen",
    }  # fmt: skip


def test_mermaid_has_the_loop_and_the_steps() -> None:
    text = mermaid(LANTERNS, Texts(loop=lambda first: "a round"))
    assert text.startswith('flowchart TD\n  subgraph c0["a round"]\n    n0["LIGHT"]\n')
    assert '  n0 -->|"light"| n1\n' in text
    assert '  n3(["OVER"])\n' in text
    assert "  class n0,n1 player\n" in text


def test_mermaid_escapes_what_it_would_read_as_its_own() -> None:
    text = mermaid(LANTERNS, Texts(rule=lambda name: 'a "b" <c>; #d'))
    assert "a #34;b#34; #60;c#62;#59; #35;d" in text


def test_aut_numbers_states_from_the_entry() -> None:
    text = aut(flow(forced_circle().build(), level="state", games=0))
    assert text == ('des (0, 4, 4)\n(0, "enter", 1)\n(0, "leave", 2)\n(1, "there", 3)\n(3, "back", 1)\n')


def test_graphviz_that_cannot_draw_is_one_message() -> None:
    with pytest.raises(ModelError, match="Graphviz cannot draw the flow"):
        svg("digraph { a -> ")
