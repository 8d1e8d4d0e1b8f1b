import HTTPTypes
import HubKit
import Localization
import MotionLabEngine
import NIOCore

/// Where Sensor Logger pushes to.
struct SensorLoggerRoutes: Sendable {
    let lab: MotionLab

    private static let limits = SensorLoggerMessage.Limits()

    func add(to routes: Routes) {
        let lab = lab
        routes.post(
            "/api/lab/sensor-logger", .anyone,
            "Takes a message of the app Sensor Logger, with the phone’s token as a Bearer header or as `token`: 200 once it is stored, or 499 with a text that the app shows to whoever is recording.",
            query: [.token], media: "application/json"
        ) { request in
            let language = request.language
            // Before a byte of the body is taken: it may be large.
            guard let device = try await request.device(ofKind: MotionLab.phoneKind, token: .token) else {
                return Self.refused(SensorLoggerText.unknownToken, language)
            }
            do {
                let body = try await request.bytes(upTo: Self.limits.bytes, otherwise: Self.tooLarge)
                let push = try lab.meter.measure {
                    try lab.phones.push(Array(buffer: body), from: device.id, agent: request.header(.userAgent))
                }
                try await lab.queue.add(push, of: device) { push, device, db in try lab.store(push, of: device, db) }
                return .legacy(ByteBuffer(string: "OK\n"), type: "text/plain; charset=utf-8")
            } catch let error as SensorLoggerError {
                return Self.refused(SensorLoggerText.refused(error), language)
            } catch let problem as Problem where problem.code == .contentTooLarge {
                return Self.refused(SensorLoggerText.refused(.tooLarge), language)
            }
        }
    }

    private static var tooLarge: Problem {
        Problem(.contentTooLarge, "Too large", "At most \(limits.bytes) bytes are taken at once.")
    }

    private static func refused(_ text: LocalizedText, _ language: Language) -> APIResponse<LegacyAnswer> {
        .legacy(
            ByteBuffer(string: text.string(in: language, from: .motionLab)), type: "text/plain; charset=utf-8",
            status: HTTPResponse.Status(code: 499, reasonPhrase: "Not Stored"))
    }
}

extension QueryParameter {
    fileprivate static let token = QueryParameter(
        "token", "The phone’s token, where the app can send no header.")
}
