import Foundation
import HubKit

/// Where a request carries its token: a header, never the URL.
enum Credentials {
    /// Over plain HTTP, which reaches no farther than this machine.
    static let plainCookie = "tandem_session"
    /// Over HTTPS. Browsers take a name with this prefix only from a secure page of this very host (RFC 6265bis, 4.1.3.2),
    /// so that no plain page in the network can plant somebody else's sign-in.
    static let secureCookie = "__Host-tandem_session"

    /// - Parameters:
    ///   - cookies: the values of all `Cookie` headers.
    ///   - isSecure: whether the request came over HTTPS, where the plain cookie is not believed.
    static func token(authorization: String?, cookies: [String], isSecure: Bool) -> String? {
        if let authorization, authorization.lowercased().hasPrefix("bearer ") {
            let token = String(authorization.dropFirst(7)).trimmingCharacters(in: .whitespaces)
            // A token has one character at least (RFC 6750, 2.1).
            return token.isEmpty ? nil : token
        }
        // Browsers send what a secure page of this machine was given to its plain pages too.
        return (isSecure ? [secureCookie] : [plainCookie, secureCookie]).lazy
            .compactMap { value(of: $0, in: cookies) }.first
    }

    /// The token in the cookie that this kind of page is given, which may be given again: that of a secure page is not
    /// handed to a plain one.
    static func ownCookie(cookies: [String], isSecure: Bool) -> String? {
        value(of: isSecure ? secureCookie : plainCookie, in: cookies)
    }

    private static func value(of name: String, in cookies: [String]) -> String? {
        cookies.flatMap { $0.split(separator: ";") }.map {
            $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        }.first { $0.count == 2 && $0[0] == name }?[1]
    }

    /// The value of `Set-Cookie` that keeps a token.
    ///
    /// - Parameter maximumAgeSeconds: from now; as long as a sign-in lasts that is not used.
    static func setCookie(_ token: String, maximumAgeSeconds: Int, isSecure: Bool) -> String {
        cookie(token, maximumAgeSeconds: maximumAgeSeconds, isSecure: isSecure)
    }

    /// The value of `Set-Cookie` that forgets it.
    static func clearCookie(isSecure: Bool) -> String { cookie("", maximumAgeSeconds: 0, isSecure: isSecure) }

    private static func cookie(_ value: String, maximumAgeSeconds: Int, isSecure: Bool) -> String {
        "\(isSecure ? secureCookie : plainCookie)=\(value); Path=/; Max-Age=\(maximumAgeSeconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
