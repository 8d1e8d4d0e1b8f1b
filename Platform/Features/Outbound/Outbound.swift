import Admission
import AsyncHTTPClient
import Foundation
import GRDB
import HubKit
import Localization
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Storage
import Synchronization
import TLS

/// The client for all requests to other hosts: only to hosts of the policy, over verified TLS, to an address that was
/// looked up once and found public, and counted for the owner.
public final class Outbound: Sendable {
    let policy: OutboundPolicy
    let database: HubDatabase
    let clock: HubClock
    let log: Logger
    private let state: Mutex<State>

    private struct State {
        /// The purposes, in the order in which they were declared.
        var uses: [OutboundUse]
        /// The times of the calls in the last hour, in UTC milliseconds, by purpose.
        var recent: [String: [Int64]] = [:]
    }

    private static let hour: Int64 = 3_600_000
    /// The time for which calls are listed, in days: as long as anything else that the hub stores about requests.
    static let retentionDays: Int64 = 400

    /// Creates the client, which may call push services and what is installed.
    public init(policy: OutboundPolicy, database: HubDatabase, clock: HubClock, log: Logger) {
        self.policy = policy
        self.database = database
        self.clock = clock
        self.log = log
        state = Mutex(State(uses: [policy.push]))
    }

    /// Adds a purpose.
    ///
    /// - Returns: false if there is one with the same name.
    public func install(_ use: OutboundUse) -> Bool {
        state.withLock { state in
            guard !(state.uses + OutboundUse.chosen).contains(where: { $0.purpose == use.purpose }) else {
                return false
            }
            state.uses.append(use)
            return true
        }
    }

    /// The purposes, in the order in which they were declared.
    var uses: [OutboundUse] { state.withLock { $0.uses } }

    private func use(_ purpose: String) throws(OutboundError) -> OutboundUse {
        guard let use = uses.first(where: { $0.purpose == purpose }) else {
            throw .refused(LocalizedText("no companion of this hub declares that it calls anybody for “\(purpose)”"))
        }
        return use
    }

