"""Building XML: elements in their parent's namespace, texts without what XML cannot hold.

Promise: whatever a text holds, the document is well-formed and says that text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def clean(text: str) -> str:
    """A text without signs that XML 1.0 forbids; each becomes the replacement character."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def element(
    parent: Any,
    tag: str,
    *,
    text: str | None = None,
    nsmap: Mapping[str | None, str] | None = None,
    **attributes: str,
) -> Any:
    """An element, under a parent and in its namespace where there is one.

    Args:
        parent: the parent, or None for a root.
        tag: the name; of a root with its namespace in braces.
        text: what stands in it.
        nsmap: the namespaces of a root.
        attributes: its attributes.
    """
    from lxml import etree

    values = {k: clean(v) for k, v in attributes.items()}
    if parent is None:
        made = etree.Element(tag, values, nsmap=dict(nsmap) if nsmap else None)
    else:
        space = etree.QName(parent).namespace
        made = etree.SubElement(parent, f"{{{space}}}{tag}" if space else tag, values)
    if text is not None:
        made.text = clean(text)
    return made


def document(root: Any, doctype: str | None = None) -> bytes:
    """The document of a root, indented where that changes no text."""
    from lxml import etree

    made: bytes = etree.tostring(
        root, pretty_print=True, xml_declaration=True, encoding="UTF-8", doctype=doctype
    )
    return made
