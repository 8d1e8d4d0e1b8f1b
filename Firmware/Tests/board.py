"""A board in QEMU: its serial lines as sockets, its pins by the bench's line, its flash memory as a file that outlives it."""

import json
import mmap
import os
import pathlib
import socket
import struct
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / ".build-firmware/images"
#: The order of the UARTs of mps2-an386.
LINES = ["console", "radio", "speech", "bridge", "bench"]
#: The PSRAM, which holds the flash memory from its beginning and, 8 MB behind it, what a test sets and reads.
MEMORY, PANEL = 16 << 20, 8 << 20


class Line:
    """The far end of a serial line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.received = bytearray()
        self.changed = threading.Condition()
        self.listener = None
        self.is_closed = False
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                piece = self.socket.recv(4096)
            except OSError:
                piece = b""
            if not piece:
                with self.changed:
                    self.is_closed = True
                    self.changed.notify_all()
                return
            if self.listener:
                self.listener(piece)
                continue
            with self.changed:
                self.received += piece
                self.changed.notify_all()

    def send(self, data):
        self.socket.sendall(data)

    def wait_for(self, condition, within=20.0, what="it"):
        """Waits until condition(received bytes) is truthy, and returns what it is."""
        with self.changed:
            if not self.changed.wait_for(lambda: condition(self.received) or self.is_closed, within):
                raise AssertionError(f"{what} did not come within {within} s, but {bytes(self.received)!r}")
            return condition(self.received)

    def expect(self, data, within=20.0):
        """Waits for bytes, and forgets all up to their end."""

        def end(received):
            place = received.find(data)
            return place + len(data) if place >= 0 else 0

        place = self.wait_for(end, within, repr(data))
        assert place, f"the line closed before {data!r}: {bytes(self.received)!r}"
        with self.changed:
            before = bytes(self.received[:place])
            del self.received[:place]
        return before


class Control:
    """QEMU's own line (QEMU Machine Protocol)."""

    def __init__(self, path):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(path))
        self.file = connection.makefile("rw")
        self.file.readline()
        self.ask("qmp_capabilities")

    def ask(self, command, **arguments):
        self.file.write(json.dumps({"execute": command, "arguments": {k.replace("_","-"): v for k, v in arguments.items()}}) + "\n")
        self.file.flush()
        while True:
            answer = json.loads(self.file.readline())
            if "return" in answer:
                return answer["return"]
            assert "error" not in answer, answer


class Bench:
    """What stands on the board's pins, by the messages of Firmware/Boards/MPS2AN386/Bench.swift."""

    LENGTHS = {17: 3, 18: 4, 19: 5, 20: 5, 21: 2}
    STARTS = {0: "power", 1: "watchdog", 2: "fault", 3: "stray interrupt", 4: "ended", 5: "power cut", 6: "update", 7: "not signed in"}

    def __init__(self, line):
        self.line = line
        self.pending = bytearray()
        self.changed = threading.Condition()
        self.on_drive = None
        self.log = []
        self.outputs, self.drives, self.lights, self.starts, self.sleeps, self.depths = {}, [], [], [], [], []
        line.listener = self.take
        with line.changed:
            if line.received:
                self.take(bytes(line.received))

    def take(self, piece):
        with self.changed:
            self.pending += piece
            while self.pending and len(self.pending) >= self.LENGTHS[self.pending[0]]:
                count = self.LENGTHS[self.pending[0]]
                self.note(bytes(self.pending[:count]))
                del self.pending[:count]
            self.changed.notify_all()

    def note(self, message):
        kind = message[0]
        self.log.append(kind)
        if kind == 17:
            self.outputs[message[1]] = message[2]
            self.drives.append((message[1], message[2]))
            if self.on_drive:
                self.on_drive(message[1], message[2])
        elif kind == 18:
            self.lights.append(tuple(message[1:]))
        elif kind == 19:
            self.sleeps.append(struct.unpack("<I", message[1:])[0])
        elif kind == 20:
            self.depths.append(struct.unpack("<I", message[1:])[0])
        elif kind == 21:
            self.starts.append(self.STARTS[message[1]])

    def wait_for(self, condition, within=20.0, what="it"):
        with self.changed:
            assert self.changed.wait_for(condition, within), f"{what} did not happen within {within} s; starts {self.starts}"
            return condition()

    def set(self, pin, high):
        self.line.send(bytes([1, pin, int(high)]))

    def battery(self, millivolts):
        self.line.send(struct.pack("<BBH", 2, 0, millivolts))

    def put_forward(self, milliseconds):
        self.line.send(struct.pack("<BI", 3, milliseconds))

    def stack_depth(self, within=20, again=5):
        """The deepest that the stack has been. A board that restarts meanwhile loses the question, and is asked again."""
        before, end = len(self.depths), time.monotonic() + within
        while len(self.depths) == before:
            assert time.monotonic() < end, f"the depth of the stack was not told; starts {self.starts}"
            self.line.send(b"\x04")
            with self.changed:
                self.changed.wait_for(lambda: len(self.depths) > before, again)
        return self.depths[-1]

    def is_asleep(self, within=20, again=0.3):
        """Waits until the board says that it sleeps, after all that it does now."""
        place = len(self.log)
        self.stack_depth(within, again)

        def slept():
            answer = self.log.index(20, place)
            return 19 in self.log[answer:]

        self.wait_for(slept, within, "going to sleep")

    def stall(self):
        self.line.send(b"\x05")


