"""Builds the conformance cases; `generate.py` beside this folder runs it."""
