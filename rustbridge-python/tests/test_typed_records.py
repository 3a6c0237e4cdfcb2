"""New objects of a client's records are filled by the extension as Python would."""

from __future__ import annotations

import copy
import dataclasses
import functools
import gc
import inspect
import pickle
import re
import weakref
from types import FunctionType
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from rustbridge import typed
from tests.clients import types_client as t
from tests.plugins import BACKENDS, plugin_path

if "native" not in BACKENDS:
    pytest.skip("the extension isn't under test", allow_module_level=True)

from rustbridge import _native, _wire_plan

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def types() -> Iterator[t.Types]:
    with t.Types.load(plugin_path("types-plugin"), backend="native") as types:
        yield types


def test_records_are_filled_by_the_extension_once_a_client_uses_it(types: t.Types) -> None:
    assert types.person(t.Person("Ada", 36)) == t.Person(name="Ada", age=36)
    for of in (t.Person, t.ShapeCircle, t.Defaults, t.Point):
        assert type(vars(of)["__init__"]) is _native.Initializer
        # Whoever looks sees Python's.
        assert isinstance(of.__init__, FunctionType)
    assert str(inspect.signature(t.Person)) == "(name: 'str', age: 'int', email: 'str | None' = None) -> None"


def test_arguments_come_in_order_and_by_their_names(types: t.Types) -> None:
    # Of names that are equal to those in code and not the same objects Python knows.
    named: dict[str, Any] = {"".join("name"): "Ada", "".join("age"): 36, "".join("email"): "a@b"}
    everything = [
        t.Person(**named),
        t.Person("Ada", 36, "a@b"),
        t.Person("Ada", 36, email="a@b"),
        t.Person(email="a@b", age=36, name="Ada"),
        dataclasses.replace(t.Person("Eve", 36, "a@b"), name="Ada"),
        copy.deepcopy(t.Person("Ada", 36, "a@b")),
        pickle.loads(pickle.dumps(t.Person("Ada", 36, "a@b"))),
    ]
    for person in everything:
        assert (person.name, person.age, person.email) == ("Ada", 36, "a@b")
    assert t.Person("Ada", 36).email is None
    assert t.Defaults() == t.Defaults(count=typed.DEFAULT)
    assert (t.Defaults(name="x").name, t.Defaults(name="x").maybe) == ("x", typed.DEFAULT)
    assert types.person(t.Person(age=36, name="Ada")) == t.Person("Ada", 36)


@pytest.mark.parametrize(
    ("arguments", "named", "said"),
    [
        ((), {}, "missing 2 required positional arguments: 'name' and 'age'"),
        (("Ada",), {}, "missing 1 required positional argument: 'age'"),
        (("Ada", 36, None, None), {}, "takes from 3 to 4 positional arguments but 5 were given"),
        (("Ada", 36), {"age": 37}, "got multiple values for argument 'age'"),
        (("Ada", 36), {"height": 1.7}, "got an unexpected keyword argument 'height'"),
    ],
)
def test_what_is_wrong_with_arguments_python_says(
    types: t.Types, arguments: tuple[Any, ...], named: dict[str, Any], said: str
) -> None:
    types.color(t.Color.RED)
    with pytest.raises(TypeError, match=re.escape(f"Person.__init__() {said}")):
        t.Person(*arguments, **named)
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        t.Defaults(5)  # type: ignore[call-arg]


def test_subclasses_and_others_are_left_to_python(types: t.Types) -> None:
    types.color(t.Color.RED)

    class Plain(t.Person):
        __slots__ = ()

    class Older(t.Person):
        __slots__ = ()

        def __init__(self, name: str) -> None:
            super().__init__(name, 99)

    @dataclasses.dataclass(frozen=True)
    class More(t.Person):
        height: float = 1.7

    assert (Plain("Ada", 36).age, Older("Ada").age, More("Ada", 36).height) == (36, 99, 1.7)
    assert More("Ada", 36, "a@b", 1.6).email == "a@b"
    person = t.Person("Ada", 36)
    # As a frozen dataclass of Python's does.
    person.__init__("Eve", 37)  # type: ignore[misc]
    assert person == t.Person("Eve", 37)
    raw: Any = vars(t.Person)["__init__"]
    assert raw(person, "Ada", 36) is None
    assert person == t.Person("Ada", 36)
    for nobody in (5, None, object()):
        with pytest.raises((TypeError, AttributeError)):
            raw(nobody, "Ada", 36)
    with pytest.raises(TypeError):
        raw()
    with pytest.raises(dataclasses.FrozenInstanceError):
        person.age = 5  # type: ignore[misc]


def test_what_was_in_a_slot_may_look_at_the_object_when_it_is_dropped(types: t.Types) -> None:
    types.color(t.Color.RED)
    seen = []

    class Looking:
        def __del__(self) -> None:
            seen.append((person.name, person.age))
            person.__init__("Eve", 3)  # type: ignore[misc]

    looking: Any = Looking()
    person = t.Person(looking, 1)
    del looking
    raw: Any = vars(t.Person)["__init__"]
    raw(person, "Ada", 2)
    gc.collect()
    assert seen
    assert seen[0][0] == "Ada"


