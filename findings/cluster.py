"""A Dask cluster as the executor of jobs, where the user names a scheduler.

Promises: a scheduler that does not answer is one message; a job whose worker is lost is done again by
another one.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from findings.text import printable
from models.language.errors import ModelError

#: Seconds to wait for the scheduler.
PATIENCE = 10
#: How often a job whose worker was lost is done again.
RETRIES = 3


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """An executor on a cluster.

    Args:
        address: the scheduler's, for instance `tcp://192.0.2.7:8786`.

    Errors:
        ModelError: the extra is not installed, or nobody answers there.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        hint = "install it with `pip install 'ruleslawyer[cluster]'`"
        raise ModelError("a cluster needs the extra `cluster`", hint=hint) from None
    shown = printable(address)
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        hint = "check the address, and that the scheduler runs there"
        raise ModelError("no scheduler answers", where=shown, hint=hint) from error
    with client:
        yield client.get_executor(retries=RETRIES, pure=False)


__all__ = ["connected"]
