"""Reports: the same audit for different readers, one module a form."""
