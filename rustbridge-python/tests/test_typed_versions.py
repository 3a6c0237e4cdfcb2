"""Typed clients against other versions of their plugin: one that they are resolved for, and one that breaks them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _backend
from tests.clients import types_client as t
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

ADA = t.Person("Ada", 36, "ada@example.org")
EMMY = t.Person("Emmy", 53)
SHAPES: list[t.Shape] = [t.ShapeCircle(2.5), t.ShapePolygon([t.Point(0.0, 1.0), t.Point(2.0, 3.0)]), t.ShapeNothing()]


@pytest.fixture
def plugin(load: Load) -> rustbridge.Plugin:
    return load("types-plugin-next", log_level=rustbridge.OFF)


@pytest.fixture
def types(plugin: rustbridge.Plugin) -> t.Types:
    return t.Types(plugin)


def test_records_lists_maps_and_enums_come_back_as_they_were(types: t.Types) -> None:
    assert types.person(ADA) == ADA
    assert types.people(t.PagePerson([ADA, EMMY], 2**40)) == t.PagePerson([ADA, EMMY], 2**40)
    assert types.oldest(t.PagePerson([ADA, EMMY], 2)) == EMMY
    assert types.map({"a": ADA, "e": EMMY}) == {"a": ADA, "e": EMMY}
    assert types.maybe(None) is None
    assert types.color(t.Color.DARK_BLUE) is t.Color.DARK_BLUE
    for shape in SHAPES:
        assert types.shape(shape) == shape
    # Plain old data in another order, and what isn't plain old data any more.
    assert types.point(t.Point(1.0, 2.0)) == t.Point(1.0, 2.0)
    sample = t.Sample(2**63, 0.5, 7, [1, 2])
    samples = t.Samples("some", sample, [sample] * 3, [t.Point(1.0, 2.0), t.Point(3.0, 4.0)])
    assert types.samples(samples) == samples
    # A type with a name that has none any more, and one that has got one.
    assert types.celsius(t.Celsius(21.5)) == 21.5
    assert types.length("Grüße") == 5
    # A variant that the plugin has added to what it takes is nothing that this client sends.
    assert types.area(t.ShapePolygon([t.Point(0.0, 0.0), t.Point(4.0, 0.0), t.Point(0.0, 3.0)])) == 6.0


def test_what_an_older_plugin_lacks_fails_when_it_is_used(load: Load) -> None:
    older = t.Types(load("types-plugin-older", log_level=rustbridge.OFF))
    assert older.person(EMMY) == EMMY
    assert older.collect([EMMY, EMMY], before=1) == t.PagePerson([EMMY, EMMY], 3)
    with pytest.raises(rustbridge.UnimplementedError, match="older than the client") as lacking:
        older.person(ADA)
    assert lacking.value.type == "rustbridge.NotInPlugin"
    # An item that can't be sent ends the call, which would wait for more otherwise.
    with pytest.raises(rustbridge.UnimplementedError, match="email") as refused:
        older.collect([EMMY, ADA], before=1)
    assert refused.value.type == "rustbridge.NotInPlugin"

    async def later() -> None:
        with pytest.raises(rustbridge.UnimplementedError, match="email"):
            await older.collect_async([EMMY, ADA], before=1)

    asyncio.run(asyncio.wait_for(later(), 60))
    with pytest.raises(rustbridge.UnimplementedError, match="has no method `celsius`"):
        older.celsius(t.Celsius(1.0))


def test_random_values_of_every_type_come_back_as_they_were(types: t.Types, load: Load, backend: str) -> None:
    before = t.Types(load("types-plugin", log_level=rustbridge.OFF))
    _, decode = t._CLIENT_SCHEMA._coders(_backend.choose(backend), t._CLIENT_SCHEMA._types("every")[0])
    for seed in range(20):
        every = decode(before.random(t.Random("every", seed)))
        assert types.every(every) == every, seed


def test_parameters_have_other_places_and_others_beside_them(types: t.Types) -> None:
    assert types.part("Grüße", 1, 3) == "rüß"
    assert types.part("Grüße", 1) == "rüße"
    several = (ADA, ["A"], [1.5, 2.5], t.Color.RED, b"data", {"a": [1, None]})
    assert types.several(*several) == several
    # What was a record and is plain old data, and an answer with more in it.
    assert types.cut(t.Cut(1, 2), memoryview(b"abc")) == (t.Piece(4, ord("b")), b"bcbc")
    with pytest.raises(rustbridge.OutOfRangeError, match="are 3 bytes, and 4 are skipped"):
        types.cut(t.Cut(4, 2), b"abc")


def test_open_enums_have_a_variant_for_those_that_are_not_known(types: t.Types) -> None:
    assert types.mood(t.Mood.CALM) is t.Mood.CALM
    assert types.mood(t.Mood.GLAD) is t.Mood.UNKNOWN
    events: list[t.Event] = [t.EventCame(), t.EventMet([ADA], t.Mood.GLAD), t.EventSaid("hi")]
    assert types.events(events) == [
        t.EventCame(),
        t.EventMet([ADA], t.Mood.UNKNOWN),
        t.EventSaid("hi"),
        t.EventUnknown(),
    ]


def test_async_calls_are_resolved(types: t.Types) -> None:
    assert types.later(ADA) == ADA

    async def main() -> None:
        people = [t.Person(f"person {age}", age) for age in range(50)]
        assert await asyncio.gather(*(types.later_async(person) for person in people)) == people
        assert await types.aged_async(ADA, 4) == t.Person("Ada", 40, "ada@example.org")
        assert await types.cut_later_async(t.Cut(0, 2), b"ab") == (t.Piece(4, ord("a")), b"abab")
        with pytest.raises(t.SearchException) as nobody:
            await types.search_later_async("Ann", [ADA, EMMY])
        assert nobody.value.error == t.SearchErrorNobody("Ann", [ADA])

    asyncio.run(main())


def test_errors_have_the_fields_that_are_known(types: t.Types) -> None:
    with pytest.raises(t.SearchException) as nobody:
        types.search("Ann", [ADA, EMMY])
    assert nobody.value.error == t.SearchErrorNobody("Ann", [ADA])
    assert nobody.value.status is rustbridge.Status.NOT_FOUND
    with pytest.raises(t.SearchException) as hidden:
        types.search("", [])
    assert hidden.value.error == t.SearchErrorHidden()
    with pytest.raises(t.RefusedException) as refused:
        types.paint(t.Color.RED, t.Color.GREEN)
    assert refused.value.error == t.Refused(t.Color.RED, t.Color.GREEN)
    # A variant that the plugin has added has no type here.
    with pytest.raises(rustbridge.InvalidArgumentError, match="is no name") as nameless:
        types.search("?", [])
    assert not isinstance(nameless.value, t.SearchException)
    assert nameless.value.type == "SearchError.Nameless"


def test_items_are_resolved_both_ways(types: t.Types) -> None:
    # How many years there are between two has a default in the plugin.
    older = [t.Person("Ada", 36 + 2 * time, "ada@example.org") for time in range(1000)]
    assert list(types.repeat(t.Repeat(ADA, 1000))) == older
    assert types.collect(older, 5) == t.PagePerson(older, 1005)
    assert types.between(older, 40, 43) == older[2:4]
    assert list(types.reshape(SHAPES * 100)) == SHAPES * 100

    async def main() -> None:
        assert [person async for person in types.repeat(t.Repeat(ADA, 1000))] == older
        assert await types.collect_async(older, 1) == t.PagePerson(older, 1001)
        assert [shape async for shape in types.reshape(SHAPES * 100)] == SHAPES * 100

    asyncio.run(main())


def test_objects_keep_their_places_and_one_that_is_not_known_is_given_back(
    plugin: rustbridge.Plugin, types: t.Types
) -> None:
    with types.counter(40) as one, types.counter(2) as other:
        assert one.within(30, 50)
        assert one.half() == 20
        assert one.admit([ADA] * 3) == 43
        with pytest.raises(t.OddException) as odd:
            one.half()
        assert odd.value.error == t.Odd(43)
        assert list(one.upto(46)) == [43, 44, 45]
        assert types.transfer(one, other, 3) == (40, 5)
        assert types.total(t.Counters(one, [other, other], "some")) == 50
        alive: Any = plugin.call("alive")
        assert alive == 2
        counters = types.counters([1, 20, 300])
        assert counters.first is not None
        assert [counters.first.get(), *[one.get() for one in counters.others]] == [1, 20, 300]
        # There's a fourth one in the answer.
        assert plugin.call("alive") == 5
        for counter in [counters.first, *counters.others]:
            counter.close()
        assert plugin.call("alive") == 2


class OnlyAda:
    """Knows one, and answers later."""

    def find(self, name: str) -> t.Person | None:
        return ADA if name == "Ada" else None

    async def fetch(self, name: str) -> t.Person:
        await asyncio.sleep(0)
        found = self.find(name)
        if found is None:
            raise rustbridge.NotFoundError(rustbridge.Status.NOT_FOUND, f"nobody is {name}", "Nobody")
        return found

    def count(self) -> int:
        return 1


class Counting:
    def of(self, request: list[t.Person]) -> dict[str, int]:
        return {person.name: person.age for person in request}


def test_services_are_asked_and_answer_in_their_own_words(backend: str) -> None:
    async def main() -> None:
        path = plugin_path("types-plugin-next")
        served: dict[str, Any] = {"directory": OnlyAda(), "ages": Counting()}
        async with t.Types.load(path, backend=backend, log_level=rustbridge.OFF, **served) as types:
            assert types.ask("Ada") == ADA
            assert types.ask("Eve") is None
            assert await types.ask_later_async("Ada") == ADA
            with pytest.raises(rustbridge.NotFoundError, match="nobody is Eve"):
                await types.ask_later_async("Eve")
            assert types.ask_count() == 1
            assert types.ask_ages([ADA, EMMY]) == {"Ada": 36, "Emmy": 53}

    asyncio.run(main())


def test_what_breaks_is_told_when_the_client_is_made(load: Load, backend: str) -> None:
    with pytest.raises(rustbridge.FailedPreconditionError) as broken:
        t.Types(load("types-plugin-broken"))
    assert broken.value.type == "rustbridge.TypesDiffer"
    assert "the types of `every` are incompatible" in str(broken.value)
    assert "`request.numbers`: the client has Numbers, and the plugin u32" in str(broken.value)
    with pytest.raises(rustbridge.FailedPreconditionError) as served:
        t.Types.load(plugin_path("types-plugin-broken"), backend=backend, ages=Counting())
    assert served.value.type == "rustbridge.TypesDiffer"
    assert "`ages.of`" in str(served.value)
    assert "`request.[]`: the client has Person, and the plugin String" in str(served.value)
