"""Callbacks: objects of this program that a plugin calls, and services with several parameters."""

from __future__ import annotations

import asyncio
import functools
import gc
import pickle
import signal
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge._objects import PassedObject
from tests.clients import fixtures_client as f
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ADA, BOB = f.Person("Ada", 36), f.Person("Bob", 7)
LIMIT = 60


class Counting:
    """Counts who has joined, and confirms at once."""

    def __init__(self, favourite: str = "") -> None:
        self.seen: list[tuple[f.Person, list[str]]] = []
        self.likes = favourite

    def joined(self, person: f.Person, tags: list[str]) -> None:
        self.seen.append((person, tags))

    def count(self) -> int:
        return len(self.seen)

    def favourite(self, among: list[f.Person]) -> f.Person | None:
        return next((person for person in among if person.name == self.likes), None)

    def confirm(self, question: str, patience: int) -> bool:
        return question == "sure?" and patience == 5


class Later(Counting):
    """Confirms later."""

    async def confirm(self, question: str, patience: int) -> bool:  # type: ignore[override]
        await asyncio.sleep(0)
        return question == "sure?" and patience == 5


class Reporting:
    """Keeps the reports, and stops at a step."""

    def __init__(self, last: int = 0) -> None:
        self.reports: list[tuple[int, int]] = []
        self.last = last

    def report(self, done: int, total: int) -> bool:
        self.reports.append((done, total))
        return done != self.last


class Branch:
    """A node of this program."""

    def __init__(self, name: str, weight: float) -> None:
        self.called, self.kilograms = name, weight

    def name(self) -> str:
        return self.called

    def weight(self) -> float:
        return self.kilograms


class Directory:
    """Knows two persons."""

    def find(self, prefix: str, oldest: int, limit: int | None) -> list[f.Person]:
        return [one for one in (ADA, BOB) if one.name.startswith(prefix) and one.age <= oldest][:limit]


def load(backend: str, **options: Any) -> f.Fixtures:
    return f.Fixtures.load(plugin_path("fixtures-plugin"), log_level=rustbridge.OFF, backend=backend, **options)


@pytest.fixture
def fixtures(backend: str) -> Iterator[f.Fixtures]:
    with load(backend) as client:
        yield client


def held(client: f.Fixtures) -> int:
    """Give the number of this program's objects that the plugin holds."""
    return sum(len(one.table.objects) for one in client._passing.values() if one.table is not None)


