"""The methods of hello-plugin: what they answer to ordinary and to wrong messages."""

import datetime
import struct

from ..build import (act, answer, as_json, begin, call, carrying, case, check, checks, concat, end, failure, items, js, op, raw, repeat,
                     service, text)

NAME = "hello"


def echo(name, message, **more):
    response = as_json({"message": message, "length": len(message.encode())})
    return case(f"hello.echo.{name}", "hello", call("echo", js({"message": message}), answer(response), **more))


def bad(id, method, request, *contains, status="INVALID_ARGUMENT", provenance="hello", **more):
    error = {"message_contains": list(contains)} if contains else {}
    return case(id, provenance, call(method, request, failure(status, **error)), **more)


def small_request(key, flags, version=1, key_len=None):
    data = key.encode() if isinstance(key, str) else key
    return struct.pack("<B3x64sII", version, data, len(data) if key_len is None else key_len, flags)


def small_response(key, flags):
    value = b"value_for_" + key.encode()
    return struct.pack("<B3x64sIIB3x", 1, value, len(value), 3600, flags & 1)


def add(name, a, b, expect, **more):
    return case(f"hello.math_add.{name}", "hello", call("math.add", js({"a": a, "b": b}), expect, **more))


def medium(user, metadata=True, permissions=True):
    """The record of a user, by the documentation of hello-plugin's `bench` module."""
    record = {"user_id": user, "username": f"user_{user}", "email": f"{user}@example.com", "display_name": f"User {user}",
              "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-06-15T12:30:00Z", "last_login_at": "2024-06-30T08:15:00Z"}
    if metadata:
        record["metadata"] = {f"meta_key_{i:02}": f"meta_value_{i:02}" for i in range(10)}
    if permissions:
        record["permissions"] = [f"resource_{i:02}:read_write" for i in range(15)]
    request = {"user_id": user, "include_fields": ["profile", "metadata"],
               "options": {"include_metadata": metadata, "include_permissions": permissions, "max_results": 10}}
    return call("bench.medium", js(request), answer(as_json(record)))


def large(query, size, first=0):
    """A page of results, by the documentation of hello-plugin's `bench` module."""
    end = min(first + min(size, 1000), 10_000)
    start = datetime.datetime(2024, 1, 1)
    page = [{"id": f"result-{i:06}", "name": f"Result {i}", "description": f"Description of result {i} for query {query}",
             "category": f"category_{i % 10}", "tags": [f"tag_{(i + k) % 20}" for k in range(3)], "score": (1000 - i % 1000) / 1000,
             "metadata": {"rank": str(i + 1), "source": f"index_{i % 4}"},
             "created_at": (start + datetime.timedelta(minutes=i)).strftime("%Y-%m-%dT%H:%M:%SZ")} for i in range(first, end)]
    request = {"query_id": query, "filters": [{"field": "f", "operator": "eq", "value": "v"}], "page_size": size}
    if first:
        request["page_token"] = f"p{first}"
    return call("bench.large", js(request), answer(as_json({"query_id": query, "results": page, "total_count": 10_000,
                                                            "next_page_token": f"p{end}" if end < 10_000 else None})))


def results(n):
    return call("bench.large", js({"query_id": "q1", "filters": [], "page_size": n}),
                answer(checks(check("query_id", equals="q1"), check("results", length=min(n, 1000)))))


