import Crypto

/// The SHA-256 of a certificate's DER form, by which two people or two screens compare certificates.
public struct Fingerprint: Sendable, Equatable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Computes a fingerprint.
    ///
    /// - Parameter der: the certificate in DER.
    public init(der: [UInt8]) { bytes = Array(SHA256.hash(data: der)) }

    /// The fingerprint as browsers and phones show it: `A1:B2:...`, 32 pairs.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}
