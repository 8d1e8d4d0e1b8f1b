import Wire

/// The reason why an answer of phyphox's remote interface cannot be used.
public enum PhyphoxError: Error, Sendable, Equatable {
    /// The answer is not JSON, from this offset in bytes on: something else than phyphox answers at that address.
    case json(offset: Int)
    /// The answer is too long.
    case tooLarge
    /// The answer is JSON of another form.
    case shape
    /// The request was refused by phyphox, with its reason, UTF-8.
    case refused([UInt8])

    init(_ error: JSONError) {
        self = error.kind == .tooLarge ? .tooLarge : .json(offset: error.offset)
    }
}

/// Whether phyphox did what `/control?cmd=…` asked for.
///
/// - Returns: false where it would not, as when a Bluetooth sensor is not connected.
public func phyphoxControlResult(_ bytes: [UInt8]) throws(PhyphoxError) -> Bool {
    let text = bytes.span
    var reader = PhyphoxReader(bytes, sizeLimit: 4_096)
    var result: Bool?
    guard try reader.next() == .objectStart else { throw .shape }
    while let key = try reader.key() {
        let value = try reader.next()
        if matches(text.extracting(key), "result"), case .bool(let answer) = value {
            result = answer
        } else if matches(text.extracting(key), "error") {
            throw .refused(try reader.text(value) ?? [])
        } else {
            try reader.skip(value)
        }
    }
    guard try reader.next() == .end, let result else { throw .shape }
    return result
}
