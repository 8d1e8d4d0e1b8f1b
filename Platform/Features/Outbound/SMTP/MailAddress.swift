/// An e-mail address of the usual form: a dot-atom, an at sign and a host name (RFC 5321, 4.1.2), all of them ASCII.
///
/// Quoted local parts and letters beyond ASCII (RFC 6531) are not taken: hardly a mailbox has them, and hardly a server takes
/// them.
package struct MailAddress: Sendable, Hashable {
    /// The address, as it was typed.
    package let text: String

    /// The length of an address, at most, in octets (RFC 5321, 4.5.3.1.3, without the angle brackets).
    private static let longest = 254
    /// The length of the part before the at sign, at most, in octets (RFC 5321, 4.5.3.1.1).
    private static let longestLocalPart = 64

    /// Reads an address; nil for a text that is none.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= Self.longest, parts[0].count <= Self.longestLocalPart,
            Self.isDotted(parts[0], Self.isAtomText), Self.isDotted(parts[1], Self.isHostText),
            parts[1].contains(UInt8(ascii: "."))
        else { return nil }
        self.text = text
    }

    /// The host name after the at sign.
    package var domain: String { text.split(separator: "@").last.map(String.init) ?? "" }

    private static func isDotted(_ part: Substring.UTF8View, _ isAllowed: (UInt8) -> Bool) -> Bool {
        part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAllowed) }
    }

    private static func isHostText(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Whether a byte is `atext` (RFC 5322, 3.2.3).
    private static func isAtomText(_ byte: UInt8) -> Bool {
        isHostText(byte) || "!#$%&'*+/=?^_`{|}~".utf8.contains(byte)
    }
}
