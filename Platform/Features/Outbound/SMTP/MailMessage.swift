import Foundation
import HubKit

/// An e-mail of plain text (RFC 5322 and MIME), written so that no text of a person can become a header.
package struct MailMessage: Sendable {
    /// The sender and the recipient.
    package var sender, recipient: MailAddress
    /// The subject, on one line.
    package var subject: String
    /// The text; its lines may end in any way.
    package var body: String
    /// The time at which it was written, in UTC milliseconds.
    package var at: Int64
    /// The id, of letters, digits and hyphens, the same at each attempt.
    package var identity: String

    /// Creates a message.
    package init(
        from sender: MailAddress, to recipient: MailAddress, subject: String, body: String, at: Int64, identity: String
    ) {
        self.sender = sender
        self.recipient = recipient
        self.subject = subject
        self.body = body
        self.at = at
        self.identity = identity
    }

    /// The name that mailboxes show beside the sender's address.
    private static let name = "Tandem"
    /// The number of bytes of a subject that fit into one encoded word: with its marks it has at most 75 characters (RFC 2047,
    /// 2).
    private static let bytesOfWord = 45
    /// The length of a line of quoted-printable, at most, in characters (RFC 2045, 6.7, rule 5).
    private static let longestLine = 76

    /// The header and the body, with CRLF at the end of each line.
    package var bytes: [UInt8] {
        let header = [
            "From: \(Self.name) <\(sender.text)>",
            "To: <\(recipient.text)>",
            "Subject: \(Self.encodedWords(subject))",
            "Date: \(Self.date(at))",
            "Message-ID: <\(identity)@\(sender.domain)>",
            // Nobody answers it, and no absence note is to (RFC 3834, 5).
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
        ]
        return Array((header + ["", ""]).joined(separator: "\r\n").utf8) + Self.quotedPrintable(body)
    }

    /// The time as RFC 5322, 3.3, writes it.
    static func date(_ milliseconds: Int64) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return formatter.string(from: Date(milliseconds: milliseconds))
    }

    /// A text of a header field: as it is where it is short and plain, and else in encoded words (RFC 2047), a line each.
    static func encodedWords(_ text: String) -> String {
        // By scalars: CR and LF together are one character, and none of these may stay.
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        let line = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
        let isPlain =
            line.utf8.count <= 60 && line.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !line.contains("=?")
        if isPlain { return line }
        var words: [[UInt8]] = [[]]
        // A word holds whole characters (RFC 2047, 5): each is decoded by itself.
        for scalar in line.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > bytesOfWord { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// A text in quoted-printable (RFC 2045, 6.7).
    static func quotedPrintable(_ text: String) -> [UInt8] {
        var written: [UInt8] = []
        let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines {
            var length = 0
            let bytes = Array(line.utf8)
            for (index, byte) in bytes.enumerated() {
                let isLast = index == bytes.count - 1
                let piece = isPrinted(byte, isLast: isLast) ? [byte] : escaped(byte)
                // Room for the equals sign that breaks a line, which the last piece does not need.
                if length + piece.count > (isLast ? longestLine : longestLine - 1) {
                    written += Array("=\r\n".utf8)
                    length = 0
                }
                written += piece
                length += piece.count
            }
            written += Array("\r\n".utf8)
        }
        return written
    }

    /// Whether a byte stands for itself; a space or a tab at the end of a line does not (rule 3).
    private static func isPrinted(_ byte: UInt8, isLast: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "="): false
        case 0x21...0x7E: true
        case 0x20, 0x09: !isLast
        default: false
        }
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
