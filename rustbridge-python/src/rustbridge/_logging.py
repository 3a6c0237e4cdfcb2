"""Log records of a plugin on their way into :mod:`logging`."""

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
    """One record as a backend hands it over, texts decoded and nothing parsed."""

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
    """Give the ABI's number for a level of Python's; one in between wants what is at least as urgent."""
    if isinstance(level, str):
        try:
            level = _NAMES[level.upper()]
        except KeyError:
            raise ValueError(f"unknown log level {level!r}: expected one of {', '.join(_NAMES)}") from None
    elif not isinstance(level, int):
        raise TypeError(f"a log level is an int or a str, not {type(level).__name__}")
    for number in range(len(_PYTHON_LEVELS) - 1, 0, -1):
        if level <= _PYTHON_LEVELS[number]:
            return number
    return 0


def effective(logger: logging.Logger | None, name: str) -> int:
    """Give the level that the logger lets through now: the one given, or that of the instances of a name."""
    return (logger or logging.getLogger(f"rustbridge.{name}" if name else "rustbridge")).getEffectiveLevel()


def from_abi(number: int) -> int:
    """Give Python's level for a number of the ABI."""
    return _PYTHON_LEVELS[number] if 0 <= number < len(_PYTHON_LEVELS) else TRACE


def _parse(text: str, empty: Any) -> Any:
    if not text:
        return empty
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


class LogSink:
    """Takes the records of one instance, on a log thread of the core's, and hands them to a logger."""

    def __init__(self, logger: logging.Logger | None) -> None:
        self._logger = logger
        self._loggers: dict[str, logging.Logger] = {}

    def __call__(self, *fields: Any) -> None:
        """Take one record, given as the fields of :class:`Record`."""
        self._deliver(Record(*fields))

    def logger_for(self, instance: str, target: str) -> logging.Logger:
        """Give the logger of a target: the one given, or ``rustbridge.<instance>.<target>``."""
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
