# Written by `rustbridge gen -l python` of the plugin `types`: write it anew by that, not by hand.
# ruff: noqa
"""Typed methods of the plugin ``types``."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, NewType, Protocol, TypeAlias
from uuid import UUID

import rustbridge
from rustbridge import typed
from rustbridge.typed import DEFAULT

__all__ = [
    "Ages",
    "Bounded",
    "Celsius",
    "Color",
    "Counter",
    "Counters",
    "Cut",
    "Defaults",
    "Directory",
    "Endpoint",
    "Event",
    "EventCame",
    "EventMet",
    "EventSaid",
    "EventUnknown",
    "Every",
    "Expr",
    "ExprCall",
    "ExprNegated",
    "ExprNumber",
    "ExprSum",
    "Foreign",
    "Lists",
    "Mood",
    "Numbers",
    "Odd",
    "OddException",
    "PagePerson",
    "PageString",
    "Pairs",
    "Person",
    "Piece",
    "Point",
    "PowerError",
    "PowerException",
    "Random",
    "Refused",
    "RefusedException",
    "RenamedRecord",
    "Repeat",
    "Sample",
    "Samples",
    "SearchError",
    "SearchErrorCrowd",
    "SearchErrorHidden",
    "SearchErrorNobody",
    "SearchException",
    "Shape",
    "ShapeCircle",
    "ShapeNothing",
    "ShapePolygon",
    "Tagged",
    "TaggedMoved",
    "TaggedStarted",
    "TaggedStopped",
    "Texts",
    "Times",
    "Tree",
    "Types",
    "Unit",
    "Untagged",
    "UntaggedBoth",
    "UntaggedNumber",
    "UntaggedText",
]


@dataclass(frozen=True, slots=True)
class Every:
    """One of each."""

    numbers: Numbers
    texts: Texts
    times: Times
    lists: Lists
    pairs: Pairs
    foreign: Foreign
    people: PagePerson
    words: PageString
    color: Color
    shape: Shape
    tagged: Tagged
    untagged: Untagged
    expr: Expr
    tree: Tree
    samples: Samples
    celsius: Celsius
    unit: Unit
    defaults: Defaults
    renamed: RenamedRecord
    any: Any
    tuple_: tuple[int, str, bool | None]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number of each width, and what is written as one."""

    u8: int
    """One byte."""
    u16: int
    u32: int
    u64: int
    u128: int
    i8: int
    i16: int
    i32: int
    i64: int
    i128: int
    f32: float
    f64: float
    bool_: bool
    char: str
    size: int
    unit: None


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts and bytes, each in a form of its own."""

    text: str
    boxed: str
    maybe_bytes: bytes | None
    bytes_: bytes
    maybe: str | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """Points in time and spans of it."""

    at: datetime
    lasts: timedelta
    ends: datetime | None = None


@dataclass(frozen=True, slots=True)
class Lists:
    """Lists, sets and arrays."""

    bytes_: bytes
    small: list[int]
    numbers: list[int]
    doubles: list[float]
    large: list[int]
    bools: list[bool]
    texts: list[str]
    nested: list[list[int]]
    fixed: list[int]
    matrix: list[list[float]]
    names: list[str]
    set: list[int]
    people: list[Person]
    points: list[Point]
    sizes: list[int]
    boxes: list[float]
    chars: list[str]
    options: list[int | None]
    tuples: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody."""

    name: str
    """What they are called."""
    age: int
    """In years."""
    email: str | None = None
    """Where they can be reached."""


@dataclass(frozen=True, slots=True)
class Point:
    """Plain old data: a list of them is one copy."""

    x: float
    """To the right."""
    y: float
    """Upwards."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Maps by every kind of key."""

    by_name: dict[str, int]
    by_number: dict[int, str]
    by_char: dict[str, bytes]
    by_color: dict[Color, Person]
    hashed: dict[int, float | None]
    nested: dict[str, dict[int, bool]]


class Color(Enum):
    """Three colours."""

    RED = "red"
    """Like blood."""
    GREEN = "green"
    DARK_BLUE = "dark_blue"


