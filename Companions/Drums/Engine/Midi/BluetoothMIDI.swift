/// Reads strokes out of the packets of MIDI over Bluetooth LE (MIDI Association, "Specification for MIDI over Bluetooth
/// Low Energy (BLE-MIDI)", 1.0, section 3).
///
/// A packet is a header `10hhhhhh`, and then messages that each may have a timestamp byte `1lllllll` before them: six
/// and seven bits of a clock of milliseconds. When the lower bits fall within a packet, the higher ones have moved on by
/// one. Running status goes on inside a packet, with or without a timestamp. The specification ends it with the packet,
/// and many senders do not: it goes on into the next one here, as a message does whose bytes come in two packets. A
/// system-exclusive message may, too, and is passed over.
public struct BluetoothMIDI: Sendable {
    /// The most bytes of a packet: what the largest notification of Bluetooth LE holds.
    public static let longest = 512

    private var stream = MIDIStream()
    /// The time of the message whose bytes are coming.
    private var timestamp: UInt16?

    /// A connection at its beginning.
    public init() {}

    /// The strokes of a packet, in their order; empty for bytes that are not a packet.
    public mutating func strokes(in packet: [UInt8]) -> [MIDIStroke] {
        guard packet.count >= 2, packet.count <= Self.longest, packet[0] & 0xC0 == 0x80 else {
            self = BluetoothMIDI()
            return []
        }
        var strokes: [MIDIStroke] = []
        var high = UInt16(packet[0] & 0x3F) << 7
        var low: UInt16?
        var isStatusNext = false
        for byte in packet.dropFirst() {
            if byte < 0x80 {
                isStatusNext = false
                // The time of a message is the one that it began with, perhaps in the packet before.
                if !stream.isWithinMessage { timestamp = low.map { high | $0 } }
                if var stroke = stream.handle(byte) {
                    stroke.timestamp = timestamp
                    strokes.append(stroke)
                }
            } else if isStatusNext {
                isStatusNext = false
                _ = stream.handle(byte)
            } else {
                let next = UInt16(byte & 0x7F)
                if let low, next < low { high = (high + 0x80) & 0x1FFF }
                low = next
                isStatusNext = true
            }
        }
        return strokes
    }
}

/// Puts a sender's 13-bit clock of milliseconds on the clock of the page.
///
/// A stroke cannot arrive before it was hit, so of the differences between arrival and timestamp the least is the nearest
/// to the truth; it may drift by a millisecond a second, which is ten times what a quartz does. A clock that stands still
/// while time passes, as some senders' does, is found out, and arrival times are used instead.
public struct BluetoothMIDIClock: Sendable {
    /// The state of what is known of the sender's clock.
    public enum State: UInt8, Sendable {
        case unknown = 0
        case advances
        case standsStill
    }

    /// The number of strokes at different times with the same timestamp, until the clock counts as standing still.
    private static let patience = 3
    /// The time between two arrivals, in milliseconds, in which a running clock must have moved on.
    private static let apart = 20.0
    /// The difference, in milliseconds, that no radio delay explains: the sender's clock was set, or went round while
    /// nobody played.
    private static let implausible = 500.0
    private static let round = 8_192.0

    /// The state of the sender's clock.
    public private(set) var state = State.unknown
    private var last: (timestamp: UInt16, arrival: Double)?
    private var still = 0
    /// The sender's time without going round, and the least of arrival minus it.
    private var unwrapped = 0.0
    private var offset = 0.0

    /// A connection at its beginning.
    public init() {}

    /// The time of a stroke, in milliseconds of the page's clock.
    ///
    /// - Parameters:
    ///   - timestamp: the sender's; with nil, the arrival is the time.
    ///   - arrival: milliseconds of the page's clock; never less than of the stroke before.
    public mutating func time(ofTimestamp timestamp: UInt16?, arrival: Double) -> Double {
        guard let timestamp else { return arrival }
        defer { last = (timestamp, arrival) }
        guard let last else {
            unwrapped = Double(timestamp)
            offset = arrival - unwrapped
            return arrival
        }
        let passed = max(arrival - last.arrival, 0)
        if timestamp == last.timestamp {
            if passed >= Self.apart { still += 1 }
        } else {
            still = 0
            state = .advances
        }
        if still >= Self.patience { state = .standsStill }
        guard state != .standsStill, still == 0 else { return arrival }
        // As many rounds as fit best to the time that has passed here.
        let steps = Double((timestamp &- last.timestamp) & 0x1FFF)
        unwrapped += steps + max(((passed - steps) / Self.round).rounded(), 0) * Self.round
        let estimate = arrival - unwrapped
        if (estimate - offset).magnitude > Self.implausible {
            offset = estimate
            return arrival
        }
        offset = min(estimate, offset + passed / 1_000)
        return min(unwrapped + offset, arrival)
    }
}
