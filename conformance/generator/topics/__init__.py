"""One module a topic: `NAME`, a docstring, `cases()`."""

from . import (
    asynchronous,
    config,
    encodings,
    errors,
    hello,
    json_text,
    lies,
    lifecycle,
    logs,
    methods,
    numbers,
    panics,
    pending,
    pods,
    raw_bytes,
    types,
)

ALL = [
    asynchronous,
    config,
    encodings,
    errors,
    hello,
    json_text,
    lies,
    lifecycle,
    logs,
    methods,
    numbers,
    panics,
    pending,
    pods,
    raw_bytes,
    types,
]
