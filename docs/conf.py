"""How Sphinx builds the documentation: `sphinx-build -W docs FOLDER`.

Promise: reference pages are made of the code that is installed: the codes, the schemas, the command line, the
language. Nothing is written into this folder.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.docutils import SphinxDirective

sys.path.insert(0, str(Path(__file__).parent))

import reference_text

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

project = "ruleslawyer"
author = "the ruleslawyer authors"
version = release = metadata.version("ruleslawyer")
project_copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
exclude_patterns = ["_build", "README.md", "examples"]
html_theme = "furo"
html_title = "ruleslawyer"

myst_heading_anchors = 3
# Folders of the repository are no pages; tests/test_docs.py checks that they exist.
nitpick_ignore_regex = [("myst", r"\.\./examples/.*")]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"


class Generated(SphinxDirective):
    """`{generated} codes` or `{generated} schema:FILE`: text made of data, in Markdown."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of the text."""
        for file in reference_text.sources():
            self.env.note_dependency(str(file))
        text = reference_text.made(self.arguments[0])
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("generated", Generated)