def until(condition: Callable[[], bool]) -> None:
    """Wait for what happens on another thread."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_progress_is_a_function_or_an_object(fixtures: f.Fixtures) -> None:
    reports: list[tuple[int, int]] = []

    def report(done: int, total: int) -> bool:
        reports.append((done, total))
        return True

    assert fixtures.work(3, report) == 3
    assert reports == [(1, 3), (2, 3), (3, 3)]
    assert fixtures.work(3, lambda done, _: done < 2) == 2
    progress = Reporting(last=2)
    assert fixtures.work(5, progress) == 2
    assert progress.reports == [(1, 5), (2, 5)]
    assert fixtures.work(2, functools.partial(lambda limit, done, _: done < limit, 9)) == 2
    until(lambda: held(fixtures) == 0)


def test_a_method_is_a_function(fixtures: f.Fixtures) -> None:
    assert fixtures.work(4, Reporting(last=3).report) == 3


def test_another_thread_of_the_plugin_calls(fixtures: f.Fixtures) -> None:
    progress, threads = Reporting(), set[int]()

    def report(done: int, total: int) -> bool:
        threads.add(threading.get_ident())
        return progress.report(done, total)

    assert fixtures.work_elsewhere(3, report) == 3
    assert progress.reports == [(1, 3), (2, 3), (3, 3)]
    assert threading.get_ident() not in threads
    until(lambda: held(fixtures) == 0)


@pytest.mark.parametrize("method", ["work", "work_elsewhere"])
def test_exceptions_arrive_as_errors(fixtures: f.Fixtures, method: str) -> None:
    def fail(done: int, total: int) -> bool:
        raise LookupError(f"{done} of {total}")

    with pytest.raises(rustbridge.InternalError, match="1 of 2") as failed:
        getattr(fixtures, method)(2, fail)
    assert failed.value.type == "LookupError"
    assert isinstance(failed.value.__cause__, LookupError)

    def missing(done: int, total: int) -> bool:
        raise rustbridge.NotFoundError(rustbridge.Status.NOT_FOUND, f"no {done} of {total}", "Missing")

    with pytest.raises(rustbridge.NotFoundError, match="no 1 of 2") as unknown:
        getattr(fixtures, method)(2, missing)
    assert unknown.value.type == "Missing"
    with pytest.raises(rustbridge.InternalError, match=r"Progress\.report: response: a bool is expected, not str"):
        getattr(fixtures, method)(2, lambda *_: "yes")
    until(lambda: held(fixtures) == 0)


def test_an_interrupt_in_a_callback_arrives_in_the_program(fixtures: f.Fixtures) -> None:
    def interrupt(*_: int) -> bool:
        raise KeyboardInterrupt

    def work() -> None:
        fixtures.work(1, interrupt)
        # The main thread raises it here at the latest.
        time.sleep(LIMIT)

    # A program that a shell has started in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for _ in range(3):
            with pytest.raises(KeyboardInterrupt):
                work()
    finally:
        signal.signal(signal.SIGINT, before)
    until(lambda: held(fixtures) == 0)


def test_a_listener_is_called_later_and_comes_back_as_itself(fixtures: f.Fixtures) -> None:
    one, other = Counting("Ada"), Counting("Bob")
    fixtures.subscribe("one", one)
    assert fixtures.join(ADA, ["new"]) == 1
    assert one.seen == [(ADA, ["new"])]
    fixtures.subscribe_all([f.Subscription("other", other), f.Subscription("third", one)])
    assert held(fixtures) == 3
    assert fixtures.join(BOB, []) == 2 + 1 + 3
    assert fixtures.favourites([ADA, BOB]) == [ADA, BOB, ADA]
    assert fixtures.favourites([]) == [None] * 3
    assert fixtures.listener("one") is one
    assert fixtures.listener("unknown") is None
    found = fixtures.subscriptions()
    assert [(each.name, each.listener) for each in found] == [("one", one), ("other", other), ("third", one)]
    assert held(fixtures) == 3
    # It goes there under a new number.
    fixtures.subscribe_all(found[:1])
    until(lambda: held(fixtures) == 3)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_listener_is_released_when_it_is_unsubscribed(fixtures: f.Fixtures, elsewhere: bool) -> None:
    listener = Counting()
    reference = weakref.ref(listener)
    fixtures.subscribe("one", listener)
    fixtures.subscribe("other", listener)
    del listener
    gc.collect()
    assert fixtures.unsubscribe("one", elsewhere)
    until(lambda: held(fixtures) == 1)
    assert reference() is not None
    assert fixtures.unsubscribe("other", elsewhere)
    assert not fixtures.unsubscribe("other", elsewhere)
    until(lambda: reference() is None)
    assert held(fixtures) == 0


def test_what_is_replaced_is_released(fixtures: f.Fixtures) -> None:
    fixtures.subscribe("one", Counting())
    fixtures.subscribe("one", Counting("Ada"))
    until(lambda: held(fixtures) == 1)
    assert fixtures.favourites([ADA]) == [ADA]


def test_nodes_are_this_programs_or_the_plugins(fixtures: f.Fixtures) -> None:
    branch = Branch("branch", 1.5)
    leaf = fixtures.leaf("leaf", 2.0)
    assert isinstance(leaf, f.NodeObject)
    with leaf:
        assert (leaf.name(), leaf.weight()) == ("leaf", 2.0)
        assert fixtures.weigh([branch, leaf, branch]) == (5.0, ["branch", "leaf", "branch"])
        assert fixtures.weigh([]) == (0.0, [])
        assert fixtures.heavier(branch, Branch("twig", 0.1)) is branch
        assert fixtures.heavier(Branch("twig", 0.1), branch) is branch
        heavier = fixtures.heavier(branch, leaf)
        assert isinstance(heavier, f.NodeObject)
        with heavier:
            assert heavier.name() == "leaf"
        assert fixtures.is_there(leaf)
        assert fixtures.is_there(branch)
        assert not fixtures.is_there(None)
    with pytest.raises(ValueError, match=r"is_there: request: the Node has been closed"):
        fixtures.is_there(leaf)
    until(lambda: held(fixtures) == 0)


def test_a_node_of_another_instance_is_this_programs(fixtures: f.Fixtures, backend: str) -> None:
    with load(backend) as other:
        leaf = other.leaf("elsewhere", 2.5)
        assert isinstance(leaf, f.NodeObject)
        with leaf:
            assert fixtures.weigh([leaf]) == (2.5, ["elsewhere"])
            assert fixtures.heavier(leaf, Branch("twig", 0.1)) is leaf
            until(lambda: held(fixtures) == 0)


class Wrong:
    """Has all functions but one."""

    name = "no function"

    def weight(self) -> float:
        return 1.0


def test_what_does_not_implement_the_protocol_is_refused(fixtures: f.Fixtures) -> None:
    called: Any = fixtures
    with pytest.raises(TypeError, match=r"work: request\.progress: Progress is expected, not NoneType"):
        called.work(1, None)
    with pytest.raises(TypeError, match=r"work: request\.progress: Progress is expected, but int has no function 'rep"):
        called.work(1, 7)
    with pytest.raises(TypeError, match=r"subscribe: request\.listener: Listener is expected, not NoneType"):
        called.subscribe("one", None)
    with pytest.raises(TypeError, match=r"Listener is expected, but function has no function 'joined'"):
        called.subscribe("one", lambda: None)
    with pytest.raises(TypeError, match=r"Listener is expected, not type"):
        called.subscribe("one", Counting)
    with pytest.raises(TypeError, match=r"is_there: request: Node is expected, but Wrong has no function 'name'"):
        called.is_there(Wrong())
    # What was passed before it is released.
    with pytest.raises(TypeError, match=r"weigh: request\[1\]: Node is expected, but Counting has no function 'name'"):
        called.weigh([Branch("branch", 1.0), Counting()])
    with pytest.raises(TypeError, match=r"heavier: request\.other: Node is expected, not NoneType"):
        called.heavier(Branch("branch", 1.0), None)
    until(lambda: held(fixtures) == 0)


def test_an_async_def_is_awaited(backend: str) -> None:
    async def main(fixtures: f.Fixtures) -> None:
        # The loop is the one on which the listener was passed.
        fixtures.subscribe("later", Later())
        fixtures.subscribe("now", Counting())
        assert await fixtures.confirm_async("sure?")
        assert not await fixtures.confirm_async("really?")
        assert await asyncio.to_thread(fixtures.confirm, "sure?")

        async def report(done: int, total: int) -> bool:
            await asyncio.sleep(0)
            return done < total - 1

        assert await asyncio.to_thread(fixtures.work, 4, report) == 3
        assert await asyncio.to_thread(fixtures.work_elsewhere, 4, lambda done, _: done < 2) == 2
        await asyncio.to_thread(until, lambda: held(fixtures) == 2)

    with load(backend) as fixtures:
        asyncio.run(asyncio.wait_for(main(fixtures), LIMIT))
        with pytest.raises(rustbridge.FailedPreconditionError, match="no event loop runs for it"):
            fixtures.confirm("sure?")


def test_a_loop_that_would_wait_for_itself_is_refused(fixtures: f.Fixtures) -> None:
    async def main() -> None:
        fixtures.subscribe("later", Later())
        with pytest.raises(rustbridge.FailedPreconditionError, match="waits for this call") as refused:
            fixtures.confirm("sure?")
        assert refused.value.type == "rustbridge.WaitsForItself"
        # Plain functions run on other threads.
        assert fixtures.work(3, Reporting(2)) == 2
        assert fixtures.join(ADA, []) == 1
        assert await fixtures.confirm_async("sure?")

    asyncio.run(asyncio.wait_for(main(), LIMIT))


def test_an_answer_that_nobody_waits_for_is_cancelled(fixtures: f.Fixtures) -> None:
    asked, cancelled = threading.Event(), threading.Event()

    class Slow(Counting):
        async def confirm(self, question: str, patience: int) -> bool:  # type: ignore[override]
            asked.set()
            try:
                await asyncio.sleep(LIMIT)
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return bool(question and patience)

    async def main() -> None:
        fixtures.subscribe("slow", Slow())
        call = asyncio.ensure_future(fixtures.confirm_async("sure?"))
        assert await asyncio.to_thread(asked.wait, LIMIT)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(cancelled.wait, LIMIT)
        assert fixtures.unsubscribe("slow", False)

    asyncio.run(asyncio.wait_for(main(), 2 * LIMIT))
    until(lambda: held(fixtures) == 0)


@pytest.mark.parametrize("of_plugin", [False, True])
def test_closing_forgets_what_the_plugin_held(backend: str, of_plugin: bool) -> None:
    fixtures = load(backend)
    listener = Counting()
    reference = weakref.ref(listener)
    fixtures.subscribe("one", listener)
    fixtures.subscribe("other", listener)
    del listener
    assert held(fixtures) == 2
    (fixtures.plugin if of_plugin else fixtures).close()
    until(lambda: held(fixtures) == 0)
    gc.collect()
    assert reference() is None
    with pytest.raises(rustbridge.UnavailableError):
        fixtures.subscribe("one", Counting())
    assert held(fixtures) == 0


def test_a_number_that_was_released_is_unknown(fixtures: f.Fixtures) -> None:
    fixtures.subscribe("one", Counting())
    table = fixtures._passing["Listener"].table
    assert table is not None
    (number,) = table.objects
    table.clear()
    message = f"callback Listener: the host has no object {number}: it was released"
    with pytest.raises(rustbridge.NotFoundError, match=message):
        fixtures.join(ADA, [])
    # What stands for it is the plugin's object, whose methods end in the same way.
    listener = fixtures.listener("one")
    assert isinstance(listener, f.ListenerObject)
    with listener, pytest.raises(rustbridge.NotFoundError, match=message):
        listener.count()


def test_a_client_of_a_loaded_plugin_cannot_pass_objects(load: Callable[..., rustbridge.Plugin]) -> None:
    fixtures = f.Fixtures(load("fixtures-plugin"))
    with pytest.raises(rustbridge.FailedPreconditionError, match=r"load it by Fixtures\.load") as refused:
        fixtures.work(1, lambda *_: True)
    assert refused.value.type == "rustbridge.NoServices"
    leaf = fixtures.leaf("leaf", 2.0)
    assert isinstance(leaf, f.NodeObject)
    with leaf:
        assert fixtures.weigh([leaf]) == (2.0, ["leaf"])
    with pytest.raises(TypeError, match="Progress is expected, not NoneType"):
        fixtures.work(1, None)  # type: ignore[arg-type]


def test_a_service_has_several_parameters(backend: str) -> None:
    class Slow:
        async def find(self, prefix: str, oldest: int, limit: int | None) -> list[f.Person]:
            await asyncio.sleep(0)
            return Directory().find(prefix, oldest, limit)

    async def main() -> None:
        with load(backend, directory=Slow()) as later:
            assert await asyncio.to_thread(later.look_up, "B", None) == [BOB]

    with load(backend, directory=Directory()) as fixtures:
        assert fixtures.look_up("", None) == [ADA, BOB]
        assert fixtures.look_up("", 1) == [ADA]
        assert fixtures.look_up("C") == []
    with load(backend) as without, pytest.raises(rustbridge.NotFoundError, match=r"directory\.find"):
        without.look_up("")
    asyncio.run(asyncio.wait_for(main(), LIMIT))


def test_calls_have_options(fixtures: f.Fixtures) -> None:
    options = rustbridge.CallOptions(timeout=LIMIT)
    assert fixtures.work(2, Reporting(), options=options) == 2
    with pytest.raises(rustbridge.DeadlineExceededError):
        fixtures.work(2, Reporting(), options=rustbridge.CallOptions(timeout=0))
    until(lambda: held(fixtures) == 0)


def test_a_stream_releases_what_it_borrows_when_it_has_begun(operations: rustbridge.Plugin) -> None:
    def passed() -> PassedObject:
        counter = operations.call("counter.open", 1)
        number, counter._number = counter._number, 0
        return PassedObject(operations, number, "Counter")

    begun, closed, dropped = passed(), passed(), passed()
    with operations.stream("counter.stream", 3, rustbridge.CallOptions(objects=[begun])) as stream:
        assert begun._number
        next(stream).close()
        assert begun.closed
    operations.stream("counter.stream", 3, rustbridge.CallOptions(objects=[closed])).close()
    assert closed.closed
    stream = operations.stream("counter.stream", 3, rustbridge.CallOptions(objects=[dropped]))
    assert operations.call("counter.alive") == 1
    del stream, dropped
    gc.collect()
    assert operations.call("counter.alive") == 0


def test_many_threads_pass_objects_at_once(fixtures: f.Fixtures) -> None:
    def work() -> None:
        for steps in range(1, 50):
            progress = Reporting()
            assert fixtures.work(steps, progress) == steps
            assert len(progress.reports) == steps
            node = Branch("branch", steps)
            assert fixtures.heavier(node, Branch("twig", 0.5)) is node

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert not any(thread.is_alive() for thread in threads)
    until(lambda: held(fixtures) == 0)


def marks(name: str) -> int:
    """Fail with what is asked for."""
    failures: dict[str, Exception] = {
        "Eve": f.VerdictException(f.VerdictErrorStranger("Eve")),
        "out": f.VerdictException(f.VerdictErrorBusy(6, f.Spot(0.5, 1.5)), "come back later"),
        "closed": f.VerdictException(f.VerdictErrorClosed()),
        "untyped": rustbridge.NotFoundError("no marks", type="VerdictError.Stranger", details={"name": "untyped"}),
        "other": f.SpriteException(f.SpriteErrorUnnamed(), "of another type"),
        "unfit": f.VerdictException(f.VerdictErrorStranger(7)),  # type: ignore[arg-type]
    }
    if name in failures:
        raise failures[name]
    return 9


class Judge:
    """Judges."""

    def marks(self, name: str) -> int:
        return marks(name)

    async def marks_later(self, name: str) -> int:
        await asyncio.sleep(0)
        return marks(name)


class Register:
    """Knows ages."""

    def age(self, name: str) -> int:
        return marks(name)


def test_the_plugin_distinguishes_the_errors_of_the_host(backend: str) -> None:
    asyncio.run(distinguish(backend))


async def distinguish(backend: str) -> None:
    with load(backend, register=Register()) as fixtures:
        judge = Judge()
        for name, verdict in [
            ("Ada", "9 marks"),
            ("Eve", "no Eve"),
            ("out", "busy for 6 min at 0.5, 1.5"),
            ("untyped", "no untyped"),
        ]:
            assert await asyncio.to_thread(fixtures.verdict, name, judge) == verdict
            assert await fixtures.verdict_later_async(name, judge) == verdict
            assert fixtures.registered(name) == verdict
        with pytest.raises(f.VerdictException, match="it's closed") as closed:
            await asyncio.to_thread(fixtures.verdict, "closed", judge)
        assert closed.value.error == f.VerdictErrorClosed()
        assert closed.value.status is rustbridge.Status.FAILED_PRECONDITION
        with pytest.raises(rustbridge.UnknownError, match="of another type"):
            fixtures.registered("other")
        with pytest.raises(rustbridge.InternalError, match=r"error\.name: a str is expected, not int"):
            fixtures.registered("unfit")


def test_an_exception_of_a_service_is_pickled() -> None:
    copied = pickle.loads(pickle.dumps(f.VerdictException(f.VerdictErrorStranger("Eve"), "no Eve")))
    assert isinstance(copied, f.VerdictException)
    assert (copied.error, copied.message) == (f.VerdictErrorStranger("Eve"), "no Eve")


def test_an_exception_is_created_with_its_error() -> None:
    anything: Any = f.VerdictException
    expected = r"VerdictErrorStranger, VerdictErrorBusy, VerdictErrorClosed"
    example = r"VerdictException\(VerdictErrorStranger\(\.\.\.\), \"a message\"\)"
    for found in ("no Eve", 5, rustbridge.Status.NOT_FOUND, f.SpriteErrorUnnamed()):
        message = rf"the error is expected first \(one of {expected}\), not {type(found).__name__}: .*{example}"
        with pytest.raises(TypeError, match=f"^VerdictException: {message}"):
            anything(found)
    only = anything(message="no Eve")
    assert (only.error, only.message, only.status) == (None, "no Eve", rustbridge.Status.UNKNOWN)
