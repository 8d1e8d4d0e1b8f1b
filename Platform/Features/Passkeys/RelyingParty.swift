import Admission
import Foundation
import HubKit
import Localization

/// The name and origin by which a browser has opened the hub, where passkeys are possible.
///
/// A passkey belongs to one name, and browsers make and use it on a secure page alone. The name is the very one that the page
/// has, which is one that the hub answers to: a passkey of `linden.local` is for no other name of the same hub.
struct RelyingParty: Sendable, Equatable {
    /// The reason why no passkey is possible at an address.
    enum Obstacle: Error, Equatable {
        /// The page was opened by an address in digits.
        case number
        /// The page is not secure.
        case insecure
    }

    /// The name, such as `linden.local`.
    let id: String
    /// The origin of its pages, such as `https://linden.local:8443`.
    let origin: String

    /// Finds the name by which a request came.
    init(_ source: RequestSource) throws(Obstacle) {
        guard let parts = source.host.flatMap({ URLComponents(string: "//\($0)") }), let host = parts.host else {
            throw .number
        }
        let name = host.lowercased()
        guard !name.isEmpty, !name.hasPrefix("["), IPAddress(name) == nil else { throw .number }
        // Browsers take this machine's own page for a secure one (Secure Contexts, 3.1).
        guard source.isSecure || name == "localhost" || name.hasSuffix(".localhost") else { throw .insecure }
        id = name
        let usual = source.isSecure ? 443 : 80
        let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        origin = "\(source.isSecure ? "https" : "http")://\(name)\(port)"
    }
}

extension RelyingParty.Obstacle {
    /// The reason in words, with what to do.
    ///
    /// - Parameter home: the hub's address with a name, if it has one.
    func words(home: String?) -> LocalizedText {
        switch (self, home) {
        case (.number, let home?):
            LocalizedText(
                "A passkey belongs to a name, and this page was opened by a number. Open the hub at \(home): there you can make one."
            )
        case (.insecure, let home?):
            LocalizedText(
                "Browsers make passkeys on secure pages only, and this one is not. Open the hub at \(home): there you can make one."
            )
        case (.number, nil):
            LocalizedText(
                "A passkey belongs to a name, and this page was opened by a number. Start the hub with --lan, then open it at its name."
            )
        case (.insecure, nil):
            LocalizedText(
                "Browsers make passkeys on secure pages only, and this one is not. Start the hub with --lan, or put a proxy with HTTPS before it."
            )
        }
    }

    /// The hub's address at which passkeys are possible; nil if it has none that it knows of.
    static func home(_ settings: HubSettings) -> String? {
        guard let origin = settings.origin, let parts = URLComponents(string: origin), let host = parts.host,
            parts.scheme?.lowercased() == "https", !host.hasPrefix("["), IPAddress(host) == nil
        else { return nil }
        return origin
    }
}
