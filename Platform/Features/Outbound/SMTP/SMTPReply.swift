import NIOCore

/// The reply of an SMTP server (RFC 5321, 4.2): a code of three digits, and lines of text for people.
package struct SMTPReply: Sendable, Equatable {
    /// The code, from 200 to 559.
    package var code: Int
    /// The text of each line, without code and line end. It is foreign and not to be trusted.
    package var lines: [String]

    /// Whether the server did what was asked, or wants more of it.
    var isPositive: Bool { (200...399).contains(code) }
    /// Whether the same may be done later (RFC 5321, 4.2.1: a transient negative completion reply).
    var isTransient: Bool { (400...499).contains(code) }
}

/// The reader of a server's replies, as they come.
///
/// ```swift
/// var parser = SMTPReplyParser()
/// try parser.append(bytes)
/// while let reply = try parser.next() { … }
/// ```
package struct SMTPReplyParser: Sendable {
    /// The reason why bytes are no reply.
    package enum Fault: Error, Equatable {
        /// A line, or all lines of a reply, are longer than a client has to take.
        case tooLong
        /// A line is not of the form of RFC 5321, 4.2.
        case notUnderstood
    }

    /// The length of a line with its end, at most, in octets (RFC 5321, 4.5.3.1.5).
    package static let longestLine = 512
    /// The length of all lines of a reply, at most, in octets.
    package static let longestReply = 8_192

    private var waiting: [UInt8] = []
    /// What was read of a reply whose last line has not come.
    private var begun: SMTPReply?
    private var begunLength = 0

    /// Creates a reader.
    package init() {}

    /// Whether more has come than the replies that were read: after the answer to STARTTLS nothing may (RFC 3207, 6).
    package var hasMore: Bool { !waiting.isEmpty || begun != nil }

    /// Takes bytes of the server.
    ///
    /// - Throws: `Fault.tooLong` for more than a reply may have.
    package mutating func append(_ bytes: some Sequence<UInt8>) throws(Fault) {
        for byte in bytes {
            // Several replies at once are more than anybody asked for: commands are sent one by one.
            guard waiting.count < Self.longestReply else { throw .tooLong }
            waiting.append(byte)
        }
    }

    /// The next reply; nil if it has not come as a whole.
    ///
    /// - Throws: `Fault`.
    package mutating func next() throws(Fault) -> SMTPReply? {
        while let line = try nextLine() {
            begunLength += line.count + 2
            guard begunLength <= Self.longestReply else { throw .tooLong }
            let (code, isLast, text) = try Self.parse(line)
            guard begun == nil || begun?.code == code else { throw .notUnderstood }
            var reply = begun ?? SMTPReply(code: code, lines: [])
            reply.lines.append(text)
            guard isLast else {
                begun = reply
                continue
            }
            begun = nil
            begunLength = 0
            return reply
        }
        return nil
    }

    private mutating func nextLine() throws(Fault) -> [UInt8]? {
        guard let end = waiting.firstIndex(of: UInt8(ascii: "\n")) else {
            guard waiting.count < Self.longestLine else { throw .tooLong }
            return nil
        }
        guard end < Self.longestLine else { throw .tooLong }
        // RFC 5321, 2.3.8: a line ends in CRLF, and neither stands alone.
        guard end > 0, waiting[end - 1] == UInt8(ascii: "\r") else { throw .notUnderstood }
        let line = Array(waiting[..<(end - 1)])
        waiting.removeFirst(end + 1)
        guard !line.contains(UInt8(ascii: "\r")) else { throw .notUnderstood }
        return line
    }

    /// Reads a line: `250-text`, `250 text` or `250`.
    private static func parse(_ line: [UInt8]) throws(Fault) -> (code: Int, isLast: Bool, text: String) {
        guard line.count >= 3, (UInt8(ascii: "2")...UInt8(ascii: "5")).contains(line[0]),
            (UInt8(ascii: "0")...UInt8(ascii: "5")).contains(line[1]),
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[2])
        else { throw .notUnderstood }
        let code = line.prefix(3).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard line.count > 3 else { return (code, true, "") }
        switch line[3] {
        case UInt8(ascii: " "): return (code, true, String(decoding: line[4...], as: UTF8.self))
        case UInt8(ascii: "-"): return (code, false, String(decoding: line[4...], as: UTF8.self))
        default: throw .notUnderstood
        }
    }
}
