import AsyncHTTPClient
import Foundation
import GRDB
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Storage
import Synchronization
import TLS

/// Everything that the hub says beyond the house goes through here: to hosts of the one policy, over TLS that is
/// verified, to an address that was looked up once and found public, and counted for the owner.
public final class Outbound: Sendable {
    private let policy: OutboundPolicy
    private let database: HubDatabase
    private let clock: HubClock
    private let log: Logger
    /// When the calls of the last hour were made, UTC milliseconds.
    private let recent = Mutex<[Int64]>([])

    private static let hour: Int64 = 3_600_000
    /// How long the list of calls goes back: as long as anything that the hub keeps of requests.
    static let keptDays: Int64 = 400

    init(policy: OutboundPolicy, database: HubDatabase, clock: HubClock, log: Logger) {
        self.policy = policy
        self.database = database
        self.clock = clock
        self.log = log
    }

    /// Whether a call to an address would be allowed now; nothing is sent. A name that cannot be looked up at the
    /// moment is let pass: it is looked up again for each call.
    ///
    /// - Throws: `OutboundError.refused`.
    func check(_ url: String) async throws(OutboundError) -> OutboundTarget {
        let target = try policy.target(url)
        do {
            _ = try await policy.addresses(of: target)
        } catch {
            guard case .unreachable = error else { throw error }
        }
        return target
    }

    /// The origin of an address that the policy allows, such as `https://fcm.googleapis.com`.
    ///
    /// - Throws: `OutboundError.refused`.
    func origin(of url: String) throws(OutboundError) -> String { try policy.target(url).origin }

    /// Posts bytes, and waits for the answer's head and the beginning of its body.
    ///
    /// The host's name is looked up once, and the connection made to that very address: between the check and the call
    /// nothing can lead elsewhere. Redirects are answers like others, and followed by nobody.
    ///
    /// - Throws: `OutboundError`, or `CancellationError`.
    func post(_ call: OutboundCall) async throws -> OutboundAnswer {
        let target = try policy.target(call.url)
        let addresses = try await policy.addresses(of: target)
        try takeTurn()
        do {
            let answer = try await connect(call, target, addresses)
            try await count(call, target, status: answer.status)
            return answer
        } catch let error as OutboundError {
            try await count(call, target, status: nil)
            throw error
        }
    }

    /// The household's calls of the last 400 days, a line for each host, purpose and day, the latest first.
    public func calls(household: String) async throws -> [OutboundCallRecord] {
        try await database.pool.read { db in
            try OutboundCallRecord.fetchAll(
                db,
                sql: "SELECT * FROM outbound_call WHERE household = ? ORDER BY day DESC, host, purpose LIMIT 500",
                arguments: [household])
        }
    }

    private func takeTurn() throws(OutboundError) {
        let now = clock.now()
        let wait = recent.withLock { calls -> Int? in
            calls.removeAll { now - $0 >= Self.hour || $0 > now }
            guard calls.count >= policy.callsAnHour, let oldest = calls.first else {
                calls.append(now)
                return nil
            }
            return Int((Self.hour - (now - oldest)) / 1000) + 1
        }
        if let wait { throw .tooMany(retryAfterSeconds: wait) }
    }

    private func connect(_ call: OutboundCall, _ target: OutboundTarget, _ addresses: [IPAddress]) async throws
        -> OutboundAnswer
    {
        for address in addresses.dropLast() {
            do {
                return try await exchange(call, target, address)
            } catch let error where Self.isBeforeRequest(error) {
                log.debug("no connection; trying the other family of addresses", metadata: ["host": "\(target.host)"])
            } catch {
                throw try Self.words(error, target)
            }
        }
        do {
            return try await exchange(call, target, addresses[addresses.count - 1])
        } catch {
            throw try Self.words(error, target)
        }
    }

