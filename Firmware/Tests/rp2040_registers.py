"""The registers of the RP2040 as far as the images use them, by its data sheet, and the lines at its pins."""

import collections
import threading


class Line:
    """The far end of a serial line: bytes come and go at its speed."""

    def __init__(self, baud):
        self.byte_time = 10_000_000 / baud
        self.coming, self.queue = collections.deque(), collections.deque()
        self.received = bytearray()
        self.changed = threading.Condition()
        self.listener = None
        self.last = 0
        #: Whether nothing that is sent leaves the board.
        self.is_full = False

    def send(self, data):
        self.coming.extend(data)

    def take(self, byte):
        if self.listener:
            self.listener(bytes([byte]))
        else:
            self.received.append(byte)

    def turn(self, now, depth, name):
        if not self.coming:
            self.last = now
        while self.coming and now - self.last >= self.byte_time:
            self.last += self.byte_time
            self.queue.append(self.coming.popleft())
            assert len(self.queue) <= depth, f"the queue of the {name} ran over"


class Registers:
    """What is read from each register and what writing it does: the part of a board that rp2040.py makes whole."""

    def guarded(self, action, *arguments):
        """What a callback fails with is told by step(): Unicorn would swallow it."""
        try:
            return action(*arguments)
        except Exception as error:  # noqa: BLE001
            self.error = self.error or error
            self.uc.emu_stop()
            return 0

    def load(self, place):
        return self.guarded(self.loaded, place) & 0xFFFF_FFFF

    def store(self, place, value):
        self.guarded(self.stored, place, value)

    def checked(self, place):
        """That a part is out of its reset, by its bit of RESETS (2.14.3)."""
        parts = {
            0x4001_4000: 5, 0x4001_C000: 8, 0x4002_C000: 13, 0x4003_4000: 22, 0x4003_8000: 23, 0x4004_4000: 3, 0x4004_C000: 0,
            0x4005_0000: 14, 0x4005_4000: 21, 0x5020_0000: 10,
        }  # fmt: skip
        base = place & ~0x3FFF
        if base in parts:
            assert not self.in_reset & 1 << parts[base], f"{place:#x} is of a part in reset"
        if base in (0x4003_4000, 0x4003_8000):
            assert self.words.get(0x4000_8048, 0) & 1 << 11, "the UARTs have no clock"

    def system_clock(self):
        """The frequency of the processor, by what is set (2.15, 2.18)."""
        if self.words.get(0x4000_803C, 0) & 1 == 0:
            return 12e6 if self.words.get(0x4000_8030, 0) & 3 == 2 else 6.5e6
        assert self.words[0x4000_803C] >> 5 & 7 == 1, "CLK_SYS is not of PLL_USB"
        feedback, dividers = self.words[0x4002_C008], self.words[0x4002_C00C]
        oscillator = 12e6 / (self.words[0x4002_C000] & 0x3F) * feedback
        assert 750e6 <= oscillator <= 1600e6 and 16 <= feedback <= 320
        return oscillator / (dividers >> 16 & 7) / (dividers >> 12 & 7)

    def loaded(self, place):
        self.checked(place)
        self.pass_time(0.1)
        word = self.words.get(place, 0)
        if place in (0x4000_8038, 0x4000_8044):
            return 1 << (self.words.get(place - 8, 0) & 3)
        if place == 0x4000_C008:
            return ~self.in_reset & 0x01FF_FFFF
        if place == 0x4002_4004:
            ctrl = self.words.get(0x4002_4000, 0)
            return 1 << 31 if ctrl >> 12 == 0xFAB and ctrl & 0xFFF == 0xAA0 else 0
        if place == 0x4002_C000:
            return word | (1 << 31 if not self.words.get(place + 4, 0x2D) & 0x21 else 0)
        if place == 0x4005_4028:
            assert self.words.get(0x4005_802C, 0) == 1 << 9 | 12, "the timer has no tick"
            self.pass_time(1.0)
            return int(self.now)
        if place & ~0x7FFF == 0x4003_0000 or place & ~0x3FFF == 0x4003_8000:
            line = self.lines[self.lines_of[place & ~0x3FFF]]
            if place & 0xFFF == 0x18:
                # Who asks again and again waits for long.
                self.pass_time(50 if line.is_full else 0)
                return (0 if line.queue else 1 << 4) | (1 << 5 if line.is_full else 0)
            if place & 0xFFF == 0:
                return line.queue.popleft()
        if place == 0x5020_0004:
            return 0 if self.lines["speech"].queue else 1 << 9
        if place == 0x5020_0024:
            return self.lines["speech"].queue.popleft() << 24
        if place & ~0xFFF == 0x4004_4000:
            return self.bus_loaded(place & 0xFFF)
        if place == 0x4004_C000:
            return word | 1 << 8
        if place == 0x4004_C004:
            assert self.words[0x4001_C004 + 26 * 4] & 0x80 and self.words[0x4000_8060] & 1 << 11
            return self.voltage * 4095 // 6600
        if place == 0xD000_0004:
            return self.levels()
        if place >> 12 == 0xD0000:
            return {0x74: self.divided[1], 0x70: self.divided[0], 0x78: 1}.get(place & 0xFFF, word)
        return word

    def stored(self, place, value):
        self.checked(place & ~0x3000 if place >> 28 in (4, 5) else place)
        if place >> 28 in (4, 5):
            # The aliases of each register: exclusive or, set, clear (2.1.2).
            alias, place = place >> 12 & 3, place & ~0x3000
            old = self.in_reset if place == 0x4000_C000 else self.words.get(place, 0x2D if place == 0x4002_C004 else 0)
            value = [value, old ^ value, old | value, old & ~value][alias]
        self.words[place] = value
        base, register = place & ~0x3FFF, place & 0xFFF
        if place == 0x4000_C000:
            self.in_reset = value
        elif place == 0x1800_0008 and value:
            self.begin_reading()
        elif base in self.lines_of and register == 0:
            self.check_baud(base)
            self.lines[self.lines_of[base]].take(value & 0xFF)
        elif place == 0x5020_0010:
            assert abs(self.system_clock() / (self.words[0x5020_00C8] >> 16) / 8 / 9600 - 1) < 0.01
            self.lines["speech"].take(value & 0xFF)
        elif base == 0x4004_4000:
            self.bus_stored(register, value)
        elif place == 0x4005_4010:
            self.alarm = self.now + (value - int(self.now) & 0xFFFF_FFFF)
        elif place == 0x4005_4034:
            self.alarm = None
        elif place == 0x4005_8004:
            assert value < 1 << 24
            self.watch = value
        elif place == 0xE000_E100:
            self.enabled |= value
        elif place == 0xE000_ED0C:
            assert value == 0x05FA_0004
            self.pending_reset = True
            self.uc.emu_stop()
        elif place >> 12 == 0xD0000:
            self.processor_stored(register, value)

    def begin_reading(self):
        """The serial interface is switched on: what it does with an access follows from its registers (4.10.13)."""
        ssi = lambda place: self.words.get(0x1800_0000 + place, 0)  # noqa: E731
        assert ssi(0x00) == 31 << 16 | 3 << 8 and ssi(0x04) == 0, "frames of 32 bits, of which the flash memory sends one"
        assert ssi(0xF4) == 0x03 << 24 | 2 << 8 | 6 << 2, "a command of 8 bits, 03h, and an address of 24"
        assert ssi(0x14) >= 2 and ssi(0x14) % 2 == 0 and self.system_clock() / ssi(0x14) <= 50e6
        self.readable(True)

    def check_baud(self, base):
        divider = self.words[base + 0x24] + self.words[base + 0x28] / 64
        assert abs(self.system_clock() / 16 / divider / 115_200 - 1) < 0.01, "the baud rate"
        assert self.words[base + 0x2C] & 0x70 == 0x70 and self.words[base + 0x30] & 0x101 == 0x101

    def processor_stored(self, register, value):
        before = self.driven & ~self.output
        if register in (0x14, 0x18):
            self.output = self.output | value if register == 0x14 else self.output & ~value
        if register in (0x24, 0x28):
            self.driven = self.driven | value if register == 0x24 else self.driven & ~value
        # A device that holds the data of the bus lets it go after some clocks.
        if ~before & self.driven & ~self.output & 1 << 5 and self.holds_data:
            self.holds_data -= 1
        if register in (0x60, 0x64, 0x68, 0x6C):
            signed = register >= 0x68
            left, right = (self.words.get(0xD000_0000 + (0x68 if signed else 0x60) + place, 0) for place in (0, 4))
            if signed:
                left, right = (value - (value >> 31 << 32) for value in (left, right))
            if right:
                quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
                self.divided = (quotient, left - quotient * right)

    def levels(self):
        levels = 0
        for pin in range(30):
            pad = self.words.get(0x4001_C004 + pin * 4, 0)
            level = self.inputs.get(pin, bool(pad & 1 << 3))
            if self.driven & 1 << pin:
                level = bool(self.output & 1 << pin)
            elif pin == 4 and self.holds_data:
                level = False
            levels |= level << pin if pad & 1 << 6 else 0
        return levels

    def light(self):
        """Red, green and blue, by the pulse widths of slices 5 and 6."""
        if any(self.words.get(0x4001_4004 + pin * 8) != 4 for pin in (10, 11, 12)):
            return 0, 0, 0
        first, second = (self.words.get(0x4005_000C + 0x14 * number, 0) for number in (5, 6))
        return first & 0xFFFF, first >> 16, second & 0xFFFF

    # The I2C controller (4.3)

    def bus_loaded(self, register):
        bus = self.i2c
        if register == 0x34:
            return 1 << 4 | (1 << 2 if bus["answer"] else 0) | (1 << 6 if bus["aborted"] else 0) | (1 << 9 if bus["stopped"] else 0)
        if register == 0x10:
            byte, bus["answer"] = bus["answer"][0], bus["answer"][1:]
            return byte
        if register == 0x80:
            return bus["aborted"]
        if register == 0x54:
            bus["aborted"] = 0
        if register == 0x60:
            bus["stopped"] = False
        return 0

    def bus_stored(self, register, value):
        bus = self.i2c
        if register == 0x04:
            assert not self.words.get(0x4004_406C, 0), "the target is taken over while the controller is off"
        if register != 0x10:
            return
        assert self.words[0x4004_406C] & 1 and self.words[0x4004_4000] & 0x161 == 0x161
        period = self.words[0x4004_4014] + self.words[0x4004_4018]
        assert self.system_clock() / period <= 100_000
        assert not bus["aborted"], "a byte is sent though the transfer was given up"
        self.pass_time(90)
        part = self.parts.get(self.words[0x4004_4004])
        if part is None or part.is_absent:
            bus["aborted"], bus["stopped"] = 1, True
            return
        if value & 1 << 8:
            if self.message is None:
                self.message = part.read(32)
            bus["answer"], self.message = self.message[:1], self.message[1:]
        else:
            bus["bytes"].append(value & 0xFF)
        if value & 1 << 9:
            if bus["bytes"]:
                part.write(bytes(bus["bytes"]))
            bus["bytes"].clear()
            self.message, bus["stopped"] = None, True
