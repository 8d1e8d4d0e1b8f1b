import Wire

/// Reads separated values (RFC 4180) leniently: encodings and separators as ``TableText`` tells them, line ends of any
/// system, quotes anywhere a field begins.
enum CSVTable {
    /// A quote that is never closed, in the row of this number, from 1 on.
    struct OpenQuote: Error, Equatable { var row: Int }

    /// The rows with their fields; rows without any text are left out.
    static func rows(_ file: [UInt8]) throws(OpenQuote) -> [(number: Int, fields: [String])] {
        let table = TableText(file)
        let separator = Unicode.Scalar(table.separator)
        var rows: [(number: Int, fields: [String])] = []
        var fields: [String] = []
        var field = String.UnicodeScalarView()
        var (isQuoted, wasQuoted) = (false, false)
        var number = 1
        func isEmpty() -> Bool { fields.isEmpty && field.isEmpty && !wasQuoted }
        func endField() {
            fields.append(String(field))
            (field, wasQuoted) = (String.UnicodeScalarView(), false)
        }
        func endRow() {
            if !isEmpty() {
                endField()
                if fields.contains(where: { !$0.allSatisfy(\.isWhitespace) }) { rows.append((number, fields)) }
                fields = []
            }
            number += 1
        }
        let scalars = Array(String(decoding: table.bytes, as: UTF8.self).unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if isQuoted {
                if scalar != "\"" {
                    field.append(scalar)
                } else if index < scalars.count, scalars[index] == "\"" {
                    field.append(scalar)
                    index += 1
                } else {
                    isQuoted = false
                }
                continue
            }
            switch scalar {
            case "\"" where field.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
            case separator: endField()
            case "\r", "\n":
                if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
                endRow()
            default: field.append(scalar)
            }
        }
        guard !isQuoted else { throw OpenQuote(row: number) }
        endRow()
        return rows
    }
}
