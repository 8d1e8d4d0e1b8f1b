import HTTPTypes
import HubKit
import NIOHTTP1

/// The header fields that every response of the hub has, whoever wrote it. They are added where responses leave: by
/// `HTTP1AnswerHandler` for HTTP/1.1, by `OwnHostHandler` for the rest.
enum SecurityHeaders {
    /// The defaults for a response without its own: it is not a page, and no page may show it in a frame.
    private static let everywhere = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]

    /// A browser that received this over HTTPS uses only HTTPS for the same host, for one day from its last visit (RFC
    /// 6797).
    ///
    /// It applies to all ports of the host. So it is sent only under the host of the hub's own origin, which people
    /// open over HTTPS: under `localhost` it would block the plain port of this hub, and of every other program that is
    /// developed on the machine; under an address browsers ignore it (8.3). And it removes the way past a warning, by
    /// which a phone reaches the hub's certificate after its authority was replaced: hence a day, and not a year. No
    /// `includeSubDomains`, since other names are not the hub's.
    static let strictTransport = (name: "Strict-Transport-Security", value: "max-age=86400")

    /// Adds the fields; existing ones stay.
    static func add(to headers: inout HTTPHeaders, isStrict: Bool) {
        for (name, value) in everywhere where !headers.contains(name: name) { headers.add(name: name, value: value) }
        if isStrict { headers.replaceOrAdd(name: strictTransport.name, value: strictTransport.value) }
    }

    /// Adds the fields; existing ones stay.
    static func add(to headers: inout HTTPFields, isStrict: Bool) {
        for (name, value) in everywhere {
            guard let name = HTTPField.Name(name), headers[name] == nil else { continue }
            headers[name] = value
        }
        if isStrict, let name = HTTPField.Name(strictTransport.name) { headers[name] = strictTransport.value }
    }
}
