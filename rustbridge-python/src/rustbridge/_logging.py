"""Delivery of a plugin's log records to :mod:`logging`."""

from __future__ import annotations

import json
import logging
from typing import Any, NamedTuple

TRACE = 5
OFF = logging.CRITICAL + 10

logging.addLevelName(TRACE, "TRACE")

#: Python's level for each level of the ABI, by its number there.
_PYTHON_LEVELS = (OFF, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG, TRACE)
_NAMES = {
    "OFF": OFF,
    "CRITICAL": logging.CRITICAL,
    "ERROR": logging.ERROR,
    "WARN": logging.WARNING,
    "WARNING": logging.WARNING,
    "INFO": logging.INFO,
    "DEBUG": logging.DEBUG,
    "TRACE": TRACE,
}
_KINDS = ("event", "span")


class Record(NamedTuple):
    """A log record from a backend, with decoded texts. JSON isn't parsed yet."""

    level: int
    kind: int
    line: int
    time_unix_ns: int
    duration_ns: int
    target: str
    message: str
    fields: str
    spans: str
    file: str
    thread: str
    instance: str


def to_abi(level: int | str) -> int:
    """Return the ABI's level for a Python level. A level in between maps to the next more urgent one."""
    if isinstance(level, str):
        try:
            level = _NAMES[level.upper()]
        except KeyError:
            raise ValueError(f"unknown log level {level!r}: expected one of {', '.join(_NAMES)}") from None
    elif not isinstance(level, int):
        raise TypeError(f"a log level must be an int or a str, not {type(level).__name__}")
    for number in range(len(_PYTHON_LEVELS) - 1, 0, -1):
        if level <= _PYTHON_LEVELS[number]:
            return number
    return 0


def effective(logger: logging.Logger | None, name: str) -> int:
    """Return the level that the logger enables now: the logger that was passed, or the default logger of the name."""
    return (logger or logging.getLogger(f"rustbridge.{name}" if name else "rustbridge")).getEffectiveLevel()


def from_abi(number: int) -> int:
    """Return Python's level for a level of the ABI."""
    return _PYTHON_LEVELS[number] if 0 <= number < len(_PYTHON_LEVELS) else TRACE


def _parse(text: str, empty: Any) -> Any:
    if not text:
        return empty
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


class LogSink:
    """The sink of one instance's records. It runs on a log thread of the core, and passes records to a logger."""

    def __init__(self, logger: logging.Logger | None) -> None:
        self._logger = logger
        self._loggers: dict[str, logging.Logger] = {}

    def __call__(self, *fields: Any) -> None:
        """Deliver one record. The arguments are the fields of :class:`Record`."""
        self._deliver(Record(*fields))

    def logger_for(self, instance: str, target: str) -> logging.Logger:
        """Return the logger of a target: the logger that was passed, or ``rustbridge.<instance>.<target>``."""
        if self._logger is not None:
            return self._logger
        logger = self._loggers.get(target)
        if logger is None:
            path = target.replace("::", ".")
            logger = logging.getLogger(f"rustbridge.{instance}.{path}" if path else f"rustbridge.{instance}")
            self._loggers[target] = logger
        return logger

    def _deliver(self, record: Record) -> None:
        level = from_abi(record.level)
        logger = self.logger_for(record.instance, record.target)
        if not logger.isEnabledFor(level):
            return
        extra = {
            "instance": record.instance,
            "target": record.target,
            "kind": _KINDS[record.kind] if record.kind < len(_KINDS) else str(record.kind),
            "fields": _parse(record.fields, {}),
            "spans": _parse(record.spans, []),
            "duration_ns": record.duration_ns,
            "time_unix_ns": record.time_unix_ns,
        }
        entry = logger.makeRecord(
            logger.name, level, record.file, record.line, record.message, (), None, None, {"rustbridge": extra}
        )
        # The record tells when and where it happened, not when and where Python heard of it.
        created = record.time_unix_ns / 1e9
        entry.relativeCreated += (created - entry.created) * 1e3
        entry.created = created
        entry.msecs = float(record.time_unix_ns // 1_000_000 % 1000)
        entry.threadName = record.thread
        entry.thread = None
        logger.handle(entry)
