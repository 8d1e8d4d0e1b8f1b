import HTTPTypes
import HubKit
import NIOHTTP1

/// The header fields that every answer of the hub carries, whatever part of it wrote the answer. They are put in where
/// answers leave for the connection: `HTTP1AnswerHandler` for HTTP/1.1, `OwnHostHandler` for the rest.
enum SecurityHeaders {
    /// For an answer that says nothing of its own: it is no page, and no page may show it in a frame.
    private static let everywhere = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]

    /// A browser that got this over HTTPS asks the same host over HTTPS alone, for one day from its last visit (RFC 6797).
    ///
    /// It holds for all ports of the host. So it is sent under the host of the hub's own origin alone, which people open
    /// over HTTPS: under `localhost` it would take the plain port from this hub, and from every other program that
    /// somebody develops on the machine; under an address browsers ignore it (8.3). And it takes away the way past a
    /// warning, which is how a phone reaches the hub's certificate after its authority was made anew: hence a day, and
    /// not a year. No `includeSubDomains`: other names are not the hub's.
    static let strictTransport = (name: "Strict-Transport-Security", value: "max-age=86400")

    /// What is there already stays.
    static func add(to headers: inout HTTPHeaders, isStrict: Bool) {
        for (name, value) in everywhere where !headers.contains(name: name) { headers.add(name: name, value: value) }
        if isStrict { headers.replaceOrAdd(name: strictTransport.name, value: strictTransport.value) }
    }

    /// What is there already stays.
    static func add(to headers: inout HTTPFields, isStrict: Bool) {
        for (name, value) in everywhere {
            guard let name = HTTPField.Name(name), headers[name] == nil else { continue }
            headers[name] = value
        }
        if isStrict, let name = HTTPField.Name(strictTransport.name) { headers[name] = strictTransport.value }
    }
}
