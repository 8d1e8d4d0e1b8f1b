import HTTPTypes
import HubKit

/// The route that writes down what waits on a device, in a cookie that outlives the disk of its page.
///
/// WebKit empties what a page's script wrote, cookies as well as databases, once nobody was there for seven days; it keeps
/// what a server set in an answer.
struct WaitingRoutes: Sendable {
    /// The lifetime of the cookie: as long as browsers keep one (RFC 6265bis, 5.5).
    private static let seconds = 400 * 86_400
    /// The most things that are counted.
    private static let most = 100_000

    private struct WaitingBody: Decodable {
        /// The scheme and the port of the page, such as `https8443`: a cookie is of a host with all its ports.
        var here: String
        /// The number of things that wait.
        var count: Int
        /// The time at which the last was noted, UTC milliseconds.
        var at: Int64
    }

    func add(to routes: Routes) {
        routes.on(
            .put, "/api/waiting", .anyone,
            "Has this browser remember, in a cookie, how many things wait on it for the hub, and since when. The hub keeps nothing of it.",
            takes: WaitingBody.self, isCounted: false
        ) { request, body in
            guard Self.isPlace(body.here), (1...Self.most).contains(body.count), body.at >= 0 else {
                throw Problem(
                    .badRequest, "Not understood", "Say which page this is, how many things wait, and since when.")
            }
            return APIResponse.nothing.setting(
                .setCookie,
                "tandem-waiting-\(body.here)=\(body.count).\(body.at); Path=/; Max-Age=\(Self.seconds); SameSite=Strict"
                    + (request.source.isSecure ? "; Secure" : ""))
        }
    }

    /// Whether a text is `http` or `https` and a port, or none: it becomes a part of a cookie's name.
    private static func isPlace(_ text: String) -> Bool {
        guard text.hasPrefix("http") else { return false }
        let port = text.dropFirst(text.hasPrefix("https") ? 5 : 4)
        return port.utf8.count <= 5 && port.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}
