/// The protocol of a client, by its first bytes.
enum FirstBytes: Equatable {
    /// The bytes are too few to decide.
    case undecided
    /// A TLS record of type handshake; the rest may still be invalid.
    case tls
    /// A request of HTTP/1 without encryption.
    case plainHTTP
    case neither

    /// The first byte of every TLS connection (RFC 8446, 5.1: ContentType handshake).
    private static let handshake: UInt8 = 22

    /// The methods of RFC 9110, 9.1, and PATCH (RFC 5789), each with the space that follows it.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"].map {
        Array("\($0) ".utf8)
    }

    /// Recognises the protocol.
    ///
    /// - Parameter bytes: the first bytes; eight always suffice.
    init(_ bytes: some Collection<UInt8>) {
        guard let first = bytes.first else {
            self = .undecided
            return
        }
        if first == Self.handshake {
            self = .tls
        } else if Self.methods.contains(where: { bytes.starts(with: $0) }) {
            self = .plainHTTP
        } else if Self.methods.contains(where: { $0.starts(with: bytes) }) {
            self = .undecided
        } else {
            self = .neither
        }
    }
}
