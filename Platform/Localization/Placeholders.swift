/// A parser for the format of a text: `%@` is the next argument, `%2$@` the second, `%%` a percent sign. Everything
/// else is literal, also a lone percent sign.
enum Placeholders {
    enum Part: Hashable {
        case text(Substring)
        /// An argument, by its index from 0.
        case argument(Int)
    }

    static func parts(of format: String) -> [Part] {
        var parts: [Part] = []
        var next = 0
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            if percent > rest.startIndex { parts.append(.text(rest[..<percent])) }
            let tail = rest[rest.index(after: percent)...]
            if tail.hasPrefix("%") {
                parts.append(.text("%"))
                rest = tail.dropFirst()
            } else if tail.hasPrefix("@") {
                parts.append(.argument(next))
                next += 1
                rest = tail.dropFirst()
            } else if case let digits = tail.prefix(while: { ("0"..."9").contains($0) }), digits.count < 3,
                let number = Int(digits), number > 0, tail.dropFirst(digits.count).hasPrefix("$@")
            {
                parts.append(.argument(number - 1))
                rest = tail.dropFirst(digits.count + 2)
            } else {
                parts.append(.text("%"))
                rest = tail
            }
        }
        if !rest.isEmpty { parts.append(.text(rest)) }
        return parts
    }

    /// Whether a translation uses only arguments that its key has.
    static func fit(_ translation: String, key: String) -> Bool {
        let count = parts(of: key).count { if case .argument = $0 { true } else { false } }
        return parts(of: translation).allSatisfy { if case .argument(let index) = $0 { index < count } else { true } }
    }
}