    private func exchange(_ call: OutboundCall, _ target: OutboundTarget, _ address: IPAddress) async throws
        -> OutboundAnswer
    {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = .fullVerification
        tls.trustRoots = policy.trust
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)),
            proxy: nil, decompression: .disabled)
        configuration.dnsOverride = [target.host: address.description]
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        let connections = CallConnections()
        configuration.http1_1ConnectionDebugInitializer = { connections.watch($0) }
        // A client for each call: the next one looks the name up anew, and no connection outlives its reason.
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answer: Result<OutboundAnswer, any Error>
        do {
            answer = .success(
                try await withinPatience { [policy] in
                    try await Self.send(call, target, client, policy, connections)
                })
        } catch {
            answer = .failure(error)
        }
        connections.abort()
        try? await client.shutdown()
        return try answer.get()
    }

    private static func send(
        _ call: OutboundCall, _ target: OutboundTarget, _ client: HTTPClient, _ policy: OutboundPolicy,
        _ connections: CallConnections
    ) async throws -> OutboundAnswer {
        var request = HTTPClientRequest(url: target.url)
        request.method = .POST
        for (name, value) in call.headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: call.body))
        let response = try await client.execute(request, deadline: .distantFuture)
        var length = 0
        for try await part in response.body {
            length += part.readableBytes
            if length >= policy.answerBytes {
                // Before the client hears that nobody reads on, and says good-bye to who still talks.
                connections.abort()
                break
            }
        }
        return OutboundAnswer(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"))
    }

    private struct OutOfPatience: Error {}

    /// Ends what takes longer than the policy waits, wherever it hangs.
    private func withinPatience(_ work: @escaping @Sendable () async throws -> OutboundAnswer) async throws
        -> OutboundAnswer
    {
        let patience = policy.patience
        return try await withThrowingTaskGroup(of: OutboundAnswer.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: patience)
                throw OutOfPatience()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Whether the error says that nobody has heard anything yet.
    private static func isBeforeRequest(_ error: any Error) -> Bool {
        if let error = error as? HTTPClientError { return error == .connectTimeout }
        guard let error = error as? IOError else { return error is NIOConnectionError }
        return [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, ETIMEDOUT, EAFNOSUPPORT]
            .contains(error.errnoCode)
    }

    private static func words(_ error: any Error, _ target: OutboundTarget) throws -> OutboundError {
        if Task.isCancelled { throw CancellationError() }
        if error is OutOfPatience { return .unreachable("\(target.host) did not answer in time") }
        if isBeforeRequest(error) { return .unreachable("\(target.host) could not be reached") }
        if error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError {
            return .unreachable("\(target.host) has no certificate that this machine trusts")
        }
        return .unreachable("\(target.host) broke the connection off")
    }

    private func count(_ call: OutboundCall, _ target: OutboundTarget, status: Int?) async throws {
        let now = clock.now()
        try await database.pool.write { db in
            let zone = try String.fetchOne(
                db, sql: "SELECT time_zone FROM household WHERE id = ?", arguments: [call.household])
            // The household has gone, and its list with it.
            guard let zone else { return }
            try db.execute(
                sql: """
                    INSERT INTO outbound_call(household, host, purpose, day, calls, bytes, last_status, last_at)
                    VALUES (?, ?, ?, ?, 1, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET calls = calls + 1, bytes = bytes + excluded.bytes,
                        last_status = excluded.last_status, last_at = excluded.last_at
                    """,
                arguments: [
                    call.household, target.host, call.purpose.rawValue, Self.day(of: now, zone: zone),
                    call.body.count, status, now,
                ])
            try db.execute(
                sql: "DELETE FROM outbound_call WHERE household = ? AND day < ?",
                arguments: [call.household, Self.day(of: now - Self.keptDays * 24 * Self.hour, zone: zone)])
        }
    }

    /// The household's calendar day, such as `2026-11-21`.
    private static func day(of milliseconds: Int64, zone: String) -> String {
        var style = Date.ISO8601FormatStyle().year().month().day().dateSeparator(.dash)
        style.timeZone = TimeZone(identifier: zone) ?? .gmt
        return Date(milliseconds: milliseconds).formatted(style)
    }
}

/// Something to be said to a host beyond the house.
struct OutboundCall: Sendable {
    /// Why the hub calls, which the owner's list repeats.
    enum Purpose: String, Sendable {
        /// A notification for a phone, by its browser's push service.
        case push
    }

    var household: String
    var url: String
    var purpose: Purpose
    var headers: [(String, String)]
    var body: [UInt8]
}

/// What came back. The body's text is the other side's own and of no use here.
struct OutboundAnswer: Sendable {
    var status: Int
    /// The header as it came: seconds or a date (RFC 9110, 10.2.3).
    var retryAfter: String?
}
