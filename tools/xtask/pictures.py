"""Decodes pictures by the standard library alone and prints their sizes: of PNG every checksum and all pixels, of JPEG the header and the end."""

import pathlib, struct, sys, zlib
for name in sys.argv[1:]:
    data = pathlib.Path(name).read_bytes()
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        at, pixels = 8, b""
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            body = data[at + 8 : at + 8 + length]
            assert zlib.crc32(kind + body) == struct.unpack_from(">I", data, at + 8 + length)[0], name
            at += 12 + length
            if kind == b"IHDR":
                width, height, depth, colour = struct.unpack_from(">IIBB", body)
            pixels += body if kind == b"IDAT" else b""
        assert kind == b"IEND", name
        bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
        assert len(zlib.decompress(pixels)) == height * (1 + (width * bits + 7) // 8), name
    else:
        assert data[:2] == b"\xff\xd8" and data[-2:] == b"\xff\xd9", name
        at = 2
        while not 0xC0 <= data[at + 1] <= 0xC2:
            at += 2 + struct.unpack_from(">H", data, at + 2)[0]
        height, width = struct.unpack_from(">HH", data, at + 5)
    print(f"{name} is {width} x {height}")
