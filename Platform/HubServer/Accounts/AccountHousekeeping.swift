import GRDB
import HubKit
import Logging
import ServiceLifecycle
import Storage

extension Accounts {
    /// Removes what has had its time: sign-ins that nobody has used for months, invitations, addresses, old lines about
    /// wrong passwords.
    ///
    /// - Parameter open: sign-ins that have a page open, which is use.
    /// - Returns: the sign-ins that have ended.
    @discardableResult
    func removeOutdated(open: Set<String> = []) async throws -> Set<String> {
        let now = clock.now()
        let unusedSince = now - limits.unusedSignInMilliseconds
        let failedSince = now - limits.failedSignInMilliseconds
        for kind in GuessLog.Kind.allCases { log.write(kind, now: now) }
        return try await database.pool.write { db in
            for id in open {
                try db.execute(
                    sql: "UPDATE sign_in SET seen_at = ? WHERE id = ? AND seen_at < ?", arguments: [now, id, now])
            }
            let ended = try String.fetchSet(
                db, sql: "SELECT id FROM sign_in WHERE seen_at <= ?", arguments: [unusedSince])
            try db.execute(sql: "DELETE FROM sign_in WHERE seen_at <= ?", arguments: [unusedSince])
            try db.execute(sql: "DELETE FROM known_address WHERE at <= ?", arguments: [unusedSince])
            try db.execute(sql: "DELETE FROM failed_sign_in WHERE last_at <= ?", arguments: [failedSince])
            try db.execute(sql: "DELETE FROM invitation WHERE expires_at <= ?", arguments: [now])
            try db.execute(sql: "DELETE FROM password_reset WHERE expires_at <= ?", arguments: [now])
            return ended
        }
    }
}

/// Tidies accounts up when the hub starts and some times a day, until graceful shutdown.
public struct AccountHousekeeping: Service {
    private let services: HubServices
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Between two times.
    static let pause = Duration.seconds(6 * 3_600)

    /// - Parameter sleep: waits; another than the real one in tests only.
    public init(
        services: HubServices,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.services = services
        self.sleep = sleep
    }

    public func run() async throws {
        let hub = services.hub
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let ended = try await services.accounts.removeOutdated(open: hub.live.signIns())
                    hub.live.end { ended.contains($0.signIn) }
                } catch {
                    hub.log.error("old sign-ins could not be removed", metadata: ["reason": "\(error)"])
                }
                try? await sleep(Self.pause)
            }
        }
    }
}
