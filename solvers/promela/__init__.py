"""Promela: a program as a model for SPIN, from the same IR."""

from __future__ import annotations

from solvers.promela.export import export
from solvers.promela.names import Unexportable

__all__ = ["Unexportable", "export"]
