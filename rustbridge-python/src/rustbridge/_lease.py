"""Zero-copy views of responses that the plugin still owns."""

from __future__ import annotations

import gc
import warnings
from typing import TYPE_CHECKING, NoReturn, Protocol

from ._errors import refuse_copy

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self


#: As many bytes may be leased before anybody looks for forgotten ones.
LEASED_FREELY = 64 * 2**20


def relieve(leased: Callable[[], int]) -> int:
    """Free forgotten leases in reference cycles, and return how many bytes may be leased before the next check.

    Python's collector counts objects, and a lease is one object, whatever its size. The limit is twice the memory in
    use, so a program that keeps many leases isn't collected often.
    """
    if gc.isenabled():
        gc.collect()
    return max(LEASED_FREELY, 2 * leased())


class ResponseOwner(Protocol):
    """A backend's handle to a callee-allocated response. It frees the memory when the last view is gone."""

    def view(self) -> memoryview:
        """Return a read-only view that keeps the memory alive."""

    def release(self) -> None:
        """Free the memory, or raise ``BufferError`` while views of it exist."""


class Lease:
    """A response that stays in the plugin's memory, as a read-only ``memoryview``.

    To free it, leave its ``with`` block or call :meth:`release`. Afterwards, ``view`` and every view obtained from it
    raise ``ValueError``. If a slice of the view, or an array based on it, is still in use, the release raises
    ``BufferError``, and everything stays valid.

    A lease outlives its plugin. A lease that is dropped without a release emits a ``ResourceWarning``, and is freed
    with its last view. When 64 MiB are leased, leases in reference cycles are collected; then again at twice the memory
    in use.
    """

    __slots__ = ("_owner", "_view")

    def __init__(self, owner: ResponseOwner) -> None:
        self._owner: ResponseOwner | None = owner
        self._view: memoryview | None = None

    @property
    def view(self) -> memoryview:
        """The bytes of the response. It's the same view each time."""
        view = self._view
        if view is None:
            if self._owner is None:
                raise ValueError("the lease has been released: its memory belongs to the plugin again")
            view = self._view = self._owner.view()
        return view

    @property
    def released(self) -> bool:
        """Whether the memory has been released."""
        return self._owner is None

    def __len__(self) -> int:
        return len(self.view)

    def __bytes__(self) -> bytes:
        return bytes(self.view)

    def release(self) -> None:
        """Release the memory to the plugin. Does nothing if it has been released."""
        owner = self._owner
        if owner is None:
            return
        view = self._view
        if view is not None:
            view.release()
            self._view = None
            del view
        owner.release()
        self._owner = None

    def __reduce__(self) -> NoReturn:
        refuse_copy(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    def __del__(self) -> None:
        if getattr(self, "_owner", None) is not None:
            warnings.warn(
                "a rustbridge.Lease was dropped without release()", ResourceWarning, stacklevel=2, source=self
            )

    def __repr__(self) -> str:
        return "<rustbridge.Lease released>" if self._owner is None else f"<rustbridge.Lease of {len(self)} bytes>"
