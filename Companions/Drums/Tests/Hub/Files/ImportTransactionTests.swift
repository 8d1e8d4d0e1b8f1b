import Foundation
import GRDB
import Storage
import Synchronization
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("An import leaves the database to others")
struct ImportTransactionTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private static func session(_ number: Int, second: Double = 0) -> [String: Any] {
        [
            "tempo": 120, "level": 1 + number % 3, "song_name": "Song \(number)", "drums": [1, 1, 0, 1],
            "beat_sequence": [1, 0, 1], "hit_sequence": ["0 450 320.00", "", "1 0 3 1450 -1.00"],
            "date": Date(timeIntervalSince1970: 1_461_166_201 + second),
        ]
    }

    private func prepared(_ sessions: [Any]) async throws -> PreparedImport {
        let file = try PropertyListSerialization.data(fromPropertyList: sessions, format: .binary, options: 0)
        return try await SessionImport(Array(file)).prepared(
            for: try await app.person("mila"), app.household, now: app.now, app.hub.database)
    }

    private func store(_ prepared: PreparedImport) async throws -> SessionImport.Report {
        let (person, household) = (try await app.person("mila"), app.household)
        return try await prepared.stored(in: app.hub.database, now: app.now) { _ in (person, household) }
    }

    @Test("All that takes time is done while somebody else writes", .timeLimit(.minutes(5)))
    func whileOthersWrite() async throws {
        let pool = app.hub.database.pool
        let (done, isDone) = AsyncStream.makeStream(of: Void.self)
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let ends = DispatchSemaphore(value: 0)
        let writing = Task {
            try await pool.write { _ in
                hasBegun.yield()
                // Holds the one write transaction until the file is prepared.
                ends.wait()
            }
            isDone.finish()
        }
        for await _ in begun { break }
        let prepared = try await prepared((0..<20).map { Self.session($0) })
        ends.signal()
        for await _ in done {}
        try await writing.value
        #expect(prepared.steps.count { if case .new = $0 { true } else { false } } == 20)
        #expect(try await store(prepared).stored == 20)
    }

    @Test("Others write between one part of it and the next")
    func parts() async throws {
        let prepared = try await prepared((0..<60).map { Self.session($0) })
        let (person, household) = (try await app.person("mila"), app.household)
        let asked = Mutex(0)
        let report = try await prepared.stored(in: app.hub.database, now: app.now) { _ in
            asked.withLock { $0 += 1 }
            return (person, household)
        }
        #expect(report.stored == 60)
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("A file of more sessions than a page waits for is sent to the command")
    func tooMany() async throws {
        let sessions = (0...SessionImport.mostFromPage).map { Self.session($0) }
        let file = try PropertyListSerialization.data(fromPropertyList: sessions, format: .binary, options: 0)
        let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: Array(file))
        #expect(answer.status == 422)
        #expect(answer.detail.contains("tandem import drums"))
    }

    @Test("What came between preparing and storing is here already")
    func between() async throws {
        let first = try await prepared([Self.session(1), Self.session(2)])
        let second = try await prepared([Self.session(1), Self.session(2), Self.session(3)])
        #expect(try await store(first).stored == 2)
        let report = try await store(second)
        #expect(report.stored == 1 && report.again == 2)
        let third = try await store(try await prepared([Self.session(1), Self.session(2), Self.session(3)]))
        #expect(third.stored == 0 && third.again == 3)
    }

    @Test("A session that was played here between the two is not stored again under another id")
    func played() async throws {
        let played = try DrumsTestApp.played("mila", at: app.now - 600_000)
        let file = try SessionDataFile.write([OriginalSession(played)], isBinary: false)
        let prepared = try await SessionImport(Array(file)).prepared(
            for: try await app.person("mila"), app.household, now: app.now, app.hub.database)
        _ = try await app.deliver(played.encoded())
        let report = try await store(prepared)
        #expect(report.stored == 0 && report.again == 1)
        #expect(try await app.count() == 1)
    }

    @Test("The same session twice in a file is one, and refused twice where it is refused")
    func twice() async throws {
        let report = try await store(
            try await prepared([Self.session(1), Self.session(2), Self.session(1, second: 0.25)]))
        #expect(report.stored == 2 && report.again == 1)
        var wrong = Self.session(9)
        wrong["date"] = Date(timeIntervalSince1970: 4_000_000_000)
        let refused = try await store(try await prepared([wrong, wrong]))
        #expect(refused.refused.map(\.session) == [1, 2])
        #expect(Set(refused.refused.map { $0.key }) == ["date"])
    }

    @Test(
        "Hundreds that began in one second are compared with each other, and a day takes so many",
        .timeLimit(.minutes(5)))
    func oneSecond() async throws {
        let sessions = (0..<300).map { Self.session($0) }
        let report = try await store(try await prepared(sessions))
        #expect(report.stored == DrumSessionDefinition.limits.perDay)
        #expect(report.refused.count == 300 - DrumSessionDefinition.limits.perDay)
        let again = try await store(try await prepared(sessions))
        #expect(again.again == DrumSessionDefinition.limits.perDay)
    }
}
