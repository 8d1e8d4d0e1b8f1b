import GRDB
import HubKit
import Logging
import ServiceLifecycle
import Storage

extension Accounts {
    /// Removes what has expired: sign-ins that were not used for months, invitations, addresses, old entries about
    /// wrong passwords.
    ///
    /// - Parameter open: the ids of sign-ins that have a page open, which counts as use.
    /// - Returns: the ids of sign-ins that have ended.
    @discardableResult
    func removeOutdated(open: Set<String> = []) async throws -> Set<String> {
        let now = clock.now()
        let unusedSince = now - limits.unusedSignInMilliseconds
        let failedSince = now - limits.failedSignInMilliseconds
        for kind in GuessLog.Kind.allCases { log.write(kind, now: now) }
        return try await database.pool.write { db in
            for id in open {
                try db.execute(
                    cached: "UPDATE sign_in SET seen_at = ? WHERE id = ? AND seen_at < ?", arguments: [now, id, now])
            }
            let ended = try String.fetchSet(
                db, cached: "SELECT id FROM sign_in WHERE seen_at <= ?", arguments: [unusedSince])
            try db.execute(cached: "DELETE FROM sign_in WHERE seen_at <= ?", arguments: [unusedSince])
            try db.execute(cached: "DELETE FROM known_address WHERE at <= ?", arguments: [unusedSince])
            try db.execute(cached: "DELETE FROM failed_sign_in WHERE last_at <= ?", arguments: [failedSince])
            try db.execute(cached: "DELETE FROM invitation WHERE expires_at <= ?", arguments: [now])
            try db.execute(cached: "DELETE FROM password_reset WHERE expires_at <= ?", arguments: [now])
            return ended
        }
    }
}

/// A service that removes expired data of accounts, when the hub starts and several times a day, until graceful
/// shutdown.
public struct AccountHousekeeping: Service {
    private let hub: HubContext
    private let accounts: Accounts
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The pause between two runs.
    static let pause = Duration.seconds(6 * 3_600)

    /// Creates the service.
    ///
    /// - Parameter sleep: waits for a time; tests replace it.
    public init(
        hub: HubContext, accounts: Accounts,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.hub = hub
        self.accounts = accounts
        self.sleep = sleep
    }

    /// Runs until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let ended = try await accounts.removeOutdated(open: hub.live.signIns())
                    hub.live.end { ended.contains($0.signIn) }
                } catch {
                    hub.log.error("old sign-ins could not be removed", metadata: ["reason": "\(error)"])
                }
                try? await sleep(Self.pause)
            }
        }
    }
}