    /// Checks whether a call to an address would be allowed now; nothing is sent. A name that cannot be looked up at
    /// the moment passes: it is looked up again for each call.
    ///
    /// - Throws: `OutboundError.refused`.
    package func check(_ url: String, for purpose: String) async throws(OutboundError) -> OutboundTarget {
        let target = try policy.target(url, for: use(purpose))
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
    package func origin(of url: String, for purpose: String) throws(OutboundError) -> String {
        try policy.target(url, for: use(purpose)).origin
    }

    /// Sends a request to a host that is declared for its purpose, and waits for the response's head and as much of its
    /// body as the declaration allows.
    ///
    /// The host's name is looked up once, and the connection made to exactly that address, so nothing can lead
    /// elsewhere between check and call. Redirects are not followed.
    ///
    /// - Throws: `OutboundError`, or `CancellationError`.
    public func send(_ call: OutboundCall) async throws -> OutboundAnswer {
        let use = try use(call.purpose)
        return try await send(call, to: try policy.target(call.url, for: use), for: use)
    }

    func send(_ call: OutboundCall, to target: OutboundTarget, for use: OutboundUse) async throws -> OutboundAnswer {
        let addresses = try await addresses(of: target, household: call.household, purpose: use.purpose)
        try takeTurn(use)
        let bytes = call.body.count
        do {
            let answer = try await connect(call, target, addresses, answerBytes: use.answerBytes)
            try await count(call, target, bytes: bytes, status: answer.status)
            return answer
        } catch let error as OutboundError {
            try await count(call, target, bytes: bytes, status: nil)
            throw error
        } catch let error as CancellationError {
            // In a task of its own: the one that was given up writes nothing any more.
            try await Task { try await count(call, target, bytes: bytes, status: nil) }.value
            throw error
        }
    }

    /// The household's calls of the last 400 days, one record for each host, purpose and day, the latest first.
    public func calls(household: String) async throws -> [OutboundCallRecord] {
        try await database.pool.read { db in
            try OutboundCallRecord.fetchAll(
                db,
                cached: "SELECT * FROM outbound_call WHERE household = ? ORDER BY day DESC, host, purpose LIMIT 500",
                arguments: [household])
        }
    }

    /// The addresses to connect to. A name that is not found is counted as a call without an answer: whoever answers for names
    /// was asked, though nobody else.
    func addresses(of target: OutboundTarget, household: String, purpose: String) async throws -> [IPAddress] {
        do throws(OutboundError) {
            return try await policy.addresses(of: target)
        } catch {
            if case .unreachable = error {
                try await count(household: household, purpose: purpose, target, bytes: 0, status: nil)
            }
            throw error
        }
    }

    func takeTurn(_ use: OutboundUse) throws(OutboundError) {
        let now = clock.now()
        let wait = state.withLock { state -> Int? in
            var calls = state.recent[use.purpose] ?? []
            defer { state.recent[use.purpose] = calls }
            calls.removeAll { now - $0 >= Self.hour || $0 > now }
            guard calls.count >= use.callsAnHour, let oldest = calls.first else {
                calls.append(now)
                return nil
            }
            return Int((Self.hour - (now - oldest)) / 1000) + 1
        }
        if let wait { throw .tooMany(retryAfterSeconds: wait) }
    }

    private func connect(
        _ call: OutboundCall, _ target: OutboundTarget, _ addresses: [IPAddress], answerBytes: Int
    ) async throws -> OutboundAnswer {
        for address in addresses.dropLast() {
            do {
                return try await exchange(call, target, address, answerBytes: answerBytes)
            } catch let error where Self.isBeforeRequest(error) {
                log.debug("no connection; trying the other family of addresses", metadata: ["host": "\(target.host)"])
            } catch {
                throw try Self.words(error, target)
            }
        }
        do {
            return try await exchange(call, target, addresses[addresses.count - 1], answerBytes: answerBytes)
        } catch {
            throw try Self.words(error, target)
        }
    }

    private func exchange(
        _ call: OutboundCall, _ target: OutboundTarget, _ address: IPAddress, answerBytes: Int
    ) async throws -> OutboundAnswer {
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
                try await withinPatience {
                    try await Self.send(call, target, client, connections, answerBytes: answerBytes)
                })
        } catch {
            answer = .failure(error)
        }
        connections.abort()
        try? await client.shutdown()
        return try answer.get()
    }

    private static func send(
        _ call: OutboundCall, _ target: OutboundTarget, _ client: HTTPClient, _ connections: CallConnections,
        answerBytes: Int
    ) async throws -> OutboundAnswer {
        var request = HTTPClientRequest(url: target.url)
        request.method = call.method == .get ? .GET : .POST
        for (name, value) in call.headers { request.headers.replaceOrAdd(name: name, value: value) }
        if call.method == .post { request.body = .bytes(ByteBuffer(bytes: call.body)) }
        let response = try await client.execute(request, deadline: .distantFuture)
        var body: [UInt8] = []
        var isWhole = true
        for try await part in response.body {
            body.append(contentsOf: part.readableBytesView.prefix(answerBytes - body.count))
            if body.count >= answerBytes {
                // Before the client hears that nobody reads on, and says good-bye to who still talks.
                connections.abort()
                isWhole = false
                break
            }
        }
        return OutboundAnswer(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"),
            date: response.headers.first(name: "Date"), body: body, isWhole: isWhole)
    }

    private struct OutOfPatience: Error {}

    /// Ends work that takes longer than the policy allows, wherever it hangs.
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

    /// Whether an error occurred before anything was sent.
    static func isBeforeRequest(_ error: any Error) -> Bool {
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

    private func count(_ call: OutboundCall, _ target: OutboundTarget, bytes: Int, status: Int?) async throws {
        try await count(household: call.household, purpose: call.purpose, target, bytes: bytes, status: status)
    }

    func count(household: String, purpose: String, _ target: OutboundTarget, bytes: Int, status: Int?) async throws {
        let now = clock.now()
        try await database.pool.write { db in
            let zone = try String.fetchOne(
                db, cached: "SELECT time_zone FROM household WHERE id = ?", arguments: [household])
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
                    household, target.host, purpose, Self.day(of: now, zone: zone),
                    bytes, status, now,
                ])
            try db.execute(
                cached: "DELETE FROM outbound_call WHERE household = ? AND day < ?",
                arguments: [household, Self.day(of: now - Self.retentionDays * 24 * Self.hour, zone: zone)])
        }
    }

    /// The household's calendar day, such as `2026-11-21`.
    private static func day(of milliseconds: Int64, zone: String) -> String {
        var style = Date.ISO8601FormatStyle().year().month().day().dateSeparator(.dash)
        style.timeZone = TimeZone(identifier: zone) ?? .gmt
        return Date(milliseconds: milliseconds).formatted(style)
    }
}
