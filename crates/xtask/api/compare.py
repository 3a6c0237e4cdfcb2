"""Has griffe compare the package in two folders, and prints what breaks those who use the older one, a line for each."""

import sys

import griffe

PACKAGE = "rustbridge"


def main() -> None:
    """Compare what the package exports: names that are gone, and what has changed in the modules where they are defined."""
    old, new = (griffe.load(PACKAGE, search_paths=[folder], resolve_aliases=True) for folder in sys.argv[1:])
    exported = {}
    for name, member in old.members.items():
        if not member.is_public or member.is_module:
            continue
        if name not in new.members or not new.members[name].is_public:
            print(f"{PACKAGE}.{name}: it is gone")
            continue
        exported[name] = member.final_target if member.is_alias else member
    # What a name stands for is in a module of its own, which griffe passes over where it's private.
    for path in sorted({target.module.path for target in exported.values()} - {PACKAGE}):
        module = path.removeprefix(f"{PACKAGE}.")
        if module not in new.members:
            continue
        for breakage in griffe.find_breaking_changes(old[module], new[module]):
            if any(f"{breakage.obj.path}.".startswith(f"{target.path}.") for target in exported.values()):
                print(f"{breakage.obj.path}: {breakage.kind.value}: {breakage.old_value} before, {breakage.new_value} now")


main()
