"""A flow in the formats of other tools: GraphML, JSON, Mermaid and Aldebaran (`.aut`).

Promises: the same flow gives the same bytes; GraphML and JSON keep all attributes; Mermaid draws what GitHub
shows; `.aut` is read by CADP and mCRL2, states numbered from 0 with the entry first.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solvers.flows.clusters import Cluster, clusters
from solvers.flows.flow import Flow
from solvers.flows.places import OVER
from solvers.flows.texts import Texts

if TYPE_CHECKING:
    import networkx as nx

SCHEMA = 1


def graphml(flow: Flow) -> str:
    """The flow as GraphML."""
    import networkx as nx

    flat: nx.MultiDiGraph[str] = nx.MultiDiGraph(**_about(flow))
    for name, data in flow.graph.nodes(data=True):
        flat.add_node(name, **{k: _flat(v) for k, v in data.items()})
    for a, b, key, data in flow.graph.edges(keys=True, data=True):
        flat.add_edge(a, b, key=key, **{k: _flat(v) for k, v in data.items()})
    out = io.BytesIO()
    nx.write_graphml(flat, out, encoding="utf-8", named_key_ids=True)
    return out.getvalue().decode("utf-8") + "\n"


def _flat(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


def _about(flow: Flow) -> dict[str, Any]:
    program = flow.program
    return {
        "rulebook": program.book.name,
        "variant": program.variant,
        "size": program.size_name,
        "level": flow.level,
        "complete": flow.complete,
        "games": flow.games.number,
    }


def as_json(flow: Flow, answers: Mapping[str, Any] | None = None) -> str:
    """The flow as JSON: `nodes` and `edges` with their attributes, and the answers where they are given."""
    nodes = [{"id": n, **data} for n, data in flow.graph.nodes(data=True)]
    edges = [{"source": a, "target": b, **data} for a, b, data in flow.graph.edges(data=True)]
    loops = [_loop(c) for c in clusters(flow)] if flow.level == "phase" else []
    whole: dict[str, Any] = {"schema": SCHEMA, **_about(flow), "nodes": nodes, "edges": edges, "loops": loops}
    if answers is not None:
        whole["answers"] = answers
    return json.dumps(whole, indent=2, ensure_ascii=False, sort_keys=False) + "\n"


def _loop(cluster: Cluster) -> dict[str, Any]:
    return {"first": cluster.first, "nodes": cluster.nodes, "inner": [_loop(c) for c in cluster.inner]}


def aut(flow: Flow) -> str:
    """The flow as a labelled transition system in the Aldebaran format; labels are moves, or rules."""
    order = sorted(flow.graph.nodes, key=lambda n: n != flow.entry)
    number = {n: k for k, n in enumerate(order)}
    edges = [
        (number[a], key, number[b]) for a, b, key in flow.graph.edges(keys=True) if _was_seen(flow, a, b, key)
    ]
    lines = [f"des (0, {len(edges)}, {len(number)})"]
    lines += [f'({a}, "{_aut_label(key)}", {b})' for a, key, b in sorted(edges)]
    return "\n".join(lines) + "\n"


def _was_seen(flow: Flow, a: str, b: str, key: str) -> bool:
    return bool(flow.graph.edges[a, b, key]["seen"])


def _aut_label(key: str) -> str:
    return key.replace("\\", "/").replace('"', "'")


def mermaid(flow: Flow, texts: Texts | None = None) -> str:
    """The flow as a Mermaid flow chart."""
    texts = texts or Texts()
    ids = {name: f"n{k}" for k, name in enumerate(flow.graph.nodes)}
    lines = ["flowchart TD"]
    inside: set[str] = set()
    for k, cluster in enumerate(clusters(flow) if flow.level == "phase" else ()):
        _subgraph(flow, texts, cluster, f"c{k}", ids, inside, lines, "  ")
    lines += [f"  {_mermaid_node(flow, texts, n, ids[n])}" for n in flow.graph.nodes if n not in inside]
    for a, b, data in flow.edges():
        if data["seen"] or not flow.complete:
            arrow = "-->" if data["seen"] else "-.->"
            text = texts.rule(data["rule"]) if flow.level in ("phase", "state") else ""
            label = f'|"{_mermaid_text(text)}"|' if text else ""
            lines.append(f"  {ids[a]} {arrow}{label} {ids[b]}")
    for name, (line, fill) in _MERMAID.items():
        mine = [ids[n] for n, d in flow.graph.nodes(data=True) if _mermaid_class(d) == name]
        if mine:
            lines += [f"  classDef {name} fill:{fill},stroke:{line}", f"  class {','.join(mine)} {name}"]
    return "\n".join(lines) + "\n"


_MERMAID = {
    "player": ("#005a8c", "#d6ecf8"),
    "window": ("#8a3d6b", "#f6e3ee"),
    "chance": ("#9a6200", "#fdf0cf"),
    "rules": ("#4d4d4d", "#eeeeee"),
    "stopped": ("#b03a00", "#fde4d8"),
}


def _mermaid_class(data: Mapping[str, Any]) -> str:
    if data["kind"] == "stop" or data["stuck"]:
        return "stopped"
    return data["actors"][0] if data["actors"] else ""


def _subgraph(
    flow: Flow,
    texts: Texts,
    cluster: Cluster,
    name: str,
    ids: Mapping[str, str],
    inside: set[str],
    lines: list[str],
    margin: str,
) -> None:
    title = texts.loop(cluster.first) or cluster.first
    lines.append(f'{margin}subgraph {name}["{_mermaid_text(title)}"]')
    for k, inner in enumerate(cluster.inner):
        _subgraph(flow, texts, inner, f"{name}_{k}", ids, inside, lines, margin + "  ")
    for node in cluster.nodes:
        if node not in inside:
            inside.add(node)
            lines.append(f"{margin}  {_mermaid_node(flow, texts, node, ids[node])}")
    lines.append(f"{margin}end")


def _mermaid_node(flow: Flow, texts: Texts, name: str, id: str) -> str:
    data = flow.graph.nodes[name]
    bare = name.removesuffix(OVER)
    if data["kind"] == "stop":
        text = texts.stop(name.removeprefix("stop:"))
    elif data["kind"] == "rule":
        text = texts.rule(name)
    else:
        text = texts.place(bare) or bare
    shown = f'"{_mermaid_text(text)}"'
    return f"{id}([{shown}])" if data["ending"] else f"{id}[{shown}]"


def _mermaid_text(text: str) -> str:
    return re.sub(r'["#;&<>]', lambda m: f"#{ord(m[0])};", text)
