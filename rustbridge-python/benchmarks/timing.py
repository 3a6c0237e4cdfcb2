"""How calls are timed: in a loop, one by one, or on several threads at once."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from benchmarks.measures import Single, quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from typing_extensions import Self

#: Single operations: this many, unless they take long; then as many as fit into the time, but not fewer than the least.
SINGLES = 10_000
FEWEST_SINGLES = 200
SINGLES_TIME = 1.0
#: How often everything is measured, each time right after its floor; once for a quick look.
ROUNDS = 3


def choose_lengths(options: Any) -> None:
    """Choose how long pytest-benchmark measures, unless its own options say so.

    By itself it would take five microseconds for a sample, of which reading the clock is one per cent, and a second for
    each benchmark.
    """
    for name, usual, better in (
        ("benchmark_min_time", "0.000005", "0.00005"),
        ("benchmark_max_time", "1.0", "0.03" if options.quick else "0.25"),
        ("benchmark_min_rounds", 5, 3 if options.quick else 5),
    ):
        if str(getattr(options, name)) == str(usual):
            setattr(options, name, type(getattr(options, name))(better))


def plain_runner(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Make a loop around the bare call.

    pytest-benchmark's own calls with `*args, **kwargs`, which costs more than the fastest call measured here.
    """
    if len(arguments) > 1 or named:
        raise TypeError("a benchmark takes one argument at most")

    def run(loops: Any, timer: Callable[[], float] | None = None) -> Any:
        clock = timer or time.perf_counter
        if not loops:
            begin = clock()
            result = function(*arguments)
            return clock() - begin, result
        if arguments:
            (argument,) = arguments
            begin = clock()
            for _ in loops:
                function(argument)
        else:
            begin = clock()
            for _ in loops:
                function()
        return clock() - begin

    return run


def clock_time() -> float:
    """Give what reading the clock twice takes, in nanoseconds."""
    clock = time.perf_counter_ns
    return quantile([-(clock() - clock()) for _ in range(SINGLES)], 0.5)


def singles(function: Callable[..., Any], arguments: tuple[Any, ...], shortened: float = 1.0) -> Single:
    """Time operations one by one; `shortened` is the share of the usual number that will do."""
    clock = time.perf_counter_ns
    call = plain_runner(function, arguments, {})
    begin = clock()
    call(range(20))
    one = (clock() - begin) / 20e9
    count = max(FEWEST_SINGLES, min(int(SINGLES * shortened), int(SINGLES_TIME * shortened / one)))
    times = [0] * count
    if arguments:
        (argument,) = arguments
        for i in range(count):
            begin = clock()
            function(argument)
            times[i] = clock() - begin
    else:
        for i in range(count):
            begin = clock()
            function()
            times[i] = clock() - begin
    return Single.of(times, clock_time())


class Crew:
    """Threads that each call a function of their own, as often, at the same time."""

    def __init__(self, functions: Sequence[Callable[..., Any]], arguments: tuple[Any, ...]) -> None:
        self.calls = 0
        self._failure: BaseException | None = None
        self._gate = threading.Barrier(len(functions) + 1)
        runners = [plain_runner(function, arguments, {}) for function in functions]
        self._threads = [threading.Thread(target=self._follow, args=(runner,), daemon=True) for runner in runners]
        for thread in self._threads:
            thread.start()

    def run(self) -> None:
        """Have every thread make its calls once."""
        self._gate.wait()
        self._gate.wait()
        if self._failure is not None:
            raise self._failure

    def calibrate(self, seconds: float) -> None:
        """Choose the number of calls so that together they take about that long."""
        self.calls = 32
        while True:
            begin = time.perf_counter()
            self.run()
            if time.perf_counter() - begin >= seconds:
                return
            self.calls *= 2

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.calls = 0
        self._gate.wait()
        for thread in self._threads:
            thread.join()

    def _follow(self, runner: Callable[[range], float]) -> None:
        while True:
            self._gate.wait()
            if not self.calls:
                return
            try:
                runner(range(self.calls))
            except BaseException as error:
                self._failure = error
            self._gate.wait()
