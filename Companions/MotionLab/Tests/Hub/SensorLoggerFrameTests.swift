import Foundation
import HubInstruments
import HubKit
import MotionLabEngine
import Storage
import Testing

@testable import MotionLabHub

@Suite("Units and signs of what Sensor Logger sends")
struct SensorLoggerFrameTests {
    private typealias Messages = LoggerMessages

    @Test("The phone's system is learned from what it sends, and remembered: its signs and units are right")
    func systems() async throws {
        let app = try await LabTestApp()
        let (iPhone, pixel) = (try await LabTestPhone(app), try await LabTestPhone(app, name: "Pixel"))
        let gravity = [Messages.reading("gravity", 0, "\"x\":0,\"y\":0,\"z\":-9.80665")]
        let agent = ["User-Agent": "SensorLogger/1 CFNetwork/1485 Darwin/23.1.0"]
        #expect(try await iPhone.push(Messages.message(1, gravity), headers: agent).status == 200)
        let later = [Messages.reading("gravity", 20_000_000, "\"x\":0,\"y\":0,\"z\":-9.80665")]
        #expect(try await iPhone.push(Messages.message(2, later)).status == 200)
        #expect(try await pixel.push(Messages.message(1, Messages.atRest(from: 0, count: 2))).status == 200)
        for (phone, sensor) in [(iPhone, SensorKind.gravity), (pixel, .accelerometer)] {
            let values = try await app.hub.database.pool.read { db in
                var values: [Int64] = []
                let stream = try #require(try db.stream("\(sensor.name)", device: phone.device.id))
                try db.forEachBlock(stream: stream, from: 0, to: .max) { values += $0.axes[2] }
                return values
            }
            #expect(values == [10_000, 10_000], "\(sensor)")
        }
    }

    private func values(_ kind: SensorKind, of phone: LabTestPhone, _ app: LabTestApp) async throws -> [Int64] {
        try await app.hub.database.pool.read { db in
            var values: [Int64] = []
            let stream = try #require(try db.stream("\(kind.name)", device: phone.device.id))
            try db.forEachBlock(stream: stream, from: 0, to: .max) { values += $0.axes[2] }
            return values
        }
    }

    /// Gravity and what else there is, each message a hundredth of a second after the one before.
    private func gravity(_ number: Int, _ z: String, _ more: (String, String)?, times: Int64 = 1) -> String {
        let at = Int64(number) * 10_000_000
        var readings = [Messages.reading("gravity", at, "\"x\":0,\"y\":0,\"z\":\(z)")]
        for place in 0..<times {
            if let more { readings.append(Messages.reading(more.0, at + place * 100_000, more.1)) }
        }
        return Messages.message(number, readings)
    }

    private static let flat = ("orientation", "\"qw\":0.7071,\"qx\":0,\"qy\":0,\"qz\":0.7071")
    private static let iPhoneAgent = ["User-Agent": "SensorLogger/1 CFNetwork/1485 Darwin/23.1.0"]

