import Crypto
import Foundation

/// The configuration profile by which an iPhone, an iPad or a Mac takes the household's authority: a `.mobileconfig`
/// with one payload of type `com.apple.security.root` (Apple’s Device Management documentation, CertificateRoot).
public struct AppleProfile: Sendable {
    /// The file, an XML property list. To be served as `application/x-apple-aspen-config`.
    public let bytes: [UInt8]

    /// The same authority and names give the same bytes, so that a profile taken twice replaces itself.
    ///
    /// - Parameters:
    ///   - hubName: by which a person knows the hub among others, such as `linden.local`.
    public init(authority: Authority, hubName: String) {
        let title = "Tandem · \(Self.printable(hubName))"
        let fingerprint = authority.fingerprint
        let (profile, payload) = (Self.uuid("profile", of: fingerprint), Self.uuid("payload", of: fingerprint))
        let root: [String: Any] = [
            "PayloadContent": [
                [
                    "PayloadCertificateFileName": "authority.crt",
                    "PayloadContent": Data(authority.der),
                    "PayloadDescription": "Lets this device check that it speaks with your hub.",
                    "PayloadDisplayName": authority.name,
                    "PayloadIdentifier": "home.tandem.authority.\(payload)",
                    "PayloadType": "com.apple.security.root",
                    "PayloadUUID": payload,
                    "PayloadVersion": 1,
                ] as [String: Any]
            ],
            "PayloadDescription": """
            Trusts the hub in your home, for names and addresses of your home network alone. \
            Compare the fingerprint with what the hub shows: \(fingerprint)
            """,
            "PayloadDisplayName": title,
            "PayloadIdentifier": "home.tandem.profile.\(profile)",
            "PayloadRemovalDisallowed": false,
            "PayloadType": "Configuration",
            "PayloadUUID": profile,
            "PayloadVersion": 1,
        ]
        // Only strings, numbers, data, arrays and dictionaries: a property list can hold each of them.
        let data = try? PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        bytes = Array(data ?? Data())
    }

    /// XML 1.0 has no place for control characters and for two that are no characters, not even escaped (2.2).
    private static func printable(_ text: String) -> String {
        let allowed = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control && $0 != "\u{FFFE}" && $0 != "\u{FFFF}"
        }
        return String(String.UnicodeScalarView(allowed))
    }

    /// A name-based UUID, of version 8 for its SHA-256 (RFC 9562, 5.8).
    private static func uuid(_ role: String, of fingerprint: Fingerprint) -> String {
        var bytes = Array(SHA256.hash(data: Array("\(role) \(fingerprint)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }
            .joined(separator: "-")
    }
}
