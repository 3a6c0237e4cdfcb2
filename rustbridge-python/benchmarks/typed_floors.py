"""The floors of typed values over ctypes: as somebody writes them who needs these calls alone, with ``struct``."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.clients.bench_client import Greeting, Item, Reading, ShapeCircle, ShapeLabel, ShapeRectangle

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    from benchmarks.clients.bench_client import Person, Shape

LEN, RESPONSE_LEN = 2, 5
#: Room for all requests and responses that are measured.
ROOM = 1 << 14
COUNT = struct.Struct("<I")


class Prepare(Protocol):
    """Makes a function with a block and memory of its own."""

    def __call__(self, name: str, request: int, response: int, *, keep_gil: bool) -> Any:
        """Make one of that name with so many bytes."""


def refused() -> ValueError:
    """Give what is raised for an answer that isn't as it should be."""
    return ValueError("the floor refused")


def greet(prepare: Prepare) -> Callable[[Person], Greeting]:
    """From a text in a record to one."""
    made = prepare("greet", 0, ROOM, keep_gil=True)
    call, block, words, target = made.call, made.block, made.words, made.target
    pack, unpack_from = COUNT.pack, COUNT.unpack_from

    def run(person: Person) -> Greeting:
        name = person.name.encode()
        block.request = pack(len(name)) + name
        words[LEN] = 4 + len(name)
        if call(block):
            raise refused()
        (size,) = unpack_from(target)
        if words[RESPONSE_LEN] != 4 + size:
            raise refused()
        return Greeting(target[4 : 4 + size].decode())

    return run


def next_reading(prepare: Prepare) -> Callable[[Reading], Reading]:
    """From a record of numbers to one."""
    layout = struct.Struct("<IqddfH")
    made = prepare("next_reading", layout.size, layout.size, keep_gil=True)
    call, block, source, target = made.call, made.block, made.source, made.target
    made.words[LEN] = layout.size
    pack_into, unpack = layout.pack_into, layout.unpack

    def run(value: Reading) -> Reading:
        pack_into(source, 0, value.instrument, value.at, value.low, value.high, value.weight, value.count)
        if call(block):
            raise refused()
        return Reading(*unpack(target))

    return run


def discount(prepare: Prepare) -> Callable[[list[Item]], list[Item]]:
    """From a list of records to one."""
    made = prepare("discount", 0, ROOM, keep_gil=False)
    call, block, words, target = made.call, made.block, made.words, made.target
    head, tail = struct.Struct("<II"), struct.Struct("<d")
    count_of, begin, end = COUNT.unpack_from, head.unpack_from, tail.unpack_from

    def run(items: list[Item]) -> list[Item]:
        parts = [COUNT.pack(len(items))]
        add = parts.append
        for item in items:
            name = item.name.encode()
            add(head.pack(item.number, len(name)))
            add(name)
            add(tail.pack(item.price))
        block.request = request = b"".join(parts)
        words[LEN] = len(request)
        if call(block):
            raise refused()
        answer = target[: words[RESPONSE_LEN]]
        (count,) = count_of(answer)
        at = 4
        found = []
        for _ in range(count):
            number, size = begin(answer, at)
            at += 8 + size
            (price,) = end(answer, at)
            found.append(Item(number, answer[at - size : at].decode(), price))
            at += 8
        if at != len(answer):
            raise refused()
        return found

    return run


def around(prepare: Prepare) -> Callable[[Shape], Shape]:
    """From a variant to another."""
    made = prepare("around", ROOM, ROOM, keep_gil=True)
    call, block, words, source, target = made.call, made.block, made.words, made.source, made.target
    variant, one, two, text = struct.Struct("<H"), struct.Struct("<Hd"), struct.Struct("<Hdd"), struct.Struct("<HI")

    def run(shape: Shape) -> Shape:
        if isinstance(shape, ShapeRectangle):
            two.pack_into(source, 0, 1, shape.width, shape.height)
            words[LEN] = two.size
        elif isinstance(shape, ShapeCircle):
            one.pack_into(source, 0, 0, shape.radius)
            words[LEN] = one.size
        else:
            said = shape.text.encode()
            request = text.pack(2, len(said)) + said
            source[: len(request)] = request
            words[LEN] = len(request)
        if call(block):
            raise refused()
        (which,) = variant.unpack_from(target)
        size = words[RESPONSE_LEN]
        if which == 0 and size == one.size:
            return ShapeCircle(one.unpack_from(target)[1])
        if which == 1 and size == two.size:
            return ShapeRectangle(*two.unpack_from(target)[1:])
        if which == 2 and size == text.size + text.unpack_from(target)[1]:
            return ShapeLabel(target[text.size : size].decode())
        raise refused()

    return run


def twice(prepare: Prepare) -> Callable[[array[float]], list[float]]:
    """From numbers to numbers."""
    made = prepare("twice", ROOM, ROOM, keep_gil=True)
    call, block, words = made.call, made.block, made.words
    counts, answered = (memoryview(part).cast("B").cast("I") for part in (made.source, made.target))
    source = memoryview(made.source).cast("B").cast("d")
    # Of doubles, which the stubs don't know.
    target: Any = memoryview(made.target).cast("B").cast("d")

    def run(numbers: array[float]) -> list[float]:
        end = 1 + len(numbers)
        counts[0] = end - 1
        source[1:end] = numbers
        words[LEN] = 8 * end
        if call(block):
            raise refused()
        end = 1 + answered[0]
        if answered[1] or words[RESPONSE_LEN] != 8 * end:
            raise refused()
        return target[1:end].tolist()  # type: ignore[no-any-return]

    return run


#: By their names in benches/floor.
MAKERS: dict[str, Callable[[Prepare], Callable[..., Any]]] = {
    "greet": greet,
    "next_reading": next_reading,
    "discount": discount,
    "around": around,
    "twice": twice,
}
