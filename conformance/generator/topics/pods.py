"""Fixed-size C structs: layouts, sizes, alignment. Every pad byte is a field of its own, so each byte is defined."""

import struct

from ..build import answer, as_json, call, case, failure, js, raw, repeat

NAME = "pods"


def pod(name, method, request, expect, **more):
    fields = {key: more.pop(key) for key in ("notes", "needs") if key in more}
    return case(f"pods.{name}", "layout", call(method, request, expect, encoding="pod", **more), **fields)


def add32(a, b):
    """{a: i32 @0, b: i32 @4} → {sum: i32 @0, xor: i32 @4}; the sum wraps."""
    wrapped = (a + b + 2**31) % 2**32 - 2**31
    return struct.pack("<ii", a, b), answer(struct.pack("<ii", wrapped, a ^ b))


def big(tag, values):
    """{tag: u32 @0, values: u32[66] @4} of 268 bytes → {tag: u32 @0, count: u32 @4, values: u32[66] @8} of 272, each value plus the tag."""
    return (struct.pack("<67I", tag, *values), answer(struct.pack("<68I", tag, 66, *[(v + tag) % 2**32 for v in values])))


# u64 @0, i64 @8, f64 @16, u32 @24, i32 @28, f32 @32, u16 @36, i16 @38, u8 @40, i8 @41, reserved u8[6] @42; 48 bytes.
SCALARS = "<QqdIifHhBb6s"


def scalars(*values):
    data = struct.pack(SCALARS, *values, b"\0" * 6)
    return data, answer(data)


def cases():
    for name, (a, b) in {"small": (2, 3), "negative": (-5, 3), "wraps_up": (2**31 - 1, 1), "wraps_down": (-(2**31), -1), "zero": (0, 0)}.items():
        yield pod(f"add32_{name}", "pod.add32", *add32(a, b))
    yield pod("add32_leaf", "pod.add32", *add32(20, 22), via="leaf", needs=["c-abi"])
    yield pod("add32_misaligned", "pod.add32", *add32(7, 8), misalign=list(range(16)))
    yield pod("add32_storage", "pod.add32", *add32(1, 1), capacity=[0, 1, 7, 8, 9, 4096])
    for n in (0, 1, 4, 7, 9, 16):
        yield pod(f"add32_size_{n}", "pod.add32", bytes(n),
                  failure("INVALID_ARGUMENT", type="rustbridge.InvalidRequest", message_contains=["8"] + ([str(n)] if n else [])))
    yield pod("add32_size_huge", "pod.add32", repeat(raw(b"\0"), 10_000_000), failure("INVALID_ARGUMENT", message_contains=["8", "10000000"]))
    yield pod("add32_leaf_wrong_size", "pod.add32", bytes(7), failure("INVALID_ARGUMENT"), via="leaf", needs=["c-abi"])

    yield pod("big", "pod.big", *big(10, range(66)))
    yield pod("big_wraps", "pod.big", *big(2**32 - 1, range(66)))
    yield pod("big_storage", "pod.big", *big(3, [7] * 66), capacity=[0, 268, 271, 272, 273])
    yield pod("big_misaligned", "pod.big", *big(5, range(66, 132)), misalign=[0, 1, 2, 3, 4, 7, 8, 15])
    for n in (267, 269, 272):
        yield pod(f"big_size_{n}", "pod.big", bytes(n), failure("INVALID_ARGUMENT", message_contains=["268", str(n)]))

    yield pod("scalars_low", "pod.scalars", *scalars(0, -(2**63), -1.5, 0, -(2**31), -0.25, 0, -(2**15), 0, -128))
    yield pod("scalars_high", "pod.scalars", *scalars(2**64 - 1, 2**63 - 1, 1.7976931348623157e308, 2**32 - 1, 2**31 - 1, 3.4028234663852886e38,
                                                      2**16 - 1, 2**15 - 1, 255, 127))
    yield pod("scalars_not_a_number", "pod.scalars", struct.pack("<QqQIiIHhBb6s", 1, 2, 0x7FF8000000000001, 3, 4, 0x7FC00001, 5, 6, 7, 8, b"\0" * 6),
              answer(struct.pack("<QqQIiIHhBb6s", 1, 2, 0x7FF8000000000001, 3, 4, 0x7FC00001, 5, 6, 7, 8, b"\0" * 6)),
              notes="The bits of a NaN survive.")
    yield pod("scalars_misaligned", "pod.scalars", *scalars(1, 2, 3.0, 4, 5, 6.0, 7, 8, 9, 10), misalign=list(range(16)))
    yield pod("odd", "pod.odd", bytes([1, 2, 3, 4, 5]), answer(bytes([5, 4, 3, 2, 1])), notes="Five bytes, alignment 1.")
    yield pod("odd_size_4", "pod.odd", bytes(4), failure("INVALID_ARGUMENT", message_contains=["5", "4"]))
    # {origin: {x: i32 @0, y: i32 @4} @0, corners: {x, y}[2] @8, id: u64 @24}; 32 bytes. The answer has origin and corners mirrored.
    yield pod("nested", "pod.nested", struct.pack("<iiiiiiQ", 1, 2, 3, 4, 5, 6, 2**60), answer(struct.pack("<iiiiiiQ", 2, 1, 4, 3, 6, 5, 2**60)))

    # One handler, every encoding: {a: i64, b: i64} → {sum: i64, difference: i64}, checked.
    yield pod("mixed", "pod.mixed", struct.pack("<qq", 5, 7), answer(struct.pack("<qq", 12, -2)))
    yield case("pods.mixed_json", "spec", call("pod.mixed", js({"a": 5, "b": 7}), answer(as_json({"sum": 12, "difference": -2}))))
    yield pod("mixed_overflow", "pod.mixed", struct.pack("<qq", 2**63 - 1, 1), failure("OUT_OF_RANGE", message_contains=["9223372036854775807"]),
              capacity=[0, 16, 1000])
