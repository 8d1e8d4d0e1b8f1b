import Foundation
import GRDB
import Storage

extension APIRequest {
    /// The device whose token comes with the request: as `Authorization: Bearer …` (RFC 6750, 2.1), or where its maker's app
    /// can send no header, in the query. Devices are no callers: a route for one asks here, and is open to ``Access/anyone``.
    ///
    /// - Parameters:
    ///   - kind: of the companion's device.
    ///   - parameter: where in the query the token may stand; nil for nowhere.
    /// - Returns: nil for no token, and for one that is no such device's, or was taken from it.
    public func device(ofKind kind: String, token parameter: QueryParameter? = nil) async throws -> DeviceRecord? {
        guard let token = bearerToken ?? parameter.flatMap({ query($0) }), !token.isEmpty else { return nil }
        let hash = Secret.hash(token)
        return try await hub.database.pool.read { db in
            try DeviceRecord.fetchOne(
                db, sql: "SELECT * FROM device WHERE token_hash = ? AND kind = ? AND removed_at IS NULL",
                arguments: [hash, kind])
        }
    }

    private var bearerToken: String? {
        guard let value = header(.authorization), value.lowercased().hasPrefix("bearer ") else { return nil }
        return value.dropFirst(7).trimmingCharacters(in: .whitespaces)
    }
}
