/// A pad that was hit, as MIDI tells it.
public struct MIDIStroke: Sendable, Equatable {
    /// 0 to 127.
    public var note: UInt8
    /// 1 to 127.
    public var velocity: UInt8
    /// 0 to 15; drums are on 9, which people call 10.
    public var channel: UInt8
    /// Milliseconds by the sender's 13-bit clock; nil where the transport has none.
    public var timestamp: UInt16?

    /// A stroke as it came.
    public init(note: UInt8, velocity: UInt8, channel: UInt8, timestamp: UInt16? = nil) {
        self.note = note
        self.velocity = velocity
        self.channel = channel
        self.timestamp = timestamp
    }
}

/// Reads strokes out of a stream of MIDI 1.0 messages, byte by byte (MIDI 1.0 Detailed Specification, section 2).
///
/// Running status goes on until a system message other than a real-time one. A note-on of velocity 0 is a note-off. What
/// cannot be understood is passed over until the next status byte; nothing of it is stored.
public struct MIDIStream: Sendable {
    private var status: UInt8 = 0
    private var first: UInt8?
    private var isSystemExclusive = false

    /// Whether the first of a message's data bytes has come, and not the second.
    var isWithinMessage: Bool { first != nil }

    /// A stream at its beginning.
    public init() {}

    /// Takes a byte.
    ///
    /// - Returns: the stroke that ends with it.
    public mutating func handle(_ byte: UInt8) -> MIDIStroke? {
        // Real-time messages may stand anywhere, and change nothing.
        if byte >= 0xF8 { return nil }
        if byte >= 0x80 {
            first = nil
            isSystemExclusive = byte == 0xF0
            status = byte < 0xF0 ? byte : 0
            return nil
        }
        guard status >= 0x80, !isSystemExclusive else { return nil }
        let kind = status >> 4
        // Program and channel pressure have one data byte.
        if kind == 0xC || kind == 0xD { return nil }
        guard let note = first else {
            first = byte
            return nil
        }
        first = nil
        guard kind == 0x9, byte > 0 else { return nil }
        return MIDIStroke(note: note, velocity: byte, channel: status & 0xF)
    }

    /// A message of Web MIDI, which always begins with its status.
    public mutating func strokes(in message: [UInt8]) -> [MIDIStroke] {
        var strokes: [MIDIStroke] = []
        for byte in message {
            if let stroke = handle(byte) { strokes.append(stroke) }
        }
        return strokes
    }
}
