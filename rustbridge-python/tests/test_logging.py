"""Records of a plugin in `logging`: whole, in order, and harmless whatever a handler does."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _logging
from tests.recorder import Recorder, extra, quiet_logger

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

CONFIG = {"label": "logs"}


def emit(plugin: rustbridge.Plugin, level: str, message: str = "hello", count: int = 1) -> None:
    plugin.call("log.emit", {"level": level, "message": message, "count": count})


class Wild(logging.Handler):
    """Does what it's told with each record."""

    def __init__(self, act: Callable[[logging.LogRecord], object]) -> None:
        super().__init__(0)
        self.act = act
        self.seen: list[str] = []

    def handle(self, record: logging.LogRecord) -> bool:
        # Not `emit`: logging would catch what that raises.
        self.seen.append(record.getMessage())
        self.act(record)
        return True


def logger_with(handler: logging.Handler) -> logging.Logger:
    logger = logging.Logger("test", 1)
    logger.addHandler(handler)
    return logger


def test_records_go_to_the_logger_of_instance_and_target(load: Load) -> None:
    recorder = Recorder()
    root = logging.getLogger("rustbridge.mine")
    root.addHandler(recorder)
    root.setLevel(logging.INFO)
    try:
        plugin = load("conformance-plugin", CONFIG, name="mine")
        assert plugin.log_level == logging.INFO
        before = time.time()
        emit(plugin, "WARN", "groß %s {} 🦀")
        emit(plugin, "DEBUG")
        plugin.flush_logs(10)
    finally:
        root.removeHandler(recorder)
        root.setLevel(logging.NOTSET)
    (record,) = [record for record in recorder.records if extra(record)["target"] == "conformance::cases"]
    assert record.name == "rustbridge.mine.conformance.cases"
    assert (record.levelno, record.levelname) == (logging.WARNING, "WARNING")
    assert record.getMessage() == "groß %s {} 🦀"
    assert extra(record)["instance"] == "mine"
    assert extra(record)["fields"] == {"n": 0, "flag": True, "text": "größer 🦀"}
    assert before - 1 < record.created < time.time() + 1
    assert abs(record.created * 1000 % 1000 - record.msecs) < 1.5
    assert abs(record.relativeCreated) < 1e9
    assert record.pathname.endswith(".rs")
    assert record.lineno > 0


def test_a_record_tells_the_thread_it_happened_on(load: Load) -> None:
    logger, recorder = quiet_logger()
    plugin = load("conformance-plugin", CONFIG, logger=logger, log_level="info")
    emit(plugin, "INFO")
    plugin.flush_logs(10)
    assert recorder.records[-1].threadName != "Dummy-1"
    assert recorder.records[-1].thread is None


def test_the_level_changes_while_it_runs(load: Load) -> None:
    logger, recorder = quiet_logger()
    plugin = load("conformance-plugin", CONFIG, logger=logger, log_level=rustbridge.OFF)
    emit(plugin, "ERROR", "never")
    plugin.log_level = "trace"
    assert plugin.log_level == rustbridge.TRACE == 5
    emit(plugin, "TRACE", "finest")
    plugin.log_level = logging.ERROR
    emit(plugin, "WARN", "not this")
    emit(plugin, "ERROR", "this")
    plugin.flush_logs(10)
    messages = [record.getMessage() for record in recorder.records if extra(record)["target"] == "conformance::cases"]
    assert messages == ["finest", "this"]
    assert recorder.records[0].levelname == "TRACE"


def test_a_level_that_is_given_to_logging_later_is_asked_for(load: Load) -> None:
    plugin = load("conformance-plugin", CONFIG, name="later")
    logger = logging.getLogger("rustbridge.later")
    assert plugin.log_level == logging.WARNING
    logger.setLevel(logging.DEBUG)
    try:
        assert plugin.log_level == logging.WARNING
        plugin.log_level = None
        assert plugin.log_level == logging.DEBUG
        other, recorder = quiet_logger()
        plugin.set_logger(other)
        plugin.log_level = None
        assert plugin.log_level == rustbridge.TRACE
        emit(plugin, "TRACE", "made")
        plugin.flush_logs(10)
        assert [record.getMessage() for record in recorder.records] == ["made"]
    finally:
        logger.setLevel(logging.NOTSET)


