import Board
import DeviceHAL

/// The kit's clock, the accelerometer's bus, and the line to the radio.
struct KitHardware: Ticks, I2CBus, UART {
    private var clock = Clock()
    private var bus = SensorBus()
    private var radio = SerialPort.radio

    /// Milliseconds since the reset.
    var milliseconds: UInt32 { clock.milliseconds }
    /// Whether the line takes another byte at once.
    var canSend: Bool { radio.canSend }

    mutating func wait(microseconds: UInt32) { clock.wait(microseconds: microseconds) }
    mutating func send(_ byte: UInt8) { radio.send(byte) }
    mutating func receive() -> UInt8? { radio.receive() }
    mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        try bus.write(bytes, to: address)
    }
    mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
    { try bus.read(into: &bytes, from: address) }
}
