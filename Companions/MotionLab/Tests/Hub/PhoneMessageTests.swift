import HubInstruments
import HubKit
import HubServer
import MQTT
import NIOCore
import NIOPosix
import Storage
import Testing

@testable import Devices
@testable import MotionLabHub

@Suite("Sensor Logger publishes by MQTT")
struct PhoneMessageTests {
    /// Publishes as a phone does, and waits until all of it is stored.
    private func publish(_ messages: [(topic: String, payload: String)], of phone: LabTestPhone) async throws {
        let hubApp = phone.app.hubApp
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let id = phone.device.id
        try await loop.flatSubmit {
            do {
                let host = try HubBrokerDelegate(context: hubApp.deviceContext, loop: loop)
                let sender = host.handler(for: .device(id: id), clientID: "phone")
                for message in messages {
                    _ = sender.receive(
                        topic: ByteBuffer(string: "tandem/\(id)/\(message.topic)"),
                        payload: ByteBuffer(string: message.payload), retain: false)
                }
                return host.batchWriter.perform { _ in }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    @Test("What it publishes is stored with the batch that acknowledges it")
    func stored() async throws {
        let phone = try await LabTestPhone(try await LabTestApp())
        let first = LoggerMessages.message(0, LoggerMessages.atRest(from: 0, count: 100))
        let second = LoggerMessages.message(1, LoggerMessages.atRest(from: 100, count: 100))
        try await publish([("sensor-logger", first), ("sensor-logger", second), ("sensor-logger", first)], of: phone)
        let recording = try await phone.recording()
        #expect(recording["samples"] as? Int == 200)
        #expect((recording["messages"] as? [String: Any])?["repeated"] as? Int == 1)
    }

    @Test("What cannot be used is shown as the device's last error, and what comes with it is stored")
    func refused() async throws {
        let phone = try await LabTestPhone(try await LabTestApp())
        let good = LoggerMessages.message(0, LoggerMessages.atRest(from: 0, count: 10))
        try await publish([("sensor-logger", "{}"), ("sensor-logger", good), ("kettle", "1")], of: phone)
        #expect(try await phone.recording()["samples"] as? Int == 10)
        let device = try await phone.app.send(.get, "/api/devices/\(phone.device.id)")
        #expect(device["errorCount"] as? Int == 2)
    }
}
