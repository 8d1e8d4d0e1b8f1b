import Foundation
import GRDB
import HubKit
import Storage

/// The codes by which a toy becomes one of the household's: an adult gets one, and it is redeemed once, within minutes.
enum Pairing {
    /// Makes a code.
    ///
    /// - Parameter name: what the toy will be called.
    static func open(
        name: String, household: String, now: Int64, _ limits: ToyLimits, _ db: Database
    ) throws -> (code: String, expiresAt: Int64) {
        try db.execute(cached: "DELETE FROM toy_pairing WHERE expires_at <= ?", arguments: [now])
        let open =
            try Int.fetchOne(db, cached: "SELECT count(*) FROM toy_pairing WHERE household = ?", arguments: [household])
            ?? 0
        guard open < limits.openPairings else {
            throw Problem(
                .conflict, "Too many codes",
                "There are \(open) codes that no toy has used yet. Use one of them, or wait until they expire.")
        }
        let code = Secret.identifier(length: 8)
        let expiresAt = now + limits.pairingMilliseconds
        try db.execute(
            cached: "INSERT INTO toy_pairing(code_hash, household, name, expires_at) VALUES (?, ?, ?, ?)",
            arguments: [Secret.hash(code), household, name, expiresAt])
        return (code, expiresAt)
    }

    /// Redeems a code: it adds the toy, and removes the code.
    ///
    /// - Parameter code: as it was typed, with or without spaces and in any case.
    /// - Returns: the toy with its token, which is not known again; nil for a code that does not hold.
    static func redeem(
        _ code: String, now: Int64, _ limits: ToyLimits, _ db: Database
    ) throws -> (device: DeviceRecord, token: String)? {
        let hash = Secret.hash(code.lowercased().filter { $0.isLetter || $0.isNumber })
        // A clock that was put back ends what is open for longer than a code ever is.
        guard
            let row = try Row.fetchOne(
                db,
                cached: """
                    DELETE FROM toy_pairing WHERE code_hash = ? AND expires_at > ? AND expires_at <= ?
                    RETURNING household, name
                    """, arguments: [hash, now, now + limits.pairingMilliseconds])
        else { return nil }
        let token = Secret.token()
        let device = DeviceRecord(
            id: Secret.identifier(length: 8), household: row[0], kind: TriviaToy.toyKind, name: row[1],
            tokenHash: Secret.hash(token), createdAt: now)
        try device.insert(db)
        return (device, token)
    }

    /// Makes a code hold again whose toy could not be set up, and removes the toy.
    ///
    /// - Parameters:
    ///   - code: as it was redeemed.
    ///   - id: the toy's.
    ///   - token: the toy's, which nobody else knows.
    /// - Returns: the toy that was removed; nil for one that is not there, or that has been heard already.
    static func giveBack(
        _ code: String, of id: String, token: String, now: Int64, _ limits: ToyLimits, _ db: Database
    ) throws -> DeviceRecord? {
        guard let device = try DeviceRecord.fetchOne(db, key: id), device.removedAt == nil,
            device.kind == TriviaToy.toyKind, Secret.areEqual(device.tokenHash, Secret.hash(token)),
            try ToyStatusRecord.fetchOne(db, key: id) == nil
        else { return nil }
        let hash = Secret.hash(code.lowercased().filter { $0.isLetter || $0.isNumber })
        try db.execute(cached: "DELETE FROM toy_device WHERE device = ?", arguments: [id])
        try device.delete(db)
        try db.execute(
            cached: "INSERT OR IGNORE INTO toy_pairing(code_hash, household, name, expires_at) VALUES (?, ?, ?, ?)",
            arguments: [hash, device.household, device.name, now + limits.pairingMilliseconds])
        return device
    }
}
