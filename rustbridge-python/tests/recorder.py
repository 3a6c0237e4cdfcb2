"""A log handler that remembers."""

from __future__ import annotations

import logging
from typing import Any


class Recorder(logging.Handler):
    """Keeps what it is given."""

    def __init__(self) -> None:
        super().__init__(0)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def quiet_logger() -> tuple[logging.Logger, Recorder]:
    logger = logging.Logger("conformance", 1)
    recorder = Recorder()
    logger.addHandler(recorder)
    return logger, recorder


def extra(record: logging.LogRecord) -> dict[str, Any]:
    return record.__dict__["rustbridge"]  # type: ignore[no-any-return]
