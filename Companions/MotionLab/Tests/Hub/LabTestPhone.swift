import Foundation
import HubInstruments
import HubKit
import MotionLabEngine
import Storage
import TestInstruments

@testable import MotionLabHub

typealias LabTestApp = CompanionTestApp<MotionLab>

extension LabTestApp {
    /// Sends a part of a guest's recording, or all of it.
    func upload(
        _ recording: [UInt8], _ range: Range<Int>? = nil, run: Int = 1, isComplete: Bool = false, token: String
    ) async throws -> Answer {
        try await upload(
            "/api/lab/guest/runs/\(run)", recording, range, isComplete: isComplete, as: nil,
            headers: ["Authorization": "Bearer \(token)"])
    }
}

/// A phone of the Lindens with Sensor Logger on it.
struct LabTestPhone {
    let app: LabTestApp
    let device: DeviceRecord
    let token: String

    init(_ app: LabTestApp, name: String = "Phone") async throws {
        self.app = app
        (device, token) = try await app.services.devices.add(
            kind: MotionLab.phoneKind, name: name, household: "linden")
    }

    /// As the app is set up: the token as a Bearer header.
    func push(_ body: String, headers: [String: String] = [:]) async throws -> LabTestApp.Answer {
        var headers = headers
        headers["Authorization"] = "Bearer \(token)"
        headers["Content-Type"] = "application/json"
        return try await app.send(.post, "/api/lab/sensor-logger", body, as: nil, headers: headers)
    }

    /// The newest recording.
    func recording(_ place: Int = 0) async throws -> [String: Any] {
        let list = try await app.send(.get, "/api/lab/recordings?device=\(device.id)")
        return list["recordings", "\(place)"] as? [String: Any] ?? [:]
    }

    func stream(_ sensor: String) async throws -> [String: Any] {
        let streams = try await recording()["streams"] as? [[String: Any]] ?? []
        return streams.first { $0["sensor"] as? String == sensor } ?? [:]
    }
}

/// Messages of Sensor Logger's, as PUSHING.md shows them.
enum LoggerMessages {
    static let start: Int64 = 1_795_266_000_000_000_000

    /// - Parameters:
    ///   - id: of the message.
    ///   - payload: readings, each an object.
    static func message(_ id: Int, _ payload: [String], session: String = "8C6D0A9E") -> String {
        """
        {"messageId":\(id),"sessionId":"\(session)","deviceId":"5F3A","payload":[\(payload.joined(separator: ","))]}
        """
    }

    /// - Parameters:
    ///   - nanoseconds: after ``start``.
    ///   - values: such as `"x":0,"y":0,"z":9.80665`.
    static func reading(_ name: String, _ nanoseconds: Int64, _ values: String) -> String {
        "{\"name\":\"\(name)\",\"time\":\(start + nanoseconds),\"values\":{\(values)},\"accuracy\":3}"
    }

    /// Accelerations with gravity at 100 Hz, as Android sends them: at rest on its back.
    static func atRest(from first: Int, count: Int) -> [String] {
        (first..<first + count).map {
            reading("totalacceleration", Int64($0) * 10_000_000, "\"z\":9.80665,\"y\":0,\"x\":0")
        }
    }
}
