"""Numbers at their limits, by type: JSON's are unbounded, Rust's are not."""

from ..build import answer, as_json, call, case, failure, text

NAME = "numbers"

LIMITS = {
    "u8": (0, 2**8 - 1), "i8": (-(2**7), 2**7 - 1), "u16": (0, 2**16 - 1), "i16": (-(2**15), 2**15 - 1),
    "u32": (0, 2**32 - 1), "i32": (-(2**31), 2**31 - 1), "u64": (0, 2**64 - 1), "i64": (-(2**63), 2**63 - 1),
}


def number(name, method, written, expected=None, provenance="ieee754", **more):
    expect = failure("INVALID_ARGUMENT", type="rustbridge.InvalidRequest") if expected is None else answer(text('{"value":' + expected + "}"))
    return case(f"numbers.{name}", provenance, call(method, '{"value":' + written + "}", expect), **more)


def cases():
    for kind, (low, high) in LIMITS.items():
        yield number(f"{kind}_lowest", f"number.{kind}", str(low), str(low), "spec")
        yield number(f"{kind}_highest", f"number.{kind}", str(high), str(high), "spec")
        yield number(f"{kind}_too_low", f"number.{kind}", str(low - 1), None, "spec")
        yield number(f"{kind}_too_high", f"number.{kind}", str(high + 1), None, "spec")
    yield number("i64_beyond_doubles", "number.i64", "9007199254740993", "9007199254740993", notes="2^53 + 1 is no double.")
    yield number("i64_minus_zero", "number.i64", "-0", None, "serde", notes="serde_json reads -0 as a double, so that its sign isn't lost.")
    yield number("u8_fraction", "number.u8", "1.0", None, "serde")

    doubles = {
        "one_tenth": 0.1, "third": 1 / 3, "pi": 3.141592653589793, "minus_zero": -0.0, "smallest_subnormal": 5e-324,
        "smallest_normal": 2.2250738585072014e-308, "largest": 1.7976931348623157e308, "beyond_integers": 2.0**53 + 2,
        "negative": -123.456, "seventeen_digits": 1.3673446459493421, "seventeen_digits_small": 6.464469871759015e-257,
        "seventeen_digits_large": 9.007199254740993e+22,
    }
    for name, value in doubles.items():
        yield case(f"numbers.f64_{name}", "ieee754", call("number.f64", '{"value":' + repr(value) + "}",
                   answer(as_json({"value": value}))))
    yield case("numbers.f64_minus_zero_keeps_its_sign", "ieee754", call("number.f64", '{"value":-0.0}', answer('{"value":-0.0}')))
    for name, value in {"a": 1.3673446459493421, "b": 0.1 + 0.2, "c": 123.45600000000002, "d": 5.000000000000001}.items():
        yield number(f"f64_every_digit_{name}", "number.f64", repr(value), repr(value), notes="No bit of a double is lost.")
    yield case("numbers.f64_from_integer", "ieee754", call("number.f64", '{"value":3}', answer(as_json({"value": 3.0}))))
    yield case("numbers.f64_nearest", "ieee754",
               call("number.f64", '{"value":0.1000000000000000055511151231257827}', answer(as_json({"value": 0.1}))))
    yield case("numbers.f64_long_digits", "ieee754",
               call("number.f64", '{"value":' + "9" * 300 + ".5}", answer(as_json({"value": float("9" * 300)}))))
    yield case("numbers.f64_underflows_to_zero", "ieee754", call("number.f64", '{"value":1e-400}', answer(as_json({"value": 0.0}))))
    yield number("f64_too_large", "number.f64", "1e400", None, notes="No double is as large, and infinity has no form in JSON.")
    yield number("f64_too_large_negative", "number.f64", "-1e400")
    yield case("numbers.f32_nearest", "ieee754", call("number.f32", '{"value":0.1}', answer('{"value":0.1}')))
    yield number("f32_too_large_for_f32", "number.f32", "1e39", None, notes="A double, but no f32 is as large; infinity would be written as null.")
    yield case("numbers.f32_largest", "ieee754", call("number.f32", '{"value":3.4028235e38}', answer(as_json({"value": 3.4028235e38}))))

    for name, written in {
        "nan": "NaN", "infinity": "Infinity", "minus_infinity": "-Infinity", "plus_sign": "+1", "leading_zero": "01",
        "no_digit_before_point": ".5", "no_digit_after_point": "1.", "empty_exponent": "1e", "hexadecimal": "0x10",
        "thousands": "1_000", "minus_alone": "-", "two_signs": "--1", "arabic_digit": "٣", "text": '"1"', "null": "null", "list": "[1]",
    }.items():
        yield number(f"f64_{name}", "number.f64", written, None, "rfc8259" if name not in ("text", "null", "list") else "serde")

    yield case("numbers.value_integer_kept", "serde", call("types.value", "[9223372036854775807,-9223372036854775808,18446744073709551615]",
               answer("[9223372036854775807,-9223372036854775808,18446744073709551615]")))
    yield case("numbers.value_beyond_u64_is_a_double", "serde", call("types.value", "18446744073709551616",
               answer(as_json(18446744073709551616.0))))
    yield case("numbers.value_two_to_the_63", "serde", call("types.value", "9223372036854775808", answer("9223372036854775808")))
    yield case("numbers.value_exponent", "serde", call("types.value", "1E+2", answer(as_json(100.0))))
    yield case("numbers.value_too_large", "serde", call("types.value", "1e400", failure("INVALID_ARGUMENT")))
