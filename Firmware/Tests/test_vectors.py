"""Each engine's vector files, answered by the engine in an ARM image (a Cortex-M7 in QEMU), byte for byte as by the native and
the WebAssembly build."""

import pathlib
import struct

import pytest

from board import IMAGES, ROOT, Board


def unescaped(text):
    """As scripts/run-vectors.mjs: \\t, \\n, \\\\ and \\xNN stand for the bytes they name."""
    plain, place = bytearray(), 0
    while place < len(text):
        if text[place] != 0x5C:
            plain.append(text[place])
            place += 1
        elif text[place + 1 : place + 2] == b"x":
            plain.append(int(text[place + 2 : place + 4], 16))
            place += 4
        else:
            plain += {b"t": b"\t", b"n": b"\n", b"\\": b"\\"}[text[place + 1 : place + 2]]
            place += 2
    return bytes(plain)


class Engine:
    def __init__(self, name, folder):
        self.board = Board("unused", folder / "flash", machine="mps2-an500", file=IMAGES / f"{name}-vectors.elf")

    def answer(self, line):
        console = self.board.console
        console.send(struct.pack("<H", len(line)) + line)

        def whole(received):
            return len(received) >= 4 and len(received) >= 4 + struct.unpack_from("<I", received)[0]

        console.wait_for(whole, 120, f"the answer to {line!r}")
        with console.changed:
            count = struct.unpack_from("<I", console.received)[0]
            answer = bytes(console.received[4 : 4 + count])
            del console.received[: 4 + count]
        return answer


@pytest.mark.parametrize("name", ["Plants", "TriviaToy", "Drums", "MotionLab", "Brushing"])
def test_the_engine_s_vectors_agree_in_an_arm_image(name, tmp_path):
    engine = Engine(name, tmp_path)
    asked, wrong = 0, []
    with engine.board.switch_on_alone():
        for path in sorted(pathlib.Path(ROOT, "Companions", name, "Vectors").glob("*.txt")):
            if path.name.startswith("exports"):
                continue
            # Of each file its own engine: what one has loaded is not there for the next.
            engine.board.console.send(struct.pack("<H", 0xFFFF))
            for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
                if line.startswith(b"> "):
                    question = unescaped(line[2:])
                elif line.startswith(b"< ") or line == b"<":
                    asked += 1
                    expected, answer = unescaped(line[2:]), engine.answer(question)
                    if answer != expected:
                        wrong.append(f"{path.name}:{number}: expected\n  {expected!r}\nand got\n  {answer!r}")
    assert asked > 0 and not wrong, f"{len(wrong)} of {asked}:\n" + "\n".join(wrong[:5])
    print(f"{name}: {asked} vectors agree")
