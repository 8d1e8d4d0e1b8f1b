import Foundation
import GRDB
import HubKit
import Logging
import MQTT
import NIOCore
import Storage

/// The sign-in of MQTT clients, on the listener's event loop: by the token of a device or an integration, or as a client of
/// an original system.
struct ClientAuthenticator {
    let context: DeviceContext
    let directory: DeviceDirectory
    let loop: any EventLoop

    private var hub: HubContext { context.hub }

    /// Authenticates a client.
    func authenticate(_ attempt: ConnectionAttempt) -> EventLoopFuture<Authentication> {
        guard let name = attempt.userName else { return loop.makeSucceededFuture(anonymous(attempt)) }
        guard attempt.allowsNamed else { return loop.makeSucceededFuture(.refused(.notAuthorized)) }
        let token = String(decoding: attempt.password ?? [], as: UTF8.self)
        return authenticate(name, token, hash: Secret.hash(token), isForPlainDevices: attempt.isForPlainDevices)
    }

    private enum Found: Sendable {
        case device(DeviceRecord)
        case integration(IntegrationRecord)
    }

    private func authenticate(
        _ name: String, _ token: String, hash: Data, isForPlainDevices: Bool
    ) -> EventLoopFuture<Authentication> {
        let began = directory.revocations.count
        let promise = loop.makePromise(of: Found?.self)
        hub.database.pool.asyncRead { result in
            promise.completeWith(
                Result {
                    let db = try result.get()
                    if let device = try DeviceRecord.fetchOne(db, key: name), device.removedAt == nil {
                        return .device(device)
                    }
                    return try IntegrationRecord.fetchOne(db, key: name).map { .integration($0) }
                })
        }
        return promise.futureResult.assumeIsolated().flatMap { found -> EventLoopFuture<Authentication> in
            // Removed, or given another token, while it was being looked up: what was read is what it had before.
            guard !self.directory.revocations.holds(name, since: began) else {
                return self.authenticate(name, token, hash: hash, isForPlainDevices: isForPlainDevices)
            }
            // Whose kind speaks TLS has no token to send in clear there.
            if isForPlainDevices, !self.comesWithoutTLS(found) {
                return self.loop.makeSucceededFuture(.refused(.notAuthorized))
            }
            return self.loop.makeSucceededFuture(self.authentication(of: found, name, token, hash: hash))
        }.flatMapError { error in
            self.hub.log.error("an MQTT sign-in could not be checked", metadata: ["reason": "\(error)"])
            return self.loop.makeSucceededFuture(.refused(.serverUnavailable))
        }.nonisolated()
    }

    private func comesWithoutTLS(_ found: Found?) -> Bool {
        guard case .device(let record) = found, let companion = context.companion(forKind: record.kind) else {
            return false
        }
        return type(of: companion).deviceKinds.contains { $0.name == record.kind && $0.comesWithoutTLS }
    }

    private func authentication(of found: Found?, _ name: String, _ token: String, hash: Data) -> Authentication {
        switch found {
        case .device(let record)
        where Secret.areEqual(record.tokenHash, hash) || self.hub.ephemeralTokens.holds(token, for: name):
            self.directory.know(record)
            return .accepted(.device(id: record.id))
        case .integration(let record) where !record.isReader && Secret.areEqual(record.tokenHash, hash):
            self.directory.know(record)
            return .accepted(.integration(id: record.id))
        default:
            return self.hub.settings.isMQTTOpen ? .accepted(.open) : .refused(.badUserNameOrPassword)
        }
    }

    private func anonymous(_ attempt: ConnectionAttempt) -> Authentication {
        if hub.settings.isMQTTOpen, attempt.allowsNamed { return .accepted(.open) }
        // The original systems know no TLS: whoever comes with it and without a name is none of theirs.
        guard attempt.allowsAnonymous, context.legacy.contains(where: { !$0.protocol.topics.isEmpty }) else {
            return .refused(.notAuthorized)
        }
        return .accepted(.legacy(connection: attempt.connection))
    }
}
