import HTTPTypes
import HubKit
import Localization
import MotionLabEngine
import NIOCore

/// The route that Sensor Logger pushes to.
struct SensorLoggerRoutes: Sendable {
    let lab: MotionLab

    private static let limits = SensorLoggerMessage.Limits()

    func add(to routes: Routes) {
        Self.addAddress(to: routes)
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
                lab.phones.refused(device.id, error, now: lab.hub.clock.now())
                return Self.refused(SensorLoggerText.refused(error), language)
            } catch let problem as Problem where problem.code == .contentTooLarge {
                lab.phones.refused(device.id, .tooLarge, now: lab.hub.clock.now())
                return Self.refused(SensorLoggerText.refused(.tooLarge), language)
            }
        }
    }

    /// The token for which the address is asked that Sensor Logger is to push to.
    private struct PushAddressInput: Decodable {
        /// The phone's, which the hub says once, when the phone is added.
        var token: String
    }

    private struct PushAddressResponse: Codable {
        /// The address with the token in it.
        var address: String
        /// The code for the phone's camera, which copies what it reads; nothing for more than a code holds.
        var qr: QRCodeResponse?
    }

    private static func addAddress(to routes: Routes) {
        routes.post(
            "/api/lab/sensor-logger/address", .adult,
            "The address that Sensor Logger is to push to, with a phone’s token in it, as text and as a QR code. Nothing is stored.",
            takes: PushAddressInput.self
        ) { request, input in
            guard (1...100).contains(input.token.utf8.count), input.token.utf8.allSatisfy(isPlain) else {
                throw Problem.field("token", "This is no token: it has letters and digits alone.")
            }
            let address = "\(request.origin)/api/lab/sensor-logger?token=\(input.token)"
            return try .created(PushAddressResponse(address: address, qr: QRCodeResponse(address)))
        }
    }

    /// Whether a byte stands in a query as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
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