@dataclass(frozen=True, slots=True)
class Foreign:
    """What other crates have."""

    id: UUID
    parent: UUID | None
    names: dict[UUID, str]
    made: datetime
    took: timedelta
    seen: datetime
    waits: list[timedelta]
    ends: datetime | None
    lasts: timedelta
    at: Endpoint
    others: dict[str, list[Endpoint]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where something listens."""

    address: str
    """Four numbers with dots between."""
    port: int


@dataclass(frozen=True, slots=True)
class PagePerson:
    """Some of many."""

    items: list[Person]
    """These."""
    total: int
    """How many there are in all."""


@dataclass(frozen=True, slots=True)
class PageString:
    """Some of many."""

    items: list[str]
    """These."""
    total: int
    """How many there are in all."""


@dataclass(frozen=True, slots=True)
class ShapeNothing:
    """No shape."""


@dataclass(frozen=True, slots=True)
class ShapeCircle:
    """All points of one distance."""

    radius: float


@dataclass(frozen=True, slots=True)
class ShapePolygon:
    """Points in a row."""

    value: list[Point]


#: A shape in a plane.
Shape: TypeAlias = "ShapeNothing | ShapeCircle | ShapePolygon"


@dataclass(frozen=True, slots=True)
class TaggedStarted:
    """``started`` of :data:`Tagged`."""

    at_second: int


@dataclass(frozen=True, slots=True)
class TaggedMoved:
    """``moved`` of :data:`Tagged`."""

    to_place: Point
    how_fast: float | None = None


@dataclass(frozen=True, slots=True)
class TaggedStopped:
    """``stopped`` of :data:`Tagged`."""


#: Known by a field of its own in JSON.
Tagged: TypeAlias = "TaggedStarted | TaggedMoved | TaggedStopped"


@dataclass(frozen=True, slots=True)
class UntaggedNumber:
    """``Number`` of :data:`Untagged`."""

    value: int


@dataclass(frozen=True, slots=True)
class UntaggedText:
    """``Text`` of :data:`Untagged`."""

    value: str


@dataclass(frozen=True, slots=True)
class UntaggedBoth:
    """``Both`` of :data:`Untagged`."""

    item0: int
    item1: str


#: Known by what it looks like in JSON.
Untagged: TypeAlias = "UntaggedNumber | UntaggedText | UntaggedBoth"


@dataclass(frozen=True, slots=True)
class ExprNumber:
    """``Number`` of :data:`Expr`."""

    value: float


@dataclass(frozen=True, slots=True)
class ExprNegated:
    """``Negated`` of :data:`Expr`."""

    value: Expr


@dataclass(frozen=True, slots=True)
class ExprSum:
    """``Sum`` of :data:`Expr`."""

    item0: Expr
    item1: Expr


@dataclass(frozen=True, slots=True)
class ExprCall:
    """``Call`` of :data:`Expr`."""

    name: str
    arguments: list[Expr]


#: What has itself in it, by an enum.
Expr: TypeAlias = "ExprNumber | ExprNegated | ExprSum | ExprCall"


@dataclass(frozen=True, slots=True)
class Tree:
    """What has itself in it, by a list."""

    name: str
    children: list[Tree]


@dataclass(frozen=True, slots=True)
class Samples:
    """Plain old data alone, in a list, in an array."""

    name: str
    first: Sample
    all: list[Sample]
    pair: list[Point]


@dataclass(frozen=True, slots=True)
class Sample:
    """Plain old data with smaller fields."""

    time: int
    value: float
    channel: int
    flags: list[int]


#: A number with a meaning.
Celsius = NewType("Celsius", float)


#: Nothing to say.
Unit: TypeAlias = "None"


@dataclass(frozen=True, slots=True)
class Defaults:
    """What may be left out."""

    count: int = field(default=DEFAULT, kw_only=True)
    name: str = field(default=DEFAULT, kw_only=True)
    list_: bytes = field(default=DEFAULT, kw_only=True)
    maybe: int | None = field(default=DEFAULT, kw_only=True)


@dataclass(frozen=True, slots=True)
class RenamedRecord:
    """Names that aren't those of Rust, and a record whose fields JSON has among the others."""

    first_name: str
    type: Color
    class_: int
    person: Person


class Mood(Enum):
    """How somebody is, in ways that may become more."""

    CALM = "Calm"
    """At ease."""
    GLAD = "Glad"
    """More than that."""
    UNKNOWN = None
    """One that the plugin has added since this was written. It's only read: writing it is refused."""


@dataclass(frozen=True, slots=True)
class EventCame:
    """They have come."""


@dataclass(frozen=True, slots=True)
class EventMet:
    """They have met others."""

    others: list[Person]
    mood: Mood


@dataclass(frozen=True, slots=True)
class EventSaid:
    """They have said so."""

    value: str


@dataclass(frozen=True, slots=True)
class EventUnknown:
    """One that the plugin has added since this was written. It's only read: writing it is refused."""


#: What has happened to somebody, of which more may come.
Event: TypeAlias = "EventCame | EventMet | EventSaid | EventUnknown"


@dataclass(frozen=True, slots=True)
class Bounded:
    """What is checked when it's read."""

    share: int
    all: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """What is to be done with bytes that come beside it."""

    skip: int
    """How many at the beginning are left away."""
    times: int
    """How often the others come back."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is said of bytes that come back beside it."""

    length: int
    """How many there are."""
    first: int | None = None
    """The first of them."""


@dataclass(frozen=True, slots=True)
class SearchErrorNobody:
    """There's nobody like that."""

    name: str
    """Who was looked for."""
    similar: list[Person]
    """Those who are called nearly so."""


@dataclass(frozen=True, slots=True)
class SearchErrorHidden:
    """They are there, and don't want to be found."""


@dataclass(frozen=True, slots=True)
class SearchErrorCrowd:
    """There are too many."""

    item0: int
    item1: list[float]


#: Why nobody was found.
SearchError: TypeAlias = "SearchErrorNobody | SearchErrorHidden | SearchErrorCrowd"


@dataclass(frozen=True, slots=True)
class Refused:
    """What isn't to one's taste."""

    color: Color
    """What it was in."""
    better: Color | None = None
    """What it might be in."""


class PowerError(Enum):
    """Whether there's power."""

    OUT = "Out"
    """There is none."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Somebody, and how often."""

    person: Person
    """Who comes first."""
    times: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Counters, here and there."""

    first: Counter | None
    """One that there needn't be."""
    others: list[Counter]
    """Any number of them."""
    name: str
    """What has nothing to do with them."""


@dataclass(frozen=True, slots=True)
class Random:
    """Which random value is asked for."""

    method: str
    """The method that would give it back."""
    seed: int
    """The same value for the same seed."""


@dataclass(frozen=True, slots=True)
class Odd:
    """There's no half of it."""

    count: int
    """What was counted."""


class SearchException(typed.Error):
    """Why nobody was found."""

    #: What it says by its fields.
    error: SearchError


class RefusedException(typed.Error):
    """What isn't to one's taste."""

    #: What it says by its fields.
    error: Refused


class PowerException(typed.Error):
    """Whether there's power."""

    #: What it says by its fields.
    error: PowerError


class OddException(typed.Error):
    """There's no half of it."""

    #: What it says by its fields.
    error: Odd


class Counter(typed.Object):
    """A ``Counter``, which stays in the plugin."""

    __slots__ = ()

    def add(self, more: int, options: rustbridge.CallOptions | None = None) -> int:
        """Adds, and gives the sum."""
        answer: int = self._client._o_counter__add(more, options, self)
        return answer

    def add_later(self, more: int, options: rustbridge.CallOptions | None = None) -> int:
        """The same, from an `async fn`."""
        answer: int = self._client._o_counter__add_later(more, options, self)
        return answer

    def half(self, options: rustbridge.CallOptions | None = None) -> int:
        """Half of what was counted, if that's a number."""
        answer: int = self._client._o_counter__half(None, options, self)
        return answer

    def within(self, least: int, most: int, options: rustbridge.CallOptions | None = None) -> bool:
        """Whether it's between two numbers, both included."""
        answer: bool = self._client._o_counter__within((least, most), options, self)
        return answer

    def get(self, options: rustbridge.CallOptions | None = None) -> int:
        """What was counted so far."""
        answer: int = self._client._o_counter__get(None, options, self)
        return answer

    def absorb(self, other: Counter, options: rustbridge.CallOptions | None = None) -> int:
        """Adds what another has counted, and gives the sum."""
        answer: int = self._client._o_counter__absorb(other, options, self)
        return answer

    def upto(self, end: int, options: rustbridge.CallOptions | None = None) -> rustbridge.Stream[int]:
        """The numbers from there up to before another."""
        answer: rustbridge.Stream[int] = self._client._o_counter__upto(end, options, self)
        return answer

    def admit(self, items: Iterable[Person], options: rustbridge.CallOptions | None = None) -> int:
        """Counts those who are sent."""
        answer: int = self._client._o_counter__admit(items, None, options, self)
        return answer

    async def add_later_async(self, more: int, options: rustbridge.CallOptions | None = None) -> int:
        """The same, from an `async fn`."""
        answer: int = await self._client._o_counter__add_later_async(more, options, self)
        return answer

    async def admit_async(
        self, items: AsyncIterable[Person] | Iterable[Person], options: rustbridge.CallOptions | None = None
    ) -> int:
        """Counts those who are sent."""
        answer: int = await self._client._o_counter__admit_async(items, None, options, self)
        return answer


class Directory(Protocol):
    """``directory``: what the plugin asks of this program.

    Each function may be an ``async def``. What is raised is told to the plugin.
    """

    def find(self, name: str, /) -> Person | None | Awaitable[Person | None]:
        """Who is called so, if anybody is."""

    def fetch(self, name: str, /) -> Person | Awaitable[Person]:
        """The same, of somebody who is there; fails with `NOT_FOUND` otherwise."""

    def count(self) -> int | Awaitable[int]:
        """How many there are."""


class Ages(Protocol):
    """``ages``: what the plugin asks of this program.

    Each function may be an ``async def``. What is raised is told to the plugin.
    """

    def of(self, people: list[Person], /) -> dict[str, int] | Awaitable[dict[str, int]]:
        """Of each by name."""


#: What this was written from, to be compared with the plugin; and its types' classes, in the same order.
_CONTRACT = typed.Contract(
    '{"methods":[{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":6,"items":null,"kind":'
    '"unary","parameter":"request","receiver":"","request":{"type":{"ref":0}},"response":{"type":{"ref":0}}}]'
    ',"name":"every"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":13,"items":null,"'
    'kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":1}},"response":{"type":{"ref"'
    ':1}}}],"name":"numbers"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":20,"items'
    '":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":2}},"response":{"type'
    '":{"ref":2}}}],"name":"texts"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":27,'
    '"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":3}},"response":'
    '{"type":{"ref":3}}}],"name":"times"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"inde'
    'x":34,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":4}},"resp'
    'onse":{"type":{"ref":4}}}],"name":"lists"},{"entries":[{"arguments":false,"encoding":"wire","error":null'
    ',"index":41,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":7}}'
    ',"response":{"type":{"ref":7}}}],"name":"pairs"},{"entries":[{"arguments":false,"encoding":"wire","error'
    '":null,"index":48,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"re'
    'f":5}},"response":{"type":{"ref":5}}}],"name":"person"},{"entries":[{"arguments":false,"encoding":"wire"'
    ',"error":null,"index":55,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"typ'
    'e":{"ref":11}},"response":{"type":{"ref":11}}}],"name":"people"},{"entries":[{"arguments":false,"encodin'
    'g":"wire","error":null,"index":62,"items":null,"kind":"unary","parameter":"request","receiver":"","reque'
    'st":{"type":{"ref":13}},"response":{"type":{"ref":13}}}],"name":"shape"},{"entries":[{"arguments":false,'
    '"encoding":"wire","error":null,"index":69,"items":null,"kind":"unary","parameter":"request","receiver":"'
    '","request":{"type":{"ref":8}},"response":{"type":{"ref":8}}}],"name":"color"},{"entries":[{"arguments":'
    'false,"encoding":"wire","error":null,"index":76,"items":null,"kind":"unary","parameter":"request","recei'
    'ver":"","request":{"type":{"ref":24}},"response":{"type":{"ref":24}}}],"name":"mood"},{"entries":[{"argu'
    'ments":false,"encoding":"wire","error":null,"index":83,"items":null,"kind":"unary","parameter":"request"'
    ',"receiver":"","request":{"type":{"list":{"ref":25}}},"response":{"type":{"list":{"ref":25}}}}],"name":"'
    'events"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":90,"items":null,"kind":"u'
    'nary","parameter":"request","receiver":"","request":{"type":{"ref":14}},"response":{"type":{"ref":14}}}]'
    ',"name":"tagged"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":97,"items":null,'
    '"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":15}},"response":{"type":{"re'
    'f":15}}}],"name":"untagged"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":104,"'
    'items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":16}},"response":'
    '{"type":{"ref":16}}}],"name":"expr"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"inde'
    'x":111,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":17}},"re'
    'sponse":{"type":{"ref":17}}}],"name":"tree"},{"entries":[{"arguments":false,"encoding":"wire","error":nu'
    'll,"index":118,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":'
    '18}},"response":{"type":{"ref":18}}}],"name":"samples"},{"entries":[{"arguments":false,"encoding":"wire"'
    ',"error":null,"index":125,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"ty'
    'pe":{"ref":6}},"response":{"type":{"ref":6}}}],"name":"point"},{"entries":[{"arguments":false,"encoding"'
    ':"wire","error":null,"index":132,"items":null,"kind":"unary","parameter":"request","receiver":"","reques'
    't":{"type":{"ref":20}},"response":{"type":{"ref":20}}}],"name":"celsius"},{"entries":[{"arguments":false'
    ',"encoding":"wire","error":null,"index":139,"items":null,"kind":"unary","parameter":"request","receiver"'
    ':"","request":{"type":{"ref":9}},"response":{"type":{"ref":9}}}],"name":"foreign"},{"entries":[{"argumen'
    'ts":false,"encoding":"wire","error":null,"index":146,"items":null,"kind":"unary","parameter":"request","'
    'receiver":"","request":{"type":{"ref":26}},"response":{"type":{"ref":26}}}],"name":"bounded"},{"entries"'
    ':[{"arguments":false,"encoding":"wire","error":null,"index":153,"items":null,"kind":"unary","parameter":'
    '"request","receiver":"","request":{"type":{"ref":21}},"response":{"type":{"ref":21}}}],"name":"unit"},{"'
    'entries":[{"arguments":false,"encoding":"wire","error":null,"index":160,"items":null,"kind":"unary","par'
    'ameter":"request","receiver":"","request":{"type":{"ref":22}},"response":{"type":{"ref":22}}}],"name":"d'
    'efaults"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":167,"items":null,"kind":'
    '"unary","parameter":"request","receiver":"","request":{"type":{"ref":23}},"response":{"type":{"ref":23}}'
    '}],"name":"renamed"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":174,"items":n'
    'ull,"kind":"unary","parameter":"request","receiver":"","request":{"type":"any"},"response":{"type":"any"'
    '}}],"name":"any"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":181,"items":null'
    ',"kind":"unary","parameter":"request","receiver":"","request":{"type":{"list":"f64"}},"response":{"type"'
    ':{"list":"f64"}}}],"name":"doubles"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"inde'
    'x":188,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"map":["string'
    '",{"ref":5}]}},"response":{"type":{"map":["string",{"ref":5}]}}}],"name":"map"},{"entries":[{"arguments"'
    ':false,"encoding":"wire","error":null,"index":195,"items":null,"kind":"unary","parameter":"request","rec'
    'eiver":"","request":{"type":{"option":{"ref":5}}},"response":{"type":{"option":{"ref":5}}}}],"name":"may'
    'be"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":202,"items":null,"kind":"unar'
    'y","parameter":"request","receiver":"","request":{"type":{"tuple":["u8","string",{"option":"bool"}]}},"r'
    'esponse":{"type":{"tuple":["u8","string",{"option":"bool"}]}}}],"name":"tuple"},{"entries":[{"arguments"'
    ':false,"encoding":"wire","error":null,"index":209,"items":null,"kind":"unary","parameter":"request","rec'
    'eiver":"","request":{"type":"duration"},"response":{"type":"duration"}}],"name":"duration"},{"entries":['
    '{"arguments":false,"encoding":"wire","error":null,"index":216,"items":null,"kind":"unary","parameter":"r'
    'equest","receiver":"","request":{"type":"timestamp"},"response":{"type":"timestamp"}}],"name":"timestamp'
    '"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":223,"items":null,"kind":"unary"'
    ',"parameter":"request","receiver":"","request":{"type":"string"},"response":{"type":"u64"}}],"name":"len'
    'gth"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":230,"items":null,"kind":"una'
    'ry","parameter":"request","receiver":"","request":{"type":{"ref":11}},"response":{"type":{"option":{"ref'
    '":5}}}}],"name":"oldest"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":237,"ite'
    'ms":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":13}},"response":{"t'
    'ype":"f64"}}],"name":"area"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"index":244,"i'
    'tems":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"ref":27}},"response":{"type":'
    '"string"}}],"name":"part"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"index":251,"ite'
    'ms":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"ref":28}},"response":{"type":{"'
    'tuple":[{"ref":5},{"list":"string"},{"list":"f64"},{"ref":8},"bytes",{"option":"any"}]}}}],"name":"sever'
    'al"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"index":258,"items":null,"kind":"unary'
    '","parameter":"","receiver":"","request":{"type":{"ref":29}},"response":{"type":{"tuple":[{"ref":31},"by'
    'tes"]}}}],"name":"cut"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"index":265,"items"'
    ':null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"ref":32}},"response":{"type":{"tup'
    'le":[{"ref":31},"bytes"]}}}],"name":"cut_later"},{"entries":[{"arguments":false,"encoding":"raw","error"'
    ':null,"index":267,"items":null,"kind":"unary","parameter":"data","receiver":"","request":{"type":"bytes"'
    '},"response":{"type":"string"}}],"name":"hex"},{"entries":[{"arguments":false,"encoding":"raw","error":n'
    'ull,"index":274,"items":null,"kind":"unary","parameter":"data","receiver":"","request":{"type":"bytes"},'
    '"response":{"type":"string"}}],"name":"hex_later"},{"entries":[{"arguments":false,"encoding":"raw","erro'
    'r":null,"index":281,"items":null,"kind":"unary","parameter":"digits","receiver":"","request":{"type":"st'
    'ring"},"response":{"type":"bytes"}}],"name":"unhex"},{"entries":[{"arguments":false,"encoding":"wire","e'
    'rror":null,"index":293,"items":null,"kind":"unary","parameter":"data","receiver":"","request":{"type":"b'
    'ytes"},"response":{"type":"u64"}}],"name":"nonzero"},{"entries":[{"arguments":false,"encoding":"raw","er'
    'ror":null,"index":295,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":"unit"}'
    ',"response":{"type":"bytes"}}],"name":"magic"},{"entries":[{"arguments":true,"encoding":"wire","error":n'
    'ull,"index":307,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"ref":33}},"'
    'response":{"type":{"ref":5}}}],"name":"aged"},{"entries":[{"arguments":true,"encoding":"wire","error":nu'
    'll,"index":314,"items":null,"kind":"server_stream","parameter":"","receiver":"","request":{"type":{"ref"'
    ':34}},"response":{"type":"i64"}}],"name":"steps"},{"entries":[{"arguments":false,"encoding":"wire","erro'
    'r":null,"index":321,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"'
    'ref":5}},"response":{"type":{"ref":5}}}],"name":"later"},{"entries":[{"arguments":true,"encoding":"wire"'
    ',"error":{"type":{"ref":36}},"index":328,"items":null,"kind":"unary","parameter":"","receiver":"","reque'
    'st":{"type":{"ref":35}},"response":{"type":{"ref":5}}}],"name":"search"},{"entries":[{"arguments":true,"'
    'encoding":"wire","error":{"type":{"ref":36}},"index":335,"items":null,"kind":"unary","parameter":"","rec'
    'eiver":"","request":{"type":{"ref":37}},"response":{"type":{"ref":5}}}],"name":"search_later"},{"entries'
    '":[{"arguments":true,"encoding":"wire","error":{"type":{"ref":39}},"index":342,"items":null,"kind":"unar'
    'y","parameter":"","receiver":"","request":{"type":{"ref":38}},"response":{"type":{"ref":8}}}],"name":"pa'
    'int"},{"entries":[{"arguments":false,"encoding":"wire","error":{"type":{"ref":40}},"index":349,"items":n'
    'ull,"kind":"unary","parameter":"request","receiver":"","request":{"type":"bool"},"response":{"type":"uni'
    't"}}],"name":"power"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":356,"items":'
    'null,"kind":"server_stream","parameter":"request","receiver":"","request":{"type":{"ref":41}},"response"'
    ':{"type":{"ref":5}}}],"name":"repeat"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"in'
    'dex":363,"items":{"type":{"ref":5}},"kind":"client_stream","parameter":"before","receiver":"","request":'
    '{"type":"u64"},"response":{"type":{"ref":11}}}],"name":"collect"},{"entries":[{"arguments":true,"encodin'
    'g":"wire","error":null,"index":370,"items":{"type":{"ref":5}},"kind":"client_stream","parameter":"","rec'
    'eiver":"","request":{"type":{"ref":42}},"response":{"type":{"list":{"ref":5}}}}],"name":"between"},{"ent'
    'ries":[{"arguments":false,"encoding":"wire","error":null,"index":377,"items":{"type":{"ref":13}},"kind":'
    '"bidi_stream","parameter":"","receiver":"","request":{"type":"unit"},"response":{"type":{"ref":13}}}],"n'
    'ame":"reshape"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":384,"items":null,"'
    'kind":"unary","parameter":"start","receiver":"","request":{"type":"i64"},"response":{"type":{"object":"C'
    'ounter"}}}],"name":"counter"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":391,'
    '"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"list":"i64"}},"respo'
    'nse":{"type":{"ref":43}}}],"name":"counters"},{"entries":[{"arguments":true,"encoding":"wire","error":nu'
    'll,"index":398,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"ref":44}},"r'
    'esponse":{"type":{"tuple":["i64","i64"]}}}],"name":"transfer"},{"entries":[{"arguments":false,"encoding"'
    ':"wire","error":null,"index":405,"items":null,"kind":"unary","parameter":"request","receiver":"","reques'
    't":{"type":{"ref":43}},"response":{"type":"i64"}}],"name":"total"},{"entries":[{"arguments":false,"encod'
    'ing":"wire","error":null,"index":412,"items":null,"kind":"unary","parameter":"request","receiver":"","re'
    'quest":{"type":{"ref":45}},"response":{"type":"bytes"}}],"name":"random"},{"entries":[{"arguments":false'
    ',"encoding":"wire","error":null,"index":419,"items":null,"kind":"unary","parameter":"","receiver":"","re'
    'quest":{"type":"unit"},"response":{"type":{"list":"string"}}}],"name":"echoes"},{"entries":[{"arguments"'
    ':true,"encoding":"wire","error":null,"index":426,"items":null,"kind":"unary","parameter":"","receiver":"'
    '","request":{"type":{"ref":46}},"response":{"type":{"option":"string"}}}],"name":"as_json"},{"entries":['
    '{"arguments":true,"encoding":"wire","error":null,"index":433,"items":null,"kind":"unary","parameter":"",'
    '"receiver":"","request":{"type":{"ref":47}},"response":{"type":"bytes"}}],"name":"as_message"},{"entries'
    '":[{"arguments":false,"encoding":"wire","error":null,"index":440,"items":null,"kind":"unary","parameter"'
    ':"name","receiver":"","request":{"type":"string"},"response":{"type":{"option":{"ref":5}}}}],"name":"ask'
    '"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":447,"items":null,"kind":"unary"'
    ',"parameter":"name","receiver":"","request":{"type":"string"},"response":{"type":{"ref":5}}}],"name":"as'
    'k_later"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":454,"items":null,"kind":'
    '"unary","parameter":"","receiver":"","request":{"type":"unit"},"response":{"type":"u64"}}],"name":"ask_c'
    'ount"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":461,"items":null,"kind":"un'
    'ary","parameter":"people","receiver":"","request":{"type":{"list":{"ref":5}}},"response":{"type":{"map":'
    '["string","u32"]}}}],"name":"ask_ages"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"i'
    'ndex":468,"items":null,"kind":"unary","parameter":"more","receiver":"Counter","request":{"type":"i64"},"'
    'response":{"type":"i64"}}],"name":"Counter.add"},{"entries":[{"arguments":false,"encoding":"wire","error'
    '":null,"index":475,"items":null,"kind":"unary","parameter":"more","receiver":"Counter","request":{"type"'
    ':"i64"},"response":{"type":"i64"}}],"name":"Counter.add_later"},{"entries":[{"arguments":false,"encoding'
    '":"wire","error":{"type":{"ref":48}},"index":482,"items":null,"kind":"unary","parameter":"","receiver":"'
    'Counter","request":{"type":"unit"},"response":{"type":"i64"}}],"name":"Counter.half"},{"entries":[{"argu'
    'ments":true,"encoding":"wire","error":null,"index":489,"items":null,"kind":"unary","parameter":"","recei'
    'ver":"Counter","request":{"type":{"ref":49}},"response":{"type":"bool"}}],"name":"Counter.within"},{"ent'
    'ries":[{"arguments":false,"encoding":"wire","error":null,"index":496,"items":null,"kind":"unary","parame'
    'ter":"","receiver":"Counter","request":{"type":"unit"},"response":{"type":"i64"}}],"name":"Counter.get"}'
    ',{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":503,"items":null,"kind":"unary","'
    'parameter":"other","receiver":"Counter","request":{"type":{"object":"Counter"}},"response":{"type":"i64"'
    '}}],"name":"Counter.absorb"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":510,"'
    'items":null,"kind":"server_stream","parameter":"end","receiver":"Counter","request":{"type":"i64"},"resp'
    'onse":{"type":"i64"}}],"name":"Counter.upto"},{"entries":[{"arguments":false,"encoding":"wire","error":n'
    'ull,"index":517,"items":{"type":{"ref":5}},"kind":"client_stream","parameter":"","receiver":"Counter","r'
    'equest":{"type":"unit"},"response":{"type":"i64"}}],"name":"Counter.admit"}],"name":"types","services":['
    '{"encoding":"wire","name":"directory.find","optional":true,"request":{"type":"string"},"response":{"type'
    '":{"option":{"ref":5}}}},{"encoding":"wire","name":"directory.fetch","optional":true,"request":{"type":"'
    'string"},"response":{"type":{"ref":5}}},{"encoding":"wire","name":"directory.count","optional":true,"req'
    'uest":{"type":"unit"},"response":{"type":"u64"}},{"encoding":"wire","name":"ages.of","optional":true,"re'
    'quest":{"type":{"list":{"ref":5}}},"response":{"type":{"map":["string","u32"]}}}],"types":[{"name":"Ever'
    'y","record":[{"name":"numbers","type":{"ref":1}},{"name":"texts","type":{"ref":2}},{"name":"times","type'
    '":{"ref":3}},{"name":"lists","type":{"ref":4}},{"name":"pairs","type":{"ref":7}},{"name":"foreign","type'
    '":{"ref":9}},{"name":"people","type":{"ref":11}},{"name":"words","type":{"ref":12}},{"name":"color","typ'
    'e":{"ref":8}},{"name":"shape","type":{"ref":13}},{"name":"tagged","type":{"ref":14}},{"name":"untagged",'
    '"type":{"ref":15}},{"name":"expr","type":{"ref":16}},{"name":"tree","type":{"ref":17}},{"name":"samples"'
    ',"type":{"ref":18}},{"name":"celsius","type":{"ref":20}},{"name":"unit","type":{"ref":21}},{"name":"defa'
    'ults","type":{"ref":22}},{"name":"renamed","type":{"ref":23}},{"name":"any","type":"any"},{"name":"tuple'
    '","type":{"tuple":["u8","string",{"option":"bool"}]}}]},{"name":"Numbers","record":[{"name":"u8","type":'
    '"u8"},{"name":"u16","type":"u16"},{"name":"u32","type":"u32"},{"name":"u64","type":"u64"},{"name":"u128"'
    ',"type":"u128"},{"name":"i8","type":"i8"},{"name":"i16","type":"i16"},{"name":"i32","type":"i32"},{"name'
    '":"i64","type":"i64"},{"name":"i128","type":"i128"},{"name":"f32","type":"f32"},{"name":"f64","type":"f6'
    '4"},{"name":"bool","type":"bool"},{"name":"char","type":"char"},{"name":"size","type":"u64"},{"name":"un'
    'it","type":"unit"}]},{"name":"Texts","record":[{"name":"text","type":"string"},{"name":"boxed","type":"s'
    'tring"},{"name":"maybe_bytes","type":{"option":"bytes"}},{"name":"bytes","type":"bytes"},{"name":"maybe"'
    ',"type":{"option":"string"}}]},{"name":"Times","record":[{"name":"at","type":"timestamp"},{"name":"lasts'
    '","type":"duration"},{"name":"ends","type":{"option":"timestamp"}}]},{"name":"Lists","record":[{"name":"'
    'bytes","type":"bytes"},{"name":"small","type":{"list":"i8"}},{"name":"numbers","type":{"list":"u32"}},{"'
    'name":"doubles","type":{"list":"f64"}},{"name":"large","type":{"list":"i128"}},{"name":"bools","type":{"'
    'list":"bool"}},{"name":"texts","type":{"list":"string"}},{"name":"nested","type":{"list":{"list":"u16"}}'
    '},{"name":"fixed","type":{"array":["u32",3]}},{"name":"matrix","type":{"array":[{"array":["f64",2]},2]}}'
    ',{"name":"names","type":{"array":["string",2]}},{"name":"set","type":{"list":"u32"}},{"name":"people","t'
    'ype":{"list":{"ref":5}}},{"name":"points","type":{"list":{"ref":6}}},{"name":"sizes","type":{"list":"u64'
    '"}},{"name":"boxes","type":{"list":"f32"}},{"name":"chars","type":{"list":"char"}},{"name":"options","ty'
    'pe":{"list":{"option":"u8"}}},{"name":"tuples","type":{"list":{"tuple":["u8","u32"]}}}]},{"name":"Person'
    '","record":[{"name":"name","type":"string"},{"name":"age","type":"u32"},{"name":"email","type":{"option"'
    ':"string"}}]},{"name":"Point","pod":[{"name":"x","type":"f64"},{"name":"y","type":"f64"}]},{"name":"Pair'
    's","record":[{"name":"by_name","type":{"map":["string","u32"]}},{"name":"by_number","type":{"map":["i64"'
    ',"string"]}},{"name":"by_char","type":{"map":["char","bytes"]}},{"name":"by_color","type":{"map":[{"ref"'
    ':8},{"ref":5}]}},{"name":"hashed","type":{"map":["u16",{"option":"f32"}]}},{"name":"nested","type":{"map'
    '":["string",{"map":["u8","bool"]}]}}]},{"enum":{"variants":[{"name":"red"},{"name":"green"},{"name":"dar'
    'k_blue"}]},"name":"Color"},{"name":"Foreign","record":[{"name":"id","type":"uuid"},{"name":"parent","typ'
    'e":{"option":"uuid"}},{"name":"names","type":{"map":["uuid","string"]}},{"name":"made","type":"timestamp'
    '"},{"name":"took","type":"duration"},{"name":"seen","type":"timestamp"},{"name":"waits","type":{"list":"'
    'duration"}},{"name":"ends","type":{"option":"timestamp"}},{"name":"lasts","type":"duration"},{"name":"at'
    '","type":{"ref":10}},{"name":"others","type":{"map":["string",{"list":{"ref":10}}]}}]},{"name":"Endpoint'
    '","record":[{"name":"address","type":"string"},{"name":"port","type":"u16"}]},{"name":"PagePerson","reco'
    'rd":[{"name":"items","type":{"list":{"ref":5}}},{"name":"total","type":"u64"}]},{"name":"PageString","re'
    'cord":[{"name":"items","type":{"list":"string"}},{"name":"total","type":"u64"}]},{"enum":{"variants":[{"'
    'name":"Nothing"},{"fields":[{"name":"radius","type":"f64"}],"name":"Circle"},{"name":"Polygon","tuple":['
    '{"list":{"ref":6}}]}]},"name":"Shape"},{"enum":{"tag":{"inside":"kind"},"variants":[{"fields":[{"name":"'
    'atSecond","type":"u64"}],"name":"started"},{"fields":[{"name":"toPlace","type":{"ref":6}},{"name":"howFa'
    'st","type":{"option":"f32"}}],"name":"moved"},{"name":"stopped"}]},"name":"Tagged"},{"enum":{"tag":"none'
    '","variants":[{"name":"Number","tuple":["i64"]},{"name":"Text","tuple":["string"]},{"name":"Both","tuple'
    '":["i64","string"]}]},"name":"Untagged"},{"enum":{"variants":[{"name":"Number","tuple":["f64"]},{"name":'
    '"Negated","tuple":[{"ref":16}]},{"name":"Sum","tuple":[{"ref":16},{"ref":16}]},{"fields":[{"name":"name"'
    ',"type":"string"},{"name":"arguments","type":{"list":{"ref":16}}}],"name":"Call"}]},"name":"Expr"},{"nam'
    'e":"Tree","record":[{"name":"name","type":"string"},{"name":"children","type":{"list":{"ref":17}}}]},{"n'
    'ame":"Samples","record":[{"name":"name","type":"string"},{"name":"first","type":{"ref":19}},{"name":"all'
    '","type":{"list":{"ref":19}}},{"name":"pair","type":{"array":[{"ref":6},2]}}]},{"name":"Sample","pod":[{'
    '"name":"time","type":"u64"},{"name":"value","type":"f32"},{"name":"channel","type":"u16"},{"name":"flags'
    '","type":{"array":["u8",2]}}]},{"name":"Celsius","newtype":"f64"},{"name":"Unit","newtype":"unit"},{"nam'
    'e":"Defaults","record":[{"default":true,"name":"count","type":"u32"},{"default":true,"name":"name","type'
    '":"string"},{"default":true,"name":"list","type":"bytes"},{"default":true,"name":"maybe","type":{"option'
    '":"u64"}}]},{"name":"RenamedRecord","record":[{"name":"firstName","type":"string"},{"name":"type","type"'
    ':{"ref":8}},{"name":"class","type":"u8"},{"flatten":true,"name":"person","type":{"ref":5}}]},{"enum":{"o'
    'pen":true,"variants":[{"name":"Calm"},{"name":"Glad"}]},"name":"Mood"},{"enum":{"open":true,"variants":['
    '{"name":"Came"},{"fields":[{"name":"others","type":{"list":{"ref":5}}},{"name":"mood","type":{"ref":24}}'
    '],"name":"Met"},{"name":"Said","tuple":["string"]}]},"name":"Event"},{"name":"Bounded","record":[{"name"'
    ':"share","type":"u8"},{"name":"all","type":"bytes"}]},{"name":"PartParameters","record":[{"name":"text",'
    '"type":"string"},{"name":"start","type":"u32"},{"name":"count","type":{"option":"u32"}}]},{"name":"Sever'
    'alParameters","record":[{"name":"person","type":{"ref":5}},{"name":"nick_names","type":{"list":"string"}'
    '},{"name":"numbers","type":{"list":"f64"}},{"name":"type","type":{"ref":8}},{"name":"class","type":"byte'
    's"},{"name":"self_","type":{"option":"any"}}]},{"name":"CutParameters","record":[{"name":"how","type":{"'
    'ref":30}},{"name":"data","type":"bytes"}]},{"name":"Cut","record":[{"name":"skip","type":"u32"},{"name":'
    '"times","type":"u32"}]},{"name":"Piece","record":[{"name":"length","type":"u64"},{"name":"first","type":'
    '{"option":"u8"}}]},{"name":"CutLaterParameters","record":[{"name":"how","type":{"ref":30}},{"name":"data'
    '","type":"bytes"}]},{"name":"AgedParameters","record":[{"name":"person","type":{"ref":5}},{"name":"years'
    '","type":"u32"}]},{"name":"StepsParameters","record":[{"name":"first","type":"i64"},{"name":"last","type'
    '":"i64"},{"name":"step","type":"u32"}]},{"name":"SearchParameters","record":[{"name":"name","type":"stri'
    'ng"},{"name":"people","type":{"list":{"ref":5}}}]},{"enum":{"variants":[{"fields":[{"name":"name","type"'
    ':"string"},{"name":"similar","type":{"list":{"ref":5}}}],"name":"Nobody"},{"name":"Hidden"},{"name":"Cro'
    'wd","tuple":["u64",{"list":"f64"}]}]},"name":"SearchError"},{"name":"SearchLaterParameters","record":[{"'
    'name":"name","type":"string"},{"name":"people","type":{"list":{"ref":5}}}]},{"name":"PaintParameters","r'
    'ecord":[{"name":"color","type":{"ref":8}},{"name":"better","type":{"option":{"ref":8}}}]},{"name":"Refus'
    'ed","record":[{"name":"color","type":{"ref":8}},{"name":"better","type":{"option":{"ref":8}}}]},{"enum":'
    '{"variants":[{"name":"Out"}]},"name":"PowerError"},{"name":"Repeat","record":[{"name":"person","type":{"'
    'ref":5}},{"name":"times","type":"u32"}]},{"name":"BetweenParameters","record":[{"name":"youngest","type"'
    ':"u32"},{"name":"oldest","type":"u32"}]},{"name":"Counters","record":[{"name":"first","type":{"option":{'
    '"object":"Counter"}}},{"name":"others","type":{"list":{"object":"Counter"}}},{"name":"name","type":"stri'
    'ng"}]},{"name":"TransferParameters","record":[{"name":"from","type":{"object":"Counter"}},{"name":"to","'
    'type":{"object":"Counter"}},{"name":"count","type":"i64"}]},{"name":"Random","record":[{"name":"method",'
    '"type":"string"},{"name":"seed","type":"u64"}]},{"name":"AsJsonParameters","record":[{"name":"method","t'
    'ype":"string"},{"name":"message","type":"bytes"}]},{"name":"AsMessageParameters","record":[{"name":"meth'
    'od","type":"string"},{"name":"json","type":"string"}]},{"name":"Odd","record":[{"name":"count","type":"i'
    '64"}]},{"name":"CounterWithinParameters","record":[{"name":"least","type":"i64"},{"name":"most","type":"'
    'i64"}]}],"version":"0.1.0"}',
    [
        Every,
        Numbers,
        Texts,
        Times,
        Lists,
        Person,
        Point,
        Pairs,
        Color,
        Foreign,
        Endpoint,
        PagePerson,
        PageString,
        (ShapeNothing, ShapeCircle, ShapePolygon),
        (TaggedStarted, TaggedMoved, TaggedStopped),
        (UntaggedNumber, UntaggedText, UntaggedBoth),
        (ExprNumber, ExprNegated, ExprSum, ExprCall),
        Tree,
        Samples,
        Sample,
        None,
        None,
        Defaults,
        RenamedRecord,
        Mood,
        (EventCame, EventMet, EventSaid, EventUnknown),
        Bounded,
        tuple,
        tuple,
        tuple,
        Cut,
        Piece,
        tuple,
        tuple,
        tuple,
        tuple,
        (SearchErrorNobody, SearchErrorHidden, SearchErrorCrowd),
        tuple,
        tuple,
        Refused,
        PowerError,
        Repeat,
        tuple,
        Counters,
        tuple,
        Random,
        tuple,
        tuple,
        Odd,
        tuple,
    ],
    {"Counter": Counter},
    exceptions={36: SearchException, 39: RefusedException, 40: PowerException, 48: OddException},
)


class Types(typed.Client):
    """``Types``."""

    __slots__ = (
        "_m_aged",
        "_m_aged_async",
        "_m_any",
        "_m_area",
        "_m_as_json",
        "_m_as_message",
        "_m_ask",
        "_m_ask_ages",
        "_m_ask_count",
        "_m_ask_later",
        "_m_ask_later_async",
        "_m_between",
        "_m_between_async",
        "_m_bounded",
        "_m_celsius",
        "_m_collect",
        "_m_collect_async",
        "_m_color",
        "_m_counter",
        "_m_counters",
        "_m_cut",
        "_m_cut_later",
        "_m_cut_later_async",
        "_m_defaults",
        "_m_doubles",
        "_m_duration",
        "_m_echoes",
        "_m_events",
        "_m_every",
        "_m_expr",
        "_m_foreign",
        "_m_hex",
        "_m_hex_later",
        "_m_hex_later_async",
        "_m_later",
        "_m_later_async",
        "_m_length",
        "_m_lists",
        "_m_magic",
        "_m_map",
        "_m_maybe",
        "_m_mood",
        "_m_nonzero",
        "_m_numbers",
        "_m_oldest",
        "_m_paint",
        "_m_pairs",
        "_m_part",
        "_m_people",
        "_m_person",
        "_m_point",
        "_m_power",
        "_m_random",
        "_m_renamed",
        "_m_repeat",
        "_m_reshape",
        "_m_samples",
        "_m_search",
        "_m_search_later",
        "_m_search_later_async",
        "_m_several",
        "_m_shape",
        "_m_steps",
        "_m_tagged",
        "_m_texts",
        "_m_times",
        "_m_timestamp",
        "_m_total",
        "_m_transfer",
        "_m_tree",
        "_m_tuple_",
        "_m_unhex",
        "_m_unit",
        "_m_untagged",
        "_o_counter__absorb",
        "_o_counter__add",
        "_o_counter__add_later",
        "_o_counter__add_later_async",
        "_o_counter__admit",
        "_o_counter__admit_async",
        "_o_counter__get",
        "_o_counter__half",
        "_o_counter__upto",
        "_o_counter__within",
    )

    def __init__(self, plugin: rustbridge.Plugin) -> None:
        """Call an instance of the plugin, which goes on to belong to the caller."""
        super().__init__(plugin)
        self._m_every = self._prepare(_CONTRACT, "every", "ca824bfa182bedb60ba5827fb6308d6e", Types.every)
        self._m_numbers = self._prepare(_CONTRACT, "numbers", "4c00d487d36e0c59a73b8f6f78292929", Types.numbers)
        self._m_texts = self._prepare(_CONTRACT, "texts", "f88372bd7465d1c1c7d58abd1ba2fc5c", Types.texts)
        self._m_times = self._prepare(_CONTRACT, "times", "759fab40f0cf85db3f027917f24af2a3", Types.times)
        self._m_lists = self._prepare(_CONTRACT, "lists", "e19f0e80f700832db2772a6cebd4c2f9", Types.lists)
        self._m_pairs = self._prepare(_CONTRACT, "pairs", "18381038fd3cc6739c4df9d0db6d3a7d", Types.pairs)
        self._m_person = self._prepare(_CONTRACT, "person", "bf3ed839822e0baaebc306432086a7e1", Types.person)
        self._m_people = self._prepare(_CONTRACT, "people", "f14e879221aba66dd32dea1fdcfa3fb5", Types.people)
        self._m_shape = self._prepare(_CONTRACT, "shape", "7dd99669087d218bd07d831ce8f12470", Types.shape)
        self._m_color = self._prepare(_CONTRACT, "color", "41b0fa431237ac990a79a870076aaf7c", Types.color)
        self._m_mood = self._prepare(_CONTRACT, "mood", "c7593193ffab90a84e3ba13d65bed81c", Types.mood)
        self._m_events = self._prepare(_CONTRACT, "events", "d65898177d1e2e1c69ffb73dff3d77c5", Types.events)
        self._m_tagged = self._prepare(_CONTRACT, "tagged", "d183e5861f8334a67d13ead1ac5a65ee", Types.tagged)
        self._m_untagged = self._prepare(_CONTRACT, "untagged", "718a4fb1dd49ba198222d869932671e5", Types.untagged)
        self._m_expr = self._prepare(_CONTRACT, "expr", "2acb38bc4a1b629a4f7e7c75e5c6e069", Types.expr)
        self._m_tree = self._prepare(_CONTRACT, "tree", "1b32e93a62fd0d6845338c23d026910b", Types.tree)
        self._m_samples = self._prepare(_CONTRACT, "samples", "d32918079018f2eb6cbcb959e09e2f43", Types.samples)
        self._m_point = self._prepare(_CONTRACT, "point", "d3685ef2581bf9f8d96fec9587f3b77d", Types.point)
        self._m_celsius = self._prepare(_CONTRACT, "celsius", "bbb0e9b3fd7d5e6c0b909b89a85f4205", Types.celsius)
        self._m_foreign = self._prepare(_CONTRACT, "foreign", "56e4cbbe19262184ba148eac03db284a", Types.foreign)
        self._m_bounded = self._prepare(_CONTRACT, "bounded", "7c6bbada5d2a999a2d983e79286f5088", Types.bounded)
        self._m_unit = self._prepare(_CONTRACT, "unit", "efe1320e7176f8cf27172bff57e25aff", Types.unit)
        self._m_defaults = self._prepare(_CONTRACT, "defaults", "66282979899cf160bb6e43954fc52c0f", Types.defaults)
        self._m_renamed = self._prepare(_CONTRACT, "renamed", "cd7a190ba7eaee824e01233294ed8356", Types.renamed)
        self._m_any = self._prepare(_CONTRACT, "any", "e116563f03bc7feddab9216a0bc693c1", Types.any)
        self._m_doubles = self._prepare(_CONTRACT, "doubles", "d44b8782b9348016131b260d1783fb49", Types.doubles)
        self._m_map = self._prepare(_CONTRACT, "map", "bd80e829cf3e3e21e657d21ed56285e0", Types.map)
        self._m_maybe = self._prepare(_CONTRACT, "maybe", "e55140d6969ffe47e3a827a8c8f5ce45", Types.maybe)
        self._m_tuple_ = self._prepare(_CONTRACT, "tuple", "593596a45d2ec29ab4f2a45d17290d83", Types.tuple_)
        self._m_duration = self._prepare(_CONTRACT, "duration", "5b51c10a63ab70b8f53e1fee16d44cf8", Types.duration)
        self._m_timestamp = self._prepare(_CONTRACT, "timestamp", "da29a74c3d7ce4896a3f7ee7e36078cd", Types.timestamp)
        self._m_length = self._prepare(_CONTRACT, "length", "29a4c753bb3d9001ad03363342f2e79e", Types.length)
        self._m_oldest = self._prepare(_CONTRACT, "oldest", "27736f54a864a27897c6d5ebb84f2e69", Types.oldest)
        self._m_area = self._prepare(_CONTRACT, "area", "10fa9364fd14754d19ec9cfc884b1aee", Types.area)
        self._m_part = self._prepare(_CONTRACT, "part", "49b2a515f36339c8aeefffe631da8210", Types.part)
        self._m_several = self._prepare(_CONTRACT, "several", "2c711d105bbe29f023c874e10eb3de37", Types.several)
        self._m_cut = self._prepare(_CONTRACT, "cut", "f109d30b882069b16d0bb09ae313168b", Types.cut)
        self._m_cut_later = self._prepare(_CONTRACT, "cut_later", "f109d30b882069b16d0bb09ae313168b", Types.cut_later)
        self._m_hex = self._prepare(_CONTRACT, "hex", "10cb7552ba6e2ec516f8450ac1f6a7a5", Types.hex)
        self._m_hex_later = self._prepare(_CONTRACT, "hex_later", "10cb7552ba6e2ec516f8450ac1f6a7a5", Types.hex_later)
        self._m_unhex = self._prepare(_CONTRACT, "unhex", "dd541130f82a84c26844095adfda7f83", Types.unhex)
        self._m_nonzero = self._prepare(_CONTRACT, "nonzero", "e9b43b29874d38f68f29d0a28f57d5bf", Types.nonzero)
        self._m_magic = self._prepare(_CONTRACT, "magic", "aaee54f20060ca765edf811e8ff746d2", Types.magic)
        self._m_aged = self._prepare(_CONTRACT, "aged", "d96d8c5aa18abd34800b0a70277f1ae2", Types.aged)
        self._m_steps = self._prepare(_CONTRACT, "steps", "1b06f93494936b12245b3525a5416d28")
        self._m_later = self._prepare(_CONTRACT, "later", "bf3ed839822e0baaebc306432086a7e1", Types.later)
        self._m_search = self._prepare(_CONTRACT, "search", "377cf8857cffb751b1732bbeb1aeff0f", Types.search)
        self._m_search_later = self._prepare(
            _CONTRACT, "search_later", "377cf8857cffb751b1732bbeb1aeff0f", Types.search_later
        )
        self._m_paint = self._prepare(_CONTRACT, "paint", "25003722c2e6315d90b231f2ef4a2cc4", Types.paint)
        self._m_power = self._prepare(_CONTRACT, "power", "71c789d18f4d57dd20031e0341cc4e32", Types.power)
        self._m_repeat = self._prepare(_CONTRACT, "repeat", "5d483719156dbc996277632b762e9e80")
        self._m_collect = self._prepare(_CONTRACT, "collect", "9ecb7e607fb9abcc14f7aaceebb02e7d")
        self._m_between = self._prepare(_CONTRACT, "between", "a12f06887f3b47a6ce5e6834928668cb")
        self._m_reshape = self._prepare(_CONTRACT, "reshape", "ae31d0880dfdf7df69b6bc48314151a2")
        self._m_counter = self._prepare(_CONTRACT, "counter", "ec165d6c610f39aed01abe986f716064", Types.counter)
        self._m_counters = self._prepare(_CONTRACT, "counters", "0c9a8d1e116aa5d0e6d14e357b9752e9", Types.counters)
        self._m_transfer = self._prepare(_CONTRACT, "transfer", "eb6c227ff27443abe958f364eab77261", Types.transfer)
        self._m_total = self._prepare(_CONTRACT, "total", "f2acd3684f438c86832c55e8e71f58bc", Types.total)
        self._m_random = self._prepare(_CONTRACT, "random", "ccb9b9bd0e5b808e3d420a428a74d812", Types.random)
        self._m_echoes = self._prepare(_CONTRACT, "echoes", "c41bde01320ce5cd4796aa1e16c9a8d1", Types.echoes)
        self._m_as_json = self._prepare(_CONTRACT, "as_json", "28b4afe73c3e42654fdae474fcc8d1ef", Types.as_json)
        self._m_as_message = self._prepare(
            _CONTRACT, "as_message", "a631c2c1bd71fff75d95c1c158d6a176", Types.as_message
        )
        self._m_ask = self._prepare(_CONTRACT, "ask", "9886e54c7f570a55f5e6a4bfb4215684", Types.ask)
        self._m_ask_later = self._prepare(_CONTRACT, "ask_later", "cde246a1db3f86a4b1b380d84fb0d082", Types.ask_later)
        self._m_ask_count = self._prepare(_CONTRACT, "ask_count", "63b26b9256268d2492d152d819049261", Types.ask_count)
        self._m_ask_ages = self._prepare(_CONTRACT, "ask_ages", "b83cfeffed46a49b7a9b78755f51cd1c", Types.ask_ages)
        self._m_cut_later_async = self._prepare(
            _CONTRACT, "cut_later", "f109d30b882069b16d0bb09ae313168b", awaited=True
        )
        self._m_hex_later_async = self._prepare(
            _CONTRACT, "hex_later", "10cb7552ba6e2ec516f8450ac1f6a7a5", awaited=True
        )
        self._m_aged_async = self._prepare(_CONTRACT, "aged", "d96d8c5aa18abd34800b0a70277f1ae2", awaited=True)
        self._m_later_async = self._prepare(_CONTRACT, "later", "bf3ed839822e0baaebc306432086a7e1", awaited=True)
        self._m_search_later_async = self._prepare(
            _CONTRACT, "search_later", "377cf8857cffb751b1732bbeb1aeff0f", awaited=True
        )
        self._m_collect_async = self._prepare(_CONTRACT, "collect", "9ecb7e607fb9abcc14f7aaceebb02e7d", awaited=True)
        self._m_between_async = self._prepare(_CONTRACT, "between", "a12f06887f3b47a6ce5e6834928668cb", awaited=True)
        self._m_ask_later_async = self._prepare(
            _CONTRACT, "ask_later", "cde246a1db3f86a4b1b380d84fb0d082", awaited=True
        )
        self._o_counter__add = self._prepare(_CONTRACT, "Counter.add", "570fd8a0f9600afe5dc59cb60cafc18c")
        self._o_counter__add_later = self._prepare(_CONTRACT, "Counter.add_later", "570fd8a0f9600afe5dc59cb60cafc18c")
        self._o_counter__half = self._prepare(_CONTRACT, "Counter.half", "34231d9746f76ea5b3c09c28aa21b1cd")
        self._o_counter__within = self._prepare(_CONTRACT, "Counter.within", "e3728e4d27cafb7e29610055d6936f17")
        self._o_counter__get = self._prepare(_CONTRACT, "Counter.get", "0623d9bd222f675fe8a051ce992515af")
        self._o_counter__absorb = self._prepare(_CONTRACT, "Counter.absorb", "fa16e2261cd04f529e96258df45a24a3")
        self._o_counter__upto = self._prepare(_CONTRACT, "Counter.upto", "6f4048bc7dae2eeaf52f29717bb4eb05")
        self._o_counter__admit = self._prepare(_CONTRACT, "Counter.admit", "685f995b1f52ce252fe62469410e15da")
        self._o_counter__add_later_async = self._prepare(
            _CONTRACT, "Counter.add_later", "570fd8a0f9600afe5dc59cb60cafc18c", awaited=True
        )
        self._o_counter__admit_async = self._prepare(
            _CONTRACT, "Counter.admit", "685f995b1f52ce252fe62469410e15da", awaited=True
        )

    @classmethod
    def load(
        cls,
        source: typed.Source,
        config: typed.Config = None,
        *,
        directory: Directory | None = None,
        ages: Ages | None = None,
        **options: Any,
    ) -> Types:
        """Load the plugin, as :func:`rustbridge.load` does with the same options. It's closed with the client.

        ``directory`` answers when the plugin asks ``directory``, if anything does.
        ``ages`` answers when the plugin asks ``ages``, if anything does.
        """
        functions: dict[str, Any] = {}
        if directory is not None:
            functions["directory.find"] = directory.find
            functions["directory.fetch"] = directory.fetch
            functions["directory.count"] = directory.count
        if ages is not None:
            functions["ages.of"] = ages.of
        return cls._loaded(source, config, options, _CONTRACT, functions)

    def every(self, request: Every, options: rustbridge.CallOptions | None = None) -> Every:
        """One of each."""
        answer: Every = self._m_every(request, options)
        return answer

    def numbers(self, request: Numbers, options: rustbridge.CallOptions | None = None) -> Numbers:
        """Gives back what it gets."""
        answer: Numbers = self._m_numbers(request, options)
        return answer

    def texts(self, request: Texts, options: rustbridge.CallOptions | None = None) -> Texts:
        """Gives back what it gets."""
        answer: Texts = self._m_texts(request, options)
        return answer

    def times(self, request: Times, options: rustbridge.CallOptions | None = None) -> Times:
        """Gives back what it gets."""
        answer: Times = self._m_times(request, options)
        return answer

    def lists(self, request: Lists, options: rustbridge.CallOptions | None = None) -> Lists:
        """Gives back what it gets."""
        answer: Lists = self._m_lists(request, options)
        return answer

    def pairs(self, request: Pairs, options: rustbridge.CallOptions | None = None) -> Pairs:
        """Gives back what it gets."""
        answer: Pairs = self._m_pairs(request, options)
        return answer

    def person(self, request: Person, options: rustbridge.CallOptions | None = None) -> Person:
        """Gives back what it gets."""
        answer: Person = self._m_person(request, options)
        return answer

    def people(self, request: PagePerson, options: rustbridge.CallOptions | None = None) -> PagePerson:
        """Gives back what it gets."""
        answer: PagePerson = self._m_people(request, options)
        return answer

    def shape(self, request: Shape, options: rustbridge.CallOptions | None = None) -> Shape:
        """Gives back what it gets."""
        answer: Shape = self._m_shape(request, options)
        return answer

    def color(self, request: Color, options: rustbridge.CallOptions | None = None) -> Color:
        """Gives back what it gets."""
        answer: Color = self._m_color(request, options)
        return answer

    def mood(self, request: Mood, options: rustbridge.CallOptions | None = None) -> Mood:
        """Gives back what it gets."""
        answer: Mood = self._m_mood(request, options)
        return answer

    def events(self, request: list[Event], options: rustbridge.CallOptions | None = None) -> list[Event]:
        """Gives back what it gets."""
        answer: list[Event] = self._m_events(request, options)
        return answer

    def tagged(self, request: Tagged, options: rustbridge.CallOptions | None = None) -> Tagged:
        """Gives back what it gets."""
        answer: Tagged = self._m_tagged(request, options)
        return answer

    def untagged(self, request: Untagged, options: rustbridge.CallOptions | None = None) -> Untagged:
        """Gives back what it gets."""
        answer: Untagged = self._m_untagged(request, options)
        return answer

    def expr(self, request: Expr, options: rustbridge.CallOptions | None = None) -> Expr:
        """Gives back what it gets."""
        answer: Expr = self._m_expr(request, options)
        return answer

    def tree(self, request: Tree, options: rustbridge.CallOptions | None = None) -> Tree:
        """Gives back what it gets."""
        answer: Tree = self._m_tree(request, options)
        return answer

    def samples(self, request: Samples, options: rustbridge.CallOptions | None = None) -> Samples:
        """Gives back what it gets."""
        answer: Samples = self._m_samples(request, options)
        return answer

    def point(self, request: Point, options: rustbridge.CallOptions | None = None) -> Point:
        """Gives back what it gets."""
        answer: Point = self._m_point(request, options)
        return answer

    def celsius(self, request: Celsius, options: rustbridge.CallOptions | None = None) -> Celsius:
        """Gives back what it gets."""
        answer: Celsius = self._m_celsius(request, options)
        return answer

    def foreign(self, request: Foreign, options: rustbridge.CallOptions | None = None) -> Foreign:
        """Gives back what it gets."""
        answer: Foreign = self._m_foreign(request, options)
        return answer

    def bounded(self, request: Bounded, options: rustbridge.CallOptions | None = None) -> Bounded:
        """What is checked when it's read."""
        answer: Bounded = self._m_bounded(request, options)
        return answer

    def unit(self, request: Unit, options: rustbridge.CallOptions | None = None) -> Unit:
        """Gives back what it gets."""
        answer: Unit = self._m_unit(request, options)
        return answer

    def defaults(self, request: Defaults, options: rustbridge.CallOptions | None = None) -> Defaults:
        """Gives back what it gets."""
        answer: Defaults = self._m_defaults(request, options)
        return answer

    def renamed(self, request: RenamedRecord, options: rustbridge.CallOptions | None = None) -> RenamedRecord:
        """Gives back what it gets."""
        answer: RenamedRecord = self._m_renamed(request, options)
        return answer

    def any(self, request: Any, options: rustbridge.CallOptions | None = None) -> Any:
        """A value that says itself what it is."""
        answer: Any = self._m_any(request, options)
        return answer

    def doubles(self, request: list[float], options: rustbridge.CallOptions | None = None) -> list[float]:
        """A list that is one copy."""
        answer: list[float] = self._m_doubles(request, options)
        return answer

    def map(self, request: dict[str, Person], options: rustbridge.CallOptions | None = None) -> dict[str, Person]:
        """Gives back what it gets."""
        answer: dict[str, Person] = self._m_map(request, options)
        return answer

    def maybe(self, request: Person | None = None, options: rustbridge.CallOptions | None = None) -> Person | None:
        """Somebody, perhaps."""
        answer: Person | None = self._m_maybe(request, options)
        return answer

    def tuple_(
        self, request: tuple[int, str, bool | None], options: rustbridge.CallOptions | None = None
    ) -> tuple[int, str, bool | None]:
        """Gives back what it gets."""
        answer: tuple[int, str, bool | None] = self._m_tuple_(request, options)
        return answer

    def duration(self, request: timedelta, options: rustbridge.CallOptions | None = None) -> timedelta:
        """Gives back what it gets."""
        answer: timedelta = self._m_duration(request, options)
        return answer

    def timestamp(self, request: datetime, options: rustbridge.CallOptions | None = None) -> datetime:
        """Gives back what it gets."""
        answer: datetime = self._m_timestamp(request, options)
        return answer

    def length(self, request: str, options: rustbridge.CallOptions | None = None) -> int:
        """How many characters a text has."""
        answer: int = self._m_length(request, options)
        return answer

    def oldest(self, request: PagePerson, options: rustbridge.CallOptions | None = None) -> Person | None:
        """Who is the oldest of them."""
        answer: Person | None = self._m_oldest(request, options)
        return answer

    def area(self, request: Shape, options: rustbridge.CallOptions | None = None) -> float:
        """The area of a shape."""
        answer: float = self._m_area(request, options)
        return answer

    def part(
        self, text: str, start: int, count: int | None = None, options: rustbridge.CallOptions | None = None
    ) -> str:
        """A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none."""
        answer: str = self._m_part((text, start, count), options)
        return answer

    def several(
        self,
        person: Person,
        nick_names: list[str],
        numbers: list[float],
        type: Color,
        class_: bytes | bytearray | memoryview,
        self_: Any | None = None,
        options: rustbridge.CallOptions | None = None,
    ) -> tuple[Person, list[str], list[float], Color, bytes, Any | None]:
        """Gives back what it gets one by one and lent, under names of every kind."""
        answer: tuple[Person, list[str], list[float], Color, bytes, Any | None] = self._m_several(
            (person, nick_names, numbers, type, class_, self_), options
        )
        return answer

    def cut(
        self, how: Cut, data: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None
    ) -> tuple[Piece, bytes]:
        """Bytes beside what is to be done with them, and beside what is said of them."""
        answer: tuple[Piece, bytes] = self._m_cut((how, data), options)
        return answer

    def cut_later(
        self, how: Cut, data: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None
    ) -> tuple[Piece, bytes]:
        """The same, from an `async fn`."""
        answer: tuple[Piece, bytes] = self._m_cut_later((how, data), options)
        return answer

    def hex(self, data: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None) -> str:
        """The bytes in hexadecimal digits: raw bytes for raw text."""
        answer: str = self._m_hex(data, options)
        return answer

    def hex_later(self, data: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None) -> str:
        """The same, from an `async fn`."""
        answer: str = self._m_hex_later(data, options)
        return answer

    def unhex(self, digits: str, options: rustbridge.CallOptions | None = None) -> bytes:
        """The bytes of hexadecimal digits: raw text for raw bytes."""
        answer: bytes = self._m_unhex(digits, options)
        return answer

    def nonzero(self, data: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None) -> int:
        """How many bytes aren't zero: bytes for a number, which is no raw answer."""
        answer: int = self._m_nonzero(data, options)
        return answer

    def magic(self, options: rustbridge.CallOptions | None = None) -> bytes:
        """The first bytes of a PNG: raw bytes for nothing."""
        answer: bytes = self._m_magic(None, options)
        return answer

    def aged(self, person: Person, years: int, options: rustbridge.CallOptions | None = None) -> Person:
        """Somebody older, from an `async fn`."""
        answer: Person = self._m_aged((person, years), options)
        return answer

    def steps(
        self, first: int, last: int, step: int, options: rustbridge.CallOptions | None = None
    ) -> rustbridge.Stream[int]:
        """The numbers from the first up to before the last, each so much more than the one before."""
        answer: rustbridge.Stream[int] = self._m_steps((first, last, step), options)
        return answer

    def later(self, request: Person, options: rustbridge.CallOptions | None = None) -> Person:
        """Gives back what it gets, from an `async fn`."""
        answer: Person = self._m_later(request, options)
        return answer

    def search(self, name: str, people: list[Person], options: rustbridge.CallOptions | None = None) -> Person:
        """Who is called so. A name that is empty is hidden."""
        answer: Person = self._m_search((name, people), options)
        return answer

    def search_later(self, name: str, people: list[Person], options: rustbridge.CallOptions | None = None) -> Person:
        """Who is called so, from an `async fn`."""
        answer: Person = self._m_search_later((name, people), options)
        return answer

    def paint(self, color: Color, better: Color | None = None, options: rustbridge.CallOptions | None = None) -> Color:
        """Takes no red."""
        answer: Color = self._m_paint((color, better), options)
        return answer

    def power(self, request: bool, options: rustbridge.CallOptions | None = None) -> None:
        """Does nothing where there's power."""
        self._m_power(request, options)

    def repeat(self, request: Repeat, options: rustbridge.CallOptions | None = None) -> rustbridge.Stream[Person]:
        """Somebody again and again, each time a year older."""
        answer: rustbridge.Stream[Person] = self._m_repeat(request, options)
        return answer

    def collect(
        self, items: Iterable[Person], before: int, options: rustbridge.CallOptions | None = None
    ) -> PagePerson:
        """Those who are sent, with how many there are together with those before."""
        answer: PagePerson = self._m_collect(items, before, options)
        return answer

    def between(
        self, items: Iterable[Person], youngest: int, oldest: int, options: rustbridge.CallOptions | None = None
    ) -> list[Person]:
        """Those who are sent and are between the two ages, both included."""
        answer: list[Person] = self._m_between(items, (youngest, oldest), options)
        return answer

    def reshape(
        self, items: AsyncIterable[Shape] | Iterable[Shape], options: rustbridge.CallOptions | None = None
    ) -> rustbridge.Stream[Shape]:
        """Sends back each shape that it's sent."""
        answer: rustbridge.Stream[Shape] = self._m_reshape(items, None, options)
        return answer

    def counter(self, start: int, options: rustbridge.CallOptions | None = None) -> Counter:
        """A counter that begins there."""
        answer: Counter = self._m_counter(start, options)
        return answer

    def counters(self, request: list[int], options: rustbridge.CallOptions | None = None) -> Counters:
        """Counters in a message: the first begins there, and the others at what follows."""
        answer: Counters = self._m_counters(request, options)
        return answer

    def transfer(
        self, from_: Counter, to: Counter, count: int, options: rustbridge.CallOptions | None = None
    ) -> tuple[int, int]:
        """Takes from one counter what it adds to another, and gives what both have then."""
        answer: tuple[int, int] = self._m_transfer((from_, to, count), options)
        return answer

    def total(self, request: Counters, options: rustbridge.CallOptions | None = None) -> int:
        """What counters have counted in all."""
        answer: int = self._m_total(request, options)
        return answer

    def random(self, request: Random, options: rustbridge.CallOptions | None = None) -> bytes:
        """The message of a random value, as bytes: what the method of that name takes and gives."""
        answer: bytes = self._m_random(request, options)
        return answer

    def echoes(self, options: rustbridge.CallOptions | None = None) -> list[str]:
        """The methods that give back what they get, of which there are random values."""
        answer: list[str] = self._m_echoes(None, options)
        return answer

    def as_json(
        self, method: str, message: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None
    ) -> str | None:
        """A message of what the method of that name takes and gives, as JSON. None if JSON has no form for it."""
        answer: str | None = self._m_as_json((method, message), options)
        return answer

    def as_message(self, method: str, json: str, options: rustbridge.CallOptions | None = None) -> bytes:
        """The message of what is JSON of what the method of that name takes and gives."""
        answer: bytes = self._m_as_message((method, json), options)
        return answer

    def ask(self, name: str, options: rustbridge.CallOptions | None = None) -> Person | None:
        """Asks the host's directory for somebody."""
        answer: Person | None = self._m_ask(name, options)
        return answer

    def ask_later(self, name: str, options: rustbridge.CallOptions | None = None) -> Person:
        """The same, from an `async fn` that waits for the host without a thread."""
        answer: Person = self._m_ask_later(name, options)
        return answer

    def ask_count(self, options: rustbridge.CallOptions | None = None) -> int:
        """How many there are in the host's directory."""
        answer: int = self._m_ask_count(None, options)
        return answer

    def ask_ages(self, people: list[Person], options: rustbridge.CallOptions | None = None) -> dict[str, int]:
        """Has the host say how old people are, each by name."""
        answer: dict[str, int] = self._m_ask_ages(people, options)
        return answer

    async def cut_later_async(
        self, how: Cut, data: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None
    ) -> tuple[Piece, bytes]:
        """The same, from an `async fn`."""
        answer: tuple[Piece, bytes] = await self._m_cut_later_async((how, data), options)
        return answer

    async def hex_later_async(
        self, data: bytes | bytearray | memoryview, options: rustbridge.CallOptions | None = None
    ) -> str:
        """The same, from an `async fn`."""
        answer: str = await self._m_hex_later_async(data, options)
        return answer

    async def aged_async(self, person: Person, years: int, options: rustbridge.CallOptions | None = None) -> Person:
        """Somebody older, from an `async fn`."""
        answer: Person = await self._m_aged_async((person, years), options)
        return answer

    async def later_async(self, request: Person, options: rustbridge.CallOptions | None = None) -> Person:
        """Gives back what it gets, from an `async fn`."""
        answer: Person = await self._m_later_async(request, options)
        return answer

    async def search_later_async(
        self, name: str, people: list[Person], options: rustbridge.CallOptions | None = None
    ) -> Person:
        """Who is called so, from an `async fn`."""
        answer: Person = await self._m_search_later_async((name, people), options)
        return answer

    async def collect_async(
        self,
        items: AsyncIterable[Person] | Iterable[Person],
        before: int,
        options: rustbridge.CallOptions | None = None,
    ) -> PagePerson:
        """Those who are sent, with how many there are together with those before."""
        answer: PagePerson = await self._m_collect_async(items, before, options)
        return answer

    async def between_async(
        self,
        items: AsyncIterable[Person] | Iterable[Person],
        youngest: int,
        oldest: int,
        options: rustbridge.CallOptions | None = None,
    ) -> list[Person]:
        """Those who are sent and are between the two ages, both included."""
        answer: list[Person] = await self._m_between_async(items, (youngest, oldest), options)
        return answer

    async def ask_later_async(self, name: str, options: rustbridge.CallOptions | None = None) -> Person:
        """The same, from an `async fn` that waits for the host without a thread."""
        answer: Person = await self._m_ask_later_async(name, options)
        return answer
