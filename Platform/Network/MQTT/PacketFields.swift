import NIOCore

/// The data representations of MQTT, section 1.5, and the remaining length of section 2.2.3.
extension ByteBuffer {
    /// Bytes with a two-byte length before them, as a slice.
    mutating func readField() throws(ProtocolViolation) -> ByteBuffer {
        guard let field = readLengthPrefixedSlice(as: UInt16.self) else { throw .truncated }
        return field
    }

    /// A UTF-8 encoded string, section 1.5.3.
    mutating func readText() throws(ProtocolViolation) -> String {
        try readField().validatedText()
    }

    mutating func readPacketID() throws(ProtocolViolation) -> UInt16 {
        guard let id = readInteger(as: UInt16.self) else { throw .truncated }
        guard id != 0 else { throw .zeroPacketID }
        return id
    }

    /// The readable bytes as text: well-formed [MQTT-1.5.3-1], so without surrogates, and without U+0000
    /// [MQTT-1.5.3-2]. A byte order mark is a character like any other [MQTT-1.5.3-3].
    func validatedText() throws(ProtocolViolation) -> String {
        guard !readableBytesView.contains(0) else { throw .nullInText }
        guard let text = String(validating: readableBytesView, as: UTF8.self) else { throw .illFormedText }
        return text
    }

    /// Checks text of which only the bytes are needed, as `validatedText` does.
    func validateText() throws(ProtocolViolation) { _ = try validatedText() }

    /// The remaining length: seven bits a byte, the lowest first, at most four bytes. Nil while it is incomplete.
    mutating func readRemainingLength() throws(ProtocolViolation) -> Int? {
        var length = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let digit = readInteger(as: UInt8.self) else { return nil }
            length |= Int(digit & 0x7F) << shift
            if digit < 0x80 { return length }
        }
        throw .lengthTooLong
    }

    /// Packet type and flags, then the remaining length.
    mutating func writeFixedHeader(_ first: UInt8, length: Int) {
        writeInteger(first)
        writeVariableByteInteger(length)
    }

    /// Bytes with their two-byte length before them; what is longer than 65,535 is cut off there.
    mutating func writeField(_ field: some Collection<UInt8>) {
        let count = min(field.count, Int(UInt16.max))
        writeInteger(UInt16(count))
        writeBytes(field.prefix(count))
    }
}