def cases():
    top, bottom = 2**63 - 1, -(2**63)
    yield echo("ascii", "Hello, World!")
    yield echo("empty", "")
    yield echo("space", " ")
    yield echo("two_bytes", "Grüße")
    yield echo("three_bytes", "日本語のテキスト")
    yield echo("four_bytes", "🦀🚀😀")
    yield echo("joined_emoji", "👨‍👩‍👧‍👦 🏳️‍🌈")
    yield echo("combining", "e\u0301 and \u00e9 stay different")
    yield echo("right_to_left", "שלום עליכם and مرحبا")
    yield echo("quotes_and_backslashes", 'say "hi" \\ and \\\\ / done')
    yield echo("control_characters", "".join(chr(c) for c in range(1, 0x20)))
    yield echo("nul", "before\u0000after")
    yield echo("delete_and_c1", "\u007f\u0080\u009f")
    yield echo("line_separators", "a\u2028b\u2029c")
    yield echo("edges_of_planes", "\ud7ff\ue000\ufffd\uffff\U00010000\U0010ffff")
    yield echo("byte_order_mark_inside", "\ufeffinside")
    yield echo("json_in_json", '{"message":"inner"}')
    for n in (255, 256, 4096, 65535, 65536, 1_000_000):
        request = concat(text('{"message":"'), repeat(text("x"), n), text('"}'))
        response = concat(text('{"message":"'), repeat(text("x"), n), text(f'","length":{n}}}'))
        yield case(f"hello.echo.long_{n}", "hello", call("echo", request, answer(response)))
    request = concat(text('{"message":"'), repeat(text("ü🦀"), 1000), text('"}'))
    response = concat(text('{"message":"'), repeat(text("ü🦀"), 1000), text('","length":6000}'))
    yield case("hello.echo.long_unicode", "hello", call("echo", request, answer(response)))
    # {"message":"Hello, World!","length":13} has 39 bytes.
    exact = '{"message":"Hello, World!","length":13}'
    yield case("hello.echo.storage_around_the_length", "spec",
               call("echo", js({"message": "Hello, World!"}), answer(exact), capacity=[0, 1, 38, 39, 40, 4096]),
               notes="Fields in the order of their declaration and no white space; below 39 bytes of storage the answer is handed over.")

    yield bad("hello.echo.missing_field", "echo", "{}", "message")
    yield bad("hello.echo.duplicate_field", "echo", '{"message":"a","message":"b"}', "message", provenance="serde",
              notes="RFC 8259 leaves duplicate names open; rustbridge refuses them rather than guess.")
    yield case("hello.echo.unknown_field", "serde",
               call("echo", '{"message":"a","extra":[1,{"b":null}]}', answer(as_json({"message": "a", "length": 1}))),
               notes="Unknown fields are ignored, so that an older plugin understands a newer host.")
    yield bad("hello.echo.null_field", "echo", '{"message":null}')
    yield bad("hello.echo.number_for_text", "echo", '{"message":5}')
    yield bad("hello.echo.list_for_text", "echo", '{"message":["a"]}')
    yield bad("hello.echo.null_request", "echo", "null")
    yield bad("hello.echo.text_request", "echo", '"message"')
    yield bad("hello.echo.number_request", "echo", "42")
    yield bad("hello.echo.other_case_of_the_name", "echo", '{"Message":"a"}', "message")

    yield case("hello.greet.ascii", "hello", call("greet", js({"name": "World"}),
               answer('{"greeting":"Hello, World! Welcome to rustbridge."}')))
    yield case("hello.greet.unicode", "hello", call("greet", js({"name": "Zoë 🦀"}),
               answer(as_json({"greeting": "Hello, Zoë 🦀! Welcome to rustbridge."}))))
    yield case("hello.greet.escapes", "hello", call("greet", js({"name": '"\\\n'}),
               answer(as_json({"greeting": 'Hello, "\\\n! Welcome to rustbridge.'}))))
    yield bad("hello.greet.missing_field", "greet", '{"message":"x"}', "name")

    def user(id):
        return call("user.create", js({"username": "ada", "email": "ada@example.org"}),
                    answer(checks(check("user_id", equals=id), check("created_at"))))

    yield case("hello.user_create.counts_up", "hello", user("user-00000001"), user("user-00000002"), user("user-00000003"))
    yield case("hello.user_create.per_instance", "hello", {**user("user-00000001"), "instance": "a"},
               {**user("user-00000002"), "instance": "a"}, {**user("user-00000001"), "instance": "b"},
               instances={"a": {}, "b": {}}, notes="Two instances of one plugin share no counter.")
    yield case("hello.user_create.first_user_from_config", "spec", user("user-000000ff"), user("user-00000100"), config={"first_user": 255})
    yield case("hello.config.unknown_field", "spec", config={"frist_user": 1},
               load=failure("INVALID_ARGUMENT", "load", message_contains=["frist_user"]))
    yield case("hello.config.not_a_u32", "spec", config={"first_user": -1},
               load=failure("INVALID_ARGUMENT", "load", message_contains=["first_user"]))
    yield bad("hello.user_create.missing_email", "user.create", '{"username":"ada"}', "email")
    yield bad("hello.user_create.missing_username", "user.create", '{"email":"a@b"}', "username")

    yield add("small", 2, 3, answer('{"result":5}'), capacity=[0, 11, 12, 13, 100])
    yield add("negative", -7, 5, answer('{"result":-2}'))
    yield add("zero", 0, 0, answer('{"result":0}'))
    yield add("top", top, 0, answer('{"result":9223372036854775807}'))
    yield add("top_by_adding", top - 1, 1, answer('{"result":9223372036854775807}'))
    yield add("bottom", bottom, 0, answer('{"result":-9223372036854775808}'))
    yield add("extremes_cancel", top, bottom, answer('{"result":-1}'))
    yield add("beyond_doubles", 2**53, 1, answer('{"result":9007199254740993}'))
    yield add("overflow", top, 1, failure("OUT_OF_RANGE", type="MathError.Overflow", details={"a": top, "b": 1}))
    yield add("underflow", bottom, -1, failure("OUT_OF_RANGE", type="MathError.Overflow", details={"a": bottom, "b": -1}))
    yield add("leaf", 20, 22, answer('{"result":42}'), via="leaf") | {"needs": ["c-abi"]}
    yield bad("hello.math_add.above_i64", "math.add", '{"a":9223372036854775808,"b":0}')
    yield bad("hello.math_add.below_i64", "math.add", '{"a":-9223372036854775809,"b":0}')
    yield bad("hello.math_add.beyond_u64", "math.add", '{"a":18446744073709551616,"b":0}')
    yield bad("hello.math_add.fraction", "math.add", '{"a":1.5,"b":0}')
    yield bad("hello.math_add.exponent", "math.add", '{"a":1e2,"b":0}', provenance="serde",
              notes="1e2 is an integer to a mathematician and a double to serde.")
    yield bad("hello.math_add.text_for_number", "math.add", '{"a":"1","b":0}')
    yield bad("hello.math_add.missing_b", "math.add", '{"a":1}', "`b`", provenance="serde")
    yield bad("hello.math_add.boolean_for_number", "math.add", '{"a":true,"b":0}')

    def pod(name, a, b, expect, **more):
        return case(f"hello.math_add.pod_{name}", "layout",
                    call("math.add", struct.pack("<qq", a, b), expect, encoding="pod", **more))

    yield pod("small", 2, 3, answer(struct.pack("<q", 5)), capacity=[0, 1, 7, 8, 9, 64])
    yield pod("extremes_cancel", top, bottom, answer(struct.pack("<q", -1)))
    yield pod("misaligned", 2**40, -3, answer(struct.pack("<q", 2**40 - 3)), misalign=list(range(16)))
    yield pod("overflow", top, 1, failure("OUT_OF_RANGE", type="MathError.Overflow", details={"a": top, "b": 1}), capacity=[0, 8, 4096])
    yield pod("underflow", bottom, -1, failure("OUT_OF_RANGE"))
    yield pod("leaf", 40, 2, answer(struct.pack("<q", 42)), via="leaf") | {"needs": ["c-abi"]}
    for n in (0, 1, 8, 15, 17, 32, 1_000_000):
        yield bad(f"hello.math_add.pod_size_{n}", "math.add", repeat(raw(b"\1"), n) if n > 64 else b"\1" * n,
                  *(["16", str(n)] if n else ["16"]), provenance="spec", notes="The message names the size found and the size expected.")\
            | {"encoding": "pod"}

    yield case("hello.test_sleep.zero", "hello", call("test.sleep", js({"duration_ms": 0}), answer(as_json({"slept_ms": 0}))))
    yield case("hello.test_sleep.short", "hello", call("test.sleep", js({"duration_ms": 2}), answer(as_json({"slept_ms": 2}))))
    yield bad("hello.test_sleep.negative", "test.sleep", '{"duration_ms":-1}')

    def small(name, key, flags, **more):
        return case(f"hello.bench_small.{name}", "hello", call("bench.small", js({"key": key, "flags": flags}),
                    answer(as_json({"value": f"value_for_{key}", "ttl_seconds": 3600, "cache_hit": bool(flags & 1)})), **more))

    yield small("hit", "user:1", 1)
    yield small("miss", "user:1", 0)
    yield small("other_flags", "k", 0xFFFFFFFE)
    yield small("all_flags", "k", 0xFFFFFFFF)
    yield small("empty_key", "", 1)
    yield small("unicode_key", "ключ🔑", 3)
    yield small("long_key", "k" * 200, 1)
    yield bad("hello.bench_small.flags_beyond_u32", "bench.small", '{"key":"k","flags":4294967296}')
    yield bad("hello.bench_small.flags_negative", "bench.small", '{"key":"k","flags":-1}')

    def small_pod(name, key, flags, **more):
        return case(f"hello.bench_small.pod_{name}", "hello",
                    call(1, small_request(key, flags), answer(small_response(key, flags)), encoding="pod", **more))

    yield small_pod("hit", "user:1", 1, capacity=[0, 79, 80, 81, 256])
    yield small_pod("miss", "user:1", 0)
    yield small_pod("all_flags", "k", 0xFFFFFFFF)
    yield small_pod("other_flags", "k", 0xFFFFFFFE)
    yield small_pod("empty_key", "", 1)
    yield small_pod("unicode_key", "ключ", 1)
    yield small_pod("longest_key_whose_value_fits", "k" * 54, 1)
    yield small_pod("misaligned", "test_key", 1, misalign=list(range(16)))
    yield case("hello.bench_small.pod_by_name", "hello",
               call("bench.small", small_request("n", 1), answer(small_response("n", 1)), encoding="pod"))
    yield bad("hello.bench_small.pod_key_whose_value_does_not_fit", "bench.small", small_request("k" * 55, 0), "54", provenance="spec") | {"encoding": "pod"}
    yield bad("hello.bench_small.pod_key_length_beyond_the_key", "bench.small", small_request("k", 0, key_len=65),
              provenance="spec") | {"encoding": "pod"}
    yield bad("hello.bench_small.pod_key_length_all_ones", "bench.small", small_request("k", 0, key_len=0xFFFFFFFF),
              provenance="spec") | {"encoding": "pod"}
    yield bad("hello.bench_small.pod_key_not_utf8", "bench.small", small_request(b"\xff\xfe", 0), provenance="spec") | {"encoding": "pod"}
    yield bad("hello.bench_small.pod_other_version", "bench.small", small_request("k", 0, version=2), provenance="spec") | {"encoding": "pod"}
    for n in (0, 75, 77, 80):
        yield bad(f"hello.bench_small.pod_size_{n}", "bench.small", bytes(n), "76", provenance="spec") | {"encoding": "pod"}

    yield case("hello.bench_medium.full", "hello",
               call("bench.medium", js({"user_id": "u42", "include_fields": ["profile"], "options":
                    {"include_metadata": True, "include_permissions": True, "max_results": 10}}),
                    answer(checks(check("username", type="string"), check("email", contains="@"), check("display_name", type="string"),
                                  check("metadata", length=10), check("permissions", length=15)))))
    yield case("hello.bench_medium.exact", "spec", medium("42"))
    yield case("hello.bench_medium.unicode", "spec", medium("ü🦀"))
    yield case("hello.bench_medium.nothing_included", "spec", medium("u", False, False), notes="What isn't included is absent, not null.")
    yield case("hello.bench_medium.metadata_only", "spec", medium("u", True, False))
    yield bad("hello.bench_medium.missing_options", "bench.medium", '{"user_id":"u","include_fields":[]}', "options")
    yield bad("hello.bench_medium.bad_nested_field", "bench.medium",
              js({"user_id": "u", "include_fields": [], "options": {"include_metadata": "yes", "include_permissions": True, "max_results": 1}}))

    for n in (0, 1, 10, 999, 1000, 1001, 100_000):
        yield case(f"hello.bench_large.page_{n}", "hello", results(n))
    yield case("hello.bench_large.result", "hello",
               call("bench.large", js({"query_id": "q", "filters": [{"field": "f", "operator": "eq", "value": "v"}], "page_size": 2,
                                       "page_token": "p2"}),
                    answer(checks(*[check(f"results.1.{name}", type="string") for name in ("id", "name", "description", "category")],
                                  check("results.1.tags", length=3), check("results.1.score", type="number"),
                                  check("results.1.metadata", length=2), check("results.1.created_at"),
                                  check("total_count", type="integer"), check("next_page_token")))))
    yield case("hello.bench_large.exact", "spec", large("q", 3))
    yield case("hello.bench_large.exact_from_token", "spec", large('q"ü', 4, 1998))
    yield case("hello.bench_large.exact_last_page", "spec", large("q", 5, 9997), notes="Fewer are left than asked for, and no token follows.")
    yield case("hello.bench_large.exact_beyond_the_end", "spec", large("q", 5, 10_000))
    for token in ("p10001", "2000", "p-1", "", "p", "p99999999999999999999"):
        yield bad(f"hello.bench_large.token_{token.replace('-', 'minus_') or 'empty'}", "bench.large",
                  js({"query_id": "q", "filters": [], "page_size": 1, "page_token": token}), provenance="spec")
    yield bad("hello.bench_large.filter_without_value", "bench.large",
              '{"query_id":"q","filters":[{"field":"f","operator":"eq"}],"page_size":1}', "value")
    yield bad("hello.bench_large.negative_page", "bench.large", '{"query_id":"q","filters":[],"page_size":-1}')
    yield from operations()


