# Written by `rustbridge gen -l python` of the plugin `bench`: write it anew by that, not by hand.
# ruff: noqa
"""Methods that are there to be measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import rustbridge
from rustbridge import typed
from rustbridge.typed import DEFAULT

__all__ = [
    "Adder",
    "Address",
    "Bench",
    "BenchConfig",
    "Date",
    "Division",
    "Greeting",
    "Item",
    "Joined",
    "Parts",
    "Person",
    "Quotient",
    "Reading",
    "School",
    "Shape",
    "ShapeCircle",
    "ShapeLabel",
    "ShapeRectangle",
    "SomeClass",
    "Student",
    "Students",
    "Subject",
    "Value",
    "Values",
]


@dataclass(frozen=True, slots=True)
class BenchConfig:
    """How an instance is set up."""

    upcall: int = field(default=DEFAULT, kw_only=True)
    """The address of the host's `int32_t f(int32_t)`, for the methods that call it by hand; 0: there's none."""


@dataclass(frozen=True, slots=True)
class Division:
    """Two numbers to divide."""

    a: int
    """What is divided."""
    b: int
    """By what."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """A quotient."""

    quotient: float
    """The quotient."""


@dataclass(frozen=True, slots=True)
class Value:
    """A question, and its answer."""

    value: int
    """The number."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Texts to join."""

    parts: list[str]
    """The texts."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Joined texts."""

    text: str
    """All of them."""


@dataclass(frozen=True, slots=True)
class Values:
    """A list of values whose types only the values themselves know."""

    values: list[Any]
    """The values."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to greet."""

    name: str
    """What they're called."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """How somebody is greeted."""

    text: str
    """What is said."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an instrument has measured: numbers of different widths."""

    instrument: int
    """Which instrument it was."""
    at: int
    """When, in seconds."""
    low: float
    """The least."""
    high: float
    """The most."""
    weight: float
    """How much it counts."""
    count: int
    """How often it was measured."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that's sold."""

    number: int
    """Which one it is."""
    name: str
    """What it's called."""
    price: float
    """What it costs."""


@dataclass(frozen=True, slots=True)
class ShapeCircle:
    """Round."""

    radius: float
    """From the middle to the line."""


@dataclass(frozen=True, slots=True)
class ShapeRectangle:
    """With four corners."""

    width: float
    """From left to right."""
    height: float
    """From top to bottom."""


@dataclass(frozen=True, slots=True)
class ShapeLabel:
    """Text."""

    text: str
    """What it says."""


#: Something that can be drawn.
Shape: TypeAlias = "ShapeCircle | ShapeRectangle | ShapeLabel"


@dataclass(frozen=True, slots=True)
class Students:
    """All students."""

    students: list[Student]
    """34 of them."""


@dataclass(frozen=True, slots=True)
class Student:
    """A student."""

    name: str
    """43 characters."""
    friends: int
    """From 0 to 599."""
    home: Address
    """Where the student lives."""
    birth: Address
    """Where the student was born."""
    date: Date
    """When the student was born."""
    subjects: list[Subject]
    """34 of them."""
    emails: list[str]
    """34 of 37 characters."""
    schools: list[School]
    """34 of them."""


@dataclass(frozen=True, slots=True)
class Address:
    """A place."""

    city: str
    """12 characters."""
    zip: int
    """From 5000 to 7999."""
    street: str
    """16 characters."""
    number: int
    """From 1 to 125."""


@dataclass(frozen=True, slots=True)
class Date:
    """A day."""

    year: int
    """From 1900 to 1929."""
    month: int
    """From 1 to 12."""
    day: int
    """From 1 to 30."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is taught."""

    id: int
    """From 0 to 28344."""
    title: str
    """22 characters."""
    text: str
    """16 characters."""


@dataclass(frozen=True, slots=True)
class School:
    """A school."""

    name: str
    """36 characters."""
    address: Address
    """Where it is."""
    date: Date
    """Since when it has been there."""
    emails: list[str]
    """34 of 37 characters."""


