"""Reports for pipelines: SARIF, JUnit, annotations, JSON lines and traces in ITF."""
