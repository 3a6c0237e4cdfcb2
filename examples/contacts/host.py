"""A host in Python that calls the contacts plugin through the client that `rustbridge gen -l python` has written.

Usage: host.py {native,ctypes} PATH-OF-CONTACTS-PLUGIN (with the folder of contacts.py on PYTHONPATH)
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import TYPE_CHECKING

from contacts import Contact, Contacts, Place, Portrait, Query, ReachEmail, ReachException, ReachNowhere, ReachPhone

if TYPE_CHECKING:
    from contacts import Reach

TRANSPORT = {"native": "extension", "ctypes": "ctypes"}
FILE = b"Ada:\x89PNG\r\n\x1a\n"
BEGAN = time.monotonic()


def tell(what: str, text: str) -> None:
    """Print a text as a line of JSON, with the time since the start of the program."""
    at = int((time.monotonic() - BEGAN) * 1000)
    line = {"host": "Python", "transport": TRANSPORT[sys.argv[1]], "happened": what, "text": text, "at_ms": at}
    print(json.dumps(line), flush=True)


def way(reached: Reach) -> str:
    """Return how a person is reached. The enum has a class for each variant."""
    if isinstance(reached, ReachEmail):
        return f"by mail to {reached.address}"
    if isinstance(reached, ReachPhone):
        return f"by phone, +{reached.country} {reached.number}"
    return "not at all"


class Homes:
    """The service that the plugin calls. Each function may be an `async def`."""

    def home(self, name: str) -> Place | None:
        """Return the place of a person's home, if it's known."""
        return Place(3.0, 4.0) if name == "Ada" else None


async def main() -> None:
    backend, path = sys.argv[1:]
    with Contacts.load(path, backend=backend) as contacts:
        ada = Contact("Ada", ReachEmail("ada@example.org"), ["maths"], age=36)
        contacts.add(ada)
        contacts.add(Contact("Emmy", ReachPhone(49, "9131"), ["maths", "physics"]))
        count = contacts.add(Contact("Kurt", ReachNowhere(), ["maths"]))
        tell("typed", f"{count} people are kept")

        # `at_most` is left out: it has its default value, 10.
        for found in contacts.find(Query("maths")):
            tell("typed", f"{found.name} is reached {way(found.reached)}")

        if contacts.rename("Emmy", to="Emmy Noether"):
            tell("typed", "Emmy has a second name now")

        # A callback: the plugin calls the function for each contact until it returns False.
        met: list[str] = []

        def meet(contact: Contact) -> bool:
            met.append(contact.name)
            return contact.name != "Emmy Noether"

        contacts.visit(meet)
        tell("typed", f"the visitor has met {' and '.join(met)}")

        contacts.portray(Portrait("Ada", "image/png"), memoryview(FILE)[4:])
        portrait, image = contacts.portrait("Ada")
        tell("typed", f"the picture of {portrait.name} has {len(image)} bytes")

        middle = contacts.middle([Place(0.0, 0.0), Place(4.0, 0.0), Place(2.0, 3.0)])
        tell("typed", f"the middle of three places is {middle}")

        tell("typed", await contacts.reach_async(ada))
        try:
            await contacts.reach_async(Contact("Kurt", ReachNowhere(), []))
        except ReachException as failed:
            tell("typed", f"{failed.error.name} isn't reached: {failed}")

    with Contacts.load(path, backend=backend, registry=Homes()) as contacts:
        tell("typed", f"it's {contacts.distance('Ada', Place(0.0, 0.0))} to Ada's home")


asyncio.run(main())
