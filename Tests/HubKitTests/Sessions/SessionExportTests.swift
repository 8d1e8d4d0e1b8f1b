import Foundation
import GRDB
import HubInstruments
import Storage
import Synchronization
import Testing

@testable import HubKit

@Suite("Sessions are exported by the platform")
struct SessionExportTests {
    private let app: CompanionTestApp<Raw>

    init() async throws { app = try await CompanionTestApp<Raw>() }

    /// Delivers sessions of different days, each with its number in its one byte.
    private func deliver(_ numbers: ClosedRange<UInt8>, of person: String = "mila") async throws {
        for number in numbers {
            let at = app.now - Int64(number) * CompanionTestApp<Raw>.day
            let header = RawSession.header(id: number, person: person, at: at)
            #expect(try await app.deliver(header + [number]).status == 201)
        }
    }

    private func export(pageSessions: Int = 200, pageBytes: Int = 4 << 20) -> SessionExport<RawFormat> {
        var limits = SessionExportLimits()
        (limits.pageSessions, limits.pageBytes) = (pageSessions, pageBytes)
        return SessionExport(app.companion.format, limits: limits)
    }

    @Test("In one query a page, however many sessions there are")
    func queries() async throws {
        var counts: [Int] = []
        for numbers: ClosedRange<UInt8> in [1...2, 3...12] {
            try await deliver(numbers)
            counts.append(
                try await app.queryCount {
                    let ids = try export().sessions(of: "mila", in: app.hub.database) { $0.record.id }
                    #expect(ids.count == Int(numbers.upperBound))
                })
        }
        // That of the sessions, and the empty one behind them.
        #expect(counts == [2, 2])
    }

    @Test("Page for page each session once, the earliest first", arguments: [(1, 4 << 20), (3, 4 << 20), (200, 1)])
    func pages(limits: (sessions: Int, bytes: Int)) async throws {
        try await deliver(1...7)
        try await deliver(8...8, of: "theo")
        let numbers = try export(pageSessions: limits.sessions, pageBytes: limits.bytes)
            .sessions(of: "mila", in: app.hub.database) { $0.session?.recorded.last }
        #expect(numbers == [7, 6, 5, 4, 3, 2, 1])
    }

    @Test("Two that began at once are both in it, with a page between them")
    func sameTime() async throws {
        for id: UInt8 in [2, 1] {
            let header = RawSession.header(id: id, person: "mila", at: app.now - 60_000)
            #expect(try await app.deliver(header + [id]).status == 201)
        }
        let ids = try export(pageSessions: 1).sessions(of: "mila", in: app.hub.database) { $0.session?.recorded.last }
        #expect(ids == [1, 2])
    }

    @Test("No reader of the database waits while one is played through", .timeLimit(.minutes(5)))
    func outside() async throws {
        try await deliver(1...1)
        let isFree = Mutex(false)
        app.companion.format.replay.hook.withLock { hook in
            hook = { [app] in isFree.withLock { $0 = app.isFreeOfReaders() } }
        }
        let count = try export().sessions(of: "mila", in: app.hub.database) { $0.session }.count
        #expect(count == 1)
        #expect(isFree.withLock { $0 })
    }

    @Test("What today’s engine cannot read is in it with its bytes, and one without a result is an error")
    func broken() async throws {
        try await deliver(1...2)
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE session SET content = x'01' WHERE id = '0101010101010101'")
        }
        let mila = try await app.person("mila")
        let (now, database) = (app.now, app.hub.database)
        let file = try export().json(of: mila, app.household, now: now, in: database)
        #expect(
            String(decoding: file, as: UTF8.self) == """
                {
                  "companion" : "raw",
                  "exportedAt" : \(now),
                  "person" : {
                    "id" : "mila",
                    "name" : "Mila",
                    "timeZone" : "Europe/Vienna"
                  },
                  "sessions" : [
                    {
                      "bytes" : "25",
                      "content" : "\(Data(RawSession.header(
                        id: 2, person: "mila", at: now - 2 * CompanionTestApp<Raw>.day) + [2]).base64EncodedString())",
                      "id" : "0202020202020202",
                      "state" : "read"
                    },
                    {
                      "bytes" : "25",
                      "content" : "AQ==",
                      "id" : "0101010101010101",
                      "state" : "unread"
                    }
                  ],
                  "version" : 1
                }

                """)
        try await database.pool.write { db in try db.execute(sql: "DELETE FROM raw_session") }
        #expect(throws: Problem.self) { try export().json(of: mila, app.household, now: now, in: database) }
    }
}
