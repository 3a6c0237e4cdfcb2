"""Calls one of the plugins from Python, in whatever language it's written. Usage: check.py PATH-OF-THE-PLUGIN.

It expects the same as `src/main.rs`, but in a process with CPython's threads and runtime.
"""

from __future__ import annotations

import logging
import os
import signal
import struct
import sys
import threading

import rustbridge


class Lines(logging.Handler):
    """Keeps the log records of a plugin."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.lines.append(f"{record.levelname} {record.getMessage()}")


def expect(what: str, found: object, wanted: object) -> None:
    """Fail with both values unless they are the same."""
    if found != wanted:
        raise SystemExit(f"{what}: {found!r:.200} instead of {wanted!r:.200}")


def failure(what: str, call: object, *arguments: object) -> rustbridge.PluginError:
    """Return the error with which a call ends."""
    try:
        call(*arguments)  # type: ignore[operator]
    except rustbridge.PluginError as error:
        return error
    raise SystemExit(f"{what}: no error")


def forked(path: str) -> None:
    """Load the plugin in a forked child too, as gunicorn's workers do.

    The child has none of the threads that the plugin's language has in this process.
    """
    if not hasattr(os, "fork"):
        return
    child = os.fork()
    if child == 0:
        # The signal ends the child if it hangs.
        signal.alarm(30)
        right = False
        try:
            with rustbridge.load(path) as plugin:
                right = bytes(plugin.call_raw("shout", b"child")) == b"CHILD"
        finally:
            os._exit(0 if right else 1)
    _, status = os.waitpid(child, 0)
    expect("how the child ended", os.waitstatus_to_exitcode(status), 0)


def main(path: str) -> None:
    """Call everything."""
    handler = Lines()
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.INFO)
    with rustbridge.load(path, log_level="info") as plugin:
        methods = {method["name"] for method in plugin.describe()["methods"]}
        shout = plugin.method("shout", encoding="raw")
        expect("a small answer", bytes(shout.call_raw(b"hello")), b"HELLO")
        expect("a large answer", bytes(shout.call_raw(b"x" * 3_000_000)), b"X" * 3_000_000)
        add = plugin.method("add", encoding="pod")
        expect("a sum", bytes(add.call_raw(struct.pack("=qq", -40, 82))), struct.pack("=q", 42))

        expect("the status", failure("empty", shout.call_raw, b"").status.name, "INVALID_ARGUMENT")
        largest = struct.pack("=qq", 2**63 - 1, 1)
        expect("the status", failure("65 bits", add.call_raw, largest).status.name, "OUT_OF_RANGE")

        wrong: list[object] = []

        def work() -> None:
            for _ in range(500):
                said = bytes(shout.call_raw(b"abc"))
                if said != b"ABC":
                    wrong.append(said)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        expect("8 threads", wrong, [])
        expect("threads that hang", any(thread.is_alive() for thread in threads), False)

        if "crash" in methods:
            crash = plugin.method("crash", encoding="raw")
            error = failure("a crash", crash.call_raw, b"")
            expect("the status", error.status.name, "INTERNAL")
            expect("the message", "on purpose" in error.message, True)
            # A crash that the language's usual error handling doesn't catch.
            expect("the status", failure("an odd crash", crash.call_raw, b"odd").status.name, "INTERNAL")
            expect("an answer after it", bytes(shout.call_raw(b"on")), b"ON")
        if "greet" in methods:
            expect("a greeting", plugin.call("greet", {"name": "Ada"}), {"greeting": "Hello, Ada!"})
        forked(path)
        plugin.flush_logs()
        name = plugin.describe()["name"]
    expect("a record", "INFO shouted" in handler.lines, True)
    print(f"{name}: right by {plugin.backend}")


if __name__ == "__main__":
    main(*sys.argv[1:])
