"""The gRPC client in Python: grpcio's blocking stub. `grpc-bench` starts it and makes the messages that it needs."""

from __future__ import annotations

import argparse
import json
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter_ns, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Scenario(NamedTuple):
    """A scenario of the catalogue, and the function of `calls` that makes its operation."""

    name: str
    function: str
    argument: int | str | None = None
    # Whether it's measured with client and server on one core, too: those with small messages.
    pinned: bool = False


# Functions by name, so that a list needs nothing but Python.
SCENARIOS = [
    Scenario("empty call", "empty", pinned=True),
    Scenario("bench.small 76/80", "small", pinned=True),
    Scenario("json echo 13 B", "echo", "Hello, World!", pinned=True),
    Scenario("A small echo", "echo", "hello world from benchmark"),
    Scenario("A small greet", "greet"),
    Scenario("A small math.add", "add"),
    Scenario("M primitive", "div", pinned=True),
    Scenario("M string join", "join", pinned=True),
    Scenario("M sum 1000", "add_up", 1_000),
    Scenario("M sum 10000", "add_up", 10_000),
    Scenario("M return 10000", "numbers", 10_000),
    Scenario("error, message read", "fail", pinned=True),
    Scenario("M any 100", "dynamic", 100),
    Scenario("M any 10000", "dynamic", 10_000),
    Scenario("get_answer", "get_answer", pinned=True),
    Scenario("get_blob 1 KB", "get_blob", 1 << 10),
    Scenario("get_blob 64 KB", "get_blob", 1 << 16),
    Scenario("get_blob 1 MB", "get_blob", 1 << 20),
    Scenario("get_blob 16 MB", "get_blob", 1 << 24),
    Scenario("get_structs", "get_structs"),
    Scenario("typed text", "typed_text", pinned=True),
    Scenario("typed numbers", "typed_numbers", pinned=True),
    Scenario("typed 100 records", "typed_records"),
    Scenario("typed enum", "typed_enum", pinned=True),
    Scenario("typed 1000 doubles", "typed_doubles"),
]

# The scenario that is measured on several threads, which share the channel, and on how many besides one.
THREADED = "bench.small 76/80"
THREADS = [2, 4, 8]

# Above the blob of 16 MB; grpcio's own limit is 4 MB.
LARGEST_MESSAGE = 32 << 20

# At most so many values per measure.
SAMPLES = 100


class Effort(NamedTuple):
    """How long to measure, in nanoseconds: a sample is the mean of as many operations as fill `batch`."""

    warm_up: int
    measure: int
    least: int
    batch: int


FULL = Effort(200_000_000, 800_000_000, 200, 10_000_000)
QUICK = Effort(40_000_000, 80_000_000, 10, 5_000_000)


def measure(effort: Effort, operation: Callable[[bool], bool]) -> tuple[list[float], dict[str, float]]:
    """Time every operation by itself; the samples are means of operations one after another."""
    end = perf_counter_ns() + effort.warm_up
    while perf_counter_ns() < end:
        operation(False)
    times: list[int] = []
    samples: list[float] = []
    end = perf_counter_ns() + effort.measure
    while perf_counter_ns() < end or len(times) < effort.least:
        first = len(times)
        batch = 0
        while batch < effort.batch:
            before = perf_counter_ns()
            right = operation(False)
            time = perf_counter_ns() - before
            if not right:
                raise ValueError("an answer is not what it should be")
            times.append(time)
            batch += time
        samples.append(batch / (len(times) - first))
    times.sort()
    single = {
        "count": len(times),
        "p50": quantile(times, 0.5),
        "p90": quantile(times, 0.9),
        "p99": quantile(times, 0.99),
        "p999": quantile(times, 0.999),
        "clock": median(-(perf_counter_ns() - perf_counter_ns()) for _ in range(1001)),
    }
    return thin(samples), single


def measure_together(effort: Effort, operations: list[Callable[[bool], bool]]) -> list[float]:
    """Run an operation on each of several threads; a sample is the time of one on one thread, over some milliseconds."""
    stop = False
    problems: list[BaseException] = []
    counts = [0] * len(operations)

    def loop(index: int) -> None:
        operation = operations[index]
        try:
            while not stop:
                if not operation(False):
                    raise ValueError("an answer is not what it should be")
                counts[index] += 1
        except BaseException as problem:
            problems.append(problem)

    threads = [Thread(target=loop, args=(index,)) for index in range(len(operations))]
    for thread in threads:
        thread.start()
    samples = []
    sleep(effort.warm_up / 1e9)
    end = perf_counter_ns() + effort.measure
    before, done = perf_counter_ns(), sum(counts)
    while before < end and not problems:
        sleep(2 * effort.batch / 1e9)
        now, count = perf_counter_ns(), sum(counts)
        if count > done:
            samples.append((now - before) * len(threads) / (count - done))
            before, done = now, count
    stop = True
    for thread in threads:
        thread.join()
    for problem in problems:
        raise problem
    return thin(samples)


