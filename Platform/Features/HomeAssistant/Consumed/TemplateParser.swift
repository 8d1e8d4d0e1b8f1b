import Wire

/// The reader of a ``ValueTemplate``: a recursive descent over its bytes.
struct TemplateParser {
    private typealias Expression = ValueTemplate.Expression
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The whole template, with its braces.
    ///
    /// - Parameter deepest: the levels of brackets that are read.
    mutating func template(deepest: Int) throws(ValueTemplate.Fault) -> ValueTemplate.Expression {
        depth = deepest
        try take("{{")
        if peek == UInt8(ascii: "-") { index += 1 }
        let expression = try sum()
        if peek == UInt8(ascii: "-") { index += 1 }
        try take("}}")
        skipSpace()
        guard index == bytes.count else { throw notUnderstood() }
        return expression
    }

    // MARK: Expressions

    private mutating func sum() throws(ValueTemplate.Fault) -> Expression {
        var left = try product()
        while true {
            skipSpace()
            // `-}}` ends the template.
            if peek == UInt8(ascii: "-"), bytes.dropFirst(index + 1).starts(with: "}}".utf8) { return left }
            guard let sign = operation(["+", "-"]) else { return left }
            left = .operation(left, sign, try product())
        }
    }

    private mutating func product() throws(ValueTemplate.Fault) -> Expression {
        var left = try unary()
        while let sign = operation(["*", "//", "/", "%"]) { left = .operation(left, sign, try unary()) }
        return left
    }

    /// An operand with its filters, which apply to its sign too.
    private mutating func unary() throws(ValueTemplate.Fault) -> Expression {
        var value = try signed()
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "|") else { return value }
            index += 1
            value = .filtered(value, try filter())
        }
    }

    private mutating func signed() throws(ValueTemplate.Fault) -> Expression {
        skipSpace()
        guard peek == UInt8(ascii: "-") else { return try primary() }
        index += 1
        depth -= 1
        defer { depth += 1 }
        guard depth > 0 else { throw .tooLong }
        return .negative(try signed())
    }

    private mutating func primary() throws(ValueTemplate.Fault) -> Expression {
        skipSpace()
        // A NUL stands in no template.
        switch peek ?? 0 {
        case UInt8(ascii: "("):
            index += 1
            depth -= 1
            defer { depth += 1 }
            guard depth > 0 else { throw .tooLong }
            let inner = try sum()
            try take(")")
            return inner
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): return .number(try number())
        default: break
        }
        let start = index
        switch word() {
        case "value": return .value
        case "value_json": return .json(try path())
        default:
            index = start
            throw notUnderstood()
        }
    }

    private mutating func path() throws(ValueTemplate.Fault) -> [ValueTemplate.Step] {
        var steps: [ValueTemplate.Step] = []
        while steps.count <= 8 {
            switch peek {
            case UInt8(ascii: "."):
                index += 1
                let name = word()
                guard !name.isEmpty else { throw notUnderstood() }
                steps.append(.member(name))
            case UInt8(ascii: "["):
                index += 1
                skipSpace()
                if let name = try text() {
                    steps.append(.member(name))
                } else {
                    let place = try number()
                    guard place == place.rounded(), (0...1_000).contains(place) else { throw notUnderstood() }
                    steps.append(.element(Int(place)))
                }
                try take("]")
            default: return steps
            }
        }
        throw .tooLong
    }

    private static let filters: Set<String> = ["float", "int", "abs", "is_defined", "default", "d", "round"]

    private mutating func filter() throws(ValueTemplate.Fault) -> ValueTemplate.Filter {
        skipSpace()
        let start = index
        let name = word()
        guard Self.filters.contains(name) else {
            index = start
            throw notUnderstood()
        }
        let first = try arguments().first
        switch name {
        case "float": return .float(first)
        case "int": return .int(first)
        case "abs": return .abs
        case "is_defined": return .isDefined
        case "default", "d":
            guard let first else { break }
            return .fallback(first)
        case "round":
            let places = first ?? 0
            guard places == places.rounded(), (-12...12).contains(places) else { break }
            return .round(Int(places))
        default: break
        }
        index = start
        throw notUnderstood()
    }

    /// The numbers between the brackets of a filter; none where it has no brackets.
    private mutating func arguments() throws(ValueTemplate.Fault) -> [Double] {
        skipSpace()
        guard peek == UInt8(ascii: "(") else { return [] }
        index += 1
        var numbers: [Double] = []
        skipSpace()
        while peek != UInt8(ascii: ")") {
            skipSpace()
            let isNegative = peek == UInt8(ascii: "-")
            if isNegative { index += 1 }
            let value = try number()
            numbers.append(isNegative ? -value : value)
            skipSpace()
            if peek == UInt8(ascii: ",") { index += 1 } else if peek != UInt8(ascii: ")") { throw notUnderstood() }
        }
        index += 1
        return numbers
    }

    // MARK: Words

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte) { index += 1 }
    }

    private mutating func take(_ sign: StaticString) throws(ValueTemplate.Fault) {
        skipSpace()
        let expected = Array("\(sign)".utf8)
        guard bytes.dropFirst(index).starts(with: expected) else { throw notUnderstood() }
        index += expected.count
    }

    private mutating func operation(_ signs: [String]) -> ValueTemplate.Operator? {
        skipSpace()
        for sign in signs where bytes.dropFirst(index).starts(with: sign.utf8) {
            index += sign.utf8.count
            return ValueTemplate.Operator(rawValue: sign)
        }
        return nil
    }

    private mutating func word() -> String {
        let start = index
        while let byte = peek, byte == UInt8(ascii: "_") || byte >= 0x80 || Self.isLetterOrDigit(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func number() throws(ValueTemplate.Fault) -> Double {
        let start = index
        while let byte = peek, byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            index += 1
        }
        var text = Array(bytes[start..<index])
        if text.first == UInt8(ascii: ".") { text.insert(UInt8(ascii: "0"), at: 0) }
        guard let value = decimal(text.span) else { throw notUnderstood() }
        return value
    }

    /// A text between quotes; nil where there is none.
    private mutating func text() throws(ValueTemplate.Fault) -> String? {
        guard let quote = peek, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
        index += 1
        let start = index
        while let byte = peek, byte != quote { index += 1 }
        guard peek == quote else { throw notUnderstood() }
        defer { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// The fault, with the word that is not understood.
    private func notUnderstood() -> ValueTemplate.Fault {
        let rest = bytes.dropFirst(index).drop { $0 == 0x20 }
        let word = rest.prefix { $0 == UInt8(ascii: "_") || Self.isLetterOrDigit($0) }
        let shown = word.isEmpty ? rest.prefix(2) : word.prefix(32)
        return .notUnderstood(String(decoding: shown, as: UTF8.self))
    }
}
