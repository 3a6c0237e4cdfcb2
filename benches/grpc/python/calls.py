"""What the client in Python calls: every scenario as an operation that can be run again and again."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import bench_pb2 as messages
import grpc
from google.protobuf.empty_pb2 import Empty

# An operation tells whether the answer was right. It looks at all of the answer only when it's told to check; otherwise
# at as much as a caller has to in order to use it.
Operation = Callable[[bool], bool]

_PROBLEM = "Error"


def empty(stub: Any) -> Operation:
    call = stub.Void

    def operation(_check: bool) -> bool:
        return call(Empty()) is not None

    return operation


def small(stub: Any) -> Operation:
    call = stub.Small
    request = messages.SmallRequest(key="bench_key", flags=1)

    def operation(_check: bool) -> bool:
        found = call(request)
        return bool(found.value == "value_for_bench_key" and found.ttl_seconds == 3600 and found.cache_hit)

    return operation


def echo(stub: Any, message: str) -> Operation:
    call = stub.Echo

    def operation(_check: bool) -> bool:
        echoed = call(messages.EchoRequest(message=message))
        return bool(echoed.message == message and echoed.length == len(message))

    return operation


def greet(stub: Any) -> Operation:
    call = stub.Greet

    def operation(_check: bool) -> bool:
        answer = call(messages.GreetRequest(name="BenchmarkUser"))
        return bool(answer.greeting == "Hello, BenchmarkUser! Welcome to rustbridge.")

    return operation


def add(stub: Any) -> Operation:
    call = stub.Add

    def operation(_check: bool) -> bool:
        return bool(call(messages.AddRequest(a=123456789, b=987654321)).result == 1111111110)

    return operation


def div(stub: Any) -> Operation:
    call = stub.Div

    def operation(_check: bool) -> bool:
        return bool(call(messages.DivRequest(a=10, b=2)).quotient == 5.0)

    return operation


def join(stub: Any) -> Operation:
    call = stub.Join

    def operation(_check: bool) -> bool:
        return bool(call(messages.JoinRequest(parts=["hello", "world"])).text == "hello,world")

    return operation


def add_up(stub: Any, count: int) -> Operation:
    call = stub.Sum
    numbers = array("q", range(1, count + 1))
    expected = sum(numbers)

    def operation(_check: bool) -> bool:
        return bool(call(messages.Integers(values=numbers)).sum == expected)

    return operation


def numbers(stub: Any, count: int) -> Operation:
    call = stub.Numbers
    expected = array("q", range(1, count + 1))

    def operation(check: bool) -> bool:
        numbers = array("q", call(messages.NumbersRequest(count=count)).values)
        return numbers[-1] == count and (not check or numbers == expected)

    return operation


def fail(stub: Any) -> Operation:
    call = stub.Fail

    def operation(_check: bool) -> bool:
        try:
            call(messages.FailRequest(message=_PROBLEM))
        except grpc.RpcError as error:
            return bool(error.code() is grpc.StatusCode.ABORTED and error.details() == _PROBLEM)
        return False

    return operation


def dynamic(stub: Any, count: int) -> Operation:
    """From the host's dynamic list to the message's values, and back to a new dynamic list."""
    call = stub.Any
    values = ([1, "two", 3.0] * (count // 3 + 1))[:count]

    def operation(check: bool) -> bool:
        request = messages.Values()
        add = request.values.add
        for value in values:
            _fill(add(), value)
        answer = call(request)
        back = [_from_message(value) for value in answer.values]
        same = not check or (back == values and [type(value) for value in back] == [type(value) for value in values])
        return len(back) == count and same

    return operation


def _fill(message: Any, value: object) -> None:
    """Set a new message to a value; four times as fast as making messages of keywords and a list of these."""
    # Every bool is an int, too, and has to be asked for before.
    if isinstance(value, str):
        message.text = value
    elif isinstance(value, bool):
        message.boolean = value
    elif isinstance(value, int):
        message.integer = value
    elif isinstance(value, float):
        message.number = value
    elif isinstance(value, list):
        message.list.SetInParent()
        for item in value:
            _fill(message.list.values.add(), item)
    elif value is not None:
        raise TypeError(f"{type(value).__name__} has no message")


def _from_message(value: Any) -> object:
    kind = value.WhichOneof("kind")
    if kind == "list":
        return [_from_message(item) for item in value.list.values]
    return None if kind is None else getattr(value, kind)


def get_answer(stub: Any) -> Operation:
    call = stub.GetAnswer

    def operation(_check: bool) -> bool:
        return bool(call(messages.Answer(value=23)).value == 64)

    return operation


def get_blob(stub: Any, size: int) -> Operation:
    call = stub.GetBlob

    def operation(check: bool) -> bool:
        blob = call(messages.BlobRequest(size=size)).bytes
        return len(blob) == size and (not check or blob == (bytes(range(251)) * (size // 251 + 1))[:size])

    return operation


def typed_text(stub: Any) -> Operation:
    call = stub.GreetPerson

    def operation(_check: bool) -> bool:
        return bool(call(messages.Person(name="Ada Lovelace")).text == "Hello, Ada Lovelace!")

    return operation


def typed_numbers(stub: Any) -> Operation:
    call = stub.NextReading

    def operation(_check: bool) -> bool:
        reading = messages.Reading(instrument=7, at=1000, low=-1.0, high=3.0, weight=0.5, count=11)
        following = call(reading)
        return (following.at, following.low, following.high, following.count) == (1060, -3.0, 5.0, 12)

    return operation


def typed_records(stub: Any) -> Operation:
    call = stub.Discount
    items = [messages.Item(number=n, name=f"item number {n}", price=float(n)) for n in range(1, 101)]
    prices = [n / (1 + (n + 1) % 2) for n in range(1, 101)]

    def operation(check: bool) -> bool:
        back = [(item.number, item.name, item.price) for item in call(messages.Items(items=items)).items]
        return len(back) == 100 and (not check or [price for _, _, price in back] == prices)

    return operation


def typed_enum(stub: Any) -> Operation:
    call = stub.Around

    def operation(_check: bool) -> bool:
        shape = messages.Shape(rectangle=messages.Rectangle(width=3.0, height=4.0))
        return bool(call(shape).circle.radius == 2.5)

    return operation


def typed_doubles(stub: Any) -> Operation:
    call = stub.Twice
    values = [0.5 * n for n in range(1000)]

    def operation(check: bool) -> bool:
        twice = list(call(messages.Doubles(values=values)).values)
        return len(twice) == 1000 and (not check or twice == [float(n) for n in range(1000)])

    return operation


def get_structs(stub: Any) -> Operation:
    call = stub.GetStructs

    def operation(check: bool) -> bool:
        structs, texts = _read(call(Empty()).students)
        return structs == 4760 and len(texts) == 46410 and (not check or sum(map(len, texts)) == 1618298)

    return operation


def _read(students: Any) -> tuple[int, list[str]]:
    """Read every field, which only then becomes a value of Python's; count structs and collect the texts."""
    structs = 0
    numbers = 0
    texts: list[str] = []
    for student in students:
        schools = student.schools
        texts.append(student.name)
        texts.extend(student.emails)
        dates = [student.date]
        addresses = [student.home, student.birth]
        numbers += student.friends
        structs += 1
        for subject in student.subjects:
            texts += (subject.title, subject.text)
            numbers += subject.id
            structs += 1
        for school in schools:
            texts.append(school.name)
            texts.extend(school.emails)
            dates.append(school.date)
            addresses.append(school.address)
            structs += 1
        for date in dates:
            numbers += date.year + date.month + date.day
            structs += 1
        for address in addresses:
            texts += (address.city, address.street)
            numbers += address.zip + address.number
            structs += 1
    return (structs if numbers else 0), texts
