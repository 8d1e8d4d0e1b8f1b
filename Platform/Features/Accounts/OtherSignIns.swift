import GRDB
import HubKit
import Storage

/// The sign-ins of an account on other devices.
extension Accounts {
    /// Ends the sign-ins of the caller's account but the caller's own; their tokens are invalid from then on.
    ///
    /// - Returns: the ids of sign-ins that have ended.
    func endOthers(of member: Member) async throws -> Set<String> {
        try await database.pool.write { db in
            let ended = try String.fetchSet(
                db, cached: "SELECT id FROM sign_in WHERE person = ? AND id <> ?",
                arguments: [member.person.id, member.signIn])
            try db.execute(
                cached: "DELETE FROM sign_in WHERE person = ? AND id <> ?",
                arguments: [member.person.id, member.signIn])
            return ended
        }
    }
}
