import Foundation
import HubKit
import MQTT
import TLS

/// The broker of the house that the hub is a client of.
struct BrokerSettings: Codable, Sendable, Equatable {
    /// The host name or address.
    var host: String
    /// The port.
    var port: Int
    /// Whether the connection is encrypted.
    var isTLS: Bool
    /// The name to sign in with; nil for none.
    var user: String?
    /// The password. A secret, which no page gets back.
    var password: String?
    /// The certificate of the authority to trust, PEM; nil for those that the machine trusts.
    var authority: String?
    /// The SHA-256 of the broker's certificate, 64 hexadecimal digits, instead of an authority.
    var fingerprint: String?
    /// Whether to speak MQTT 5.0, or 3.1.1.
    var isVersion5: Bool
    /// The topic filters that the hub may subscribe to.
    var filters: [String]

    /// The filters that hold where nobody has chosen any: of these it hears only announcements, and the topics that they name.
    static let allFilters = ["#"]

    /// Reads an address, such as `mqtts://user:password@homeassistant.local:8883`.
    ///
    /// - Throws: a 422 problem about the field `url`, in words.
    init(url text: String) throws(Problem) {
        guard let parts = URLComponents(string: text.trimmingCharacters(in: .whitespaces)),
            let scheme = parts.scheme?.lowercased(), ["mqtt", "mqtts"].contains(scheme),
            let host = parts.host, !host.isEmpty, parts.path.isEmpty || parts.path == "/", parts.query == nil
        else {
            throw .field(
                "url", "The broker’s address looks like mqtt://homeassistant.local or mqtts://192.168.1.5:8883.")
        }
        guard host.utf8.count <= 253 else { throw .field("url", "This host name is too long.") }
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        isTLS = scheme == "mqtts"
        port = parts.port ?? (isTLS ? 8_883 : 1_883)
        guard (1...65_535).contains(port) else { throw .field("url", "A port is a number from 1 to 65,535.") }
        user = parts.user
        password = parts.password
        isVersion5 = true
        filters = Self.allFilters
    }

    /// The address without name and password, for people.
    var url: String { "\(isTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// The trust in the broker's certificate; nil without TLS.
    ///
    /// - Throws: an error for an authority or a fingerprint that is none.
    func trust() throws -> ServerTrust? {
        guard isTLS else { return nil }
        return try ServerTrust(host: host, authority: authority, fingerprint: fingerprint)
    }

    /// Whether a text is a topic filter.
    static func isFilter(_ text: String) -> Bool { (try? TopicFilter(text)) != nil }

    /// Whether the hub may subscribe to a topic or filter.
    func allows(_ filter: String) -> Bool {
        guard let wanted = try? TopicFilter(filter) else { return false }
        return filters.contains { (try? TopicFilter($0))?.covers(wanted) ?? false }
    }
}
