import Foundation
import GRDB
import HubInstruments
import MQTT
import NIOCore
import NIOPosix
import Storage
import Testing

@testable import HubKit

@Suite("The house's door for MQTT")
struct HouseMessageHostTests {
    /// A companion whose devices send bare numbers.
    private struct Numbers: Companion {
        static let slug = "numbers"
        static let title = "Numbers"
        static let deviceKinds = [DeviceKind(name: "plant-sensor", title: "Sensor")]
        static let migrations: [Migration] = []
        init(hub: Hub) {}
        func addRoutes(to routes: Routes) {}
        func reader(for device: DeviceRecord) -> any DeviceReader { Reader() }
    }

    /// One whose original system spoke MQTT.
    private struct OldNumbers: Companion {
        static let slug = "old-numbers"
        static let title = "Old numbers"
        static let migrations: [Migration] = []
        static let legacy: LegacyProtocol? = LegacyProtocol(requestTopic: "to", responseTopic: "from", risk: "Risk.")
        init(hub: Hub) {}
        func addRoutes(to routes: Routes) {}
    }

    private final class Reader: DeviceReader {
        func read(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
            guard let value = Double(String(buffer: payload)) else { throw BadMessage("That is no number.") }
            readings.add(quantity: tail, unit: nil, value: value, at: nil)
        }
    }

    /// Runs `body` with a door of its own, on its loop.
    private func withDoor<Value: Sendable>(
        _ test: TestHub, _ body: @escaping @Sendable (HouseMessageHost) throws -> Value
    ) async throws -> Value {
        let house = try await House(hub: test.hub, companions: [Numbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.submit { try body(HouseMessageHost(house: house, loop: loop)) }.get()
    }

    @Test("After a restart the rights of who has not returned yet are known, so that nothing kept for them is lost")
    func rightsAfterRestart() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let program = try await test.hub.devices.addIntegration(
            name: "Other hub", filters: ["tandem/+/light"], household: device.household
        ).integration
        let answers = try await withDoor(test) { door in
            [
                door.allows(.device(id: device.id), .publish, topic: "tandem/\(device.id)/light"),
                door.allows(.integration(id: program.id), .receive, topic: "tandem/\(device.id)/light"),
                door.allows(.integration(id: program.id), .receive, topic: "tandem/\(device.id)/moisture"),
                door.allows(.device(id: "nobody"), .publish, topic: "tandem/nobody/light"),
            ]
        }
        #expect(answers == [true, true, false, false])
    }

    @Test("What a removed device or program left is not there after a restart, and what others left is")
    func leftByRemoved() async throws {
        let test = try TestHub()
        let (device, other) = (try await test.device(), try await test.device(name: "Other"))
        let program = try await test.hub.devices.addIntegration(
            name: "Other hub", filters: ["#"], household: device.household
        ).integration
        let principals: [Principal] = [
            .device(id: device.id), .device(id: other.id), .integration(id: program.id), .hub,
        ]
        try await test.hub.database.pool.write { db in
            for (number, principal) in principals.enumerated() {
                let message = StoredMessage(
                    topic: "topic/\(number)", payload: [1], qualityOfService: .atLeastOnce, publisher: principal)
                try SessionTables.apply(.retained(message), db)
                let key = SessionKey(principal: principal, clientID: "a")
                try SessionTables.apply(.opened(key), db)
                try SessionTables.apply(.queued(key, sequence: 1, message), db)
            }
        }
        try await test.hub.devices.remove(device.id, household: device.household)
        #expect(try await test.hub.devices.removeIntegration(program.id))
        let restored = try await withDoor(test) { try $0.restore() }
        let topics = restored.compactMap { if case .retained(let message) = $0 { message.topic } else { nil } }
        #expect(topics == ["topic/1", "topic/3"])
        let owners = restored.compactMap { if case .opened(let key) = $0 { key.principal } else { nil } }
        #expect(owners == [.device(id: other.id), .hub])
        let rows = try await test.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM mqtt_queue") ?? 0
        }
        #expect(rows == 2)
    }

    @Test("A removed device has no rights, also after a restart")
    func removed() async throws {
        let test = try TestHub()
        let device = try await test.device()
        try await test.hub.devices.remove(device.id, household: device.household)
        let isAllowed = try await withDoor(test) { door in
            door.allows(.device(id: device.id), .publish, topic: "tandem/\(device.id)/light")
        }
        #expect(!isAllowed)
    }

