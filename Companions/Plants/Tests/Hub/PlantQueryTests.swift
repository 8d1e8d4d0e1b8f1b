import Dispatch
import MQTT
import NIOCore
import NIOPosix
import PlantsEngine
import Storage
import Synchronization
import Testing

@testable import HubKit
@testable import PlantsHub

@Suite("What is asked of the database for plants")
struct PlantQueryTests {
    private let hour: Int64 = 3_600_000
    private let app: PlantsTestApp

    init() async throws { app = try await PlantsTestApp() }

    /// A plant that has been watered, with a sensor that has measured for some days, and a second one that has not.
    @discardableResult
    private func watered(_ name: String, waterings: Int = 1, gaps: Int = 0) async throws -> (PlantRecord, DeviceRecord)
    {
        let sensor = try await app.sensor("\(name) 1")
        let plant = try await app.plant(name, sensors: [sensor.id, app.sensor("\(name) 2").id])
        let begin = app.now - 140 * hour
        let curve = PlantsTestApp.curve(
            from: begin, to: app.now, start: 60, perDay: 6,
            waterings: (0..<waterings).map { (at: begin + Int64($0 + 1) * 28 * hour, to: 70) })
        let silences = (0..<gaps).map { begin + Int64($0 * 12 + 3) * hour }
        try await app.store(
            curve.filter { sample in !silences.contains { ($0..<$0 + 5 * hour).contains(sample.at) } }, of: sensor)
        try await app.store([(app.now, 9_000)], quantity: "light", of: sensor)
        return (plant, sensor)
    }

    /// How many queries each of two rounds takes, with more in the database in the second.
    private func counts(_ prepare: [() async throws -> Void], _ work: () async throws -> Void) async throws -> [Int] {
        var counts: [Int] = []
        for prepare in prepare {
            try await prepare()
            counts.append(try await app.queryCount(of: work))
        }
        return counts
    }

    @Test("The list takes as many queries for six plants as for two, though nothing of them is known yet")
    func list() async throws {
        let counts = try await counts([
            { for name in ["Basil", "Fern"] { try await watered(name) } },
            {
                // All are worked out again, as they are every half an hour.
                app.advance(milliseconds: hour)
                for name in ["Ivy", "Palm", "Chilli", "Lemon"] { try await watered(name) }
            },
        ]) {
            let list = try await app.send(.get, "/api/plants")
            #expect(list.status == 200)
            #expect((list["plants"] as? [Any])?.isEmpty == false)
        }
        #expect(counts[0] == counts[1], "\(counts)")
    }

    @Test("A plant whose past is damaged on the disk is shown with what is whole of it, and keeps no other from view")
    func damage() async throws {
        let (damaged, sensor) = try await watered("Basil")
        try await watered("Fern")
        let before = app.now - 72 * hour
        try await app.hub.database.pool.write { db in
            let series = try #require(try db.series(device: sensor.id, quantity: "moisture")).id
            while try db.sealNext(series: series, before: before) != nil {}
            try db.execute(sql: "UPDATE reading_block SET content = x'00'")
            #expect(db.changesCount > 0)
        }
        app.advance(milliseconds: hour)
        let list = try await app.send(.get, "/api/plants")
        #expect(list.status == 200)
        let plants = try #require(list["plants"] as? [[String: Any]])
        #expect(plants.map { $0["name"] as? String } == ["Basil", "Fern"])
        #expect(plants.allSatisfy { $0["moisture"] != nil })
        #expect(try await app.send(.get, "/api/plants/\(damaged.id)").status == 200)
        #expect(app.hub.storage.fault == .damaged)
    }

    /// A plant each, with a sensor.
    private func planted(_ names: [String]) async throws {
        for name in names { _ = try await app.plant(name, sensors: [app.sensor("Soil of \(name)").id]) }
    }