def operations():
    """Streams, an object and a service, by the table of hello-plugin."""

    def left(*numbers):
        return [as_json({"left": number}) for number in numbers]

    def count(number):
        return as_json({"count": number})

    countdown, many = js({"from": 3}), (1000, 1 << 20)
    yield case("hello.countdown.all", "hello", begin("a", "countdown", countdown, many), items("a", *left(3, 2, 1)), end("a"))
    yield case("hello.countdown.none", "hello", begin("a", "countdown", js({"from": 0}), many), end("a"))
    yield case("hello.countdown.as_it_is_taken", "hello", begin("a", "countdown", countdown, (1, 99)), items("a", *left(3)), op("quiet", of="a"),
               op("demand", of="a", items=9, bytes=99), items("a", *left(2, 1)), end("a"))
    yield case("hello.countdown.ended_early", "hello", begin("a", "countdown", js({"from": 4_000_000_000}), (1, 99)), items("a", *left(4_000_000_000)),
               act("cancel", "a"), end("a", failure("CANCELLED")))
    def part(received):
        return as_json({"received": received, "size": 25})
    file = {"size": 25, "chunk": 10, "pause_ms": 1}
    yield case("hello.download.all", "hello", begin("a", "download", js(file), many), items("a", part(10), part(20), part(25)), end("a"))
    yield case("hello.download.cancelled", "hello", begin("a", "download", js({**file, "chunk": 1}), (2, 999)), items("a", part(1), part(2)),
               act("cancel", "a"), end("a", failure("CANCELLED")))
    yield case("hello.download.no_chunk", "hello", begin("a", "download", js({**file, "chunk": 0}), many), end("a", failure("INVALID_ARGUMENT")))
    lent = {"objects": ["c"]}
    made = carrying("counter.new", js({"start": 40}), answer("0"), objects=["c"])
    yield case("hello.counter.counts", "hello", made, carrying("Counter.add", js({"by": 2}), answer(count(42)), header=lent),
               carrying("Counter.get", None, answer(count(42)), header=lent), op("release", object="c"))
    yield case("hello.counter.overflow", "hello", made, carrying("Counter.add", js({"by": 2**63 - 1}), failure("OUT_OF_RANGE"), header=lent))
    yield case("hello.counter.streams", "hello", made, begin("a", "Counter.count_to", js({"end": 43}), (2, 99), header=lent),
               items("a", count(41), count(42)), carrying("Counter.get", None, answer(count(42)), header=lent),
               op("demand", of="a", items=9, bytes=99), items("a", count(43)), end("a"))
    lines = [{"article": "tea", "count": 2}, {"article": "milk", "count": 1}]
    prices = service("prices.get", '{"cents":250}')
    basket = call("checkout.total", js({"lines": lines}), answer(as_json({"cents": 750})))
    yield case("hello.checkout.total", "hello", basket, op("asked", expect=[["prices.get", as_json({"article": "tea"})],
               ["prices.get", as_json({"article": "milk"})]]), services=[prices])
    error = js({"code": "NOT_FOUND", "message": "no tea", "type": "Shop.Sold"})
    yield case("hello.checkout.an_error_of_the_hosts", "hello", call("checkout.total", js({"lines": lines}), failure(
        "NOT_FOUND", message="no tea", type="Shop.Sold")), services=[service("prices.get", error, status="NOT_FOUND")])
    yield case("hello.checkout.nobody_knows", "hello", call("checkout.total", js({"lines": lines}), failure(
        "FAILED_PRECONDITION", message_contains=["prices.get"])))
