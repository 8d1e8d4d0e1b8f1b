/// The head of an HTTP/1.1 response (RFC 9112, 4).
struct AnswerHead: Equatable {
    var status: Int
    /// The fields, with their names in lower case.
    var fields: [String: String]

    /// The size of a head that is read, at most, in bytes.
    static let longest = 1 << 16

    /// Reads the head at the beginning of the bytes; nil if it has not ended, or is none.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        // A line break is one character in Swift, also of two bytes.
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let end = lines.firstIndex(of: ""), end > 0, end < lines.count - 1 else { return nil }
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
            (100...599).contains(status)
        else { return nil }
        self.status = status
        fields = [:]
        for line in lines[1..<end] {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields[line[..<colon].lowercased()] = String(value)
        }
    }

    /// Whether the hub wrote it, and not something before it: all its answers allow nothing in a frame and nothing to be
    /// guessed, and it says nothing in HTML but its pages.
    var isOfHub: Bool {
        let type = fields["content-type"]?.lowercased() ?? ""
        return fields["x-content-type-options"]?.lowercased() == "nosniff"
            && (type.hasPrefix("application/json") || type.hasPrefix("application/problem+json"))
    }
}
