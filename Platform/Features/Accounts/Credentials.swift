import Foundation
import HubKit

/// The token of a request, in a header and never in the URL.
public enum Credentials {
    /// The name of the cookie over plain HTTP, which only this machine can use.
    public static let plainCookie = "tandem_session"
    /// The name of the cookie over HTTPS. Browsers accept a name with this prefix only from a secure page of the same
    /// host (RFC 6265bis, 4.1.3.2), so no plain page in the network can plant another sign-in.
    public static let secureCookie = "__Host-tandem_session"

    /// The token of a request; nil without one.
    ///
    /// - Parameters:
    ///   - authorization: the `Authorization` header.
    ///   - cookies: the values of all `Cookie` headers.
    ///   - isSecure: whether the request used HTTPS, where the plain cookie is ignored.
    public static func token(authorization: String?, cookies: [String], isSecure: Bool) -> String? {
        if let authorization, authorization.lowercased().hasPrefix("bearer ") {
            let token = String(authorization.dropFirst(7)).trimmingCharacters(in: .whitespaces)
            // A token has one character at least (RFC 6750, 2.1).
            return token.isEmpty ? nil : token
        }
        // Browsers send what a secure page of this machine was given to its plain pages too.
        return (isSecure ? [secureCookie] : [plainCookie, secureCookie]).lazy
            .compactMap { value(of: $0, in: cookies) }.first
    }

    /// The token in the cookie of this kind of page, which may be set again: a secure page's token is never given to a
    /// plain page.
    static func ownCookie(cookies: [String], isSecure: Bool) -> String? {
        value(of: isSecure ? secureCookie : plainCookie, in: cookies)
    }

    private static func value(of name: String, in cookies: [String]) -> String? {
        cookies.flatMap { $0.split(separator: ";") }.map {
            $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        }.first { $0.count == 2 && $0[0] == name }?[1]
    }

    /// The value of `Set-Cookie` that stores a token.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - maximumAgeSeconds: the lifetime from now; that of an unused sign-in.
    ///   - isSecure: whether the request used HTTPS.
    static func setCookie(_ token: String, maximumAgeSeconds: Int, isSecure: Bool) -> String {
        cookie(token, maximumAgeSeconds: maximumAgeSeconds, isSecure: isSecure)
    }

    /// The value of `Set-Cookie` that deletes the token.
    static func clearCookie(isSecure: Bool) -> String { cookie("", maximumAgeSeconds: 0, isSecure: isSecure) }

    private static func cookie(_ value: String, maximumAgeSeconds: Int, isSecure: Bool) -> String {
        "\(isSecure ? secureCookie : plainCookie)=\(value); Path=/; Max-Age=\(maximumAgeSeconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
