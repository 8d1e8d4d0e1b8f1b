/// A text from a client as one line of a log: characters that nobody sees, that end a line or that turn its direction are
/// escaped, and it is cut off at 200 characters.
func printable(_ text: String) -> String {
    var line = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        if index == 200 { return line + "…" }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: line += scalar.escaped(asASCII: true)
        default: line += String(scalar)
        }
    }
    return line
}
