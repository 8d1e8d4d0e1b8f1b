/// A writer of metrics in Prometheus's text format, version 0.0.4.
struct PrometheusText {
    /// The type of a metric.
    enum Kind: String {
        /// A value that rises until the hub is restarted; its name ends with `_total`.
        case counter
        /// A value that rises and falls.
        case gauge
    }

    private(set) var text = ""

    /// Adds a metric without labels.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Int) {
        begin(kind, name, help)
        text += "\(name) \(value)\n"
    }

    /// Adds a metric without labels.
    ///
    /// - Parameter value: a finite number.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
        begin(kind, name, help)
        text += "\(name) \(value)\n"
    }

    /// Adds a metric with a value for each label.
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

    /// The text with backslashes and line feeds escaped, and in a label's value also quotation marks.
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
