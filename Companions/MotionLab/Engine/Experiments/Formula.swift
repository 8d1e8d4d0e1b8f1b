import Signals
import Wire

/// A formula over the channels of an experiment, checked when it is read and then computed for each moment.
///
///     sum     = product, { ("+" | "-"), product }
///     product = sign, { ("*" | "/"), sign }
///     sign    = [ "-" ], atom
///     atom    = number | name | function, "(", sum, ")" | "(", sum, ")"
///
/// A function is `sqrt`, `abs`, `sin` or `cos` (of radians). A name is a letter and letters, digits, `_` and `.`: a
/// channel such as `accelerometer.x`, `time`, a parameter, or a formula that stands before. Anything else is an error
/// at its place.
public struct Formula: Sendable, Equatable {
    /// The limits of a formula.
    public enum Limits {
        /// The most bytes of its text.
        public static let bytes = 500
        /// The deepest nesting of brackets within brackets, and of signs before signs.
        public static let depth = 32
    }

    /// The reason why a text is not a formula.
    public struct Failure: Error, Sendable, Equatable {
        /// The kind of the error.
        public enum Kind: UInt8, Sendable {
            /// The text is empty, or ends in the middle.
            case unexpectedEnd = 1
            /// A character that cannot stand there.
            case unexpectedCharacter = 2
            /// A number that cannot be read.
            case badNumber = 3
            /// A name of no channel, parameter, function or formula before.
            case unknownName = 4
            /// The text is longer than ``Limits/bytes``.
            case tooLong = 5
            /// The text is nested deeper than ``Limits/depth``.
            case tooDeep = 6
        }

        /// The kind of the error.
        public var kind: Kind
        /// The place of the error, in bytes from the start.
        public var offset: Int
    }

    enum Step: Sendable, Equatable {
        case number(Double)
        case channel(Int)
        case add, subtract, multiply, divide, negate, squareRoot, absolute, sine, cosine
    }

    /// The steps of the computation in reverse Polish notation, each with what lies on top of the stack.
    private(set) var steps: [Step] = []

    /// Reads a formula.
    ///
    /// - Parameters:
    ///   - text: of the formula, ASCII.
    ///   - channels: the names that it may use; ``value(_:)`` takes their values in this order.
    public init(_ text: [UInt8], channels: [[UInt8]]) throws(Failure) {
        guard text.count <= Limits.bytes else { throw Failure(kind: .tooLong, offset: Limits.bytes) }
        var parser = FormulaParser(text: text, channels: channels)
        try parser.sum(depth: 0)
        try parser.finish()
        steps = parser.steps
    }

    /// The value at a moment.
    ///
    /// - Parameter channels: as many values as there were names; nil where there is none.
    /// - Returns: nil where a channel that it uses has none, and where the result is not a number, as in a division by
    ///   zero.
    public func value(_ channels: [Double?]) -> Double? {
        var stack: [Double] = []
        for step in steps {
            switch step {
            case .number(let number): stack.append(number)
            case .channel(let place):
                guard place < channels.count, let value = channels[place] else { return nil }
                stack.append(value)
            case .negate, .squareRoot, .absolute, .sine, .cosine:
                guard let value = stack.popLast() else { return nil }
                switch step {
                case .negate: stack.append(-value)
                case .squareRoot: stack.append(value.squareRoot())
                case .absolute: stack.append(value.magnitude)
                case .sine: stack.append(sin(value))
                default: stack.append(cos(value))
                }
            case .add, .subtract, .multiply, .divide:
                guard let right = stack.popLast(), let left = stack.popLast() else { return nil }
                switch step {
                case .add: stack.append(left + right)
                case .subtract: stack.append(left - right)
                case .multiply: stack.append(left * right)
                default: stack.append(left / right)
                }
            }
        }
        guard let value = stack.last, value.isFinite else { return nil }
        return value
    }
}

/// Whether a text can be the name of a channel, a parameter or a formula.
func isFormulaName(_ name: [UInt8]) -> Bool {
    guard let first = name.first, name.count <= 40, isLetter(first) else { return false }
    return name.allSatisfy { isNameByte($0) }
}

