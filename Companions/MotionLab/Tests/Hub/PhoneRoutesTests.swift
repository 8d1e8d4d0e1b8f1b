import Foundation
import HubInstruments
import HubKit
import Testing

@testable import MotionLabHub

@Suite("Phones that send by themselves")
struct PhoneRoutesTests {
    /// Pressures a second apart, hPa.
    private func message(_ id: Int, _ pressures: [Double], from second: Int = 0) -> String {
        LoggerMessages.message(
            id,
            pressures.enumerated().map { place, pressure in
                LoggerMessages.reading(
                    "barometer", Int64(second + place) * 1_000_000_000,
                    "\"pressure\":\(pressure),\"relativeAltitude\":1.5")
            })
    }

    @Test("A phone shows its last pressure and height, and whether it sends now")
    func last() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app, name: "Pixel")
        let silent = try await app.send(.get, "/api/lab/phones")
        #expect(silent["phones", "0", "isSending"] as? Bool == false && silent["phones", "0", "pressure"] == nil)
        #expect(try await phone.push(message(0, [1013.25, 1013.0])).status == 200)
        let sending = try await app.send(.get, "/api/lab/phones")
        #expect(sending["phones", "0", "name"] as? String == "Pixel")
        #expect(sending["phones", "0", "isSending"] as? Bool == true)
        #expect(sending["phones", "0", "pressure", "value"] as? Double == 101.3)
        #expect(sending["phones", "0", "altitude", "value"] as? Double == 1.5)
        app.advance(milliseconds: 11_000)
        #expect(try await app.send(.get, "/api/lab/phones")["phones", "0", "isSending"] as? Bool == false)
    }

    @Test("After a start of the hub a phone was heard when its recording ended, in the lab and among the devices")
    func started() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app, name: "Pixel")
        #expect(try await app.send(.get, "/api/lab/phones")["phones", "0", "heardAt"] == nil)
        #expect(try await phone.push(message(0, [1013.25, 1013.0])).status == 200)
        // The memory of which phones were heard ends with the process.
        app.companion.phones.forget(phone.device.id)
        app.advance(milliseconds: 60_000)
        let end = Int(LoggerMessages.start / 1_000_000) + 1_000
        #expect(try await app.send(.get, "/api/lab/phones")["phones", "0", "heardAt"] as? Int == end)
        #expect(try await app.send(.get, "/api/devices/\(phone.device.id)")["lastSeenAt"] as? Int == end)
    }

    @Test("What the app was told last stands beside its phone, in the asker's language, until it sends what is right")
    func refusal() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app, name: "Pixel")
        #expect(try await phone.push("{\"payload\":7}").status == 499)
        let told = try await app.send(.get, "/api/lab/phones", headers: ["Accept-Language": "de"])
        let text = try #require(told["phones", "0", "refusal", "text"] as? String)
        #expect(text.contains("Sensor Logger") && told["phones", "0", "refusal", "at"] as? Int64 == app.now, "\(text)")
        #expect(try await phone.push(message(0, [1013.25])).status == 200)
        #expect(try await app.send(.get, "/api/lab/phones")["phones", "0", "refusal"] == nil)
    }

    @Test("The address with the token comes as text and as a QR code, for adults, and for nothing but a token")
    func address() async throws {
        let app = try await LabTestApp()
        let answer = try await app.send(
            .post, "/api/lab/sensor-logger/address", "{\"token\":\"abc-DEF_123\"}", headers: ["Host": "linden.local"])
        #expect((answer["address"] as? String)?.hasSuffix("/api/lab/sensor-logger?token=abc-DEF_123") == true)
        #expect(answer.status == 201 && (answer["qr", "size"] as? Int ?? 0) > 20, "\(answer.text)")
        let odd = try await app.send(.post, "/api/lab/sensor-logger/address", "{\"token\":\"a&b=c\"}")
        #expect(odd.status == 422 && odd["field"] as? String == "token")
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.post, "/api/lab/sensor-logger/address", "{\"token\":\"abc\"}").status == 403)
    }

    @Test("Its height since the recording began goes by the temperature that somebody says")
    func altitude() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        #expect(try await app.send(.get, "/api/lab/phones/\(phone.device.id)/altitude").status == 404)
        #expect(try await phone.push(message(0, Array(repeating: 1013.25, count: 6) + [1012.05])).status == 200)
        let path = "/api/lab/phones/\(phone.device.id)/altitude"
        let answer = try await app.send(.get, path)
        let points = try #require(answer["points"] as? [[String: Any]])
        #expect(answer["referenceKilopascals"] as? Double == 101.325 && points.count == 7)
        // The U.S. Standard Atmosphere has 1.2 hPa less 10 m higher, at 15 °C.
        let metres = try #require(points.last?["metres"] as? Double)
        #expect(abs(metres - 10) < 0.1, "\(metres)")
        let warm = try await app.send(.get, path + "?temperature=25&seconds=2")
        let warmer = try #require((warm["points"] as? [[String: Any]])?.last?["metres"] as? Double)
        #expect(abs(warmer / metres - 298.15 / 288.15) < 1e-6)
        #expect((warm["points"] as? [Any])?.count == 3)
        #expect(try await app.send(.get, path + "?temperature=hot").status == 422)
        #expect(try await app.send(.get, path + "?seconds=0").status == 422)
    }
}