    @Test(
        "A device is let in with its token, and with no other",
        arguments: [("right", true), ("wrong", false), ("", false)])
    func tokens(kind: String, isAccepted: Bool) async throws {
        let test = try TestHub()
        let household = try await test.furnish().household
        let (device, token) = try await test.hub.devices.add(kind: "plant-sensor", name: "S", household: household)
        let house = try await House(hub: test.hub, companions: [Numbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let password = kind == "right" ? token : kind
        let answer = try await loop.flatSubmit {
            do {
                return try HouseMessageHost(house: house, loop: loop).authenticate(
                    ConnectionAttempt(
                        clientID: "c", userName: device.id, password: Array(password.utf8), isCleanSession: true,
                        hasWill: false, address: "::1", connection: 1))
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        switch answer {
        case .accepted(let principal): #expect(isAccepted && principal == .device(id: device.id))
        case .refused(let code): #expect(!isAccepted && code == .badUserNameOrPassword)
        }
    }

    @Test("Nobody comes in anonymously unless an original system's protocol is switched on")
    func anonymous() async throws {
        let test = try TestHub()
        let answer = try await withDoor(test) { door in
            door.authenticate(
                ConnectionAttempt(
                    clientID: "c", userName: nil, password: nil, isCleanSession: true, hasWill: false, address: "::1",
                    connection: 1))
        }.get()
        guard case .refused(.notAuthorized) = answer else {
            Issue.record("an anonymous client was answered with \(answer)")
            return
        }
    }

    @Test(
        "Where one is switched on, its clients come in without a name on the plain endpoint alone",
        arguments: [true, false])
    func anonymousOfLegacy(allowsAnonymous: Bool) async throws {
        let test = try TestHub { $0.legacy = ["old-numbers"] }
        let house = try await House(hub: test.hub, companions: [OldNumbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = try await loop.flatSubmit {
            do {
                return try HouseMessageHost(house: house, loop: loop).authenticate(
                    ConnectionAttempt(
                        clientID: "c", userName: nil, password: nil, isCleanSession: true, hasWill: false,
                        address: "::1", connection: 7, allowsAnonymous: allowsAnonymous))
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        switch answer {
        case .accepted(let principal): #expect(allowsAnonymous && principal == .legacy(connection: 7))
        case .refused(let code): #expect(!allowsAnonymous && code == .notAuthorized)
        }
    }

    @Test("A device's publish outside its own topics is foreign; a bad value on its own topic is taken")
    func receipts() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let receipts = try await withDoor(test) { door in
            let sender = door.sender(for: .device(id: device.id), clientID: "c")
            return ["tandem/\(device.id)/light", "tandem/other/light", "tandem/\(device.id)", "light"].map { topic in
                let receipt = sender.receive(
                    topic: ByteBuffer(string: topic), payload: ByteBuffer(string: "dark"), retain: false)
                return if case .foreign = receipt { false } else { true }
            }
        }
        #expect(receipts == [true, false, false, false])
    }

    @Test("Retained messages and sessions are given back after a restart as they were stored")
    func restores() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let key = SessionKey(principal: .device(id: device.id), clientID: "c")
        let message = StoredMessage(
            topic: "tandem/\(device.id)/light", payload: [1, 2], qualityOfService: .atLeastOnce,
            publisher: .device(id: device.id))
        let changes: [StoredChange] = [
            .retained(message), .opened(key), .subscribed(key, filter: "tandem/\(device.id)/#", .atLeastOnce),
            .queued(key, sequence: 1, message), .queued(key, sequence: 2, message),
        ]
        try await test.hub.database.pool.write { db in
            for change in changes + [.delivered(key, sequence: 1)] { try SessionTables.apply(change, db) }
        }
        let restored = try await withDoor(test) { try $0.restore() }
        #expect(restored == [changes[0], changes[1], changes[2], changes[4]])
        try await test.hub.database.pool.write { db in
            for change in [StoredChange.unretained(topic: message.topic), .ended(key)] {
                try SessionTables.apply(change, db)
            }
        }
        #expect(try await withDoor(test) { try $0.restore() } == [])
    }
}
