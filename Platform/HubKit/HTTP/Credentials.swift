import Foundation

/// Where a request carries its token: a header, never the URL.
enum Credentials {
    static let cookie = "tandem_session"
    /// A year: whoever signed in stays signed in until they sign out.
    private static let maximumAgeSeconds = 365 * 24 * 3600

    static func token(authorization: String?, cookies: [String]) -> String? {
        if let authorization, authorization.lowercased().hasPrefix("bearer ") {
            return String(authorization.dropFirst(7)).trimmingCharacters(in: .whitespaces)
        }
        for pair in cookies.flatMap({ $0.split(separator: ";") }) {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0] == cookie { return parts[1] }
        }
        return nil
    }

    static func setCookie(_ token: String) -> String {
        "\(cookie)=\(token); Path=/; Max-Age=\(maximumAgeSeconds); HttpOnly; SameSite=Strict"
    }

    static let clearCookie = "\(cookie)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
}
