"""What of an ELF file is stored on a board, and where its functions lie."""

import struct


class Image:
    """An ELF file: its segments by where they are stored, and its symbols."""

    def __init__(self, path):
        data = path.read_bytes()
        headers, sections = struct.unpack_from("<II", data, 28)
        size, count, _, section_count = struct.unpack_from("<4H", data, 42)
        self.segments = []
        for index in range(count):
            kind, offset, _, stored, length = struct.unpack_from("<5I", data, headers + index * size)
            if kind == 1 and length:
                self.segments.append((stored, data[offset : offset + length]))
        tables = [struct.unpack_from("<10I", data, sections + index * 40) for index in range(section_count)]
        table = next(table for table in tables if table[1] == 2)
        names = tables[table[6]][4]
        self.symbols = {}
        for place in range(table[4], table[4] + table[5], 16):
            name, value = struct.unpack_from("<II", data, place)
            self.symbols[data[names + name : data.index(0, names + name)].decode()] = value
