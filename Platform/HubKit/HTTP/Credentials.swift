import Foundation

/// Where a request carries its token: a header, never the URL.
enum Credentials {
    /// Over plain HTTP, which reaches no farther than this machine.
    static let plainCookie = "tandem_session"
    /// Over HTTPS. Browsers take a name with this prefix only from a secure page of this very host (RFC 6265bis, 4.1.3.2),
    /// so that no plain page in the network can plant somebody else's sign-in.
    static let secureCookie = "__Host-tandem_session"
    /// A year: whoever signed in stays signed in until they sign out.
    private static let maximumAgeSeconds = 365 * 24 * 3600

    /// - Parameters:
    ///   - cookies: the values of all `Cookie` headers.
    ///   - isSecure: whether the request came over HTTPS, where the plain cookie is not believed.
    static func token(authorization: String?, cookies: [String], isSecure: Bool) -> String? {
        if let authorization, authorization.lowercased().hasPrefix("bearer ") {
            return String(authorization.dropFirst(7)).trimmingCharacters(in: .whitespaces)
        }
        let pairs = cookies.flatMap { $0.split(separator: ";") }.map {
            $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        // Browsers send what a secure page of this machine was given to its plain pages too.
        for name in isSecure ? [secureCookie] : [plainCookie, secureCookie] {
            if let pair = pairs.first(where: { $0.count == 2 && $0[0] == name }) { return pair[1] }
        }
        return nil
    }

    /// The value of `Set-Cookie` that keeps a token.
    static func setCookie(_ token: String, isSecure: Bool) -> String {
        cookie(token, maximumAgeSeconds: maximumAgeSeconds, isSecure: isSecure)
    }

    /// The value of `Set-Cookie` that forgets it.
    static func clearCookie(isSecure: Bool) -> String { cookie("", maximumAgeSeconds: 0, isSecure: isSecure) }

    private static func cookie(_ value: String, maximumAgeSeconds: Int, isSecure: Bool) -> String {
        "\(isSecure ? secureCookie : plainCookie)=\(value); Path=/; Max-Age=\(maximumAgeSeconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
