import BrushingEngine
import Foundation
import HubKit
import Storage
import Testing

@testable import BrushingHub

/// Sessions and states of toothbrushes that the hub hears; their bytes are read by the engine, which has its own vectors.
@Suite("Toothbrushes that are heard")
struct BrushesTests {
    private let app: BrushingTestApp
    private let device: String

    init() async throws {
        app = try await BrushingTestApp()
        device = "brush"
        let (household, now) = (app.household.id, app.now)
        try await app.hub.database.pool.write { db in
            try DeviceRecord(
                id: "brush", household: household, kind: "toothbrush", name: "Red brush", tokenHash: Data(),
                createdAt: now
            ).insert(db)
        }
    }

    /// Nine bytes as oralb-ble documents them: version, type (iO), firmware, state, buttons and pressure, minutes, seconds, mode,
    /// sector.
    private func hear(_ state: UInt8, seconds: Int, sector: UInt8 = 1, isTooHard: Bool = false) async {
        let data: [UInt8] = [
            6, 49, 50, state, isTooHard ? 0x80 : 0, UInt8(seconds / 60), UInt8(seconds % 60), 0, sector,
        ]
        let broadcast = BluetoothBroadcast(
            address: "A4:C1:38:8D:18:B2", name: nil, strength: nil, services: [], manufacturerData: [0xDC: data],
            at: app.now)
        await app.brushing.heard(broadcast, of: device, household: app.household.id)
    }

    /// A brushing of so many seconds, heard every second, and its end.
    private func brush(_ seconds: Int) async {
        for second in 0...seconds {
            await hear(3, seconds: second, sector: UInt8(second / 30 + 1))
            app.advance(milliseconds: 1_000)
        }
        await hear(2, seconds: seconds)
    }

    /// Lets so much pass that what has ended is over.
    private func settle() async {
        app.advance(milliseconds: Brushes.patience + 1)
        await app.brushing.brushes.timePassed()
    }

    private func own(_ person: String) async throws {
        let answer = try await app.send(.put, "/api/brushing/brushes/brush", #"{"person": "\#(person)"}"#)
        #expect(answer.status == 204)
    }

    @Test("What a brush brushed while nobody had the page open is a session of its owner, once")
    func recorded() async throws {
        try await own("mila")
        await brush(120)
        await settle()
        await settle()
        #expect(try await app.count() == 1)
        let row = try await app.hub.database.pool.read { db in
            try #require(
                try ResultRecord.fetchOne(db, sql: "SELECT * FROM brushing_session WHERE person = 'mila'"))
        }
        // Four quarters of 30 s: the routine of Great Teeth (Companions/Brushing/README.md), whole.
        #expect(row.brushMilliseconds == 120_000 && row.isComplete && row.counts)
    }

    @Test(
        "A brushing that was stopped early is one, and one of some seconds is none",
        arguments: [(60, 1), (19, 0), (20, 1)])
    func early(seconds: Int, sessions: Int) async throws {
        try await own("mila")
        await brush(seconds)
        await settle()
        #expect(try await app.count() == sessions)
    }

    @Test("A pause of less than a minute is the same brushing")
    func paused() async throws {
        try await own("mila")
        await brush(40)
        app.advance(milliseconds: 20_000)
        for second in 41...120 {
            await hear(3, seconds: second)
            app.advance(milliseconds: 1_000)
        }
        await hear(2, seconds: 120)
        await settle()
        #expect(try await app.count() == 1)
    }

    @Test("A brush that goes out of reach has ended")
    func silent() async throws {
        try await own("mila")
        for second in 0...50 {
            await hear(3, seconds: second)
            app.advance(milliseconds: 1_000)
        }
        app.advance(milliseconds: OralBSession.silence)
        await app.brushing.brushes.timePassed()
        #expect(await app.brushing.brushes.state(of: device) == nil)
        await settle()
        #expect(try await app.count() == 1)
    }

    @Test("Nobody’s brush counts for nobody, and is shown all the same")
    func nobodys() async throws {
        await hear(3, seconds: 65, sector: 3, isTooHard: true)
        let answer = try await app.send(.get, "/api/brushing/brushes", as: "ines")
        let brushes = try JSONDecoder().decode([BrushResponse].self, from: Data(answer.text.utf8))
        #expect(brushes.map(\.now) == [BrushState(seconds: 65, part: 3, isTooHard: true)])
        #expect(brushes.map(\.person) == [nil])
        await hear(2, seconds: 65)
        await settle()
        #expect(try await app.count() == 0)
    }

    @Test("What the page recorded of the same time is not counted twice")
    func twice() async throws {
        try await own("mila")
        let began = app.now
        await brush(120)
        let page = try BrushingTestApp.recorded("mila", at: began + 3_000, seconds: 100)
        #expect(try await app.deliver(page.encoded()).status == 201)
        await settle()
        #expect(try await app.count() == 1)
    }

    @Test(
        "What the page delivers days later takes the place of what the brush recorded at that time, and of nothing else",
        arguments: [(Int64(3_000), 1), (3_600_000, 2)])
    func late(after: Int64, sessions: Int) async throws {
        try await own("mila")
        let began = app.now
        await brush(120)
        await settle()
        app.advance(milliseconds: 2 * 86_400_000)
        let page = try BrushingTestApp.recorded("mila", at: began + after, seconds: 100)
        #expect(try await app.deliver(page.encoded()).status == 201)
        #expect(try await app.count() == sessions)
        // A session of the page's own is never taken back.
        let again = try BrushingTestApp.recorded("mila", at: began + after + 1_000, id: 2, seconds: 100)
        #expect(try await app.deliver(again.encoded()).status == 201)
        #expect(try await app.count() == sessions + 1)
    }

    @Test("Only an adult decides whose a brush is, of the household’s people and brushes alone")
    func owners() async throws {
        #expect(try await app.send(.put, "/api/brushing/brushes/brush", #"{"person": "mila"}"#, as: nil).status == 401)
        #expect(
            try await app.send(.put, "/api/brushing/brushes/brush", #"{"person": "nobody"}"#).status
                == 422)
        #expect(try await app.send(.put, "/api/brushing/brushes/none", #"{"person": "mila"}"#).status == 404)
        try await own("mila")
        #expect(try await app.send(.put, "/api/brushing/brushes/brush", "{}").status == 204)
        await brush(60)
        await settle()
        #expect(try await app.count() == 0)
    }

    @Test(
        "Bytes that are no toothbrush’s change nothing",
        arguments: [[], [UInt8](repeating: 255, count: 3), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
    func bad(data: [UInt8]) async throws {
        let broadcast = BluetoothBroadcast(
            address: "A4:C1:38:8D:18:B2", name: nil, strength: nil, services: [], manufacturerData: [0xDC: data],
            at: app.now)
        await app.brushing.heard(broadcast, of: device, household: app.household.id)
        #expect(await app.brushing.brushes.state(of: device) == nil)
    }
}
