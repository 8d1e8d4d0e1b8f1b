import Wire

/// A line of a vector file: a command, and words after it, parted by tabs.
public struct VectorLine {
    /// The command and what follows it.
    public private(set) var words: [[UInt8]] = []

    /// Reads a line.
    public init(_ line: [UInt8]) {
        var cursor = ByteCursor(line)
        while let word = cursor.piece(before: UInt8(ascii: "\t")) { words.append(Array(word)) }
    }

    /// The first word; nil for an empty line.
    public var command: [UInt8]? { words.first }

    /// A word after the command, counted from 1; empty where there is none.
    public func text(_ index: Int) -> [UInt8] { index < words.count ? words[index] : [] }

    /// A word that is a whole number.
    public func integer(_ index: Int) -> Int64? { Wire.integer(text(index).span) }

    /// A word that is a whole number of a smaller type.
    public func integer<Number: FixedWidthInteger>(_ index: Int, as type: Number.Type) -> Number? {
        integer(index).flatMap { Number(exactly: $0) }
    }

    /// A word that is the number of one of a few choices.
    public func choice<Choice: RawRepresentable>(_ index: Int) -> Choice? where Choice.RawValue == UInt8 {
        integer(index, as: UInt8.self).flatMap { Choice(rawValue: $0) }
    }

    /// A word that is a number with or without a fraction.
    public func decimal(_ index: Int) -> Double? { Wire.decimal(text(index).span) }

    /// A word that says bytes, two hexadecimal digits each.
    public func hex(_ index: Int) -> [UInt8]? {
        let digits = text(index)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for place in 0..<digits.count / 2 {
            guard let high = hexValue(digits[place * 2]), let low = hexValue(digits[place * 2 + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// A word that says how often a loop goes round; bounded, for a line may be anything.
    public func count(_ index: Int) -> Int? {
        integer(index).flatMap { (0...100_000).contains($0) ? Int($0) : nil }
    }
}

extension TextWriter {
    /// Appends bytes as two hexadecimal digits each, as ``VectorLine/hex(_:)`` reads them.
    public mutating func write(hex bytes: [UInt8]) {
        for byte in bytes {
            write(byte: hexDigit(byte >> 4))
            write(byte: hexDigit(byte & 0xF))
        }
    }

    /// Appends a whole number after the words that say what it is.
    public mutating func write(_ words: StaticString, _ number: Int64) {
        write(words)
        write(number)
    }

    /// The answer to `cut-each-byte`: how many of the bytes cut off anywhere are taken, and how many are refused for which
    /// reason.
    ///
    /// - Parameters:
    ///   - bytes: nil where there is nothing to cut.
    ///   - read: takes them or refuses them, for a reason of a number up to 255.
    /// - Returns: false for another command.
    public mutating func write<Content, Failure: SealedCodecError>(
        cuts command: Span<UInt8>, of bytes: @autoclosure () -> [UInt8]?, read: ([UInt8]) throws(Failure) -> Content
    ) -> Bool {
        guard matches(command, "cut-each-byte") else { return false }
        guard let bytes = bytes() else { return refuse() }
        var counts = [Int64](repeating: 0, count: 256)
        for count in bytes.indices {
            do throws(Failure) {
                _ = try read(Array(bytes.prefix(count)))
                counts[0] += 1
            } catch {
                counts[Int(UInt8(clamping: error.number))] += 1
            }
        }
        var isFirst = true
        for (number, count) in counts.enumerated() where count > 0 {
            if !isFirst { write(", ") }
            isFirst = false
            if number > 0 {
                write("error ", Int64(number))
                write(": ", count)
            } else {
                write("fine ", count)
            }
        }
        return true
    }

    /// The answer to a line whose words do not fit its command.
    /// - Returns: true, so that a command can end with it.
    public mutating func refuse() -> Bool {
        write("bad arguments")
        return true
    }
}
