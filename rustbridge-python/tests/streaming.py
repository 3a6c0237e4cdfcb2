"""What tests of streams send and expect."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


def span(start: int, end: int, **more: int) -> dict[str, int]:
    return {"from": start, "to": end, **more}


def values(count: int) -> list[dict[str, int]]:
    return [{"value": number} for number in range(count)]


async def each(items: list[Any]) -> AsyncIterator[Any]:
    for item in items:
        await asyncio.sleep(0)
        yield item