def test_another_logger_takes_over_at_once(load: Load) -> None:
    (first, one), (second, two) = quiet_logger(), quiet_logger()
    plugin = load("conformance-plugin", CONFIG, logger=first, log_level="info")
    emit(plugin, "INFO", "to the first")
    plugin.flush_logs(10)
    plugin.set_logger(second)
    emit(plugin, "INFO", "to the second")
    plugin.flush_logs(10)
    assert [record.getMessage() for record in one.records][-1] == "to the first"
    assert [record.getMessage() for record in two.records] == ["to the second"]
    with pytest.raises(TypeError):
        plugin.set_logger("by name")  # type: ignore[arg-type]


def test_instances_log_apart(load: Load) -> None:
    (first, one), (second, two) = quiet_logger(), quiet_logger()
    a = load("conformance-plugin", CONFIG, logger=first, log_level="info")
    b = load("conformance-plugin", CONFIG, logger=second, log_level="error")
    for number in range(20):
        emit(a, "INFO", f"a{number}")
        emit(b, "INFO", f"b{number}")
        emit(b, "ERROR", f"b{number}!")
    a.flush_logs(10)
    b.flush_logs(10)
    assert [r.getMessage() for r in one.records if r.getMessage()[0] == "a"] == [f"a{n}" for n in range(20)]
    assert [r.getMessage() for r in two.records] == [f"b{n}!" for n in range(20)]


def test_records_of_create_have_the_plugins_name(load: Load) -> None:
    logger, recorder = quiet_logger()
    plugin = load("fault-plugin", {"log": True}, logger=logger, log_level="trace")
    plugin.flush_logs(10)
    assert recorder.records
    assert {extra(record)["instance"] for record in recorder.records} == {plugin.name}


def test_a_failed_create_is_logged_too(load: Load) -> None:
    logger, recorder = quiet_logger()
    with pytest.raises(rustbridge.InternalError):
        load("fault-plugin", {"create": "panic"}, logger=logger, log_level="trace")
    assert any(record.levelno == logging.ERROR for record in recorder.records)
    assert {extra(record)["instance"] for record in recorder.records} == {"fault"}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_handler_that_raises_harms_nothing(load: Load) -> None:
    def explode(_: logging.LogRecord) -> None:
        raise RuntimeError("a bad handler")

    handler = Wild(explode)
    plugin = load("conformance-plugin", CONFIG, logger=logger_with(handler), log_level="info")
    for number in range(5):
        emit(plugin, "INFO", f"m{number}")
    plugin.flush_logs(10)
    assert [message for message in handler.seen if message[0] == "m"] == [f"m{n}" for n in range(5)]
    assert plugin.state is rustbridge.State.ACTIVE


def test_a_handler_that_blocks_holds_no_call_up(load: Load) -> None:
    gate = threading.Event()
    handler = Wild(lambda _: gate.wait(30))
    plugin = load("conformance-plugin", CONFIG, logger=logger_with(handler), log_level="info")
    for number in range(100):
        emit(plugin, "INFO", f"m{number}")
    assert len(handler.seen) <= 1
    with pytest.raises(rustbridge.DeadlineExceededError):
        plugin.flush_logs(0.01)
    gate.set()
    plugin.flush_logs(10)
    assert len(handler.seen) >= 100


def test_a_handler_may_call_the_plugin_and_change_its_logging(load: Load) -> None:
    results: list[Any] = []

    def act(record: logging.LogRecord) -> None:
        if record.getMessage() == "call me":
            results.append(plugin.call("types.value", [1, 2]))
            plugin.log_level = "off"
            plugin.set_logger(logger_with(Recorder()))

    handler = Wild(act)
    plugin = load("conformance-plugin", CONFIG, logger=logger_with(handler), log_level="info")
    emit(plugin, "INFO", "call me")
    deadline = time.monotonic() + 10
    while plugin.log_level != rustbridge.OFF and time.monotonic() < deadline:
        time.sleep(0.01)
    assert results == [[1, 2]]
    assert plugin.log_level == rustbridge.OFF


def test_a_handler_may_close_the_plugin(load: Load) -> None:
    closed = threading.Event()

    def act(record: logging.LogRecord) -> None:
        if record.getMessage() == "close me":
            plugin.close()
            closed.set()

    plugin = load("conformance-plugin", CONFIG, logger=logger_with(Wild(act)), log_level="info")
    emit(plugin, "INFO", "close me")
    assert closed.wait(30)
    assert plugin.state is rustbridge.State.CLOSED


