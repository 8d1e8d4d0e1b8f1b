import Foundation
import HubInstruments
import HubKit
import MotionLabEngine
import Storage
import Testing

@testable import MotionLabHub

@Suite("A simulated ride in a lift")
struct LiftRideTests {
    @Test("It leaves and comes to rest where it should, and its height is what its acceleration adds up to")
    func motion() {
        var (height, speed) = (0.0, 0.0)
        let step = 0.001
        for place in 0..<Int(2 * LiftRide.period / step) {
            let state = LiftRide.state(atSeconds: (Double(place) + 0.5) * step)
            height += speed * step + state.acceleration / 2 * step * step
            speed += state.acceleration * step
            #expect(abs(height - state.height) < 0.01)
        }
        #expect(abs(height) < 0.01 && abs(speed) < 0.001)
        #expect(LiftRide.state(atSeconds: 20).height == LiftRide.metres)
    }

    @Test("What a hub makes of a phone's messages is four floors by the barometer, and 1 g at rest by the other sensor")
    func measured() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let ride = LiftRide(seed: 3)
        for second in 0..<21 {
            let message = ride.message(second: second, start: app.now * 1_000, session: "ride")
            #expect(try await phone.push(message).status == 200)
        }
        let recording = try #require(try await app.hub.database.pool.read { db in try StoredRecording.fetchOne(db) })
        #expect(recording.samples == 21 * (LiftRide.hertz + LiftRide.pressureHertz))
        let read = try await app.hub.database.pool.read { db in try StoredSamples(recording, db) }.read()
        let pressures = try #require(read.series.first { $0.kind == .barometer }).axes[0]
        var altitude = RelativeAltitude()
        for pressure in pressures.prefix(20) { altitude.add(SensorKind.barometer.value(pressure)) }
        // The last second, at the top.
        let top = pressures.suffix(5).compactMap { pressure in
            altitude.reference.flatMap {
                Altitude.metres(pressure: SensorKind.barometer.value(pressure), reference: $0)
            }
        }
        #expect(abs((RobustStatistics(top)?.median ?? 0) - LiftRide.metres) < 0.5)
        let felt = try #require(read.series.first { $0.kind == .accelerometer }).axes[2].prefix(200)
        let median = RobustStatistics(felt.map { SensorKind.accelerometer.value($0) })?.median ?? 0
        #expect(abs(median - 1) < 0.002)
    }

    @Test("A sample household has a ride and a pendulum, once, and the pendulum's period is that of half a metre")
    func demo() async throws {
        let app = try await LabTestApp()
        for _ in 0..<2 { try await app.companion.seedDemo(household: app.household) }
        let list = try await app.send(.get, "/api/lab/recordings")
        let origins = (list["recordings"] as? [[String: Any]])?.compactMap { $0["origin"] as? String }
        #expect(origins == ["push", "page"])
        #expect(list["recordings", "0", "findings"] as? [String] == [])
        let recording = try #require(
            try await app.hub.database.pool.read { db in
                try StoredRecording.fetchOne(db, sql: "SELECT * FROM lab_recording WHERE origin = 'page'")
            })
        let series = try await app.hub.database.pool.read { db in try StoredSamples(recording, db) }.read().series[0]
        let period = try #require(
            OscillationPeriod(times: series.times, values: series.axes[1].map { series.kind.value($0) }))
        let gravity = try #require(PendulumGravity(period: period, length: 0.5))
        #expect(abs(gravity.metresPerSecondSquared - 9.81) < 0.1)
    }
}
