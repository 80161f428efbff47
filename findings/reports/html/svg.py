"""A drawing of a flow, made safe and linked for a page.

Promises: only shapes and texts are left of the drawing; a step links to its rule in the page and nowhere
else; a file that is no SVG gives no drawing.
"""

from __future__ import annotations

from typing import Any

_SPACE = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_ELEMENTS = frozenset({"svg", "g", "a", "polygon", "polyline", "path", "ellipse", "circle", "rect", "text"})
_ATTRIBUTES = frozenset(
    {
        *(
            "class",
            "viewBox",
            "transform",
            "points",
            "d",
            "x",
            "y",
            "cx",
            "cy",
            "rx",
            "ry",
            "r",
            "width",
            "height",
        ),
        *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity"),
        *("text-anchor", "font-family", "font-size", "font-weight"),
    }
)


def linked(drawn: str, prefix: str, label: str) -> str:
    """The drawing for a page.

    Args:
        drawn: SVG as `solvers.flows.svg` makes it.
        prefix: stands before the rule's name in the address of a rule in the page.
        label: what the drawing is, for people who do not see it.

    Returns:
        An `svg` element, or "" if the drawing is none.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(drawn.encode("utf-8"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return ""
    if root.tag != f"{_SPACE}svg":
        return ""
    made = etree.Element(f"{_SPACE}svg", nsmap={None: _SPACE[1:-1]})
    _attributes(root, made)
    made.attrib.pop("width", None)
    made.attrib.pop("height", None)
    made.set("role", "group")
    made.set("aria-label", label)
    _children(etree, root, made, prefix)
    text: str = etree.tostring(made, encoding="unicode")
    return text


def _children(etree: Any, old: Any, new: Any, prefix: str) -> None:
    for child in old:
        if not isinstance(child.tag, str) or child.tag.removeprefix(_SPACE) not in _ELEMENTS:
            continue
        made = etree.SubElement(new, child.tag)
        _attributes(child, made)
        if child.tag == f"{_SPACE}a":
            _link(child, made, prefix)
        if child.tag == f"{_SPACE}text":
            made.text = "".join(child.itertext())
        _children(etree, child, made, prefix)


def _attributes(old: Any, new: Any) -> None:
    for name in sorted(_ATTRIBUTES & set(old.attrib)):
        if "url(" not in old.get(name) and "javascript" not in old.get(name).lower():
            new.set(name, old.get(name))


def _link(old: Any, new: Any, prefix: str) -> None:
    """A step leads to its rule; a node leads nowhere."""
    title = old.get(f"{_XLINK}title") or old.get("title") or ""
    rule, colon, _ = title.partition(":")
    if colon and rule.isidentifier():
        new.set("href", f"#{prefix}{rule}")
        new.set("aria-label", title)
    else:
        new.tag = f"{_SPACE}g"
