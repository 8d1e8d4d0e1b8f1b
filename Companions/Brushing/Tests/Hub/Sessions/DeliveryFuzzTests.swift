import Foundation
import GRDB
import HubKit
import TestInstruments
import Testing
import Wire

@testable import BrushingEngine
@testable import BrushingHub

/// Sessions that no page makes, through the route: whatever their clocks show, the hub answers, and goes on answering.
@Suite("Any session is answered")
struct DeliveryFuzzTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    private typealias Event = (kind: SessionInput, wall: Int64, monotonic: Int64)

    private static let noted: [Int64] = [
        .min, .min + 1, -1, 0, 1, 500, 1_800_001, 86_400_001, 1_451_606_400_000, .max / 1_000, .max - 499, .max,
    ]

    /// A session's bytes, from events as they are given.
    private func body(_ events: [Event], _ person: String, id: UInt64, offset: Int16) -> [UInt8] {
        var bytes: [UInt8] = [0x54, 0x42, 0x52, 1, 1, 0]
        for _ in 0..<2 { bytes.append(littleEndian: Int64(bitPattern: id)) }
        bytes.append(UInt8(person.utf8.count))
        bytes += Array(person.utf8)
        bytes.append(littleEndian: offset)
        bytes += Routine.original.bytes
        for event in events {
            bytes.append(event.kind.rawValue)
            bytes.append(littleEndian: event.wall)
            bytes.append(littleEndian: event.monotonic)
            if event.kind == .finish { bytes += [UInt8](repeating: 0x7F, count: 12) + [3] }
        }
        return bytes
    }

    private func deliver(_ body: [UInt8]) async throws -> BrushingTestApp.Answer {
        let answer = try await app.deliver(body)
        #expect([200, 201, 409, 413, 422].contains(answer.status), "\(answer.text)")
        return answer
    }

    /// Everything that is made of what is stored.
    private func expectAnswers() async throws {
        var paths = ["/api/brushing", "/api/brushing/people/mila/history"]
        paths += Statistics.Span.allCases.map { "/api/brushing/people/mila/statistics?by=\($0.rawValue)" }
        let ids = try await app.hub.database.pool.read { db in try String.fetchAll(db, sql: "SELECT id FROM session")
        }
        paths += ids.map { "/api/brushing/sessions/\($0)" }
        for path in paths {
            let answer = try await app.send(.get, path)
            #expect(answer.status == 200, "\(path): \(answer.text)")
        }
        let text = try ExportSessionsCommand.json(of: "Mila", now: app.now, in: app.hub.database)
        #expect(!text.isEmpty)
    }

    @Test("A pause that ends when no clock goes on is a pause of a day")
    func endlessPause() async throws {
        let at = app.now - 3_600_000
        let answer = try await deliver(
            body([(.start, at, 0), (.pause, at, 0), (.resume, at, .max)], "mila", id: 1, offset: 60))
        #expect(answer.status == 201)
        #expect(answer["pausedSeconds"] as? Int == 86_400)
        #expect(answer["endedAt"] as? Int64 == at + 86_400_000)
        try await expectAnswers()
    }

    @Test(
        "Whole seconds are counted of any number",
        arguments: [
            (0, 0), (499, 0), (500, 1), (1_499, 1), (.max, .max / 1_000 + 1), (.min, .min / 1_000),
        ] as [(Int64, Int64)])
    func seconds(milliseconds: Int64, seconds: Int64) {
        #expect(BrushingSessionResponse.seconds(milliseconds) == seconds)
    }

    @Test("Clocks may show anything", .timeLimit(.minutes(5)), arguments: SessionPropertyTests.seeds)
    func clocks(seed: UInt64) async throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var stored = 0
        for id in 1...80 {
            let start =
                Bool.random(using: &random) ? app.now - Int64.random(in: 0...3_000_000_000, using: &random) : nil
            func clock() -> Int64 {
                Self.noted.randomElement(using: &random).map { Bool.random(using: &random) ? $0 : (start ?? $0) } ?? 0
            }
            // In order by the clock that is never set, so that it is not all refused.
            let monotonic = (0..<Int.random(in: 1...8, using: &random)).map { _ in clock() }.sorted()
            let events = monotonic.enumerated().map { index, monotonic -> Event in
                let kinds: [SessionInput] = [.tick, .pause, .resume, .pause, .resume, .skip, .opened, .stop, .finish]
                let kind = index == 0 ? .start : kinds.randomElement(using: &random) ?? .tick
                return (kind, index == 0 ? start ?? clock() : clock(), monotonic)
            }
            let offset = Int16.random(in: -1_080...1_080, using: &random)
            let answer = try await deliver(body(events, "mila", id: UInt64(id), offset: offset))
            if answer.status == 201 { stored += 1 }
        }
        #expect(stored > 10)
        try await expectAnswers()
    }

    @Test(
        "Bytes that were changed are answered", .timeLimit(.minutes(5)),
        arguments: SessionPropertyTests.seeds)
    func mutated(seed: UInt64) async throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for id in 1...100 {
            let at = app.now - Int64.random(in: 0...3_000_000_000, using: &random)
            let events: [Event] = [
                (.start, at, 0), (.pause, at, 20_000), (.resume, at, 30_000), (.skip, at, 40_000),
                (.opened, at + 60_000, 5), (.finish, at, 90_000),
            ]
            var bytes = body(events, "mila", id: UInt64(id), offset: 60)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Beyond the id and the name, where it would be nobody's.
                let place = Int.random(in: 27..<bytes.count, using: &random)
                switch Int.random(in: 0...9, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            _ = try await deliver(bytes)
        }
        try await expectAnswers()
    }
}