    // COORDINATES.md and CROSSPLATFORM.md: on its back a phone has -z on iOS, +z on Android and with standardised units;
    // UNITS.md: the uncalibrated acceleration of iOS alone is in g. So 1 g in the lab's frame, whenever it is proved.
    @Test(
        "A recording has one frame: what its messages prove later puts right what was stored, and nothing turns it again",
        arguments: [
            // Over MQTT nothing says that it is an iPhone, until its uncalibrated acceleration is in g.
            (
                ["-9.80665", "-9.80665"], ("accelerometerUncalibrated", "\"x\":0,\"y\":0,\"z\":-1"),
                nil
            ),
            // An iPhone by its agent, whose units are standardised: the orientation says that the screen looks up.
            (["9.80665", "9.80665"], flat, iPhoneAgent),
            // Android by nothing, proved late.
            (["9.80665", "9.80665"], ("totalacceleration", "\"x\":0,\"y\":0,\"z\":9.80665"), iPhoneAgent),
            (["-9.80665", "-9.80665"], flat, nil),
        ] as [([String], (String, String), [String: String]?)])
    func oneFrame(first: [String], proof: (String, String), agent: [String: String]?) async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let headers = agent ?? [:]
        for (number, z) in first.enumerated() {
            #expect(try await phone.push(gravity(number, z, nil), headers: headers).status == 200)
        }
        #expect(try await phone.push(gravity(2, first[0], proof, times: 10), headers: headers).status == 200)
        #expect(try await values(.gravity, of: phone, app) == [10_000, 10_000, 10_000])
        // No message without a proof, and none that seems to prove the opposite, turns the sign within it.
        #expect(try await phone.push(gravity(3, first[0], nil)).status == 200)
        let opposite = first[0].hasPrefix("-") ? "9.80665" : "-9.80665"
        #expect(try await phone.push(gravity(4, opposite, Self.flat), headers: headers).status == 200)
        #expect(try await values(.gravity, of: phone, app) == [10_000, 10_000, 10_000, 10_000, -10_000])
        // The next recording begins with what was proved.
        let next = Messages.message(
            0, [Messages.reading("gravity", 9_000_000_000, "\"x\":0,\"y\":0,\"z\":\(opposite)")], session: "next")
        #expect(try await phone.push(next).status == 200)
        #expect(try await values(.gravity, of: phone, app).last == 10_000)
    }

    // An iPhone on its back, which has gravity at -z (COORDINATES.md): 1 g in the lab's frame, whatever each message was
    // taken to be as it was read.
    @Test(
        "In whatever order messages are stored, a recording has one frame, and what is proved stays so",
        arguments: [[0, 1, 2, 3], [3, 0, 1, 2], [0, 3, 1, 2], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]])
    func anyOrder(order: [Int]) async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let frames: [Phones.Frame] = [
            .init(source: .sensorLoggerAndroid, isGuess: true), .init(source: .sensorLoggerIOS, isGuess: true),
            .init(source: .sensorLoggerAndroid, isGuess: true), .init(source: .sensorLoggerIOS, isGuess: false),
        ]
        func store(_ number: Int, _ frame: Phones.Frame) async throws {
            let message = try SensorLoggerMessage.decode(Array(gravity(number, "-9.80665", nil).utf8).span)
            let push = SensorLoggerPush(message, session: "one", frame: frame, isRepeated: false, missing: 0)
            try await app.hub.database.pool.write { db in try app.companion.store(push, of: phone.device, db) }
        }
        for number in order { try await store(number, frames[number]) }
        #expect(try await values(.gravity, of: phone, app) == [10_000, 10_000, 10_000, 10_000])
        // Another proof changes nothing of what was right, and neither does one of the opposite.
        try await store(4, frames[3])
        try await store(5, .init(source: .sensorLoggerAndroid, isGuess: false))
        #expect(try await values(.gravity, of: phone, app) == Array(repeating: 10_000, count: 6))
        let id = StoredRecording.id(ofPush: "one", from: phone.device.id)
        let stored = try await app.hub.database.pool.read { db in
            try StoredRecording.find(id, household: "linden", db)
        }
        #expect(stored?.frame == .init(source: .sensorLoggerIOS, isGuess: false))
    }

    @Test("Of two guesses the first holds for the recording, until one is proved")
    func guesses() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        for (number, source) in [SensorSource.sensorLoggerIOS, .sensorLoggerAndroid].enumerated() {
            let message = try SensorLoggerMessage.decode(Array(gravity(number, "-9.80665", nil).utf8).span)
            let push = SensorLoggerPush(
                message, session: "one", frame: .init(source: source, isGuess: true), isRepeated: false, missing: 0)
            try await app.hub.database.pool.write { db in try app.companion.store(push, of: phone.device, db) }
        }
        #expect(try await values(.gravity, of: phone, app) == [10_000, 10_000])
    }

    @Test("A hub that was started anew in the middle of a recording goes on in its frame")
    func frameAfterStart() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        #expect(try await phone.push(gravity(0, "-9.80665", nil), headers: Self.iPhoneAgent).status == 200)
        let phones = try await Phones(app.hub)
        let push = try phones.push(Array(gravity(1, "-9.80665", nil).utf8), from: phone.device.id, agent: nil)
        #expect(push.source == .sensorLoggerIOS && push.isGuess)
        #expect(push.blocks.first { $0.kind == .gravity }?.block.axes[2] == [10_000])
    }

    @Test(
        "An orientation proves the frame but where the phone stands on its edge, or does not fit",
        arguments: [
            ("\"qw\":1,\"qx\":0,\"qy\":0,\"qz\":0", "-9.80665", SensorSource.sensorLoggerIOS),
            // On its face: turned by half a turn about y.
            ("\"qw\":0,\"qx\":0,\"qy\":1,\"qz\":0", "9.80665", .sensorLoggerIOS),
            ("\"qw\":0,\"qx\":0,\"qy\":1,\"qz\":0", "-9.80665", .sensorLoggerAndroid),
            // On its edge, half in the air, and something else.
            ("\"qw\":0.7071,\"qx\":0.7071,\"qy\":0,\"qz\":0", "-0.1", nil),
            ("\"qw\":1,\"qx\":0,\"qy\":0,\"qz\":0", "2", nil),
        ] as [(String, String, SensorSource?)])
    func orientation(quaternion: String, z: String, source: SensorSource?) throws {
        let message = try SensorLoggerMessage.decode(
            Array(gravity(0, z, ("orientation", quaternion)).utf8).span)
        #expect(message.likelySource == source)
    }

    // UNITS.md: the uncalibrated acceleration is in m/s² from Android, and in g from iOS. At rest a phone feels 1 g, 9.81
    // m/s², and falling freely nothing.
    @Test(
        "The unit of an acceleration is proved by most of a message, and never by a moment of it",
        arguments: [
            // A phone that is let go while the message begins, and lies still.
            ([0.1, 0.2, 1.0] + [Double](repeating: 9.8, count: 17), SensorSource.sensorLoggerAndroid),
            ([1.0] + [Double](repeating: 9.8, count: 9), .sensorLoggerAndroid),
            // One that falls for most of the message, and turns as it falls.
            ([Double](repeating: 1.0, count: 12) + [Double](repeating: 9.8, count: 8), nil),
            // One that is knocked in the middle of lying still.
            ([Double](repeating: 1, count: 8) + [7.5, 4] + [Double](repeating: 1, count: 8), .sensorLoggerIOS),
            // Too few, however much they say the same.
            ([Double](repeating: 1, count: 9), nil), ([Double](repeating: 9.8, count: 9), nil),
        ] as [([Double], SensorSource?)])
    func unit(magnitudes: [Double], source: SensorSource?) throws {
        let readings = magnitudes.enumerated().map { place, z in
            Messages.reading("accelerometerUncalibrated", Int64(place) * 10_000_000, "\"x\":0,\"y\":0,\"z\":\(z)")
        }
        let message = try SensorLoggerMessage.decode(Array(Messages.message(0, readings).utf8).span)
        #expect(message.likelySource == source)
    }
}
