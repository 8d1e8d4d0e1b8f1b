import DeviceHAL

/// A serial line in board time: a queue of 16 bytes at the toy's end, a byte's time for each, and noise.
public struct SerialLine: UART, Sendable {
    /// The number of bytes that the toy's UART queues.
    public static var queueLength: Int { 16 }

    /// Each byte's time on the line, microseconds: 1,042 at 9,600 baud, 87 at 115,200.
    public let byteTime: UInt32
    /// The number of bytes from now on that arrive garbled, towards the toy.
    public var garbledToToy = 0
    /// The number of bytes from now on that arrive garbled, towards the module.
    public var garbledToModule = 0
    /// The bytes that the toy sent to the module, with their times, milliseconds.
    public private(set) var sent: [(byte: UInt8, at: UInt32)] = []

    private var sending: [UInt8] = []
    private var arriving: [UInt8] = []
    private var arrived: [UInt8] = []
    private var sendCredit: UInt32 = 0
    private var arriveCredit: UInt32 = 0
    private var now: UInt64 = 0

    init(byteTime: UInt32) { self.byteTime = byteTime }

    /// Whether the queue has room.
    public var canSend: Bool { sending.count < Self.queueLength }

    /// Sends a byte to the module.
    public mutating func send(_ byte: UInt8) {
        sending.append(byte)
        sent.append((byte, UInt32(truncatingIfNeeded: now / 1_000)))
    }

    /// The next byte from the module.
    public mutating func receive() -> UInt8? { arrived.isEmpty ? nil : arrived.removeFirst() }

    /// Sends bytes from the module.
    mutating func say(_ bytes: [UInt8]) { arriving += bytes }
    mutating func say(_ text: String) { arriving += Array(text.utf8) }

    /// Whether all that the module said has arrived.
    var isQuiet: Bool { arriving.isEmpty }

    /// Lets time pass, and returns the bytes that reached the module meanwhile.
    mutating func advance(microseconds: UInt32, to now: UInt64) -> [UInt8] {
        self.now = now
        sendCredit = sending.isEmpty ? 0 : sendCredit + microseconds
        var reached: [UInt8] = []
        while sendCredit >= byteTime, !sending.isEmpty {
            sendCredit -= byteTime
            var byte = sending.removeFirst()
            if garbledToModule > 0 {
                garbledToModule -= 1
                byte ^= 0x55
            }
            reached.append(byte)
        }
        arriveCredit = arriving.isEmpty ? 0 : arriveCredit + microseconds
        while arriveCredit >= byteTime, !arriving.isEmpty {
            arriveCredit -= byteTime
            var byte = arriving.removeFirst()
            if garbledToToy > 0 {
                garbledToToy -= 1
                byte ^= 0x55
            }
            arrived.append(byte)
        }
        return reached
    }
}
