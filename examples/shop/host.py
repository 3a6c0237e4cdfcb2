"""The shop's host in Python: calls methods of a basket, serves prices, follows a parcel, and cancels a delivery.

Usage: host.py {native,ctypes} PATH-OF-SHOP-PLUGIN
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time

import rustbridge

TRANSPORT = {"native": "extension", "ctypes": "ctypes"}
BEGAN = time.monotonic()


def tell(what: str, text: str) -> None:
    """Print an event, and the time since the program started."""
    at = int((time.monotonic() - BEGAN) * 1000)
    line = {"host": "Python", "transport": TRANSPORT[sys.argv[1]], "happened": what, "text": text, "at_ms": at}
    # A single write, because log records are printed on a log thread.
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Show(logging.Handler):
    """Prints every record that arrives from the plugin."""

    def emit(self, record: logging.LogRecord) -> None:
        tell("log", record.getMessage())


def price(article: str) -> int:
    """The plugin calls this, and waits for it."""
    cents = 250 if article == "bread" else 120
    tell("callback", f"the plugin asks the host for the price of {article}: {cents}")
    return cents


async def main() -> None:
    backend, path = sys.argv[1:]
    logger = logging.getLogger("shop")
    logger.addHandler(Show())
    logger.setLevel(logging.INFO)
    async with rustbridge.load(path, backend=backend, logger=logger, services={"prices.of": price}) as shop:
        # An object is a value that stays in the plugin. Leaving the block releases it.
        with shop.call("enter") as basket:
            for article in ("bread", "milk"):
                count = basket.call("put", article)
                tell("object", f"{article} is put into the basket, which holds {count}")
            tell("object", f"the basket costs {basket.call('total')} in all")

        # A stream delivers each item as soon as it's ready. The window allows one item at a time.
        async for place in shop.stream("follow", 7, window=1):
            tell("stream", place)
        tell("stream", "that was the last")

        # A call that would take an hour, but is cancelled. In the plugin, its future is dropped while it waits.
        delivery = asyncio.create_task(shop.call_async("deliver", 60))
        tell("cancel", "a delivery begins that takes an hour")
        await asyncio.sleep(0.02)
        delivery.cancel()
        try:
            await delivery
        except asyncio.CancelledError as cancelled:
            tell("cancel", f"its task is cancelled, and ends: {type(cancelled).__name__}")
        shop.flush_logs()


asyncio.run(main())
