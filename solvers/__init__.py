"""The engines: each takes a built rulebook and a question, and answers with a verdict and its scope."""
