import CortexM

/// The third serial line, 9,600 baud: two state machines of PIO0, since the chip has two UARTs (3.2). A bit is eight of their cycles.
enum SpeechLine {
    private static var base: UInt { 0x5020_0000 }

    /// The programs (3.4), by the words that an assembler makes of them.
    private enum Program {
        /// Sends: `pull side 1 [7]`, `set x, 7 side 0 [7]`, `out pins, 1`, `jmp x-- 2 [6]`.
        static var send: (UInt32, UInt32, UInt32, UInt32) { (0x9FA0, 0xF727, 0x6001, 0x0642) }
        /// Receives, from place 4 on: `wait 0 pin 0`, `set x, 7 [10]`, `in pins, 1`, `jmp x-- 6 [6]`.
        static var receive: (UInt32, UInt32, UInt32, UInt32) { (0x2020, 0xEA27, 0x4001, 0x0646) }
    }

    static func start() {
        Wiring.connect(line: 2)
        let words = Program.send
        load(words.0, 0)
        load(words.1, 1)
        load(words.2, 2)
        load(words.3, 3)
        let others = Program.receive
        load(others.0, 4)
        load(others.1, 5)
        load(others.2, 6)
        load(others.3, 7)
        // SMn_CLKDIV, bits 31:16; SMn_EXECCTRL: bits 11:7 and 16:12 where the program begins and ends, 30 side set is optional;
        // SMn_SHIFTCTRL: lowest bit first, bits 18 and 19; 16 and 24:20 every eight bits are handed over, 31 both queues for what
        // comes, eight bytes; SMn_PINCTRL (3.7).
        let divider = (Clock.hertz / (9_600 * 8)) << 16
        register(base + 0xC8).store(divider)
        register(base + 0xCC).store(1 << 30 | 3 << 12)
        register(base + 0xD0).store(1 << 19)
        let pin = Wiring.speechSend
        register(base + 0xDC).store(2 << 29 | 1 << 26 | 1 << 20 | pin << 10 | pin << 5 | pin)
        register(base + 0xE0).store(divider)
        register(base + 0xE4).store(7 << 12 | 4 << 7)
        register(base + 0xE8).store(1 << 31 | 1 << 18 | 1 << 16 | 8 << 20)
        register(base + 0xF4).store(Wiring.speechReceive << 15)
        // SMn_INSTR, done at once: `set pins, 1` and `set pindirs, 1`: a line at rest is high; `jmp 4`.
        register(base + 0xD8).store(0xE001)
        register(base + 0xD8).store(0xE081)
        register(base + 0xF0).store(0x0004)
        // IRQ0_INTE: bit 1, the second machine has a byte; CTRL: both on.
        register(base + 0x12C).store(1 << 1)
        register(base).store(3)
        Processor.enable(interrupt: 7)
    }

    private static func load(_ word: UInt32, _ place: UInt) { register(base + 0x48 + place * 4).store(word) }

    /// Puts what has come into the ring. Called by the interrupt.
    @inline(__always)
    static func take() {
        let queue = Rings.ring(2)
        // FSTAT: bit 9, the second machine's queue is empty. The byte is shifted in from above.
        while register(base + 0x04).load() & 1 << 9 == 0 {
            let byte = UInt8(truncatingIfNeeded: register(base + 0x24).load() >> 24)
            if !queue.isFull { queue.append(byte) }
        }
    }

    /// FSTAT: bit 16, the first machine's queue is full.
    static var canSend: Bool { register(base + 0x04).load() & 1 << 16 == 0 }

    static func send(_ byte: UInt8) { register(base + 0x10).store(UInt32(byte)) }
}
