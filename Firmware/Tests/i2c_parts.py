"""The parts on the I2C bus, and the bridge to it, at the far end of a serial line."""

import threading


class Bridge:
    """NXP's SC18IM700 (data sheet, revision 2): S, address, count, bytes, P; R, register, P."""

    OK, NACK_ON_ADDRESS, NACK_ON_DATA, TIME_OUT = 0xF0, 0xF1, 0xF2, 0xF8

    def __init__(self, line, parts):
        self.line = line
        self.parts = parts
        self.pending = bytearray()
        self.state = self.OK
        self.transfers = 0
        self.is_held_low = False
        self.is_silent = False
        self.changed = threading.Condition()
        line.listener = self.take
        with line.changed:
            early = bytes(line.received)
        if early:
            self.take(early)

    def take(self, piece):
        self.pending += piece
        while self.step():
            pass

    def step(self):
        if not self.pending:
            return False
        kind = self.pending[0:1]
        if kind == b"S":
            if len(self.pending) < 3:
                return False
            address, count = self.pending[1], self.pending[2]
            length = 4 if address & 1 else 4 + count
            if len(self.pending) < length:
                return False
            data = bytes(self.pending[3 : 3 + (0 if address & 1 else count)])
            del self.pending[:length]
            self.transfer(address, count, data)
            return True
        if kind == b"R":
            if len(self.pending) < 3:
                return False
            del self.pending[:3]
            self.answer(bytes([self.state]))
            return True
        del self.pending[:1]
        return True

    def transfer(self, address, count, data):
        with self.changed:
            self.transfers += 1
            self.changed.notify_all()
        part = self.parts.get(address >> 1)
        if self.is_held_low:
            self.state = self.TIME_OUT
        elif part is None or part.is_absent:
            self.state = self.NACK_ON_ADDRESS
        elif address & 1:
            self.state = self.OK
            self.answer(part.read(count))
        else:
            self.state = self.OK
            part.write(data)

    def answer(self, data):
        if not self.is_silent:
            self.line.send(data)


class Seesaw:
    """Adafruit's soil sensor: a register is a module and a function (seesaw reference, STATUS and TOUCH)."""

    def __init__(self, capacitance=612, celsius=21.3):
        self.is_absent = False
        self.capacitance, self.celsius = capacitance, celsius
        self.selected = b""
        self.reads = 0

    def write(self, data):
        self.selected = data[:2]

    def read(self, count):
        self.reads += 1
        answer = {
            b"\x00\x01": b"\x55",
            # Fixed point, 16 bits after the point.
            b"\x00\x04": int(self.celsius * 65536).to_bytes(4, "big", signed=True),
            b"\x0f\x10": self.capacitance.to_bytes(2, "big"),
        }.get(self.selected, b"")
        return answer[:count].ljust(count, b"\xff")


class MPU6050:
    """InvenSense's accelerometer (RM-MPU-6000A-00, revision 4.2): registers with a pointer that counts up."""

    POWER, CONFIGURATION, ACCELERATION, WHO_AM_I, SELF_TEST = 0x6B, 0x1C, 0x3B, 0x75, 0x0D

    def __init__(self):
        self.is_absent = False
        self.script = []
        self.reset()

    def reset(self):
        self.registers = bytearray(128)
        self.registers[self.WHO_AM_I] = 0x68
        self.registers[self.POWER] = 0x40
        self.pointer = 0
        self.gravity = (0, 0, 1000)

    def write(self, data):
        self.pointer = data[0]
        for place, value in enumerate(data[1:]):
            if data[0] + place == self.POWER and value & 0x80:
                self.reset()
            else:
                self.registers[data[0] + place] = value

    @property
    def counts_per_g(self):
        return 16384 >> (self.registers[self.CONFIGURATION] >> 3 & 3)

    def read(self, count):
        if self.pointer == self.ACCELERATION and not self.registers[self.POWER] & 0x40:
            sample = self.script.pop(0) if self.script else self.gravity
            # The self-test adds its response to each axis: that of factory code 1 here (section 4.1), 1393 counts at +-8 g.
            test = self.registers[self.CONFIGURATION] >> 5
            counts = [
                max(-32768, min(32767, value * self.counts_per_g // 1000 + (1393 if test else 0))) for value in sample
            ]
            self.registers[self.ACCELERATION : self.ACCELERATION + 6] = b"".join(
                value.to_bytes(2, "big", signed=True) for value in counts
            )
        # Code 1 for each axis: bits 7:5 are 0, and two bits each of register A are 1.
        self.registers[self.SELF_TEST : self.SELF_TEST + 4] = bytes([0, 0, 0, 0b010101])
        return bytes(self.registers[self.pointer : self.pointer + count])

    def throw(self):
        """A push, 600 ms in the air, and a catch, at 200 samples a second."""
        self.script = [(0, 0, 2800)] * 30 + [(20, 30, 40)] * 120 + [(0, 500, 4200)] * 12
