"""A model of the RP2040 as far as the images use it, by its data sheet: the processor is Unicorn's, the parts are written here.

It is strict where the chip is: a part in reset or without its clock, a read of flash memory that is being written, and a queue
that runs over end a test. It knows time by the parts alone: each block of instructions takes a fifth of a microsecond.
"""

import ctypes
import struct

import unicorn
from unicorn import arm_const as arm

from rp2040_registers import Line, Registers

FLASH, SIZE, SRAM, BOOT = 0x1000_0000, 2 << 20, 0x2000_0000, 0x2004_1F00
#: Where the model's ROM has what it plays: the functions of the flash memory, and the end of an interrupt.
FUNCTIONS = {b"IF": 0x100, b"EX": 0x110, b"RE": 0x120, b"RP": 0x130, b"FC": 0x140}
RETURN = 0x200
REGISTERS = [arm.UC_ARM_REG_R0, arm.UC_ARM_REG_R1, arm.UC_ARM_REG_R2, arm.UC_ARM_REG_R3, arm.UC_ARM_REG_R12, arm.UC_ARM_REG_LR]


def checksum(data):
    """CRC-32/MPEG-2, bit by bit (data sheet, 2.8.1.3.1)."""
    value = 0xFFFF_FFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C1_1DB7 if value & 0x8000_0000 else 0)) & 0xFFFF_FFFF
    return value


class PowerCut(Exception):
    """The supply is gone in the middle of a write."""


