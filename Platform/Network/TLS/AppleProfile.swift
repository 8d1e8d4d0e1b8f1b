import Crypto
import Foundation

/// The configuration profile with which an iPhone, an iPad or a Mac installs the household's authority: a
/// `.mobileconfig` with one payload of type `com.apple.security.root` (Apple’s Device Management documentation,
/// CertificateRoot).
public struct AppleProfile: Sendable {
    /// The file, an XML property list, to be served as `application/x-apple-aspen-config`.
    public let bytes: [UInt8]

    /// Creates a profile. The same authority and names give the same bytes, so that a profile that is installed twice
    /// replaces itself.
    ///
    /// - Parameters:
    ///   - authority: the authority.
    ///   - hubName: the name by which a person knows the hub, such as `linden.local`.
    public init(authority: Authority, hubName: String) {
        let title = "Tandem · \(Self.printable(hubName))"
        let fingerprint = authority.fingerprint
        let (profile, payload) = (Self.uuid("profile", of: fingerprint), Self.uuid("payload", of: fingerprint))
        let root = Profile(
            content: [
                Profile.Payload(
                    content: Data(authority.der), name: authority.name,
                    identifier: "home.tandem.authority.\(payload)", uuid: payload)
            ],
            description: """
                Trusts the hub in your home, for names and addresses of your home network alone. \
                Compare the fingerprint with what the hub shows: \(fingerprint)
                """,
            name: title, identifier: "home.tandem.profile.\(profile)", uuid: profile)
        // PropertyListSerialization knows no type where Foundation is linked into the executable.
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        // Only strings, numbers, data, arrays and dictionaries: a property list can hold each of them.
        bytes = Array((try? encoder.encode(root)) ?? Data())
    }

    /// The property list, with Apple’s keys.
    private struct Profile: Encodable {
        struct Payload: Encodable {
            var fileName = "authority.crt"
            var content: Data
            var description = "Lets this device check that it speaks with your hub."
            var name, identifier: String
            var type = "com.apple.security.root"
            var uuid: String
            var version = 1

            enum CodingKeys: String, CodingKey {
                case fileName = "PayloadCertificateFileName"
                case content = "PayloadContent"
                case description = "PayloadDescription"
                case name = "PayloadDisplayName"
                case identifier = "PayloadIdentifier"
                case type = "PayloadType"
                case uuid = "PayloadUUID"
                case version = "PayloadVersion"
            }
        }

        var content: [Payload]
        var description, name, identifier: String
        var isRemovalDisallowed = false
        var type = "Configuration"
        var uuid: String
        var version = 1

        enum CodingKeys: String, CodingKey {
            case content = "PayloadContent"
            case description = "PayloadDescription"
            case name = "PayloadDisplayName"
            case identifier = "PayloadIdentifier"
            case isRemovalDisallowed = "PayloadRemovalDisallowed"
            case type = "PayloadType"
            case uuid = "PayloadUUID"
            case version = "PayloadVersion"
        }
    }

    /// Text without the characters that XML 1.0 does not allow even escaped (2.2): control characters and two
    /// non-characters.
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
