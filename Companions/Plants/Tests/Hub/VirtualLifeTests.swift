import HubKit
import Storage
import Testing

@testable import PlantsHub

@Suite("A virtual sensor's life")
struct VirtualLifeTests {
    private let day: Int64 = 86_400_000
    private let start: Int64 = 1_794_000_000_000

    private func record(silentFrom: Int64? = nil, caredUntil: Int64? = nil) -> VirtualPlantRecord {
        VirtualPlantRecord(
            device: "d", household: "h", seed: 7, art: .basil, startedAt: start, silentFrom: silentFrom,
            caredUntil: caredUntil, troubledUntil: start)
    }

    @Test(
        "A new virtual plant is well when somebody meets it, and hours later: neither dry nor too wet",
        arguments: PlantArt.allCases)
    func fresh(art: PlantArt) {
        let now: Int64 = 1_795_266_000_000
        let start = now - Plants.virtualPast
        for first in [Int64(1), 1_000, 77_777] {
            var next = first
            let seed = VirtualLife.freshSeed(
                art, limits: art.personality.limits, from: start, to: now, utcOffset: 3_600_000
            ) {
                next += 1
                return next
            }
            var life = VirtualLife(
                VirtualPlantRecord(
                    device: "", household: "", seed: seed, art: art, startedAt: start, caredUntil: now,
                    troubledUntil: now - 86_400_000), pours: [], utcOffset: 3_600_000)
            for hours in [0, 3, 6] as [Int64] {
                _ = life.live(to: now + hours * 3_600_000)
                let said =
                    life.reading(at: now + hours * 3_600_000)?.values.first { $0.quantity == "moisture" }?.value ?? 0
                #expect((art.personality.limits.low...art.personality.limits.high).contains(said), "seed \(seed)")
            }
        }
    }

    @Test("Played again, in other steps, it is the same life")
    func again() {
        var once = VirtualLife(record(), pours: [start + 3 * day], utcOffset: 0)
        var often = VirtualLife(record(), pours: [start + 3 * day], utcOffset: 0)
        let whole = once.live(to: start + 8 * day)
        var parts: [VirtualLife.Message] = []
        for step in 1...80 {
            parts += often.live(to: start + Int64(step) * day / 10)
            _ = often.reading(at: start + Int64(step) * day / 10 + 5_000)
        }
        #expect(whole == parts)
        #expect(whole.count > 700)
    }

    @Test("One that measured while the hub's clock was a year ahead goes on from now when that is right again")
    func clockPutRight() async throws {
        let app = try await PlantsTestApp()
        _ = try await app.send(.post, "/api/plants", #"{"name":"Virtual basil","virtual":true,"sensors":[]}"#)
        let sensor = try #require(try await app.hub.database.pool.read { db in try DeviceRecord.fetchOne(db) })
        try await app.store([(app.now, 40), (app.now + 365 * day, 30)], of: sensor)
        let start = try await VirtualPlayer(device: sensor.id, hub: app.hub).start()
        #expect(start?.newestStored == app.now)
    }

    @Test("Watering makes it moister at once, and the same as if it had always been known")
    func watering() throws {
        let time = start + 6 * day + 60_000
        var dry = VirtualLife(record(caredUntil: start), pours: [], utcOffset: 0)
        _ = dry.live(to: time)
        var wet = dry
        wet.water(at: time)
        let before = try #require(dry.reading(at: time + 300_000)?.values.first { $0.quantity == "moisture" }?.value)
        let after = try #require(wet.reading(at: time + 300_000)?.values.first { $0.quantity == "moisture" }?.value)
        #expect(after > before + 2)
        var replayed = VirtualLife(record(caredUntil: start), pours: [time], utcOffset: 0)
        _ = replayed.live(to: time + day)
        _ = wet.live(to: time + day)
        #expect(replayed.moisturePercent == wet.moisturePercent)
    }

    @Test("A sensor that fell silent says nothing more")
    func silent() {
        var life = VirtualLife(record(silentFrom: start + day), pours: [], utcOffset: 0)
        let messages = life.live(to: start + 2 * day)
        #expect(messages.allSatisfy { $0.at < start + day })
        #expect(life.reading(at: start + 2 * day) == nil)
    }

    @Test("What it publishes is what the hub understands, whole and with its time")
    func payload() throws {
        let message = VirtualLife.Message(at: 1_795_220_639_132, values: [("moisture", 41.5), ("light", 5400)])
        #expect(message.payload == "{\"moisture\":41.5,\"light\":5400,\"at\":1795220639132}")
    }
}
