import CortexM
import DeviceHAL

/// The I2C bus, behind a bridge on a serial line: QEMU's board has a bus, and no sensor of ours on it; behind the line sits a model.
///
/// The bridge's commands are those of NXP's SC18IM700 (data sheet, revision 2, section 7): `S`, address, count, bytes, `P`
/// writes; with the read bit in the address it reads; `R`, register, `P` reads a register of the bridge, of which 0x0A is
/// the state of the bus.
public struct SensorBus: I2CBus {
    private var line = SerialPort.bridge
    private let clock = Clock()

    /// The longest wait for a byte of an answer, milliseconds.
    private static var patience: UInt32 { 20 }
    /// The register I2CStat (section 7.2, table 6).
    private static var state: UInt8 { 0x0A }

    /// The bus.
    public init() {}

    /// Sends bytes to an address, and asks what became of them.
    public mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        begin(address << 1, count)
        for index in 0..<count { line.send(bytes[index]) }
        line.send(UInt8(ascii: "P"))
        try check()
    }

    /// Reads bytes from an address; where none come, asks why.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
    {
        begin(address << 1 | 1, count)
        line.send(UInt8(ascii: "P"))
        for index in 0..<count {
            guard let byte = nextByte() else {
                try check()
                throw .timedOut
            }
            bytes[index] = byte
        }
    }

    private mutating func begin(_ address: UInt8, _ count: Int) {
        // Bytes of an answer that came too late are not the next one's.
        while line.receive() != nil {}
        line.send(UInt8(ascii: "S"))
        line.send(address)
        line.send(UInt8(count))
    }

    private mutating func check() throws(I2CError) {
        line.send(UInt8(ascii: "R"))
        line.send(Self.state)
        line.send(UInt8(ascii: "P"))
        switch nextByte() {
        case 0xF0: return
        case 0xF1, 0xF2: throw .notAcknowledged
        // The bus was not free in its time: a line is held low.
        case 0xF8: throw .busStuck
        default: throw .timedOut
        }
    }

    private mutating func nextByte() -> UInt8? {
        let start = clock.milliseconds
        while clock.milliseconds &- start <= Self.patience {
            if let byte = line.receive() { return byte }
        }
        return nil
    }
}
