"""Log records of a plugin on their way into :mod:`logging`."""

from __future__ import annotations

import json
import logging
import threading
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

#: As many records wait for an instance's name at most, if nothing else is asked for: as many as wait in the core.
_EARLY = 4096


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


def from_abi(number: int) -> int:
    """Give Python's level for a number of the ABI."""
    return _PYTHON_LEVELS[number] if 0 <= number < len(_PYTHON_LEVELS) else TRACE


def _parse(text: str, empty: Any) -> Any:
    if not text:
        return empty
    try:
        return json.loads(text)
    except ValueError:
        return text


class LogSink:
    """Takes the records of one instance, on the core's log thread, and hands them to a logger.

    Records of ``create`` arrive before the name of the instance is known when the plugin names itself. They wait
    here, and :meth:`open` delivers them: the log thread must not wait for ``load``, which may wait for the log
    thread.
    """

    def __init__(self, name: str, logger: logging.Logger | None, capacity: int = 0) -> None:
        self._name = name
        self._logger = logger
        self._loggers: dict[str, logging.Logger] = {}
        self._open = False
        self._early: list[Record] = []
        # For all that ever wait, so that `open` comes to an end however slow the logger is.
        self._room = capacity or _EARLY
        self._dropped = 0
        self._lock = threading.Lock()

    def __call__(self, *fields: Any) -> None:
        """Take one record, given as the fields of :class:`Record`."""
        record = Record(*fields)
        if not self._open:
            with self._lock:
                if not self._open:
                    if self._room:
                        self._room -= 1
                        self._early.append(record)
                    else:
                        self._dropped += 1
                    return
        self._deliver(record)

    def open(self, name: str) -> None:
        """Say what the instance is called, and deliver what has waited for that, in order."""
        self._name = name
        while True:
            with self._lock:
                waiting, self._early = self._early, []
                if not waiting:
                    self._open = True
                    break
            # Not under the lock: a handler may do anything, also wait for the log thread.
            for record in waiting:
                try:
                    self._deliver(record)
                except Exception:
                    logging.getLogger("rustbridge").exception("a log handler failed")
        if self._dropped:
            logging.getLogger("rustbridge").warning(
                "%d log records of plugin instance `%s` were dropped while it was loaded", self._dropped, name
            )

    def logger_for(self, target: str) -> logging.Logger:
        """Give the logger of a target: the one given, or ``rustbridge.<instance>.<target>``."""
        if self._logger is not None:
            return self._logger
        logger = self._loggers.get(target)
        if logger is None:
            path = target.replace("::", ".")
            logger = logging.getLogger(f"rustbridge.{self._name}.{path}" if path else f"rustbridge.{self._name}")
            self._loggers[target] = logger
        return logger

    def _deliver(self, record: Record) -> None:
        level = from_abi(record.level)
        logger = self.logger_for(record.target)
        if not logger.isEnabledFor(level):
            return
        extra = {
            "instance": self._name,
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
