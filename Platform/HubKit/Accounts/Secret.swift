import Crypto
import Foundation

/// Random identifiers and tokens, and the hashes of tokens.
public enum Secret {
    /// The characters of identifiers: letters and digits that are not mistaken for each other when read aloud.
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// A random identifier such as `k7fq2m9x`: 31 possibilities for each character, from the system's generator.
    public static func identifier(length: Int = 10) -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }

    /// Whether a text may be an identifier: 1 to 128 ASCII letters, digits, hyphens and underscores. Other characters
    /// could lead to another file if a file is named for it.
    public static func isIdentifier(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// A random token for `Authorization: Bearer`: 52 characters of 31 possibilities are 257 bits, and none of them is
    /// special to a shell.
    public static func token() -> String { identifier(length: 52) }

    /// The hash of a token, for storing. A token has 256 random bits, so that one round of SHA-256 is enough.
    public static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }

    /// Whether two secrets are equal. The comparison takes the same time wherever they differ.
    public static func areEqual(_ left: Data, _ right: Data) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
