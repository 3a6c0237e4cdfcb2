"""Load Rust plugins into this process and call them.

>>> import rustbridge
>>> with rustbridge.load("libhello_plugin.so") as hello:            # doctest: +SKIP
...     hello.call("greet", {"name": "Ada"})
{'greeting': 'Hello, Ada! Welcome to rustbridge.'}

The package has one API and two backends: a CPython extension, and ctypes if the extension can't be imported. To choose
a backend, set ``RUSTBRIDGE_BACKEND=native|ctypes``.
"""

from __future__ import annotations

from ._errors import (
    AbortedError,
    AlreadyExistsError,
    CancelledError,
    DataLossError,
    DeadlineExceededError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    PermissionDeniedError,
    PluginError,
    ResourceExhaustedError,
    ResponseTooLargeError,
    UnauthenticatedError,
    UnavailableError,
    UnimplementedError,
    UnknownError,
    error_class,
)
from ._lease import Lease
from ._load import inspect, load, native_version
from ._logging import OFF, TRACE
from ._method import Method
from ._objects import Object
from ._options import CallOptions, Reply
from ._plugin import Plugin
from ._services import Service, ServiceCall, service_call
from ._status import Encoding, State, Status
from ._streams import Stream

__version__ = "0.1.0"

__all__ = [
    "OFF",
    "TRACE",
    "AbortedError",
    "AlreadyExistsError",
    "CallOptions",
    "CancelledError",
    "DataLossError",
    "DeadlineExceededError",
    "Encoding",
    "FailedPreconditionError",
    "InternalError",
    "InvalidArgumentError",
    "Lease",
    "Method",
    "NotFoundError",
    "Object",
    "OutOfRangeError",
    "PermissionDeniedError",
    "Plugin",
    "PluginError",
    "Reply",
    "ResourceExhaustedError",
    "ResponseTooLargeError",
    "Service",
    "ServiceCall",
    "State",
    "Status",
    "Stream",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
    "__version__",
    "error_class",
    "inspect",
    "load",
    "native_version",
    "service_call",
]
