/// Figures in Prometheus's text format, version 0.0.4.
struct PrometheusText {
    /// What a figure is.
    enum Kind: String {
        /// Rises, until the hub starts anew; its name ends with `_total`.
        case counter
        /// Rises and falls.
        case gauge
    }

    private(set) var text = ""

    /// One figure without labels.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Int) {
        begin(kind, name, help)
        text += "\(name) \(value)\n"
    }

    /// One figure without labels.
    ///
    /// - Parameter value: finite.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
        begin(kind, name, help)
        text += "\(name) \(value)\n"
    }

    /// One figure for each value of a label.
    mutating func add(
        _ kind: Kind, _ name: String, _ help: String, by label: String, _ values: [(label: String, value: Int)]
    ) {
        begin(kind, name, help)
        for (value, number) in values {
            text += "\(name){\(label)=\"\(Self.escaped(value, quotes: true))\"} \(number)\n"
        }
    }

    private mutating func begin(_ kind: Kind, _ name: String, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A backslash and a line feed have a meaning, and in a label's value the quotation mark.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