def test_only_what_dataclasses_have_written_is_replaced() -> None:
    @dataclasses.dataclass(frozen=True)
    class Own:
        __slots__ = ("one",)
        one: int

        def __init__(self, one: int) -> None:
            object.__setattr__(self, "one", one + 1)

    @dataclasses.dataclass(frozen=True, slots=True)
    class After:
        one: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "one", self.one + 1)

    @dataclasses.dataclass(frozen=True, slots=True)
    class Made:
        one: list[int] = dataclasses.field(default_factory=list)

    @dataclasses.dataclass(frozen=True, slots=True)
    class Left:
        one: int
        two: int = dataclasses.field(init=False, default=2)

    @dataclasses.dataclass(slots=True)
    class Loose:
        one: int

    for of in (Own, After, Made, Left, Loose):
        before = vars(of)["__init__"]
        _wire_plan.fill_fast(of)
        assert vars(of)["__init__"] is before


def test_defaults_are_those_of_the_function() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class One:
        one: int
        two: int = 2
        three: int = dataclasses.field(default=3, kw_only=True)

    function: Any = vars(One)["__init__"]
    function.__defaults__, function.__kwdefaults__ = (20,), {"three": 30}
    One.__dataclass_fields__["two"].default = 200
    _wire_plan.fill_fast(One)
    assert type(vars(One)["__init__"]) is _native.Initializer
    assert One(1) == One(1, 20, three=30)


def test_classes_with_more_than_slots_are_left_alone() -> None:
    class Base:
        __slots__ = ("more",)

    class Meta(type):
        pass

    @dataclasses.dataclass(frozen=True, slots=True)
    class Derived(Base):
        one: int

    @dataclasses.dataclass(frozen=True, slots=True)
    class Own(metaclass=Meta):
        one: int

    @dataclasses.dataclass(frozen=True)
    class Wide:
        one: int

    @dataclasses.dataclass(frozen=True)
    class Default:
        one: int = 1

    @dataclasses.dataclass(frozen=True, slots=True)
    class After:
        one: int

        def __post_init__(self) -> None:
            raise AssertionError

    del After.__post_init__
    for of in (Derived, Own, Wide, Default, After):
        before = vars(of)["__init__"]
        _wire_plan.fill_fast(of)
        assert vars(of)["__init__"] is before


def test_whoever_finds_an_initializer_sees_a_function() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class One:
        one: int

    _wire_plan.fill_fast(One)
    found: Any = vars(One)["__init__"]
    assert isinstance(found, FunctionType)
    assert (found.__name__, found.__module__) == ("__init__", __name__)
    assert found.__code__ is One.__init__.__code__
    assert str(inspect.signature(found)) == str(inspect.signature(One.__init__))
    with mock.patch.object(One, "__init__", autospec=True, return_value=None) as called:
        one = One(1)
        assert called.call_args.args == (one, 1)
        with pytest.raises(TypeError):
            One()  # type: ignore[call-arg]
    assert One(1).one == 1
    _wire_plan.fill_fast(One)
    assert vars(One)["__init__"] is found


def test_what_is_called_a_function_type_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class One:
        one: int

    for kind in (int, _native.Initializer):
        monkeypatch.setattr("types.FunctionType", kind)
        made: Any = _native.Initializer
        for function in (5, vars(One)["one"]):
            with pytest.raises(TypeError, match="Initializer takes"):
                made(One, (("one", vars(One)["one"]),), 1, function)


def test_a_class_that_was_made_for_one_use_is_collected() -> None:
    def make() -> weakref.ref[type]:
        @dataclasses.dataclass(frozen=True, slots=True)
        class Short:
            one: int

        _wire_plan.fill_fast(Short)
        assert type(vars(Short)["__init__"]) is _native.Initializer
        assert Short(1).one == 1
        return weakref.ref(Short)

    made = make()
    gc.collect()
    assert made() is None


def test_an_initializer_is_made_of_what_it_needs_alone() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class One:
        one: int

    function, slot = vars(One)["__init__"], vars(One)["one"]
    fields = (("one", slot),)
    refused: tuple[Any, ...] = (
        (int, fields, 1, function),
        (One, (("one", property()),), 1, function),
        (One, ((1, slot),), 1, function),
        (One, (("one",),), 1, function),
        (One, fields, 2, function),
        (One, fields, -1, function),
        (One, fields, 1, functools.partial(function)),
        (One, fields, 1, _native.Initializer(One, fields, 1, function)),
        (One, [], 1, function),
        (One,),
        (),
    )
    for wrong in refused:
        with pytest.raises(TypeError, match="Initializer takes"):
            _native.Initializer(*wrong)
