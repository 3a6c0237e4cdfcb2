"""Other ways to call native code from Python, measured by the harness of `rustbridge-python/benchmarks`."""