def test_records_come_from_everywhere_in_a_plugin(load: Load) -> None:
    logger, recorder = quiet_logger()
    plugin = load("fault-plugin", {}, logger=logger, log_level="info")
    plugin.call("log.everywhere")
    plugin.flush_logs(10)
    messages = [record.getMessage() for record in recorder.records]
    assert messages[-4:] == ["in a call", "in a thread", "in a task", "after an await"]


def test_what_is_dropped_is_reported(load: Load) -> None:
    logger, recorder = quiet_logger()
    gate = threading.Event()
    logger.addFilter(lambda _: gate.wait(30))
    plugin = load("fault-plugin", {}, logger=logger, log_level="info")
    plugin.call("log.flood", {"n": 20_000})
    gate.set()
    plugin.flush_logs(30)
    # The report stands where the dropped records would have stood: before the next one.
    plugin.call("log.flood", {"n": 1})
    plugin.flush_logs(30)
    dropped = [record for record in recorder.records if extra(record)["target"] == "rustbridge"]
    assert any("dropped" in record.getMessage() for record in dropped)
    flood = [extra(record)["fields"]["n"] for record in recorder.records if record.getMessage() == "flood"]
    assert flood.pop() == 0
    assert flood == sorted(flood)
    lost = sum(extra(record)["fields"]["dropped"] for record in dropped)
    assert len(flood) + lost == 20_000
    assert lost > 0


def test_the_capacity_says_how_many_records_wait(load: Load) -> None:
    logger, recorder = quiet_logger()
    gate = threading.Event()
    logger.addFilter(lambda _: gate.wait(30))
    plugin = load("fault-plugin", {}, logger=logger, log_level="info", log_capacity=5)
    plugin.call("log.flood", {"n": 100})
    gate.set()
    plugin.flush_logs(30)
    flood = [record for record in recorder.records if record.getMessage() == "flood"]
    # Those in the queue, and one that the thread may have taken out of it meanwhile.
    assert 5 <= len(flood) <= 6


def test_close_delivers_what_was_logged(load: Load) -> None:
    logger, recorder = quiet_logger()
    plugin = load("conformance-plugin", CONFIG, logger=logger, log_level="info")
    emit(plugin, "INFO", "last words", 50)
    plugin.close()
    assert sum(record.getMessage() == "last words" for record in recorder.records) == 50


def test_levels_translate_both_ways() -> None:
    for number in range(6):
        assert _logging.to_abi(_logging.from_abi(number)) == number
    between = {0: 5, 5: 5, 7: 4, 10: 4, 15: 3, 25: 2, 35: 1, 40: 1, 41: 0, 50: 0, 10**9: 0}
    assert {level: _logging.to_abi(level) for level in between} == between
    assert [_logging.to_abi(name) for name in ("trace", "Debug", "INFO", "warn", "warning", "error", "off")] == [
        5,
        4,
        3,
        2,
        2,
        1,
        0,
    ]


def test_odd_records_are_delivered_all_the_same() -> None:
    logger, recorder = quiet_logger()
    sink = _logging.LogSink(logger)
    sink(9, 7, 0, 0, 0, "", "early", "{broken", "", "", "", "odd")
    sink(3, 1, 0, 10**18, 5, "t", "late", "", "[]", "", "", "odd")
    early, late = recorder.records
    assert (early.levelno, extra(early)["fields"], extra(early)["kind"]) == (rustbridge.TRACE, "{broken", "7")
    assert (late.created, extra(late)["kind"], extra(late)["duration_ns"]) == (1e9, "span", 5)


def test_a_handler_that_blocks_holds_no_load_up(load: Load) -> None:
    gate = threading.Event()
    waited: list[bool] = []
    handler = Wild(lambda _: waited.append(gate.wait(10)))
    # The record of `create` comes while that goes on.
    config = {"log": True, "create": "hang", "hang_ms": 300}
    plugin = load("fault-plugin", config, logger=logger_with(handler), log_level="info")
    gate.set()
    plugin.flush_logs(10)
    assert waited
    assert all(waited)
