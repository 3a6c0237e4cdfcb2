"""Typed clients' errors: an exception for each type of error, with the error in it."""

from __future__ import annotations

import asyncio
import copy
import gc
import pickle
import sys
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _errors, typed
from tests.clients import types_client as t

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

ADA, ALAN, EVE = t.Person("Ada", 36), t.Person("Alan", 41), t.Person("Eve", 7)
OPTIONS = rustbridge.CallOptions(timeout=30)


@pytest.fixture
def types(load: Load) -> t.Types:
    return t.Types(load("types-plugin"))


def test_an_error_is_an_exception_of_its_own_and_of_its_status(types: t.Types) -> None:
    for options in (None, OPTIONS):
        with pytest.raises(t.SearchException) as raised:
            types.search("Ann", [ADA, ALAN, EVE], options=options)
        error = raised.value
        assert error.error == t.SearchErrorNobody("Ann", [ADA, ALAN])
        assert isinstance(error, rustbridge.NotFoundError)
        assert isinstance(error, LookupError)
        assert (error.status, error.type) == (rustbridge.Status.NOT_FOUND, "SearchError.Nobody")
        assert error.message == 'nobody is called "Ann"'
        assert str(error) == 'NOT_FOUND (SearchError.Nobody): nobody is called "Ann"'
        assert type(error).__qualname__ == "SearchException"
        assert type(error).__module__ == t.__name__
        assert error.details == {}
        assert error.__cause__ is None
    assert types.search("Eve", [ADA, EVE]) == EVE


def test_variants_and_records_of_every_shape_come(types: t.Types) -> None:
    with pytest.raises(t.SearchException) as hidden:
        types.search("", [])
    assert hidden.value.error == t.SearchErrorHidden()
    with pytest.raises(rustbridge.ResourceExhaustedError) as crowd:
        types.search("Ada", [ADA, EVE, ADA])
    assert isinstance(crowd.value, t.SearchException)
    assert crowd.value.error == t.SearchErrorCrowd(2, [36.0, 7.0, 36.0])
    with pytest.raises(t.RefusedException) as refused:
        types.paint(t.Color.RED, t.Color.GREEN)
    assert refused.value.error == t.Refused(t.Color.RED, t.Color.GREEN)
    with pytest.raises(t.RefusedException) as refused:
        types.paint(t.Color.RED)
    assert refused.value.error.better is None
    with pytest.raises(t.PowerException) as dark:
        types.power(False)
    assert dark.value.error is t.PowerError.OUT
    types.power(True)


def test_what_is_awaited_and_what_objects_do_fails_the_same_way(types: t.Types) -> None:
    async def later() -> None:
        assert await types.search_later_async("Eve", [EVE]) == EVE
        for options in (None, OPTIONS):
            with pytest.raises(t.SearchException) as raised:
                await types.search_later_async("", [], options=options)
            assert raised.value.error == t.SearchErrorHidden()
            assert isinstance(raised.value, PermissionError)

    asyncio.run(later())
    with pytest.raises(t.SearchException):
        types.search_later("", [])
    with types.counter(7) as counter:
        with pytest.raises(t.OddException) as odd:
            counter.half()
        assert odd.value.error == t.Odd(7)
        counter.add(1)
        assert counter.half() == 4


def test_others_errors_stay_as_they_are(types: t.Types) -> None:
    with pytest.raises(rustbridge.OutOfRangeError) as old:
        types.aged(ADA, 2**32 - 1)
    assert not isinstance(old.value, typed.Error)
    assert old.value.message == "nobody gets so old"
    with pytest.raises(TypeError, match=r"search: request\.people\[0\]"):
        types.search("", ["Ada"])  # type: ignore[list-item]
    types.plugin.close()
    with pytest.raises(rustbridge.UnavailableError) as closed:
        types.search("", [])
    assert not isinstance(closed.value, typed.Error)


def test_an_exception_can_be_copied_and_sent_elsewhere(types: t.Types) -> None:
    with pytest.raises(t.SearchException) as raised:
        types.search("Ann", [ADA])
    for again in (copy.copy(raised.value), pickle.loads(pickle.dumps(raised.value))):
        assert type(again) is type(raised.value)
        assert again.error == raised.value.error
        assert str(again) == str(raised.value)


def test_without_the_type_there_are_status_and_message(types: t.Types) -> None:
    method = types.plugin.method("power", encoding="wire")
    with pytest.raises(rustbridge.UnavailableError) as raised:
        method.call_raw(b"\0")
    assert not isinstance(raised.value, typed.Error)
    assert (raised.value.message, raised.value.type) == ("it's dark", "PowerError.Out")


@pytest.mark.parametrize(
    "payload",
    [
        b"\x01",
        b"\x01\0\0\0\x05\0\0\0",
        b"\x01\0\0\0\x05\0\0\0\xff\xff\xff\xff",
        b"\x01\0\0\0\x05\0\0\0\2\0\0\0hi\3\0\0\0A",
    ],
)
def test_a_payload_that_is_cut_off_still_says_something(payload: bytes) -> None:
    error = _errors.error_from_payload(5, payload)
    assert isinstance(error, rustbridge.NotFoundError)
    assert error._value is None


def test_errors_that_the_client_cant_read_keep_their_message() -> None:
    payload = b"\x01\0\0\0\x05\0\0\0\2\0\0\0hi\1\0\0\0A" + b"\0" * 5 + b"\xff\xff"
    failed = _errors.error_from_payload(5, payload)
    assert failed._value == b"\xff\xff"
    raising = typed._Raising(t.SearchException, t._CLIENT_SCHEMA._readers.decoder({"ref": _number("SearchError")}))
    assert raising(failed) is failed


def test_failing_leaves_nothing_behind(types: t.Types) -> None:
    def fail() -> None:
        with pytest.raises(t.PowerException):
            types.power(False)

    for _ in range(50):
        fail()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(2000):
        fail()
    gc.collect()
    assert sys.getallocatedblocks() - before < 500


def _number(name: str) -> int:
    definitions: list[dict[str, Any]] = t._CLIENT_SCHEMA.sizes.definitions
    return next(number for number, definition in enumerate(definitions) if definition["name"] == name)
