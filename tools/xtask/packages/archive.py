"""Packs a folder so that the same files make the same archive: in the order of their names, with one time, and without an owner."""

import gzip, pathlib, sys, tarfile
folder, file, name, time = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
def plain(info):
    info.mtime, info.uid, info.gid, info.uname, info.gname = time, 0, 0, "", ""
    info.mode = 0o755 if info.isdir() or ".so" in info.name else 0o644
    return info
with (
    open(folder.parent / file, "wb") as file,
    gzip.GzipFile("", "wb", mtime=time, fileobj=file) as packed,
    tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
):
    for path in sorted(folder.rglob("*")):
        archive.add(path, f"{name}/{path.relative_to(folder).as_posix()}", recursive=False, filter=plain)
