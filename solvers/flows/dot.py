"""A flow in the language of Graphviz.

Promises: every text is escaped; the same flow gives the same text; colours are told apart by people who see
few of them (Okabe and Ito 2008) and by line style.
"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.language.errors import ModelError
from solvers.flows.clusters import Cluster, back_edges, clusters
from solvers.flows.flow import Flow
from solvers.flows.places import OVER
from solvers.flows.texts import Texts

#: Columns of the legend.
WIDTH = 46
#: Most nodes of a picture.
MOST_NODES = 300
FONT = "Helvetica,Arial,sans-serif"
#: Signs without width that stand before a line which is a note, and before one that is a heading.
NOTE, STRONG = "\u200b", "\u200c"
#: Ends a line that is set to the left.
LEFT = "\0"
#: Actor → line, fill.
COLOURS: Mapping[str, tuple[str, str]] = {
    "player": ("#005a8c", "#d6ecf8"),
    "window": ("#8a3d6b", "#f6e3ee"),
    "chance": ("#9a6200", "#fdf0cf"),
    "rules": ("#4d4d4d", "#eeeeee"),
    "": ("#4d4d4d", "#ffffff"),
}
_RED, _GREY = ("#b03a00", "#fde4d8"), "#9a9a9a"


def dot(flow: Flow, texts: Texts | None = None, *, unseen: bool | None = None, legend: bool = True) -> str:
    """A flow in the language of Graphviz.

    Args:
        flow: The flow.
        texts: How things are called.
        unseen: Whether to draw what guards allow and nobody has seen (unless given: only where the search
            was not exhaustive, so that it may still happen).
        legend: Whether to add the legend with the sentences of each rule.

    Returns:
        The source text.

    Errors:
        ModelError: more nodes than a picture can hold.
    """
    if len(flow.graph) > MOST_NODES:
        raise ModelError(
            f"a picture of {len(flow.graph)} nodes cannot be read",
            hint=f"at most {MOST_NODES} are drawn; write .aut, .graphml or .json, or take another --level",
        )
    drawing = _Drawing(flow, texts or Texts(), not flow.complete if unseen is None else unseen)
    return "\n".join(drawing.lines(legend)) + "\n"


class _Drawing:
    def __init__(self, flow: Flow, texts: Texts, unseen: bool) -> None:
        self.flow, self.texts, self.unseen = flow, texts, unseen
        self.ids = {name: f"n{k}" for k, name in enumerate(flow.graph.nodes)}
        self.back = back_edges(flow)
        self.loops: Counter[str] = Counter()
        self.most = max((d["per_game"] for _, _, d in flow.edges()), default=0.0)

    def lines(self, legend: bool) -> Iterator[str]:
        yield "digraph flow {"
        yield f'  graph [rankdir=TB, fontname="{FONT}", fontsize=10, nodesep=0.4, ranksep=0.55, pad=0.2];'
        shape = 'shape=box, style="rounded,filled", margin="0.16,0.08"'
        yield f'  node [fontname="{FONT}", fontsize=11, {shape}];'
        yield f'  edge [fontname="{FONT}", fontsize=9, arrowsize=0.7];'
        yield from self._entry()
        for name in self.flow.graph.nodes:
            yield self._node(name)
        for number, cluster in enumerate(clusters(self.flow) if self.flow.level == "phase" else ()):
            yield from self._cluster(cluster, f"{number}", "  ")
        for a, b, data in self.flow.edges():
            if data["seen"] or self.unseen:
                yield self._edge(a, b, data)
        if legend:
            yield from self._legend()
        yield "}"

    # -- nodes ---------------------------------------------------------------------------------------
    def _entry(self) -> Iterator[str]:
        name = self.flow.entry if self.flow.level != "trigger" else ""
        if name and self.flow.graph.nodes[name]["kind"] != "start":
            dot = 'shape=circle, style=filled, fillcolor="#000000", label="", width=0.14, fixedsize=true'
            yield f"  entry [{dot}];"
            yield f"  entry -> {self.ids[name]} [weight=4];"

    def _cluster(self, cluster: Cluster, number: str, margin: str) -> Iterator[str]:
        look = {
            "label": f"  {self.texts.loop(cluster.first)}",
            "labeljust": "l",
            "style": "rounded,filled",
            "color": "#c8c8c8",
            "fontcolor": "#6a6a6a",
            "fillcolor": "#fafafa" if "_" not in number else "#f2f2f2",
            "margin": "14",
        }
        yield f"{margin}subgraph cluster_{number} {{"
        yield f"{margin}  graph [{_attributes(look)}];"
        yield f"{margin}  {' '.join(f'{id};' for n in cluster.nodes for id in self._ids(n))}"
        for k, inner in enumerate(cluster.inner):
            yield from self._cluster(inner, f"{number}_{k}", margin + "  ")
        yield f"{margin}}}"

    def _ids(self, name: str) -> Iterator[str]:
        """The boxes of a node: its own, and one for each step back to it from the second on."""
        yield self.ids[name]
        back = sum(1 for a, b, d in self.flow.edges() if a == b == name and (d["seen"] or self.unseen))
        for number in range(2, back + 1):
            yield f"{self.ids[name]}loop{number}"

    def _node(self, name: str) -> str:
        data = self.flow.graph.nodes[name]
        acting = data["actors"][0] if data["actors"] else ""
        line, fill = COLOURS.get(acting, COLOURS[""])
        look = {"color": line, "fillcolor": fill, "label": self._node_label(name, data), "tooltip": name}
        if data["kind"] in ("start", "end"):
            look |= {"color": "#000000", "fillcolor": "#ffffff", "peripheries": "2"}
        elif data["kind"] == "stop":
            look |= {"color": _RED[0], "fillcolor": _RED[1], "shape": "octagon", "style": "filled"}
        elif not self._met(name):
            look |= {"color": _GREY, "fillcolor": "#ffffff", "fontcolor": _GREY, "style": "rounded,dashed"}
        if data["stuck"]:
            look |= {"color": _RED[0], "penwidth": "2"}
        return f"  {self.ids[name]} [{_attributes(look)}];"

    def _met(self, name: str) -> bool:
        """Whether the game begins at a node, or some step that was seen leaves it or leads there."""
        edges = (*self.flow.graph.in_edges(name, data=True), *self.flow.graph.out_edges(name, data=True))
        return name == self.flow.entry or any(data["seen"] for _, _, data in edges)

    def _node_label(self, name: str, data: Mapping[str, Any]) -> str:
        if data["kind"] == "stop":
            return _lines(self.texts.stop(name.removeprefix("stop:")))
        if data["kind"] == "start" or (data["kind"] == "end" and name == "(end)"):
            return self.texts.phrase(data["kind"])
        if data["kind"] == "rule":
            return "\n".join(
                part for part in (_lines(self.texts.rule(name)), _often(data["visits"], NOTE)) if part
            )
        bare = name.removesuffix(OVER)
        text = self.texts.place(bare)
        notes = [bare] if text and text != bare else []
        notes += [self.texts.phrase("over")] if name != bare and not text else []
        notes += [self.texts.phrase("stuck")] if data["stuck"] else []
        return "\n".join([_lines(text or bare), *([NOTE + " · ".join(notes)] if notes else [])])

    # -- edges ---------------------------------------------------------------------------------------
    def _edge(self, a: str, b: str, data: Mapping[str, Any]) -> str:
        line = COLOURS.get(data["actor"], COLOURS[""])[0]
        clauses = ", ".join(data["clauses"])
        hint = f"{data['rule']}: {clauses}" if clauses else data["rule"]
        look = {"color": line, "fontcolor": line, "tooltip": hint, "labeltooltip": hint}
        parts = [self.texts.rule(data["rule"])] if self.flow.level in ("phase", "state") else []
        parts += [_often(data["per_game"], NOTE)] if data["per_game"] else []
        if parts:
            look["label"] = "\n".join(parts)
        if not data["seen"]:
            look |= {"style": "dashed", "color": _GREY, "fontcolor": _GREY, "constraint": "false"}
        elif self.most and data["per_game"]:
            look["penwidth"] = f"{1 + 2 * math.log1p(data['per_game']) / math.log1p(self.most):.2f}"
        if a == b:
            return self._loop(a, look)
        if (a, b) in self.back:  # drawn from below, so that the game goes down the page
            a, b = b, a
            look["dir"] = "back"
        return f"  {self.ids[a]} -> {self.ids[b]} [{_attributes(look)}];"

    def _loop(self, name: str, look: dict[str, str]) -> str:
        """A step back to the same node: on the right, from the second on round a label of its own."""
        self.loops[name] += 1
        number, node = self.loops[name], self.ids[name]
        if number == 1:
            return f"  {node} -> {node} [{_attributes(look)}];"
        label = {"label": look.pop("label", ""), "shape": "plain", "style": "", "fontsize": "9"}
        label |= {"fontcolor": look["fontcolor"], "tooltip": look["tooltip"], "margin": "0.04"}
        return "\n".join(
            [
                f"  {node}loop{number} [{_attributes(label)}];",
                f"  {node} -> {node}loop{number} [{_attributes({**look, 'dir': 'none'})}];",
                f"  {node} -> {node}loop{number} [{_attributes({**look, 'dir': 'back'})}];",
            ]
        )

    # -- legend --------------------------------------------------------------------------------------
    def _legend(self) -> Iterator[str]:
        """The rules with their sentences, one box for each actor, in a row under the picture."""
        rules: dict[str, Mapping[str, Any]] = {d["rule"]: d for _, _, d in self.flow.edges() if d["seen"]}
        boxes = []
        for actor in COLOURS:
            mine = [r for r, d in rules.items() if d["actor"] == actor and d["clauses"]]
            if mine:
                rows = [
                    STRONG + self.texts.phrase(actor),
                    *(row for r in mine for row in self._sentences(rules[r])),
                ]
                boxes.append((rows, *COLOURS[actor]))
        marks = [f"1.5 ×   {self.texts.phrase('per_game')}"] if self.most else []
        if self.unseen and any(True for _ in self.flow.edges(seen=False)):
            marks.append(f"– – –   {self.texts.phrase('never_seen')}")
        if marks:
            boxes.append(([STRONG + self.texts.phrase("marks"), *marks], *COLOURS[""]))
        if not boxes:
            return
        yield "  { rank=sink;"
        for k, (rows, line, fill) in enumerate(boxes):
            look = {
                "label": "".join(f"{row}{LEFT}" for row in rows),
                "shape": "box",
                "style": "filled",
                "class": "legend",
            }
            look |= {
                "color": fill,
                "fillcolor": fill,
                "fontcolor": line,
                "fontsize": "8",
                "margin": "0.2,0.08",
            }
            yield f"    legend{k} [{_attributes(look)}];"
        yield "  }"
        last = (*self.flow.endings, *self.flow.graph.nodes)[0]
        for k in range(len(boxes)):
            yield f"  {self.ids[last]} -> legend{k} [style=invis];"

    def _sentences(self, data: Mapping[str, Any]) -> Iterator[str]:
        rule = self.texts.rule(data["rule"])
        whole = f"{rule}:  {', '.join(data['clauses'])}"
        if len(whole) <= WIDTH:
            yield whole
            return
        yield f"{rule}:"
        for part in _wrapped(data["clauses"]):
            yield f"{NOTE}    {part}"


def _often(per_game: float, mark: str) -> str:
    if not per_game:
        return ""
    text = f"{per_game:.1f}" if per_game >= 0.095 else f"{per_game:.2f}" if per_game >= 0.0095 else "<0.01"
    return f"{mark}{text} ×"


def _wrapped(clauses: Sequence[str], width: int = WIDTH) -> list[str]:
    lines, line = [], ""
    for clause in clauses:
        more = f"{line}, {clause}" if line else clause
        if line and len(more) > width:
            lines.append(line + ",")
            more = clause
        line = more
    return [*lines, line]


def _lines(text: str, width: int = 22) -> str:
    """A text broken into as few lines as the width allows, of about equal length."""
    rows = textwrap.wrap(text, width) or [text]
    for narrower in range(len(text) // len(rows), width):
        balanced = textwrap.wrap(text, max(narrower, 1), break_long_words=False)
        if len(balanced) == len(rows):
            return "\n".join(balanced)
    return "\n".join(rows)


def _attributes(look: Mapping[str, str]) -> str:
    return ", ".join(f'{k}="{_quoted(v)}"' for k, v in look.items())


def _quoted(text: str) -> str:
    """A text inside the quotes of the language; its line breaks become the language's own."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return escaped.replace("\n", "\\n").replace(LEFT, "\\l")
