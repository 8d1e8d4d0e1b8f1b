import Wire

/// A template by which a message says a value, of the plain kind that announcements have: a path into JSON, filters and
/// arithmetic, such as `{{ value_json.moisture | float / 10 | round(1) }}`.
///
/// It is Jinja as Home Assistant has it (its documents, "Templating"), without statements, tests, functions and states. As there
/// a filter binds closer than an operator.
struct ValueTemplate: Sendable, Equatable {
    /// The reason why a template is not understood.
    enum Fault: Error, Equatable, Sendable {
        /// It is longer than `longest` bytes, or too deep.
        case tooLong
        /// It has a word or sign that is not understood here.
        case notUnderstood(String)
    }

    /// The longest template, in bytes.
    static let longest = 1_024
    /// The levels of brackets.
    private static let deepest = 8

    /// A step into JSON.
    enum Step: Sendable, Equatable {
        case member(String)
        case element(Int)
    }

    /// A filter that is understood.
    enum Filter: Sendable, Equatable {
        case float(Double?), int(Double?), round(Int), abs, isDefined
        case fallback(Double)
    }

    /// A part of the template.
    indirect enum Expression: Sendable, Equatable {
        case number(Double)
        /// The message as it is.
        case value
        /// A value in the message, which is JSON.
        case json([Step])
        case filtered(Expression, Filter)
        case negative(Expression)
        case operation(Expression, Operator, Expression)
    }

    /// An operator of arithmetic.
    enum Operator: String, Sendable {
        case plus = "+", minus = "-", times = "*", over = "/", floor = "//", modulo = "%"
    }

    private let expression: Expression

    /// Reads a template; a text without braces is none that says anything.
    init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        var parser = TemplateParser(text)
        expression = try parser.template(deepest: Self.deepest)
    }

    /// The template of a bare number.
    static let bare = ValueTemplate(expression: .value)

    private init(expression: Expression) { self.expression = expression }

    /// What a message says; nil where it says nothing, such as `unavailable`, or has no such member.
    func value(of payload: Span<UInt8>) -> Double? {
        let message = Message(payload)
        guard let number = Self.evaluate(expression, message).number, number.isFinite else { return nil }
        return number
    }

    // MARK: Evaluation

    private struct Message {
        let text: [UInt8]
        let json: JSONValue?

        init(_ payload: Span<UInt8>) {
            var text: [UInt8] = []
            for index in payload.indices { text.append(payload[index]) }
            self.text = text
            json = try? JSONValue(payload)
        }
    }

    private enum Result {
        case number(Double), text(String), missing

        var number: Double? {
            switch self {
            case .number(let number): number
            case .text(let text): decimal(Array(text.utf8).span)
            case .missing: nil
            }
        }
    }

    private static func evaluate(_ expression: Expression, _ message: Message) -> Result {
        switch expression {
        case .number(let number): return .number(number)
        case .value:
            return .text(String(decoding: message.text, as: UTF8.self).trimmed)
        case .json(let steps):
            var place = message.json
            for step in steps {
                switch step {
                case .member(let name): place = place?[name]
                case .element(let index): place = place?[index]
                }
            }
            switch place {
            case .number(let number)?: return .number(number)
            case .string(let text)?: return .text(text.trimmed)
            default: return .missing
            }
        case .filtered(let inner, let filter): return apply(filter, to: evaluate(inner, message))
        case .negative(let inner): return evaluate(inner, message).number.map { .number(-$0) } ?? .missing
        case .operation(let left, let sign, let right):
            guard let left = evaluate(left, message).number, let right = evaluate(right, message).number else {
                return .missing
            }
            switch sign {
            case .plus: return .number(left + right)
            case .minus: return .number(left - right)
            case .times: return .number(left * right)
            case .over: return right == 0 ? .missing : .number(left / right)
            case .floor: return right == 0 ? .missing : .number((left / right).rounded(.down))
            case .modulo:
                // Of the sign of the divisor, as in Python.
                return right == 0 ? .missing : .number(left - right * (left / right).rounded(.down))
            }
        }
    }

    private static func apply(_ filter: Filter, to result: Result) -> Result {
        switch filter {
        case .float(let fallback): return (result.number ?? fallback).map { .number($0) } ?? .missing
        case .int(let fallback): return (result.number ?? fallback).map { .number($0.rounded(.towardZero)) } ?? .missing
        case .abs: return result.number.map { .number(Swift.abs($0)) } ?? .missing
        case .isDefined: return result
        case .fallback(let fallback):
            if case .missing = result { return .number(fallback) }
            return result
        case .round(let places):
            var scale = 1.0
            for _ in 0..<Swift.abs(places) { scale *= places < 0 ? 0.1 : 10 }
            // Half to even, as Python's round does.
            return result.number.map { .number(($0 * scale).rounded(.toNearestOrEven) / scale) } ?? .missing
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0 }
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}
