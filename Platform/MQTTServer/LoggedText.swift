/// A text from a client as one line of a log: control characters are escaped, and it is cut off at 200 characters.
func printable(_ text: String) -> String {
    var line = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        if index == 200 { return line + "…" }
        line += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return line
}
