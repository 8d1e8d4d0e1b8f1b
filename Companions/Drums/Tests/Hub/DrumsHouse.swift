import DrumsEngine
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Storage
import Synchronization
import Testing
import Wire

@testable import DrumsHub
@testable import HubKit

/// A hub with the Drums companion on a real SQLite file, the Lindens in it, and a clock that the test moves.
final class DrumsHouse: Sendable {
    /// Saturday, 21 November 2026, 14:00 in Vienna.
    static let start: Int64 = 1_795_266_000_000
    static let day: Int64 = 86_400_000

    let hub: Hub
    let drums: Drums
    let household: HouseholdRecord
    let folder: URL
    private let time: Time
    private let responder: RouterResponder<HubRequestContext>
    private let channel: any Channel
    private let tokens: [String: String]

    private final class Time: Sendable {
        let now = Mutex<Int64>(DrumsHouse.start)
    }

    /// Ines and Tom are adults and each have a phone; Mila and Theo are their children.
    ///
    /// - Parameter log: what the hub logs; nobody reads it without.
    init(
        now: Int64 = DrumsHouse.start,
        log: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tandem-\(UUID().uuidString)")
        let data = try DataFolder(path: folder.path)
        let time = Time()
        time.now.withLock { $0 = now }
        self.time = time
        var settings = HubSettings(dataFolder: folder.path)
        settings.passwordCost = .low
        hub = Hub(
            database: try HubDatabase(path: data.databasePath, migrations: Drums.migrations),
            settings: settings, clock: HubClock { time.now.withLock { $0 } }, log: log)
        let household = HouseholdRecord(id: "linden", name: "Linden", timeZone: "Europe/Vienna", createdAt: 1)
        let people = [
            ("ines", "Ines", PersonRecord.Role.adult), ("tom", "Tom", .adult), ("mila", "Mila", .child),
            ("theo", "Theo", .child),
        ].enumerated().map { index, one in
            PersonRecord(
                id: one.0, household: "linden", name: one.1, role: one.2,
                email: one.2 == .adult ? "\(one.0)@example.org" : nil, createdAt: Int64(index + 1))
        }
        self.household = household
        try await hub.database.pool.write { db in
            try household.insert(db)
            for person in people { try person.insert(db) }
        }
        var tokens: [String: String] = [:]
        for person in people where person.role == .adult {
            tokens[person.id] = try await hub.accounts.signIn(person, agent: "test").token
        }
        self.tokens = tokens
        let house = try await House(hub: hub, companions: [Drums.self])
        drums = try #require(house.companions.first as? Drums)
        responder = HubServer(house: house, web: nil).router().buildResponder()
        // A request context wants a channel; this one has no other end.
        channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit {
        channel.close(promise: nil)
        try? FileManager.default.removeItem(at: folder)
    }

    var now: Int64 { hub.clock.now() }

    func advance(milliseconds: Int64) { time.now.withLock { $0 += milliseconds } }

    func person(_ id: String) async throws -> PersonRecord {
        let found = try await hub.database.pool.read { db in try PersonRecord.fetchOne(db, key: id) }
        guard let found else { throw Problem.notFound("person") }
        return found
    }

    /// Says who uses the phone of `account`, and whether the family shares it.
    func use(_ account: String, profile: String, isShared: Bool = false) async throws {
        try await hub.database.pool.write { db in
            try db.execute(
                sql: "UPDATE sign_in SET profile = ?, is_shared = ? WHERE person = ?",
                arguments: [profile, isShared, account])
        }
    }

    // MARK: Requests

    struct Answer: Sendable {
        var status: Int
        var headers: HTTPFields
        var text: String

        /// A value of the answer's object, by its path; a number is the place in an array.
        subscript(path: String...) -> Any? {
            var value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            for key in path {
                if let array = value as? [Any], let index = Int(key) {
                    value = array.indices.contains(index) ? array[index] : nil
                } else {
                    value = (value as? [String: Any])?[key]
                }
            }
            return value
        }

        /// The words of a problem.
        var detail: String { self["detail"] as? String ?? "" }
    }

    /// - Parameter account: whose phone it is; nil for nobody's.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, bytes: [UInt8]? = nil,
        as account: String? = "ines", headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let account, let token = tokens[account] { fields[.authorization] = "Bearer \(token)" }
        for (name, value) in headers { fields[HTTPField.Name(name)!] = value }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost:8080", path: path, headerFields: fields)
        let content = bytes.map { ByteBuffer(bytes: $0) } ?? ByteBuffer(string: body ?? "")
        let request = Request(head: head, body: .init(buffer: content))
        let context = HubRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: hub.log))
        let response = try await responder.respond(to: request, context: context)
        let written = Written()
        try await response.body.write(Writer(written: written))
        return Answer(
            status: response.status.code, headers: response.headers,
            text: String(buffer: written.bytes.withLock { $0 }))
    }

    /// Delivers a session.
    func deliver(_ bytes: [UInt8], as account: String? = "ines", key: String? = nil) async throws -> Answer {
        try await send(
            .post, "/api/drums/sessions", bytes: bytes, as: account,
            headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    }

    func count(_ table: String = "session") async throws -> Int {
        try await hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    // MARK: Sessions

    /// Sixteen beats of half a second, each hit, at 120 a minute.
    static let chart = Chart(
        stepsPerBeat: 1, tempo: [TempoChange(step: 0, microsecondsPerBeat: 500_000)],
        steps: Array(repeating: true, count: 16))

    static func setup(
        _ person: String, id: UInt8 = 1, link: LinkKind = .bluetooth, chart: Chart = DrumsHouse.chart,
        mode: PlayMode = .wait, title: String = "Ode to Joy", utcOffsetMinutes: Int16 = 60
    ) -> SessionSetup {
        var bytes = [UInt8](repeating: 7, count: 16)
        bytes[0] = id
        for (index, byte) in person.utf8.prefix(6).enumerated() { bytes[1 + index] = byte }
        return SessionSetup(
            id: bytes, person: Array(person.utf8), utcOffsetMinutes: utcOffsetMinutes, songID: Array("ode-to-joy".utf8),
            songTitle: Array(title.utf8), chart: chart, level: .two, mode: mode, hands: .both, drums: .all, seed: 42,
            link: link, countInBeats: 0, window: TimingWindow(centreMilliseconds: 0, halfMilliseconds: 200),
            leadMilliseconds: 600, stop: StopRules())
    }

    /// A session as a page records it, a kit answering after 400 ms and a little more each time.
    ///
    /// - Parameters:
    ///   - beats: so many are answered; the song has 16.
    ///   - isFinished: whether the page tells that it is over.
    ///   - more: what happens after the last of them, given the session and the page's clock.
    static func played(
        _ person: String, at: Int64, beats: Int = 16, setup: SessionSetup? = nil, isFinished: Bool = true,
        more: (inout DrumSession, Int64) -> Void = { _, _ in }
    ) throws -> DrumSession {
        var session = try DrumSession(setup: setup ?? self.setup(person))
        var now: Int64 = 1_000_000
        _ = session.handle(.start(wall: at), atMicroseconds: now)
        go(on: &session, beats: beats, from: &now)
        more(&session, now)
        if isFinished {
            now += 200_000
            _ = session.handle(.finish, atMicroseconds: now)
        }
        return session
    }

    /// Answers until so many beats of the song are done.
    static func go(on session: inout DrumSession, beats: Int, from now: inout Int64) {
        for _ in 0..<20_000 {
            let view = session.view
            guard view.beatsDone < beats, session.end == nil else { return }
            guard let step = view.cueStep, let drum = view.cueDrum, !view.isCueShown else {
                now += 10_000
                _ = session.handle(.tick, atMicroseconds: now)
                continue
            }
            _ = session.handle(.cueShown(step: step), atMicroseconds: now)
            let milliseconds = 400 + 7 * step
            let wrong = step % 5 == 3 ? "\((drum.rawValue + 1) % 4) " : ""
            let force = drum == .red ? "3.20" : "-1.00"
            now += Int64(milliseconds) * 1_000 + 18_000
            let text = Array("\(wrong)\(drum.rawValue) \(milliseconds) \(force)".utf8)
            _ = session.handle(.message(text + [0]), atMicroseconds: now)
            _ = session.handle(.message(Array("END".utf8)), atMicroseconds: now)
        }
    }

    /// When a clock in Vienna shows this, UTC milliseconds.
    static func vienna(_ date: String, _ hour: Int32, _ minute: Int32 = 0) throws -> Int64 {
        guard let day = CivilDate(date)?.day, let zone = TimeZone(identifier: "Europe/Vienna") else {
            throw Problem.notFound("day")
        }
        return LocalCalendar(timeZone: zone).instant(day: day, minute: hour * 60 + minute)
    }
}

private final class Written: Sendable { let bytes = Mutex(ByteBuffer()) }

private struct Writer: ResponseBodyWriter {
    let written: Written

    mutating func write(_ buffer: ByteBuffer) async throws {
        written.bytes.withLock { bytes in
            var buffer = buffer
            bytes.writeBuffer(&buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension DrumsHouse {
    /// Bytes with the checksum that belongs to them.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 4 else { return bytes }
        var sealed = Array(bytes.dropLast(4))
        sealed.append(littleEndian: crc32(sealed[...]))
        return sealed
    }
}
