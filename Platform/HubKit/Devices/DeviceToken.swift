import Foundation
import GRDB
import Storage

extension APIRequest {
    /// The device whose token the request carries, as `Authorization: Bearer …` (RFC 6750, 2.1) or, for a maker's app
    /// that cannot send headers, in the query. A device is not a ``Caller``: a route for devices has ``Access/anyone``
    /// and calls this.
    ///
    /// - Parameters:
    ///   - kind: the name of the companion's kind of device.
    ///   - parameter: the query parameter that may carry the token; nil for the header alone.
    /// - Returns: nil if there is no token, or it is not the token of such a device.
    public func device(ofKind kind: String, token parameter: QueryParameter? = nil) async throws -> DeviceRecord? {
        guard let token = bearerToken ?? parameter.flatMap({ query($0) }), !token.isEmpty else { return nil }
        let hash = Secret.hash(token)
        return try await hub.database.pool.read { db in
            try DeviceRecord.fetchOne(
                db, cached: "SELECT * FROM device WHERE token_hash = ? AND kind = ? AND removed_at IS NULL",
                arguments: [hash, kind])
        }
    }

    private var bearerToken: String? {
        guard let value = header(.authorization), value.lowercased().hasPrefix("bearer ") else { return nil }
        return value.dropFirst(7).trimmingCharacters(in: .whitespaces)
    }
}