class FlashFile:
    """The file behind the board's memory."""

    def __init__(self, path, pages=320):
        self.path = pathlib.Path(path)
        if not self.path.exists():
            with open(self.path, "wb") as file:
                file.write(b"\xff" * (pages * 4096))
                file.truncate(MEMORY)
        self.file = open(self.path, "r+b")
        self.map = mmap.mmap(self.file.fileno(), MEMORY)

    def word(self, place):
        return struct.unpack_from("<I", self.map, PANEL + place)[0]

    def set_word(self, place, value):
        struct.pack_into("<I", self.map, PANEL + place, value)

    def cut_after(self, writes):
        """The power is cut at that write from now on, counted from 1; 0 for never."""
        self.set_word(0, writes)

    @property
    def writes(self):
        return self.word(4)

    def brown_out(self, is_low):
        self.set_word(8, int(is_low))

    def erasures(self, pages):
        return [self.word(64 + 4 * page) for page in range(pages)]

    @property
    def content(self):
        return bytes(self.map[: 256 * 4096])

    def restore(self, content):
        self.map[: len(content)] = content


class Board:
    """An image on QEMU's mps2-an386."""

    #: Where the boot loader finds an image with its header (Firmware/Boards/MPS2AN386/ImagePlace.swift).
    PLACE = 0x8200 - 64

    def __init__(self, image, flash, machine="mps2-an386", file=None, names=LINES, flashed=None):
        # Without one it is a board whose memory QEMU does not have.
        self.flash = flash if isinstance(flash, FlashFile) or flash is None else FlashFile(flash)
        self.names = names
        self.image = image
        self.machine = machine
        #: The image that was flashed by cable beside the boot loader, for one that has it.
        self.flashed = flashed or (IMAGES / f"{image}-MPS2AN386.image" if image == "PlantSensor" else None)
        self.file = file or IMAGES / f"{'Boot' if self.flashed else image}-MPS2AN386.elf"
        self.process = None

    def switch_on(self):
        self.folder = tempfile.mkdtemp(prefix="board")
        command = [
            "qemu-system-arm", "-machine", self.machine + (",memory-backend=psram" if self.flash else ""), "-display", "none",
            "-monitor", "none",
            "-S", "-qmp", f"unix:{self.folder}/qmp,server=on,wait=off", "-kernel", str(self.file),
        ]  # fmt: skip
        if self.flashed:
            command += ["-device", f"loader,file={self.flashed},addr={self.PLACE:#x},force-raw=on"]
        if self.machine == "netduinoplus2":
            # The frequency after a reset, as the firmware leaves it; QEMU's own default is 1 GHz.
            command += ["-global", "stm32f2xx-timer.clock-frequency=16000000"]
        if self.flash:
            command += ["-object", f"memory-backend-file,id=psram,mem-path={self.flash.path},size={MEMORY},share=on"]
        for name in self.names:
            command += ["-chardev", f"socket,id={name},path={self.folder}/{name},server=on,wait=off", "-serial", f"chardev:{name}"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.lines = {}
        self.control = self.reached("qmp", Control)
        for name in self.names:
            self.lines[name] = self.reached(name, Line)
        self.bench = Bench(self.lines["bench"]) if "bench" in self.lines else None
        # Only now does the processor begin: nothing that it says is lost.
        self.control.ask("cont")
        return self

    def switch_on_alone(self):
        """Without what stands on its pins."""
        self.switch_on()
        return self.Running(self)

    class Running:
        def __init__(self, board):
            self.board = board

        def __enter__(self):
            return self.board

        def __exit__(self, *_):
            self.board.cut_power()

    def reached(self, name, kind):
        end = time.monotonic() + 20
        while True:
            try:
                return kind(pathlib.Path(self.folder, name))
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                # QEMU makes its sockets one after the other, and tells nobody.
                threading.Event().wait(0.005)

    def __getattr__(self, name):
        if name in LINES:
            return self.__dict__["lines"][name]
        raise AttributeError(name)

    def cut_power(self):
        """The power is gone, from one instruction to the next."""
        if self.process and self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for line in self.lines.values():
            line.socket.close()

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self.switch_on()

    def __exit__(self, *_):
        self.cut_power()
