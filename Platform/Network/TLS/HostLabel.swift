/// One part of a host name, between dots: letters, digits and hyphens (RFC 1123, 2.1), in lower case.
public enum HostLabel {
    /// The most bytes of a label (RFC 1035, 2.3.4).
    public static let maximumBytes = 63

    /// Whether the text is a label as it stands.
    public static func isLabel(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (1...maximumBytes).contains(bytes.count) && bytes.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
            && bytes.first != hyphen && bytes.last != hyphen
    }

    /// The nearest label to what a person or a system calls a machine: `Ines’s MacBook.fritz.box` becomes
    /// `ines-s-macbook`; `tandem` where nothing is left.
    public static func nearest(to text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.prefix(while: { $0 != "." }).lowercased().utf8 {
            if isLetterOrDigit(byte) {
                bytes.append(byte)
            } else if let last = bytes.last, last != hyphen {
                bytes.append(hyphen)
            }
        }
        bytes = Array(bytes.prefix(maximumBytes))
        while bytes.last == hyphen { bytes.removeLast() }
        return bytes.isEmpty ? "tandem" : String(decoding: bytes, as: UTF8.self)
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