class Pico(Registers):
    """A board with its flash memory, which outlives its power."""

    def __init__(self, image, parts=None):
        self.image = image
        self.flash = (ctypes.c_char * SIZE)(*b"\xff" * SIZE)
        for address, data in image.segments:
            ctypes.memmove(ctypes.byref(self.flash, address - FLASH), data, len(data))
        self.parts = parts or {}
        self.inputs, self.writes, self.erasures, self.starts = {}, [], [], 0
        self.voltage, self.holds_data = 4_000, 0
        self.while_erasing = None
        #: How many changes of the flash memory there were, and the one in whose middle the power is cut.
        self.changes, self.cut_at, self.cut_after = 0, None, 128
        self.lines = {"console": Line(115_200), "radio": Line(115_200), "speech": Line(9_600)}

    # Power and time

    def reset(self):
        """All parts as after power came on, but for the memory (2.13)."""
        self.words = {}
        self.in_reset = 0x01FF_FFFF
        #: Until when the flash memory is being written, 0 when that is done.
        self.alarm, self.enabled, self.busy = None, 0, None
        self.output = self.driven = 0
        self.divided, self.message = (0, 0), None
        self.i2c = {"bytes": bytearray(), "answer": None, "aborted": 0, "stopped": False}
        self.state = []

    def switch_on(self):
        self.now = 0.0
        self.reset()
        self.is_bitten, self.error = False, None
        self.lines_of = {0x4003_4000: "console", 0x4003_8000: "radio"}
        uc = self.uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M0)
        uc.mem_map(0, 0x4000)
        for window in (FLASH, 0x1300_0000):
            uc.mem_map_ptr(window, SIZE, unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC, self.flash)
        uc.mem_map(SRAM, 0x4_2000)
        for base, size in ((0x1800_0000, 0x1000), (0x4000_0000, 0x7_0000), (0x5020_0000, 0x4000), (0xD000_0000, 0x1000), (0xE000_E000, 0x1000)):
            uc.mmio_map(base, size, lambda _, place, size, base: self.load(base + place), base,
                        lambda _, place, size, value, base: self.store(base + place, value), base)  # fmt: skip
        table = b"".join(name + struct.pack("<H", place | 1) for name, place in FUNCTIONS.items()) + bytes(4)
        uc.mem_write(0x14, struct.pack("<H", 0x40))
        uc.mem_write(0x40, table)
        uc.mem_write(0x100, b"\x70\x47" * 0x100)
        uc.hook_add(unicorn.UC_HOOK_CODE, lambda _, place, *rest: self.rom(place), begin=0x100, end=0x2FF)
        wfi = self.image.symbols["_wfi"] & ~1
        uc.hook_add(unicorn.UC_HOOK_CODE, lambda _, place, *rest: self.sleep(), begin=wfi, end=wfi)
        uc.hook_add(unicorn.UC_HOOK_BLOCK, lambda _, place, *rest: self.block())
        self.start()
        return self

    def start(self):
        """What the boot ROM does with a flash memory that has an image (2.8.1.2)."""
        self.starts += 1
        self.saved = self.pending_reset = self.is_asleep = False
        self.readable(True)
        first = bytes(self.flash[:256])
        assert checksum(first[:252]) == struct.unpack("<I", first[252:])[0], "the boot ROM takes no image with this checksum"
        self.uc.mem_write(BOOT, first)
        self.uc.reg_write(arm.UC_ARM_REG_PRIMASK, 0)
        self.uc.reg_write(arm.UC_ARM_REG_MSP, BOOT)
        self.uc.reg_write(arm.UC_ARM_REG_LR, 0)
        self.pc = BOOT
        # Readable only once the boot stage has set it up.
        self.readable(False)

    def readable(self, is_readable):
        self.is_readable = is_readable
        rights = unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC if is_readable else unicorn.UC_PROT_NONE
        for window in (FLASH, 0x1300_0000):
            self.uc.mem_protect(window, SIZE, rights)

    def run(self, condition, seconds=20, what="it"):
        """Goes on until something holds, at most for that many seconds of the board's time."""
        end = self.now + seconds * 1e6
        while not condition():
            assert self.now < end, f"{what} did not happen within {seconds} s; {self.starts} starts"
            self.step()

    def expect(self, line, data, seconds=20):
        received = self.lines[line].received
        self.run(lambda: data in received, seconds, repr(data))
        before = bytes(received[: received.index(data) + len(data)])
        del received[: len(before)]
        return before

    def step(self):
        if self.interrupts() and not self.saved and not self.uc.reg_read(arm.UC_ARM_REG_PRIMASK):
            self.is_asleep = False
            self.enter(16 + (self.interrupts() & -self.interrupts()).bit_length() - 1)
        elif self.is_asleep:
            if not self.interrupts():
                times = [line.byte_time for line in self.lines.values() if line.coming]
                times += [self.alarm - self.now] if self.alarm is not None else []
                assert times, "it sleeps, and nothing will wake it"
                self.pass_time(max(0.2, min(times)))
                self.restart()
                return
            self.is_asleep = False
        elif self.busy and not self.saved:
            # The flash memory is written: the ROM's function goes on until it is done, and interrupts come.
            if self.now < self.busy:
                self.pass_time(20)
                return
            self.busy = 0
        try:
            self.uc.emu_start(self.pc | 1, 0xFFFF_FFF0)
        except unicorn.UcError as error:
            if self.error is None and error.errno == unicorn.UC_ERR_EXCEPTION:
                # A trap of Swift is an undefined instruction.
                self.pc = self.uc.reg_read(arm.UC_ARM_REG_PC)
                self.enter(3)
                return
            raise self.error or AssertionError(f"{error} at {self.uc.reg_read(arm.UC_ARM_REG_PC):#x}") from error
        if self.error:
            raise self.error
        self.pc = self.uc.reg_read(arm.UC_ARM_REG_PC) + (2 if self.is_asleep else 0)
        if self.uc.reg_read(arm.UC_ARM_REG_PC) == RETURN and self.saved:
            self.leave()
        self.restart()

    def restart(self):
        if self.is_bitten:
            self.is_bitten = False
            self.reset()
            self.start()
        elif self.pending_reset:
            # AIRCR resets the processor, and leaves memory and parts as they are.
            self.enabled = 0
            self.start()

    def block(self):
        self.pass_time(0.2)
        if self.interrupts() and not self.saved and not self.uc.reg_read(arm.UC_ARM_REG_PRIMASK):
            self.uc.emu_stop()

    def sleep(self):
        self.is_asleep = True
        self.uc.emu_stop()

    def pass_time(self, microseconds):
        self.now += microseconds
        # Four words, and eight where the machine gives its other queue to it (3.2.4).
        speech = 8 if self.words.get(0x5020_00E8, 0) & 1 << 31 else 4
        for name, line in self.lines.items():
            line.turn(self.now, speech if name == "speech" else 32, name)
        if self.words.get(0x4005_8000, 0) & 1 << 30:
            self.watch -= 2 * microseconds
            if self.watch <= 0 and not self.is_bitten:
                self.is_bitten = True
                self.uc.emu_stop()

    # Interrupts (ARMv6-M manual, B1.5.6 and B1.5.8)

    def interrupts(self):
        waiting = 0
        if self.alarm is not None and self.now >= self.alarm and self.words.get(0x4005_4038, 0) & 1:
            waiting |= 1 << 0
        if self.lines["speech"].queue and self.words.get(0x5020_012C, 0) & 1 << 1:
            waiting |= 1 << 7
        for number, (base, name) in enumerate(self.lines_of.items()):
            if self.lines[name].queue and self.words.get(base + 0x38, 0) & 1 << 4:
                waiting |= 1 << 20 + number
        return waiting & self.enabled

    def enter(self, number):
        stack = self.uc.reg_read(arm.UC_ARM_REG_MSP) - 32 & ~7
        values = [self.uc.reg_read(register) for register in REGISTERS]
        self.uc.mem_write(stack, struct.pack("<8I", *values, self.pc, self.uc.reg_read(arm.UC_ARM_REG_XPSR)))
        self.before = self.uc.reg_read(arm.UC_ARM_REG_MSP)
        self.uc.reg_write(arm.UC_ARM_REG_MSP, stack)
        self.uc.reg_write(arm.UC_ARM_REG_LR, RETURN | 1)
        table = self.words.get(0xE000_ED08, 0)
        self.pc = struct.unpack("<I", self.uc.mem_read(table + 4 * number, 4))[0] & ~1
        self.saved = True

    def leave(self):
        stack = self.uc.reg_read(arm.UC_ARM_REG_MSP)
        *values, self.pc, state = struct.unpack("<8I", self.uc.mem_read(stack, 32))
        for register, value in zip(REGISTERS, values):
            self.uc.reg_write(register, value)
        self.uc.reg_write(arm.UC_ARM_REG_XPSR, state)
        self.uc.reg_write(arm.UC_ARM_REG_MSP, self.before)
        self.saved = False

    def fault(self):
        """A fault of the processor, from outside."""
        self.is_asleep = False
        self.enter(3)

    def call(self, name, *arguments):
        """Calls a function of the image by its symbol; its result is r0 to r3."""
        for register, value in zip(REGISTERS, arguments):
            self.uc.reg_write(register, value)
        self.uc.reg_write(arm.UC_ARM_REG_LR, RETURN | 1)
        self.uc.emu_start(self.image.symbols[name] | 1, RETURN)
        return [self.uc.reg_read(register) for register in REGISTERS[:4]]

    # The boot ROM's functions (2.8.3.1.3)

    def rom(self, place):
        if place == RETURN:
            return self.uc.emu_stop()
        name = next((name for name, address in FUNCTIONS.items() if address == place), None)
        if name is None:
            return None
        self.guarded(self.play, name)

    def play(self, name):
        if self.busy is not None:
            # The same call, gone on with.
            if not self.busy:
                self.busy = None
            return
        self.state.append(name)
        wanted = {b"IF": [b"IF"], b"EX": [b"IF", b"EX"]}.get(name)
        first, second = self.uc.reg_read(arm.UC_ARM_REG_R0), self.uc.reg_read(arm.UC_ARM_REG_R1)
        if name == b"EX":
            self.readable(False)
        elif name in (b"RE", b"RP"):
            wanted = [b"IF", b"EX", name]
            assert not self.is_readable
            self.changes += 1
            is_cut = self.changes == self.cut_at
            if name == b"RE":
                assert first % 4096 == 0 and second == 4096, (first, second)
                if self.while_erasing:
                    self.while_erasing()
                self.erasures.append(first)
                # Cut in the middle, the page may hold anything.
                ctypes.memset(ctypes.byref(self.flash, first), 0x5A if is_cut else 0xFF, second)
            else:
                data = bytes(self.uc.mem_read(second, self.uc.reg_read(arm.UC_ARM_REG_R2)))
                assert first % 256 == 0 and len(data) == 256 and second >= SRAM, (first, second)
                self.writes.append(first)
                changed = bytes(old & new for old, new in zip(self.flash[first : first + 256], data))
                # Cut in the middle, the bytes before some place are written.
                ctypes.memmove(ctypes.byref(self.flash, first), changed, 256 - 256 * is_cut + self.cut_after * is_cut)
            if is_cut:
                raise PowerCut
            self.busy = self.now + (45_000 if name == b"RE" else 700)
            self.uc.emu_stop()
        elif name == b"FC":
            assert len(self.state) == 4, self.state
            self.state.clear()
            return
        assert self.state == wanted, self.state

    def stack_depth(self):
        """The deepest that the stack has been: what is painted over."""
        limit, top = (self.image.symbols[name] for name in ("_stack_limit", "_stack_top"))
        words = struct.unpack(f"<{(top - limit) // 4}I", self.uc.mem_read(limit, top - limit))
        return top - limit - 4 * next(place for place, word in enumerate(words) if word != 0xA5A5_A5A5)
