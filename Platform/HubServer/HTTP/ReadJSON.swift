import Crypto
import Foundation
import HTTPTypes
import HubKit
import Hummingbird

extension AnyAPIResponse {
    /// The fewest bytes that are worth compressing: what is shorter fits into one packet with its header fields anyway.
    private static let fewestCompressed = 512

    /// The response to a request that reads, by a caller who has signed in. JSON gets an entity tag of its content, by which
    /// a client that has it already is told so and nothing more (RFC 9110, 13.1.2), and is compressed for one that can have
    /// it so. All else is sent as it is: files, pictures and sound have tags and codings of their own.
    ///
    /// It stays `no-store`: a page keeps what it wants to ask for by its tag itself, under the rules by which it forgets.
    /// Why, and why nothing is compressed that is told to strangers or tells a secret, says
    /// docs/adr/0043-what-need-not-travel.md.
    ///
    /// - Parameter asked: the header fields of the request.
    func read(by asked: HTTPFields) -> Response {
        guard status == .ok, let body, type == "application/json", headers[.eTag] == nil,
            headers[.contentEncoding] == nil
        else { return httpResponse }
        var sent = self
        // Weak: plain and compressed are other bytes of the same content (RFC 9110, 8.8.1).
        let digest = Data(SHA256.hash(data: body.readableBytesView)).prefix(16)
        let tag = "W/\"\(Base64URL.text(digest))\""
        sent.headers[.eTag] = tag
        let isLong = body.readableBytes >= Self.fewestCompressed
        if isLong { sent.headers[.vary] = "Accept-Encoding" }
        if asked.holds(tag: tag) {
            sent.status = .notModified
            sent.body = nil
        } else if isLong, asked.accepts(coding: "gzip"), let packed = Gzip.compressed(body),
            packed.readableBytes < body.readableBytes
        {
            sent.headers[.contentEncoding] = "gzip"
            sent.body = packed
        }
        return sent.httpResponse
    }
}
