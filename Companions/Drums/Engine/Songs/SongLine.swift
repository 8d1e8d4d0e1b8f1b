import Wire

/// A line of a song's text, read from left to right.
struct SongLine {
    private let bytes: [UInt8]
    private var index = 0
    private let line: Int32

    init(_ bytes: [UInt8], line: Int32) {
        self.bytes = bytes
        self.line = line
    }

    /// The next byte; nil at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Whether nothing but spaces is left.
    var isAtEnd: Bool { trimmedRange(bytes.span.extracting(index..<bytes.count)).isEmpty }

    /// The rest of the line, without the spaces around it.
    var rest: [UInt8] {
        let left = Array(bytes[index...])
        return Array(left[trimmedRange(left.span)])
    }

    /// An error at the next character.
    func error(_ failure: SongTextFailure) -> SongTextError {
        SongTextError(
            line: line, column: Int32(clamping: scalarCount(bytes.span.extracting(0..<index)) + 1), failure: failure)
    }

    /// Skips the next byte if it is this one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Skips these letters if they come next.
    mutating func take(word: StaticString) -> Bool {
        guard hasPrefix(bytes.span.extracting(index..<bytes.count), word) else { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x09 { index += 1 }
    }

    mutating func skip(past byte: UInt8) {
        while let one = next {
            index += 1
            if one == byte { return }
        }
    }

    /// Reads a number of at most six digits.
    mutating func wholeNumber() -> Int32? {
        var value: Int32?
        for _ in 0..<6 {
            guard let digit = next, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { break }
            value = (value ?? 0) * 10 + Int32(digit - UInt8(ascii: "0"))
            index += 1
        }
        return value
    }

    /// Reads beats a minute, as microseconds a beat.
    mutating func tempo() throws(SongTextError) -> UInt32 {
        let start = self
        guard let beats = wholeNumber(), beats > 0 else { throw start.error(.tempo) }
        let microseconds = UInt32(clamping: (60_000_000 + Int64(beats) / 2) / Int64(beats))
        guard Song.Limits.microsecondsPerBeat.contains(microseconds) else { throw start.error(.tempo) }
        return microseconds
    }

    /// The name of a field, before a colon.
    enum Field {
        case title, composer, source, year, meter, tempo, repeats
        /// The pattern of a level, from 0.
        case level(Int)
        case unknown
    }

    /// The field of a line that begins with a word and has a colon; nil for notes.
    func fieldName() -> Field? {
        guard var end = bytes[index...].firstIndex(of: UInt8(ascii: ":")) else { return nil }
        while end > index, bytes[end - 1] == 0x20 { end -= 1 }
        let name = bytes.span.extracting(index..<end)
        if matches(name, "title") { return .title }
        if matches(name, "composer") { return .composer }
        if matches(name, "source") { return .source }
        if matches(name, "year") { return .year }
        if matches(name, "meter") { return .meter }
        if matches(name, "tempo") { return .tempo }
        if matches(name, "repeat") { return .repeats }
        if matches(name, "level 1") { return .level(0) }
        if matches(name, "level 2") { return .level(1) }
        if matches(name, "level 3") { return .level(2) }
        if matches(name, "level 4") { return .level(3) }
        return .unknown
    }
}
