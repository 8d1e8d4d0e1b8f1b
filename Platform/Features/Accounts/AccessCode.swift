import Foundation
import HubKit

/// A code that a person types from a terminal, sends as a link or scans, such as `7K4M-Q2XD-9HTF`: sixty random bits.
///
/// It is written in Crockford's Base32 (douglascrockford.com/base32.html): digits and capitals without I, L, O and U.
/// As that demands, it is read in upper or lower case, with hyphens anywhere or nowhere, O as 0 and I and L as 1;
/// besides, spaces are ignored, and U is read as V.
struct AccessCode: Sendable, Equatable, CustomStringConvertible {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 12
    private static let lengthOfGroup = 4
    /// The length of text above which it cannot be a code, not even in a link.
    private static let longestText = 500

    /// The code in capitals, without hyphens.
    private let symbols: String

    private init(symbols: String) { self.symbols = symbols }

    /// A new code, from the system's generator.
    static func random() -> AccessCode {
        AccessCode(symbols: String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }))
    }

    /// Reads a code that was typed or pasted, or the link of an invitation; nil for anything else.
    init?(_ text: String) {
        guard let symbols = Self.symbols(of: text), symbols.count == Self.length else { return nil }
        self.symbols = symbols
    }

    /// The code as people see it, in groups of four.
    var description: String {
        stride(from: 0, to: symbols.count, by: Self.lengthOfGroup)
            .map { String(symbols.dropFirst($0).prefix(Self.lengthOfGroup)) }.joined(separator: "-")
    }

    /// The hash of the code, which is stored and compared. The code is random, so one round of SHA-256 is enough.
    var hash: Data { Secret.hash(description) }

    private static func symbols(of text: String) -> String? {
        guard text.utf8.count <= longestText else { return nil }
        // The code of a link stands behind its #.
        let written = text.split(separator: "#").last.map { String($0) } ?? text
        var symbols = ""
        // Compatibility forms too: some keyboards write letters and digits in the width of others.
        for scalar in written.precomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.isDash { continue }
            guard scalar.isASCII else { return nil }
            switch Character(scalar.properties.uppercaseMapping) {
            case "O": symbols.append("0")
            case "I", "L": symbols.append("1")
            case "U": symbols.append("V")
            case let symbol where alphabet.contains(symbol): symbols.append(symbol)
            default: return nil
            }
        }
        return symbols
    }
}