    @Test("“Update plant data” finds the sensors of six plants in as many queries as those of two")
    func update() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let sensors = AnsweringSensors { [app] in app.plants.readingWaiters.note($0, at: app.now) }
        try await loop.submit { [app] in
            app.hub.messages.attach(sensors, loop: loop, forget: { _ in }, revoke: { _ in })
        }.get()
        let asked = Mutex<[Int]>([])
        let counts = try await counts([
            { try await planted(["Basil", "Fern"]) },
            { try await planted(["Ivy", "Palm", "Chilli"]) },
        ]) {
            let answer = try await app.send(.post, "/api/plants/update")
            asked.withLock { $0.append(answer["asked"] as? Int ?? 0) }
        }
        #expect(asked.withLock { $0 } == [2, 5])
        #expect(counts[0] == counts[1], "\(counts)")
    }

    @Test("A chart takes as many queries with eight gaps as with two")
    func gaps() async throws {
        var plant = try await watered("Basil", gaps: 2).0
        let counts = try await counts([{}, { plant = try await watered("Fern", gaps: 8).0 }]) {
            let chart = try await app.send(.get, "/api/plants/\(plant.id)/chart?span=week")
            #expect(chart.status == 200)
        }
        #expect(try await app.chart(plant, .week).gaps.count == 8)
        #expect(counts[0] == counts[1], "\(counts)")
    }

    @Test("A curve with four waterings is searched in as many queries as one with two")
    func search() async throws {
        var (plant, sensor) = try await watered("Basil", waterings: 2)
        let counts = try await counts([
            { try await app.plants.watch.examine(sensor.id, from: 0) },
            {
                (plant, sensor) = try await watered("Fern", waterings: 4)
                try await app.plants.watch.examine(sensor.id, from: 0)
            },
        ]) {
            try await app.plants.watch.examine(sensor.id, from: 0)
        }
        #expect(try await app.waterings(plant).count == 4)
        #expect(counts[0] == counts[1], "\(counts)")
    }

    @Test("No reader of the database is held while the past of plants is worked out", .timeLimit(.minutes(5)))
    func outside() async throws {
        try await watered("Basil")
        let isFree = Mutex<[Bool]>([])
        let observer = PlantObserver { [app] _, _, _, _ in
            isFree.withLock { $0.append(app.isFreeOfReaders()) }
            return .now
        }
        let calendar = try await app.plants.calendar()
        let database = app.hub.database
        let all = try await observer.situations(household: "linden", in: database, calendar)
        #expect(all.map(\.forecast) == [.now])
        observer.forget(all[0].plant)
        _ = try await observer.situation(in: database, calendar) { _ in all[0].plant }
        #expect(isFree.withLock { $0 } == [true, true])
    }

    @Test("A chart waits for its turn among what calculates, with no reader of the database", .timeLimit(.minutes(5)))
    func turns() async throws {
        let (plant, _) = try await watered("Basil")
        let gate = DispatchSemaphore(value: 0)
        let calculations = app.hub.calculations
        let threads = app.hub.settings.calculationLimits.threads
        let occupied = (0..<threads).map { _ in Task { try await calculations.run(for: "tom") { gate.wait() } } }
        let answered = Mutex(false)
        let chart = Task { [app] in
            let chart = try await app.send(.get, "/api/plants/\(plant.id)/chart?span=week")
            answered.withLock { $0 = true }
            return chart.status
        }
        while calculations.waitingCount == 0, !answered.withLock({ $0 }) { await Task.yield() }
        #expect(!answered.withLock { $0 })
        #expect(app.isFreeOfReaders())
        for _ in 0..<threads { gate.signal() }
        for task in occupied { try await task.value }
        #expect(try await chart.value == 200)
    }
}

/// Sensors that answer as soon as they are asked.
private final class AnsweringSensors: MessageOutlet, Sendable {
    private let answer: @Sendable (String) -> Void
    var statistics: ListenerStatistics { ListenerStatistics() }

    init(_ answer: @escaping @Sendable (String) -> Void) { self.answer = answer }

    func publish(topic: String, payload: ByteBuffer, qualityOfService: QualityOfService, retain: Bool) {
        let levels = topic.split(separator: "/")
        if levels.count == 3, levels[2] == "command" { answer(String(levels[1])) }
    }

    func disconnect(_ principal: Principal) {}
    func remove(_ principal: Principal) {}
}
