"""Flows: a rulebook as a graph of phases, rules, triggers or states, and what the graph says.

Promise: everything in a flow was seen in the explored states or in random games, or is marked as possible by
the guards alone; the questions over it use the definitions of the explorer.
"""

from __future__ import annotations

from solvers.flows.clusters import Cluster, clusters
from solvers.flows.dot import dot
from solvers.flows.exports import as_json, aut, graphml, mermaid
from solvers.flows.flow import GAMES, LEVELS, Flow, flow
from solvers.flows.questions import Answers, Note, answers
from solvers.flows.svg import svg
from solvers.flows.texts import Texts
from solvers.flows.triggers import Chain

# fmt: off
__all__ = [
    "GAMES", "LEVELS", "Answers", "Chain", "Cluster", "Flow", "Note", "Texts", "answers", "as_json", "aut",
    "clusters", "dot", "flow", "graphml", "mermaid", "svg",
]
