"""Raw bytes both ways: nothing is parsed, nothing is changed, and nothing is too long."""

import struct

from ..build import answer, call, case, concat, failure, raw, repeat, text

NAME = "raw_bytes"

PATTERN = bytes(range(251))


def fill(n):
    """What `raw.fill` answers: byte i is i mod 251, so that a shifted copy shows."""
    if n <= 600:
        return raw((PATTERN * (n // 251 + 1))[:n])
    return concat(repeat(raw(PATTERN), n // 251), raw(PATTERN[: n % 251]))


def bytes_case(name, method, request, expect, **more):
    fields = {key: more.pop(key) for key in ("notes", "needs", "provenance") if key in more}
    return case(f"raw.{name}", fields.pop("provenance", "spec"), call(method, request, expect, encoding="raw", **more), **fields)


def total(unit, count):
    """What `raw.sum` answers: length and sum of the bytes, each a u64."""
    return answer(struct.pack("<QQ", len(unit) * count, sum(unit) * count))


def cases():
    for name, data in {"every_byte": bytes(range(256)), "one_nul": b"\0", "nothing": b"", "not_utf8": b"\xff\xfe\x80", "json_like": b'{"a":1}'}.items():
        yield bytes_case(f"echo_{name}", "raw.echo", data, answer(data))
    yield bytes_case("echo_storage", "raw.echo", bytes(range(100)), answer(bytes(range(100))), capacity=[0, 1, 99, 100, 101, 65536])
    yield bytes_case("echo_misaligned", "raw.echo", bytes(range(40)), answer(bytes(range(40))), misalign=list(range(16)))
    for n in (4095, 4096, 4097, 65536, 1_000_000):
        yield bytes_case(f"echo_{n}", "raw.echo", repeat(text("z"), n), answer(repeat(text("z"), n)), capacity=[0, n - 1, n, n + 1])
    yield bytes_case("echo_shared", "raw.shared", bytes(range(256)), answer(bytes(range(256))), capacity=[0, 255, 256, 257])

    for n in (0, 1, 250, 251, 252, 600, 4096, 100_000):
        yield bytes_case(f"fill_{n}", "raw.fill", str(n), answer(fill(n)), capacity=[0, max(n - 1, 0), n, n + 1])
    yield bytes_case("fill_10_million", "raw.fill", "10000000", answer(fill(10_000_000)))
    yield bytes_case("fill_not_a_number", "raw.fill", "many", failure("INVALID_ARGUMENT", message_contains=["many"]))
    yield bytes_case("fill_not_utf8", "raw.fill", b"\xff", failure("INVALID_ARGUMENT"), provenance="unicode")

    yield bytes_case("sum_nothing", "raw.sum", None, total(b"", 0))
    yield bytes_case("sum_small", "raw.sum", bytes([1, 2, 255]), total(bytes([1, 2, 255]), 1))
    yield bytes_case("sum_100_million", "raw.sum", repeat(text("0123456789"), 10_000_000), total(b"0123456789", 10_000_000),
                     notes="A request of 100 MB.")
    for n in (0, 1, 4096, 16 << 20):
        yield bytes_case(f"blob_{n}", "raw.blob", struct.pack("<I", n), answer(repeat(raw(b"\0"), n)), capacity=[0, max(n - 1, 0), n])
    yield bytes_case("blob_beyond", "raw.blob", struct.pack("<I", (16 << 20) + 1), failure("OUT_OF_RANGE"))
    yield bytes_case("blob_not_a_u32", "raw.blob", b"123", failure("INVALID_ARGUMENT"))
    yield bytes_case("empty_answer", "raw.empty", b"abc", answer(b""), capacity=[0, 1, 100])
    yield bytes_case("empty_answer_to_nothing", "raw.empty", None, answer(b""))

    for name, sample in {"ascii": "plain", "unicode": "Grüße 🦀", "empty": "", "nul": "a\0b"}.items():
        yield bytes_case(f"text_{name}", "raw.text", sample, answer(sample[::-1]))
    for name, data in {"lone_continuation": b"\x80", "cut_emoji": b"ok \xf0\x9f\xa6", "surrogate": b"\xed\xa0\x80", "overlong": b"\xc0\xaf"}.items():
        yield bytes_case(f"text_{name}", "raw.text", data, failure("INVALID_ARGUMENT", type="rustbridge.InvalidRequest"), provenance="unicode")
    yield bytes_case("fail", "raw.fail", "why", failure("ABORTED", message="why"), capacity=[0, 10, 1000])
    yield bytes_case("leaf", "raw.leaf", b"abc", answer(b"abc"))
    yield bytes_case("leaf_through_leaf", "raw.leaf", b"abc", answer(b"abc"), via="leaf", needs=["c-abi"], capacity=[0, 2, 3, 4])
