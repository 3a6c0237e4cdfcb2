"""Log records: levels, order, fields, spans, instances."""

from ..build import CONFIG, call, case, answer, js, op

NAME = "logs"

LEVELS = ("ERROR", "WARN", "INFO", "DEBUG", "TRACE")
TARGET = "conformance::cases"


def emit(level, message, count=1, **more):
    return call("log.emit", js({"level": level, "message": message, "count": count}), answer("null"), **more)


def record(level, message, n=0, **more):
    return {"level": level, "message": message, "target": TARGET, "fields": {"n": n, "flag": n % 2 == 0, "text": "größer 🦀"}, **more}


def logged(name, level, records, *steps, **more):
    more.setdefault("config", CONFIG)
    return case(f"logs.{name}", "spec", *steps, logs={"a": {"level": level, "records": records}}, **more)


def cases():
    every = [emit(level, f"at {level}") for level in LEVELS]
    for index, level in enumerate(LEVELS):
        yield logged(f"up_to_{level.lower()}", level, [record(each, f"at {each}") for each in LEVELS[: index + 1]], *every)
    yield logged("off", "OFF", [], *every)
    yield logged("in_order", "INFO", [record("INFO", "many", n) for n in range(100)], emit("INFO", "many", 100))
    yield logged("message_unicode", "INFO", [record("INFO", 'ünï "q" \\ \n 🦀')], emit("INFO", 'ünï "q" \\ \n 🦀'))
    yield logged("message_long", "INFO", [record("INFO", "l" * 2000)], emit("INFO", "l" * 2000))
    yield logged("level_changed_while_running", "WARN", [record("INFO", "three"), record("ERROR", "five")],
                 emit("INFO", "one"), op("log_level", level="OFF"), emit("ERROR", "two"), op("log_level", level="TRACE"), emit("INFO", "three"),
                 op("log_level", level="ERROR"), emit("WARN", "four"), emit("ERROR", "five"))
    yield logged("spans", "INFO", [{"level": "INFO", "message": "innermost", "spans": ["outer", "inner"]}],
                 call("log.spans", js({"outer": "o", "inner": 2}), answer("null")))
    yield logged("another_thread", "INFO", [{"level": "INFO", "message": "from a thread"}],
                 call("log.thread", js({"message": "from a thread"}), answer("null")),
                 notes="The author's own thread, attributed with Host::in_scope.")
    yield logged("async_handler", "INFO", [{"level": "INFO", "message": "before"}, {"level": "INFO", "message": "after"}],
                 call("log.awaited", js({"before": "before", "after": "after"}), answer("null")))
    yield case("logs.two_instances", "spec", emit("INFO", "to a", instance="a"), emit("INFO", "to b", instance="b"), emit("WARN", "b again", instance="b"),
               instances={"a": {"label": "a"}, "b": {"label": "b"}},
               logs={"a": {"level": "INFO", "records": [record("INFO", "to a")]}, "b": {"level": "WARN", "records": [record("WARN", "b again")]}})
    yield case("logs.one_of_two_instances", "spec", emit("INFO", "to a", instance="a"), emit("INFO", "to nobody", instance="b"),
               instances={"a": {"label": "a"}, "b": {"label": "b"}}, logs={"a": {"level": "TRACE", "records": [record("INFO", "to a")]}})
    yield logged("enabled", "INFO", [], call("log.enabled", None, answer({"json": {"ERROR": True, "WARN": True, "INFO": True, "DEBUG": False, "TRACE": False}})),
                 op("log_level", level="OFF"),
                 call("log.enabled", None, answer({"json": dict.fromkeys(LEVELS, False)})))
