"""Loading plugins, and functions that need no plugin."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal, cast

from . import _backend, _constants, _logging, _services, _threads
from ._json import codec
from ._plugin import Plugin, checked_logger

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Mapping

    from typing_extensions import Buffer

    from ._services import Service


def load(
    source: str | os.PathLike[str] | Buffer,
    config: dict[str, Any] | str | bytes | None = None,
    *,
    name: str | None = None,
    log_level: int | str | None = None,
    log_capacity: int | None = None,
    threads: int | None = None,
    logger: logging.Logger | None = None,
    on_panic: Literal["continue", "poison"] = "continue",
    backtrace: bool = False,
    own_copy: bool = False,
    services: Mapping[str, Callable[[Any], Any] | Service] | None = None,
    backend: Literal["native", "ctypes"] | None = None,
    _client_schema: str = "",
) -> Plugin:
    """Load a plugin from a library file, or from the library's bytes, and create an instance.

    * ``config`` is the configuration for the plugin's ``create``: a dict, JSON text, or None.
    * ``name`` is the instance's name. The default is the plugin's own name.
    * ``log_level`` is the level up to which log records are created: a level of :mod:`logging`, a level's name,
      :data:`TRACE` or :data:`OFF`. The default is the level that the logger enables now. After a later ``basicConfig``,
      assign None to :attr:`Plugin.log_level`.
    * ``log_capacity`` is how many records may wait for a slow logger, by default 4096. Further records are dropped and
      counted.
    * ``threads`` is how many plain handlers of the plugin may run on threads of the library at once, by default 512.
      Further calls wait. Plain handlers run on these threads if they are called from an event loop.
    * ``logger`` receives the records. The default is ``rustbridge.<name>.<target>``.
    * ``on_panic`` is ``"continue"`` or ``"poison"``. After a panic, a poisoned instance refuses further calls.
    * ``backtrace`` adds the Rust backtrace of a panic to the error.
    * ``own_copy`` maps the library once more for this instance, for plugins with global state of their own.
    * ``services`` are functions that the plugin may call, by name. A function accepts and returns a JSON value. A
      :class:`Service` can specify another encoding.
    * ``backend`` overrides the backend of this process.

    Raises :class:`PluginError` if the library can't be loaded, or if the plugin refuses the configuration.
    """
    chosen = _backend.choose(backend)
    path, image = _source(source)
    if on_panic not in ("continue", "poison"):
        raise ValueError(f"on_panic is {on_panic!r}: expected 'continue' or 'poison'")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"an instance's name must be a str, not {type(name).__name__}")
    name = str.__str__(name or "")
    flags = (
        (_constants.LOAD_POISON if on_panic == "poison" else 0)
        | (_constants.LOAD_BACKTRACE if backtrace else 0)
        | (_constants.LOAD_OWN_COPY if own_copy else 0)
    )
    capacity = _count(log_capacity, "a log capacity", "records")
    most = _count(threads, "a number of threads", "threads")
    logger = checked_logger(logger)
    level = _logging.to_abi(_logging.effective(logger, name) if log_level is None else log_level)
    sink = _logging.LogSink(logger)
    _threads.prepare()
    offered, numbers = _services.register(chosen, services or {})
    try:
        handle = chosen.load(
            path, image, _config(config), name, flags, level, capacity, sink, offered, _client_schema, most
        )
    except BaseException:
        _services.forget(numbers)
        raise
    return Plugin(chosen, handle, name, logger, level, numbers)


def inspect() -> dict[str, Any]:
    """Return the core's registry: the mapped libraries, their sources, and all live instances."""
    return cast("dict[str, Any]", json.loads(_backend.choose().inspect()))


def native_version() -> str:
    """Return the version of the native library."""
    return _backend.choose().version()


def _source(source: Any) -> tuple[bytes | None, bytes | None]:
    if isinstance(source, (str, os.PathLike)):
        # Bytes as the system has them, so that a path which isn't UTF-8 leads to its file.
        return os.fsencode(source), None
    if type(source) is bytes:
        return None, source
    try:
        view = memoryview(source)
    except TypeError:
        raise TypeError(
            f"a plugin's source must be a path or the bytes of a library, not {type(source).__name__}"
        ) from None
    return None, view.tobytes()


def _config(config: Any) -> bytes:
    if config is None:
        return b""
    # The content itself, whatever a subclass makes of `encode`, `__bytes__` and `__len__`.
    if isinstance(config, str):
        return str.encode(config)
    if isinstance(config, bytes):
        return memoryview(config).tobytes()
    if isinstance(config, dict):
        return codec.dumps(config)
    raise TypeError(f"a config must be a dict, JSON text or None, not {type(config).__name__}")


def _count(count: Any, what: str, of: str) -> int:
    if count is None:
        return 0
    if not isinstance(count, int):
        raise TypeError(f"{what} must be an int or None, not {type(count).__name__}")
    if not 0 < count < 2**32:
        raise ValueError(f"{what} must be between 1 and 2**32 - 1 {of}, not {count}")
    return count