class Adder(typed.Object):
    """A ``Adder``, which stays in the plugin."""

    __slots__ = ()

    def add(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """Adds."""
        answer: Value = self._client._o_adder__add(request, options, self)
        return answer


class SomeClass(typed.Object):
    """A ``SomeClass``, which stays in the plugin."""

    __slots__ = ()

    def greet(self, options: rustbridge.CallOptions | None = None) -> str:
        """Greets."""
        answer: str = self._client._o_some_class__greet(None, options, self)
        return answer


#: What this was written from, to be compared with the plugin; and its types' classes, in the same order.
_CONTRACT = typed.Contract(
    '{"methods":[{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":1,"items":null,"kind":"'
    'unary","parameter":"","receiver":"","request":{"type":"unit"},"response":{"type":"unit"}}],"name":"void"'
    '},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":13,"items":null,"kind":"unary","'
    'parameter":"request","receiver":"","request":{"type":{"ref":1}},"response":{"type":{"ref":2}}}],"name":"'
    'div"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":20,"items":null,"kind":"unar'
    'y","parameter":"request","receiver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"nam'
    'e":"get_answer"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":27,"items":null,"'
    'kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":4}},"response":{"type":{"ref"'
    ':5}}}],"name":"join"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":34,"items":n'
    'ull,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":6}},"response":{"type":{'
    '"ref":6}}}],"name":"any"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"index":41,"items'
    '":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"ref":7}},"response":{"type":"f64"'
    '}}],"name":"divide"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":48,"items":nu'
    'll,"kind":"unary","parameter":"question","receiver":"","request":{"type":"i32"},"response":{"type":"i32"'
    '}}],"name":"answer_to"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":55,"items"'
    ':null,"kind":"unary","parameter":"parts","receiver":"","request":{"type":{"list":"string"}},"response":{'
    '"type":"string"}}],"name":"join_texts"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"i'
    'ndex":62,"items":null,"kind":"unary","parameter":"numbers","receiver":"","request":{"type":{"list":"i64"'
    '}},"response":{"type":"i64"}}],"name":"add_up"},{"entries":[{"arguments":false,"encoding":"wire","error"'
    ':null,"index":69,"items":null,"kind":"unary","parameter":"person","receiver":"","request":{"type":{"ref"'
    ':8}},"response":{"type":{"ref":9}}}],"name":"greet"},{"entries":[{"arguments":false,"encoding":"wire","e'
    'rror":null,"index":76,"items":null,"kind":"unary","parameter":"reading","receiver":"","request":{"type":'
    '{"ref":10}},"response":{"type":{"ref":10}}}],"name":"next_reading"},{"entries":[{"arguments":false,"enco'
    'ding":"wire","error":null,"index":83,"items":null,"kind":"unary","parameter":"items","receiver":"","requ'
    'est":{"type":{"list":{"ref":11}}},"response":{"type":{"list":{"ref":11}}}}],"name":"discount"},{"entries'
    '":[{"arguments":false,"encoding":"wire","error":null,"index":90,"items":null,"kind":"unary","parameter":'
    '"shape","receiver":"","request":{"type":{"ref":12}},"response":{"type":{"ref":12}}}],"name":"around"},{"'
    'entries":[{"arguments":false,"encoding":"wire","error":null,"index":97,"items":null,"kind":"unary","para'
    'meter":"numbers","receiver":"","request":{"type":{"list":"f64"}},"response":{"type":{"list":"f64"}}}],"n'
    'ame":"twice"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":99,"items":null,"kind'
    '":"unary","parameter":"request","receiver":"","request":{"type":"bytes"},"response":{"type":"bytes"}}],"'
    'name":"sum"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":106,"items":null,"kind'
    '":"unary","parameter":"request","receiver":"","request":{"type":"bytes"},"response":{"type":"bytes"}}],"'
    'name":"numbers"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":113,"items":null,"'
    'kind":"unary","parameter":"request","receiver":"","request":{"type":"bytes"},"response":{"type":"bytes"}'
    '}],"name":"echo_bytes"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":120,"items"'
    ':null,"kind":"unary","parameter":"request","receiver":"","request":{"type":"bytes"},"response":{"type":"'
    'bytes"}}],"name":"get_blob"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":132,"'
    'items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":"unit"},"response":{"type":{"r'
    'ef":13}}}],"name":"get_structs"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":1'
    '39,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":3}},"respons'
    'e":{"type":{"ref":3}}}],"name":"plain"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"i'
    'ndex":146,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":3}},"'
    'response":{"type":{"ref":3}}}],"name":"ready"},{"entries":[{"arguments":false,"encoding":"wire","error":'
    'null,"index":153,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref'
    '":3}},"response":{"type":{"ref":3}}}],"name":"later"},{"entries":[{"arguments":false,"encoding":"raw","e'
    'rror":null,"index":155,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":"unit"'
    '},"response":{"type":"unit"}}],"name":"never"},{"entries":[{"arguments":false,"encoding":"raw","error":n'
    'ull,"index":176,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":"unit"},"resp'
    'onse":{"type":"bytes"}}],"name":"adder"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"i'
    'ndex":183,"items":null,"kind":"unary","parameter":"name","receiver":"","request":{"type":"string"},"resp'
    'onse":{"type":"bytes"}}],"name":"some_class"},{"entries":[{"arguments":false,"encoding":"wire","error":n'
    'ull,"index":195,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref"'
    ':3}},"response":{"type":{"ref":3}}}],"name":"ask"},{"entries":[{"arguments":false,"encoding":"wire","err'
    'or":null,"index":202,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{'
    '"ref":3}},"response":{"type":{"ref":3}}}],"name":"ask_later"},{"entries":[{"arguments":false,"encoding":'
    '"wire","error":null,"index":216,"items":null,"kind":"unary","parameter":"request","receiver":"","request'
    '":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"ask_by_hand"},{"entries":[{"arguments":fals'
    'e,"encoding":"wire","error":null,"index":223,"items":null,"kind":"unary","parameter":"request","receiver'
    '":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"ask_by_hand_later"},{"entries"'
    ':[{"arguments":false,"encoding":"wire","error":null,"index":230,"items":null,"kind":"unary","parameter":'
    '"request","receiver":"Adder","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"Adder.'
    'add"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":232,"items":null,"kind":"unar'
    'y","parameter":"","receiver":"SomeClass","request":{"type":"unit"},"response":{"type":"string"}}],"name"'
    ':"SomeClass.greet"}],"name":"bench","types":[{"name":"BenchConfig","record":[{"default":true,"name":"upc'
    'all","type":"u64"}]},{"name":"Division","pod":[{"name":"a","type":"i64"},{"name":"b","type":"i64"}]},{"n'
    'ame":"Quotient","pod":[{"name":"quotient","type":"f64"}]},{"name":"Value","pod":[{"name":"value","type":'
    '"i32"}]},{"name":"Parts","record":[{"name":"parts","type":{"list":"string"}}]},{"name":"Joined","record"'
    ':[{"name":"text","type":"string"}]},{"name":"Values","record":[{"name":"values","type":{"list":"any"}}]}'
    ',{"name":"DivideParameters","record":[{"name":"a","type":"i64"},{"name":"b","type":"i64"}]},{"name":"Per'
    'son","record":[{"name":"name","type":"string"}]},{"name":"Greeting","record":[{"name":"text","type":"str'
    'ing"}]},{"name":"Reading","record":[{"name":"instrument","type":"u32"},{"name":"at","type":"i64"},{"name'
    '":"low","type":"f64"},{"name":"high","type":"f64"},{"name":"weight","type":"f32"},{"name":"count","type"'
    ':"u16"}]},{"name":"Item","record":[{"name":"number","type":"u32"},{"name":"name","type":"string"},{"name'
    '":"price","type":"f64"}]},{"enum":{"variants":[{"fields":[{"name":"radius","type":"f64"}],"name":"Circle'
    '"},{"fields":[{"name":"width","type":"f64"},{"name":"height","type":"f64"}],"name":"Rectangle"},{"fields'
    '":[{"name":"text","type":"string"}],"name":"Label"}]},"name":"Shape"},{"name":"Students","record":[{"nam'
    'e":"students","type":{"list":{"ref":14}}}]},{"name":"Student","record":[{"name":"name","type":"string"},'
    '{"name":"friends","type":"i32"},{"name":"home","type":{"ref":15}},{"name":"birth","type":{"ref":15}},{"n'
    'ame":"date","type":{"ref":16}},{"name":"subjects","type":{"list":{"ref":17}}},{"name":"emails","type":{"'
    'list":"string"}},{"name":"schools","type":{"list":{"ref":18}}}]},{"name":"Address","record":[{"name":"ci'
    'ty","type":"string"},{"name":"zip","type":"i32"},{"name":"street","type":"string"},{"name":"number","typ'
    'e":"i16"}]},{"name":"Date","record":[{"name":"year","type":"i32"},{"name":"month","type":"i32"},{"name":'
    '"day","type":"i32"}]},{"name":"Subject","record":[{"name":"id","type":"i32"},{"name":"title","type":"str'
    'ing"},{"name":"text","type":"string"}]},{"name":"School","record":[{"name":"name","type":"string"},{"nam'
    'e":"address","type":{"ref":15}},{"name":"date","type":{"ref":16}},{"name":"emails","type":{"list":"strin'
    'g"}}]}],"version":"0.1.0"}',
    [
        BenchConfig,
        Division,
        Quotient,
        Value,
        Parts,
        Joined,
        Values,
        tuple,
        Person,
        Greeting,
        Reading,
        Item,
        (ShapeCircle, ShapeRectangle, ShapeLabel),
        Students,
        Student,
        Address,
        Date,
        Subject,
        School,
    ],
    {"Adder": Adder, "SomeClass": SomeClass},
)


class Bench(typed.Client):
    """Methods that are there to be measured.

    Not here, since they have no types or streams of objects: count, ticks, callback.
    """

    __slots__ = (
        "_m_add_up",
        "_m_adder",
        "_m_answer_to",
        "_m_any",
        "_m_around",
        "_m_ask",
        "_m_ask_by_hand",
        "_m_ask_by_hand_later",
        "_m_ask_by_hand_later_async",
        "_m_ask_later",
        "_m_ask_later_async",
        "_m_discount",
        "_m_div",
        "_m_divide",
        "_m_echo_bytes",
        "_m_get_answer",
        "_m_get_blob",
        "_m_get_structs",
        "_m_greet",
        "_m_join",
        "_m_join_texts",
        "_m_later",
        "_m_later_async",
        "_m_never",
        "_m_never_async",
        "_m_next_reading",
        "_m_numbers",
        "_m_plain",
        "_m_ready",
        "_m_ready_async",
        "_m_some_class",
        "_m_sum",
        "_m_twice",
        "_m_void",
        "_o_adder__add",
        "_o_some_class__greet",
    )

    def __init__(self, plugin: rustbridge.Plugin) -> None:
        """Call an instance of the plugin, which goes on to belong to the caller."""
        super().__init__(plugin)
        self._m_void = self._prepare(_CONTRACT, "void", "5daf951a6eb331f36b3eaa130b47e405", Bench.void)
        self._m_div = self._prepare(_CONTRACT, "div", "3b827e20b7cc0b275e81da2370021ee9", Bench.div)
        self._m_get_answer = self._prepare(
            _CONTRACT, "get_answer", "f0c2e52034985582f2b6e748ecddfa1d", Bench.get_answer
        )
        self._m_join = self._prepare(_CONTRACT, "join", "cc8f24167851a1fe1bc7a2feb0424ff5", Bench.join)
        self._m_any = self._prepare(_CONTRACT, "any", "73dbbb6b5050606ae695478dbc36dc62", Bench.any)
        self._m_divide = self._prepare(_CONTRACT, "divide", "2cc7b1d070e905f6b0b647a5e592ccc6", Bench.divide)
        self._m_answer_to = self._prepare(_CONTRACT, "answer_to", "e1c392b728732e03f914106ed09a4f70", Bench.answer_to)
        self._m_join_texts = self._prepare(
            _CONTRACT, "join_texts", "3e4245726c7d197143133c7b89dc48b6", Bench.join_texts
        )
        self._m_add_up = self._prepare(_CONTRACT, "add_up", "bc1781f8cfcb8ee1d446185cffdf997c", Bench.add_up)
        self._m_greet = self._prepare(_CONTRACT, "greet", "aa02cc6e002855b5f822eb6fbdc8214a", Bench.greet)
        self._m_next_reading = self._prepare(
            _CONTRACT, "next_reading", "edba43a9b2ee052fb82422657014a174", Bench.next_reading
        )
        self._m_discount = self._prepare(_CONTRACT, "discount", "9778e4774dd23969ea7c1ef2c2c0c11a", Bench.discount)
        self._m_around = self._prepare(_CONTRACT, "around", "d59e7b46bacc4ea8f7419b3ab054552d", Bench.around)
        self._m_twice = self._prepare(_CONTRACT, "twice", "d44b8782b9348016131b260d1783fb49", Bench.twice)
        self._m_sum = self._prepare(_CONTRACT, "sum", "b1affe665f93447761c2c003f4aaec26", Bench.sum)
        self._m_numbers = self._prepare(_CONTRACT, "numbers", "b1affe665f93447761c2c003f4aaec26", Bench.numbers)
        self._m_echo_bytes = self._prepare(
            _CONTRACT, "echo_bytes", "b1affe665f93447761c2c003f4aaec26", Bench.echo_bytes
        )
        self._m_get_blob = self._prepare(_CONTRACT, "get_blob", "b1affe665f93447761c2c003f4aaec26", Bench.get_blob)
        self._m_get_structs = self._prepare(
            _CONTRACT, "get_structs", "88ae0f1203707c7d8bb6c9d73a817b6f", Bench.get_structs
        )
        self._m_plain = self._prepare(_CONTRACT, "plain", "f0c2e52034985582f2b6e748ecddfa1d", Bench.plain)
        self._m_ready = self._prepare(_CONTRACT, "ready", "f0c2e52034985582f2b6e748ecddfa1d", Bench.ready)
        self._m_later = self._prepare(_CONTRACT, "later", "f0c2e52034985582f2b6e748ecddfa1d", Bench.later)
        self._m_never = self._prepare(_CONTRACT, "never", "5daf951a6eb331f36b3eaa130b47e405", Bench.never)
        self._m_adder = self._prepare(_CONTRACT, "adder", "aaee54f20060ca765edf811e8ff746d2", Bench.adder)
        self._m_some_class = self._prepare(
            _CONTRACT, "some_class", "dd541130f82a84c26844095adfda7f83", Bench.some_class
        )
        self._m_ask = self._prepare(_CONTRACT, "ask", "f0c2e52034985582f2b6e748ecddfa1d", Bench.ask)
        self._m_ask_later = self._prepare(_CONTRACT, "ask_later", "f0c2e52034985582f2b6e748ecddfa1d", Bench.ask_later)
        self._m_ask_by_hand = self._prepare(
            _CONTRACT, "ask_by_hand", "f0c2e52034985582f2b6e748ecddfa1d", Bench.ask_by_hand
        )
        self._m_ask_by_hand_later = self._prepare(
            _CONTRACT, "ask_by_hand_later", "f0c2e52034985582f2b6e748ecddfa1d", Bench.ask_by_hand_later
        )
        self._m_ready_async = self._prepare(_CONTRACT, "ready", "f0c2e52034985582f2b6e748ecddfa1d", awaited=True)
        self._m_later_async = self._prepare(_CONTRACT, "later", "f0c2e52034985582f2b6e748ecddfa1d", awaited=True)
        self._m_never_async = self._prepare(_CONTRACT, "never", "5daf951a6eb331f36b3eaa130b47e405", awaited=True)
        self._m_ask_later_async = self._prepare(
            _CONTRACT, "ask_later", "f0c2e52034985582f2b6e748ecddfa1d", awaited=True
        )
        self._m_ask_by_hand_later_async = self._prepare(
            _CONTRACT, "ask_by_hand_later", "f0c2e52034985582f2b6e748ecddfa1d", awaited=True
        )
        self._o_adder__add = self._prepare(_CONTRACT, "Adder.add", "1a15ed3551d301e402e8f59eb5332bdd")
        self._o_some_class__greet = self._prepare(_CONTRACT, "SomeClass.greet", "5e485a7203436d952f7fc6700ce6522d")

    def void(self, options: rustbridge.CallOptions | None = None) -> None:
        """Does nothing."""
        self._m_void(None, options)

    def div(self, request: Division, options: rustbridge.CallOptions | None = None) -> Quotient:
        """Divides two integers; the quotient is a double."""
        answer: Quotient = self._m_div(request, options)
        return answer

    def get_answer(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """Adds 41: the answer to 23 is 64."""
        answer: Value = self._m_get_answer(request, options)
        return answer

    def join(self, request: Parts, options: rustbridge.CallOptions | None = None) -> Joined:
        """Joins texts by commas."""
        answer: Joined = self._m_join(request, options)
        return answer

    def any(self, request: Values, options: rustbridge.CallOptions | None = None) -> Values:
        """Answers with what it was sent, values of any types."""
        answer: Values = self._m_any(request, options)
        return answer

    def divide(self, a: int, b: int, options: rustbridge.CallOptions | None = None) -> float:
        """Divides, as generated clients call it: by the language's own types."""
        answer: float = self._m_divide((a, b), options)
        return answer

    def answer_to(self, question: int, options: rustbridge.CallOptions | None = None) -> int:
        """The same answer as `get_answer`, from a number to a number."""
        answer: int = self._m_answer_to(question, options)
        return answer

    def join_texts(self, parts: list[str], options: rustbridge.CallOptions | None = None) -> str:
        """Joins texts by commas, from a list to a text."""
        answer: str = self._m_join_texts(parts, options)
        return answer

    def add_up(self, numbers: list[int], options: rustbridge.CallOptions | None = None) -> int:
        """Adds numbers up, wrapping, from a list to a number."""
        answer: int = self._m_add_up(numbers, options)
        return answer

    def greet(self, person: Person, options: rustbridge.CallOptions | None = None) -> Greeting:
        """Greets somebody: a text in a record, there and back."""
        answer: Greeting = self._m_greet(person, options)
        return answer

    def next_reading(self, reading: Reading, options: rustbridge.CallOptions | None = None) -> Reading:
        """Gives the reading that would follow: a record of numbers, there and back."""
        answer: Reading = self._m_next_reading(reading, options)
        return answer

    def discount(self, items_: list[Item], options: rustbridge.CallOptions | None = None) -> list[Item]:
        """Makes every second item half as dear: a list of records, there and back."""
        answer: list[Item] = self._m_discount(items_, options)
        return answer

    def around(self, shape: Shape, options: rustbridge.CallOptions | None = None) -> Shape:
        """Gives the shape around another: an enum with data, there and back."""
        answer: Shape = self._m_around(shape, options)
        return answer

    def twice(self, numbers: list[float], options: rustbridge.CallOptions | None = None) -> list[float]:
        """Doubles numbers: a list of them, there and back."""
        answer: list[float] = self._m_twice(numbers, options)
        return answer

    def sum(self, request: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None) -> bytes:
        """Adds packed little-endian `i64` up, wrapping; the answer is one of them."""
        answer: bytes = self._m_sum(request, options)
        return answer

    def numbers(self, request: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None) -> bytes:
        """Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`, from 1."""
        answer: bytes = self._m_numbers(request, options)
        return answer

    def echo_bytes(
        self, request: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None
    ) -> bytes:
        """Answers with the bytes it was sent."""
        answer: bytes = self._m_echo_bytes(request, options)
        return answer

    def get_blob(self, request: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None) -> bytes:
        """Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache that all answers share."""
        answer: bytes = self._m_get_blob(request, options)
        return answer

    def get_structs(self, options: rustbridge.CallOptions | None = None) -> Students:
        """Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call."""
        answer: Students = self._m_get_structs(None, options)
        return answer

    def plain(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways."""
        answer: Value = self._m_plain(request, options)
        return answer

    def ready(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """The same in an async handler that never waits."""
        answer: Value = self._m_ready(request, options)
        return answer

    def later(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """The same after it has let others run once."""
        answer: Value = self._m_later(request, options)
        return answer

    def never(self, options: rustbridge.CallOptions | None = None) -> None:
        """Never ends by itself."""
        self._m_never(None, options)

    def adder(self, options: rustbridge.CallOptions | None = None) -> bytes:
        """An object that adds 41."""
        answer: bytes = self._m_adder(None, options)
        return answer

    def some_class(self, name: str, options: rustbridge.CallOptions | None = None) -> bytes:
        """MetaFFI's object."""
        answer: bytes = self._m_some_class(name, options)
        return answer

    def ask(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """Has its host answer, by the service `numbers.answer`."""
        answer: Value = self._m_ask(request, options)
        return answer

    def ask_later(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """The same by the service `numbers.answer_later`, awaited."""
        answer: Value = self._m_ask_later(request, options)
        return answer

    def ask_by_hand(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """What `ask` does, by the bare address in the configuration."""
        answer: Value = self._m_ask_by_hand(request, options)
        return answer

    def ask_by_hand_later(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """What `ask_later` does, by the bare address in the configuration."""
        answer: Value = self._m_ask_by_hand_later(request, options)
        return answer

    async def ready_async(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """The same in an async handler that never waits."""
        answer: Value = await self._m_ready_async(request, options)
        return answer

    async def later_async(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """The same after it has let others run once."""
        answer: Value = await self._m_later_async(request, options)
        return answer

    async def never_async(self, options: rustbridge.CallOptions | None = None) -> None:
        """Never ends by itself."""
        await self._m_never_async(None, options)

    async def ask_later_async(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """The same by the service `numbers.answer_later`, awaited."""
        answer: Value = await self._m_ask_later_async(request, options)
        return answer

    async def ask_by_hand_later_async(self, request: Value, options: rustbridge.CallOptions | None = None) -> Value:
        """What `ask_later` does, by the bare address in the configuration."""
        answer: Value = await self._m_ask_by_hand_later_async(request, options)
        return answer
