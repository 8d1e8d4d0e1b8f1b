import Crypto
import Foundation

/// Random identifiers and tokens, and how tokens are stored.
public enum Secret {
    /// Letters and digits that are not mistaken for each other when read aloud.
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// An identifier such as `k7fq2m9x`: 31 possibilities a character, from the system's generator.
    public static func identifier(length: Int = 10) -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }

    /// Whether a text has what identifiers of hubs consist of: 1 to 128 ASCII letters, digits, hyphens and underscores. Others
    /// may lead to another file where one is called by its identifier.
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

    /// A bearer token: 52 characters of 31 are 257 bits of chance, and none that a shell or a flag stumbles over.
    public static func token() -> String { identifier(length: 52) }

    /// What is stored of a token. A token has 256 bits of chance, so that one round of SHA-256 is enough.
    public static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }

    /// Whether two secrets are equal, in a time that does not tell where they differ.
    package static func areEqual(_ left: Data, _ right: Data) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
