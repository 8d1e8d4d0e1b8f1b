import Wire

/// The engine on a line: a command in, its answer out, both as text, so that one file of examples runs through every
/// build of the engine and the answers can be compared byte for byte.
///
/// A command is words separated by tabs; `Companions/Brushing/Vectors` shows each. What it remembers from line to line
/// is one session and one person's progress.
public struct EngineVector {
    private var sessions = SessionVector()
    private var progress = ProgressVector()

    /// A runner that remembers nothing yet.
    public init() {}

    /// Answers one line; `unknown command` where it knows no such command, `bad arguments` where they do not fit it.
    public mutating func answer(_ line: [UInt8]) -> [UInt8] {
        var words: [[UInt8]] = []
        var cursor = ByteCursor(line)
        while let word = cursor.piece(before: UInt8(ascii: "\t")) { words.append(Array(word)) }
        var text = TextWriter()
        guard let command = words.first else { return text.bytes }
        let arguments = VectorArguments(words: words)
        if !sessions.answer(command.span, arguments, &text), !progress.answer(command.span, arguments, &text) {
            text.write("unknown command")
        }
        return text.bytes
    }
}

/// The words after the command.
struct VectorArguments {
    let words: [[UInt8]]

    func text(_ index: Int) -> [UInt8] { index < words.count ? words[index] : [] }

    func number(_ index: Int) -> Int64? { integer(text(index).span) }

    /// A number that fits into 32 bits.
    func day(_ index: Int) -> Int32? { number(index).flatMap { Int32(exactly: $0) } }

    /// How often a loop goes round; bounded, for a line may be anything.
    func count(_ index: Int) -> Int? {
        number(index).flatMap { (0...100_000).contains($0) ? Int($0) : nil }
    }

    /// Bytes, two hexadecimal digits each.
    func hex(_ index: Int) -> [UInt8]? {
        let digits = text(index)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for place in 0..<digits.count / 2 {
            guard let high = hexValue(digits[place * 2]), let low = hexValue(digits[place * 2 + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension TextWriter {
    mutating func write(hex bytes: [UInt8]) {
        for byte in bytes {
            write(byte: hexDigit(byte >> 4))
            write(byte: hexDigit(byte & 0xF))
        }
    }

    mutating func write(_ word: StaticString, _ number: Int64) {
        write(word)
        write(number)
    }

    /// - Returns: true, so that a command can end with it.
    mutating func refuse() -> Bool {
        write("bad arguments")
        return true
    }
}