def quantile(ordered: list[int], share: float) -> float:
    """Give the value below which that share of the values lies, between two of them if need be."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def thin(samples: list[float]) -> list[float]:
    """Keep at most SAMPLES values, evenly by their order."""
    if len(samples) <= SAMPLES:
        return samples
    samples = sorted(samples)
    last = len(samples) - 1
    return [samples[index * last // (SAMPLES - 1)] for index in range(SAMPLES)]


def arguments() -> argparse.Namespace:
    """Read the options, which clients in all languages have."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tcp", metavar="HOST:PORT", help="where the server listens by TCP")
    parser.add_argument("--unix", metavar="PATH", help="the server's Unix socket")
    parser.add_argument("--pinned", action="store_true", help="client and server share one core: small messages only")
    parser.add_argument("--only", metavar="SUBSTRING", default="", help="only scenarios whose name contains this")
    parser.add_argument("--quick", action="store_true", help="enough for a look, not for a claim")
    parser.add_argument("--list", action="store_true", help="print a line per measure and make none")
    parser.add_argument("--smoke", action="store_true", help="call every method once and look at the answers")
    parser.add_argument("--out", metavar="FILE", type=Path, help="where to write the measures")
    return parser.parse_args()


def connect(target: str) -> Any:
    """Make a stub on a channel that is ready."""
    import grpc
    from bench_pb2_grpc import BenchStub

    options = [
        ("grpc.max_receive_message_length", LARGEST_MESSAGE),
        ("grpc.max_send_message_length", LARGEST_MESSAGE),
        # Otherwise it's a socket's path with its slashes escaped, which tonic's HTTP refuses as no host's name.
        ("grpc.default_authority", "localhost"),
    ]
    channel = grpc.insecure_channel(target, options=options)
    grpc.channel_ready_future(channel).result(timeout=10)
    return BenchStub(channel)


def plan(options: argparse.Namespace) -> Iterator[tuple[str, str, Scenario, int]]:
    """Tell subject, target, scenario and number of threads of every measure, in order."""
    suffix = " pinned" if options.pinned else ""
    for way, given, prefix in [("tcp", options.tcp, ""), ("unix", options.unix, "unix:")]:
        for scenario in SCENARIOS if given is not None else []:
            if options.only not in scenario.name or (options.pinned and not scenario.pinned):
                continue
            threaded = scenario.name == THREADED and not options.pinned
            for threads in [1, *(THREADS if threaded else [])]:
                yield f"grpc {way}{suffix}", f"{prefix}{given}", scenario, threads


def main() -> None:
    """Do what the options say."""
    options = arguments()
    planned = list(plan(options))
    if options.list:
        for subject, _, scenario, threads in planned:
            print(scenario.name, "python", "", subject, threads, sep="\t")
        return
    import calls

    effort = QUICK if options.quick else FULL
    stubs: dict[str, Any] = {}
    measures = []
    for subject, target, scenario, threads in planned:
        stub = stubs.get(target) or stubs.setdefault(target, connect(target))
        make = getattr(calls, scenario.function)
        arguments_of = [] if scenario.argument is None else [scenario.argument]
        operations = [make(stub, *arguments_of) for _ in range(threads)]
        if not operations[0](True):
            sys.exit(f"`{scenario.name}` answers something else")
        if options.smoke:
            print(f"ok: python, {subject}, {scenario.name}, threads {threads}")
            continue
        row: dict[str, Any] = {
            "scenario": scenario.name,
            "host": "python",
            "subject": subject,
            "threads": threads,
            "harness": "grpc",
        }
        if threads == 1:
            row["ns"], row["single"] = measure(effort, operations[0])
        else:
            row["ns"] = measure_together(effort, operations)
        measures.append(row)
        print(f"python, {subject}, {scenario.name}, threads {threads}: {median(row['ns']) / 1e3:.1f} µs", file=sys.stderr)
    if options.out:
        options.out.write_text(json.dumps(measures), encoding="utf-8")
        tools = options.out.with_name("tools-grpc-python.json")
        tools.write_text(json.dumps({f"{name} (Python)": version(name) for name in ["grpcio", "protobuf"]}), encoding="utf-8")


if __name__ == "__main__":
    main()
