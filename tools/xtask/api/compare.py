"""Has griffe compare the package in two folders, and prints what breaks those who use the older one, a line for each."""

import sys

import griffe

PACKAGE = "rustbridge"


def main() -> None:
    """Compare what the package exports, and the public modules in it."""
    old, new = (griffe.load(PACKAGE, search_paths=[folder], resolve_aliases=True) for folder in sys.argv[1:])
    compare(old, new)


def compare(old: griffe.Module, new: griffe.Module) -> None:
    """Print the names that are gone, and what has changed of those that are there."""
    for name, member in old.members.items():
        if not member.is_public:
            continue
        if name not in new.members or not new.members[name].is_public:
            print(f"{old.path}.{name}: it is gone")
            continue
        before, now = target(member), target(new.members[name])
        if before.is_module and now.is_module:
            compare(before, now)
            continue
        # griffe compares what is in something, and passes over what comes from a module that's private: so each name by itself.
        for breakage in griffe.find_breaking_changes(holding(name, before), holding(name, now)):
            print(f"{old.path}.{name}: {breakage.kind.value}: {breakage.old_value} before, {breakage.new_value} now")


def target(member: griffe.Object | griffe.Alias) -> griffe.Object:
    """Give what a name stands for."""
    return member.final_target if member.is_alias else member


def holding(name: str, member: griffe.Object) -> griffe.Module:
    """Give a module that has this one thing, as if it were defined there."""
    module = griffe.Module(PACKAGE)
    module.members[name] = member
    module.exports = [name]
    return module


main()
