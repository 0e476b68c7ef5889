/** Python that makes a PNG with the standard library alone: `png(width, height)`. */
export const MAKE_PNG = `
import struct, zlib
def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(
        b"\\0" + bytes(v for x in range(width) for v in (x & 255, y & 255, x * y & 255))
        for y in range(height)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
`;
