#!/usr/bin/env python3
"""Writes conformance/cases/*.json and conformance/wire/vectors.json. `--check` writes nothing and fails if a file would change.

Standard library only, and nothing of rustbridge: what a host must get is worked out here from the specifications that
each case names as its provenance.
"""

import json
import pathlib
import sys

from generator import topics, vectors

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
VECTORS = HERE / "wire" / "vectors.json"


def render(topic):
    head = json.dumps({"topic": topic.NAME, "doc": " ".join(topic.__doc__.split())}, ensure_ascii=False)
    body = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in topic.cases())
    return f'{head[:-1]}, "cases": [\n{body}\n]}}\n'


def render_vectors():
    body = ",\n".join("  " + json.dumps(vector, ensure_ascii=False) for vector in vectors.vectors())
    return f'{{"doc": {json.dumps(vectors.DOC)}, "vectors": [\n{body}\n]}}\n'


def main():
    wanted = {f"{topic.NAME}.json": render(topic) for topic in topics.ALL}
    found = {path.name: path.read_text(encoding="utf-8") for path in CASES.glob("*.json")}

    ids = [case["id"] for text in wanted.values() for case in json.loads(text)["cases"]]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        sys.exit(f"case ids used twice: {', '.join(twice)}")

    wanted_vectors = render_vectors()
    names = [vector["name"] for vector in json.loads(wanted_vectors)["vectors"]]
    if len(set(names)) < len(names):
        sys.exit("two vectors have one name")
    is_old = not VECTORS.is_file() or VECTORS.read_text(encoding="utf-8") != wanted_vectors

    stale = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if "--check" in sys.argv[1:]:
        if is_old:
            stale.append("vectors.json")
        if stale:
            sys.exit(f"not what generate.py writes: {', '.join(stale)}; run conformance/generate.py and commit the result")
        return
    CASES.mkdir(exist_ok=True)
    for name in stale:
        if name in wanted:
            (CASES / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (CASES / name).unlink()
    if is_old:
        VECTORS.parent.mkdir(exist_ok=True)
        VECTORS.write_text(wanted_vectors, encoding="utf-8", newline="\n")
    print(f"{len(ids)} cases in {len(wanted)} topics, {len(stale)} files changed")


if __name__ == "__main__":
    main()
