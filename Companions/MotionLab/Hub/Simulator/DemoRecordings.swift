import Foundation
import GRDB
import HubKit
import MotionLabEngine
import Storage

/// The recordings of a sample household: a ride in a lift by a phone's app, and a pendulum by a page.
struct DemoRecordings: Sendable {
    let lab: MotionLab

    /// The length of each recording, seconds.
    private static let rideSeconds = 80
    private static let swingSeconds: Int64 = 30

    func seed(_ household: HouseholdRecord) async throws {
        let hub = lab.hub
        let now = hub.clock.now()
        guard try await hub.database.pool.read({ db in try StoredRecording.fetchCount(db) }) == 0 else { return }
        let people = try await hub.people(household: household.id)
        let phone = DeviceRecord(
            id: Secret.identifier(length: 8), household: household.id, kind: MotionLab.phoneKind, name: "Pixel",
            tokenHash: Secret.hash(Secret.token()), createdAt: now)
        // An hour ago, and two.
        let pushes = try ride(of: phone, start: (now - 3_600_000) * 1_000)
        let swing = try people.first { $0.role == .child }.map { child in
            (person: child, recording: try Self.swing(of: child, start: (now - 7_200_000) * 1_000))
        }
        try await hub.database.pool.write { db in
            try phone.insert(db)
            for push in pushes { try lab.store(push, of: phone, db) }
            if let swing {
                try SessionStorage(RecordingDefinition()).store(
                    swing.recording, of: swing.person, household, now: now, db)
            }
        }
    }

    private func ride(of phone: DeviceRecord, start: Int64) throws -> [SensorLoggerPush] {
        let ride = LiftRide(seed: 7)
        return try (0..<Self.rideSeconds).map { second in
            let message = ride.message(second: second, start: start, session: "demo")
            return try lab.phones.push(Array(message.utf8), from: phone.id, agent: nil)
        }
    }

    /// A pendulum of half a metre, which swings with a period of 1.42 s and loses a tenth of its swing in ten seconds.
    private static func swing(of person: PersonRecord, start: Int64) throws -> ReadRecording {
        var random = SeededRandom(seed: 7)
        var writer = try RecordingWriter(
            header: RecordingHeader(
                id: SessionOrigin.identifier(of: ["demo", "pendulum", person.id], count: 16),
                person: Array(person.id.utf8), experiment: Array("pendulum".utf8), utcOffsetMinutes: 0,
                startedAt: start,
                streams: [RecordedStream(kind: .gyroscope, source: .genericSensor, claimedMillihertz: 100_000)]))
        for place in 0..<swingSeconds * 100 {
            let seconds = Double(place) / 100
            let rate = 1.5 * exp(-seconds / 95) * sin(2 * Double.pi * seconds / 1.4187)
            writer.add(
                [0, rate + random.normal() * 0.01, random.normal() * 0.01], to: 0, at: start + place * 10_000)
        }
        writer.add(.end(at: start + swingSeconds * 1_000_000))
        return try ReadRecording(writer.takeBytes())
    }
}
