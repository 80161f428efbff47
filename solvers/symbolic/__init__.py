"""The symbolic engine: the IR executed over Z3 expressions."""
