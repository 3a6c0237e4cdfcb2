"""The scenarios of others once more, through the client that is generated of the plugin: from objects to objects.

What's written for typed clients reads each field that comes back: some peers make objects of Python's only then.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.clients.bench_client import Bench, Item, Person, Reading, ShapeRectangle, Values
from benchmarks.scenario import Work, scenario

if TYPE_CHECKING:
    from benchmarks.lane import Lane


@scenario("M primitive, typed")
def primitive(lane: Lane) -> Work:
    """Divide two integers."""
    divide, floor = Bench(lane.bench).divide, lane.floor("div")
    a, b = 10, 2

    def ours() -> float:
        return divide(a, b)

    def by_hand() -> float:
        return floor(10, 2)  # type: ignore[no-any-return]

    return Work(ours, by_hand)


@scenario("M string join, typed", floor=False)
def join(lane: Lane) -> Work:
    """Join a list of texts that is made within the timing."""
    join = Bench(lane.bench).join_texts

    def ours() -> str:
        return join(["hello", "world"])

    return Work(ours)


@scenario("M sum 1000, typed", floor=False)
def total(lane: Lane) -> Work:
    """Add an array of the host's up."""
    return Work(Bench(lane.bench).add_up, None, (array("q", range(1, 1001)),))


@scenario("error, message read, typed", floor=False)
def error(lane: Lane) -> Work:
    """Divide by nothing, and read why that can't be done."""
    divide, kind = Bench(lane.bench).divide, lane.error

    def ours() -> str:
        try:
            divide(1, 0)
        except kind as error:
            return error.message
        return ""

    if "divided" not in ours():
        raise ValueError("that could be divided")
    return Work(ours)


def dynamic(count: int, lane: Lane) -> Work:
    """Echo a list of values of different types."""
    echo, values = Bench(lane.bench).any, Values(([1, "two", 3.0] * (count // 3 + 1))[:count])

    def ours() -> list[Any]:
        return echo(values).values

    if ours() != values.values:
        raise ValueError("the values have changed on their way")
    return Work(ours)


for count in (100, 10_000):
    scenario(f"M any {count}, typed", floor=False)(partial(dynamic, count))


@scenario("get_answer, typed")
def answer(lane: Lane) -> Work:
    """Ask with 23, get 64."""
    return Work(Bench(lane.bench).answer_to, lane.floor("answer"), (23,))


@scenario("get_structs, typed", floor=False)
def structs(lane: Lane) -> Work:
    """Get 34 students as objects of their classes."""
    get = Bench(lane.bench).get_structs

    def ours() -> Any:
        return get().students

    students = ours()
    if (len(students), len(students[0].schools), students[0].home.number > 0) != (34, 34, True):
        raise ValueError("these aren't the students")
    return Work(ours)


@scenario("typed text")
def text(lane: Lane) -> Work:
    """Get a record with a text for one."""
    greet, floor = Bench(lane.bench).greet, lane.floor("greet")

    def ours() -> str:
        return greet(Person("Ada Lovelace")).text

    def by_hand() -> str:
        return floor(Person("Ada Lovelace")).text  # type: ignore[no-any-return]

    return Work(ours, by_hand)


@scenario("typed numbers")
def numbers(lane: Lane) -> Work:
    """Get a record of numbers for one."""
    following, floor = Bench(lane.bench).next_reading, lane.floor("next_reading")

    def ours() -> tuple[float, ...]:
        one = following(Reading(7, 1_700_000_000, -1.5, 3.25, 0.5, 11))
        return one.instrument, one.at, one.low, one.high, one.weight, one.count

    def by_hand() -> tuple[float, ...]:
        one = floor(Reading(7, 1_700_000_000, -1.5, 3.25, 0.5, 11))
        return one.instrument, one.at, one.low, one.high, one.weight, one.count

    return Work(ours, by_hand)


@scenario("typed 100 records")
def records(lane: Lane) -> Work:
    """Get a list of records for one that exists."""
    items = [Item(number, f"item number {number}", number * 1.25) for number in range(1, 101)]
    discount, floor = Bench(lane.bench).discount, lane.floor("discount")

    def ours(items: list[Item]) -> list[tuple[int, str, float]]:
        return [(item.number, item.name, item.price) for item in discount(items)]

    def by_hand(items: list[Item]) -> list[tuple[int, str, float]]:
        return [(item.number, item.name, item.price) for item in floor(items)]

    return Work(ours, by_hand, (items,))


@scenario("typed enum")
def variant(lane: Lane) -> Work:
    """Get the circle around a rectangle."""
    around, floor = Bench(lane.bench).around, lane.floor("around")

    def ours() -> float:
        return around(ShapeRectangle(3.0, 4.0)).radius  # type: ignore[union-attr]

    def by_hand() -> float:
        return floor(ShapeRectangle(3.0, 4.0)).radius  # type: ignore[no-any-return]

    return Work(ours, by_hand)


@scenario("typed 1000 doubles")
def doubles(lane: Lane) -> Work:
    """Get a list of doubles for an `array('d')`."""
    return Work(Bench(lane.bench).twice, lane.floor("twice"), (array("d", (0.5 * i for i in range(1000))),))
