"""The pack for the developer of a digital version: options, regression tests, moments of play."""