private func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
}

private func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
}

/// The parser, with one method for a line of the grammar.
private struct FormulaParser {
    let text: [UInt8]
    let channels: [[UInt8]]
    private(set) var steps: [Formula.Step] = []
    private var offset = 0

    init(text: [UInt8], channels: [[UInt8]]) {
        self.text = text
        self.channels = channels
    }

    mutating func sum(depth: Int) throws(Formula.Failure) {
        guard depth <= Formula.Limits.depth else { throw Formula.Failure(kind: .tooDeep, offset: offset) }
        try product(depth)
        while let byte = peek(), byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
            offset += 1
            try product(depth)
            steps.append(byte == UInt8(ascii: "+") ? .add : .subtract)
        }
    }

    mutating func finish() throws(Formula.Failure) {
        guard peek() == nil else { throw Formula.Failure(kind: .unexpectedCharacter, offset: offset) }
    }

    private mutating func product(_ depth: Int) throws(Formula.Failure) {
        try sign(depth)
        while let byte = peek(), byte == UInt8(ascii: "*") || byte == UInt8(ascii: "/") {
            offset += 1
            try sign(depth)
            steps.append(byte == UInt8(ascii: "*") ? .multiply : .divide)
        }
    }

    private mutating func sign(_ depth: Int) throws(Formula.Failure) {
        var isNegative = false
        if peek() == UInt8(ascii: "-") {
            offset += 1
            isNegative = true
        }
        try atom(depth)
        if isNegative { steps.append(.negate) }
    }

    private mutating func atom(_ depth: Int) throws(Formula.Failure) {
        guard let byte = peek() else { throw Formula.Failure(kind: .unexpectedEnd, offset: offset) }
        if byte == UInt8(ascii: "(") {
            try bracket(depth)
        } else if byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: ".") {
            try number()
        } else if isLetter(byte) {
            try name(depth)
        } else {
            throw Formula.Failure(kind: .unexpectedCharacter, offset: offset)
        }
    }

    private mutating func bracket(_ depth: Int) throws(Formula.Failure) {
        offset += 1
        try sum(depth: depth + 1)
        guard let byte = peek() else { throw Formula.Failure(kind: .unexpectedEnd, offset: offset) }
        guard byte == UInt8(ascii: ")") else { throw Formula.Failure(kind: .unexpectedCharacter, offset: offset) }
        offset += 1
    }

    private mutating func number() throws(Formula.Failure) {
        let start = offset
        while offset < text.count {
            let byte = text[offset]
            // The sign of an exponent belongs to the number.
            let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            let isExponent = isSign && offset > start && text[offset - 1] | 0x20 == UInt8(ascii: "e")
            guard isNameByte(byte) || isExponent else { break }
            offset += 1
        }
        guard let value = decimal(text.span.extracting(start..<offset)) else {
            throw Formula.Failure(kind: .badNumber, offset: start)
        }
        steps.append(.number(value))
    }

    private mutating func name(_ depth: Int) throws(Formula.Failure) {
        let start = offset
        while offset < text.count, isNameByte(text[offset]) { offset += 1 }
        let name = Array(text[start..<offset])
        if peek() == UInt8(ascii: "(") {
            let step: Formula.Step
            if matches(name.span, "sqrt") {
                step = .squareRoot
            } else if matches(name.span, "abs") {
                step = .absolute
            } else if matches(name.span, "sin") {
                step = .sine
            } else if matches(name.span, "cos") {
                step = .cosine
            } else {
                throw Formula.Failure(kind: .unknownName, offset: start)
            }
            try bracket(depth)
            steps.append(step)
            return
        }
        for place in channels.indices where channels[place] == name {
            steps.append(.channel(place))
            return
        }
        throw Formula.Failure(kind: .unknownName, offset: start)
    }

    /// The next byte that is not a space; nil at the end.
    private mutating func peek() -> UInt8? {
        while offset < text.count, isASCIISpace(text[offset]) { offset += 1 }
        return offset < text.count ? text[offset] : nil
    }
}
