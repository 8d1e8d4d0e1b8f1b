import Foundation
import GRDB
import HubInstruments
import MQTT
import NIOCore
import NIOPosix
import Storage
import Synchronization
import Testing

@testable import Devices
@testable import HubKit
@testable import HubServer

@Suite("The hub behind the MQTT listener")
struct HubBrokerDelegateTests {
    /// A companion whose devices send bare numbers.
    private struct Numbers: Companion {
        static let (slug, title) = ("numbers", "Numbers")
        static let deviceKinds = [DeviceKind(name: "plant-sensor", title: "Sensor")]
        static let migrations: [Migration] = []
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
        func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder { Reader() }
    }

    /// One whose original system spoke MQTT.
    private struct OldNumbers: Companion {
        static let (slug, title) = ("old-numbers", "Old numbers")
        static let migrations: [Migration] = []
        static let legacy: LegacyProtocol? = LegacyProtocol(
            topics: [.request("to"), .request("to/too"), .response("from")], risk: "Risk.")
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
        func legacyHandler(connection: UInt64, transactions: any MessageTransactions) -> (any LegacyMessageHandler)? {
            Requests()
        }
    }

    /// What clients of the original system asked, by its topic.
    private final class Requests: LegacyMessageHandler {
        static let heard = Mutex<[String]>([])
        func receive(topic: ByteBuffer, payload: ByteBuffer) {
            Self.heard.withLock { $0.append("\(String(buffer: topic)): \(String(buffer: payload))") }
        }
        func close() {}
    }

    /// The listener, of which nothing is asked here.
    private final class Outlet: MessageOutlet {
        var disconnected: [Principal] = []
        var statistics: ListenerStatistics { ListenerStatistics() }
        func publish(topic: String, payload: ByteBuffer, qualityOfService: MQTT.QualityOfService, retain: Bool) {}
        func disconnect(_ principal: Principal) { disconnected.append(principal) }
        func remove(_ principal: Principal) { disconnected.append(principal) }
    }

    private final class Reader: DeviceMessageDecoder {
        func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
            guard let value = Double(String(buffer: payload)) else { throw BadMessage("That is no number.") }
            readings.add(quantity: tail, unit: nil, value: value, at: nil)
        }
    }

    /// Runs `body` with a host of its own, on its loop.
    private func withHost<Value: Sendable>(
        _ test: TestHub, _ body: @escaping @Sendable (HubBrokerDelegate) throws -> Value
    ) async throws -> Value {
        let app = try await HubApplication(services: test.services, companions: [Numbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.submit { try body(HubBrokerDelegate(context: app.deviceContext, loop: loop)) }.get()
    }

    @Test("After a restart the rights of who has not returned yet are known, so that nothing kept for them is lost")
    func rightsAfterRestart() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let program = try await test.services.devices.addIntegration(
            name: "Other hub", filters: ["tandem/+/light"], household: device.household
        ).integration
        let answers = try await withHost(test) { delegate in
            [
                delegate.allows(.device(id: device.id), .publish, topic: "tandem/\(device.id)/light"),
                delegate.allows(.integration(id: program.id), .receive, topic: "tandem/\(device.id)/light"),
                delegate.allows(.integration(id: program.id), .receive, topic: "tandem/\(device.id)/moisture"),
                delegate.allows(.device(id: "nobody"), .publish, topic: "tandem/nobody/light"),
            ]
        }
        #expect(answers == [true, true, false, false])
    }

    @Test("What a removed device or program left is not there after a restart, and what others left is")
    func leftByRemoved() async throws {
        let test = try TestHub()
        let (device, other) = (try await test.device(), try await test.device(name: "Other"))
        let program = try await test.services.devices.addIntegration(
            name: "Other hub", filters: ["#"], household: device.household
        ).integration
        let principals: [Principal] = [
            .device(id: device.id), .device(id: other.id), .integration(id: program.id), .hub,
        ]
        try await test.hub.database.pool.write { db in
            for (number, principal) in principals.enumerated() {
                let message = StoredMessage(
                    topic: "topic/\(number)", payload: [1], qualityOfService: .atLeastOnce, publisher: principal)
                try MQTTSessionTables.apply(.retained(message), db)
                let key = MQTTSessionKey(principal: principal, clientID: "a")
                try MQTTSessionTables.apply(.opened(key), db)
                try MQTTSessionTables.apply(.queued(key, sequence: 1, message), db)
            }
        }
        try await test.services.devices.remove(device.id, household: device.household)
        #expect(try await test.services.devices.removeIntegration(program.id))
        let restored = try await withHost(test) { try $0.restore() }
        let topics = restored.compactMap { if case .retained(let message, _) = $0 { message.topic } else { nil } }
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
        try await test.services.devices.remove(device.id, household: device.household)
        let isAllowed = try await withHost(test) { delegate in
            delegate.allows(.device(id: device.id), .publish, topic: "tandem/\(device.id)/light")
        }
        #expect(!isAllowed)
    }

    /// The host of a hub, and the loop that it lives on.
    private func host(of test: TestHub) async throws -> (NIOLoopBound<HubBrokerDelegate>, any EventLoop) {
        let app = try await HubApplication(services: test.services, companions: [Numbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let host = try await loop.submit {
            NIOLoopBound(try HubBrokerDelegate(context: app.deviceContext, loop: loop), eventLoop: loop)
        }
        .get()
        return (host, loop)
    }

    @Test("A device that is removed while the host reads which there are stays removed")
    func removedDuringRefresh() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let (delegate, loop) = try await host(of: test)
        // What was read holds the device; the removal reaches the loop before it does.
        try await loop.flatSubmit {
            let refreshed = delegate.value.directory.refresh(Outlet())
            delegate.value.directory.forget(device.id)
            return refreshed
        }.get()
        let isAllowed = try await loop.submit {
            delegate.value.allows(.device(id: device.id), .publish, topic: "tandem/\(device.id)/light")
        }.get()
        #expect(!isAllowed)
    }

    @Test("A device that a command gave another token is sent away at the next look, once, and not before")
    func renewedBesideTheHub() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let (delegate, loop) = try await host(of: test)
        func sentAway() async throws -> [Principal] {
            try await loop.flatSubmit {
                let outlet = Outlet()
                let bound = NIOLoopBound(outlet, eventLoop: loop)
                return delegate.value.directory.refresh(outlet).map { bound.value.disconnected }
            }.get()
        }
        let before = try await sentAway()
        _ = try await test.services.devices.renewToken(device.id, household: device.household)
        let after = try await sentAway()
        let later = try await sentAway()
        #expect(before.isEmpty)
        #expect(after == [.device(id: device.id)])
        #expect(later.isEmpty)
    }

    @Test("A device that is removed while it signs in is not let in", arguments: 1...20)
    func removedDuringSignIn(turn: Int) async throws {
        let test = try TestHub()
        let household = try await test.seed().household
        let (device, token) = try await test.services.devices.add(kind: "plant-sensor", name: "S", household: household)
        let app = try await HubApplication(services: test.services, companions: [Numbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = try await loop.flatSubmit {
            do {
                let delegate = try HubBrokerDelegate(context: app.deviceContext, loop: loop)
                let answer = delegate.authenticate(
                    ConnectionAttempt(
                        clientID: "c", userName: device.id, password: Array(token.utf8), isCleanSession: true,
                        hasWill: false, address: "::1", connection: 1))
                try test.hub.database.pool.write { db in
                    try db.execute(sql: "UPDATE device SET removed_at = 1 WHERE id = ?", arguments: [device.id])
                }
                delegate.directory.forget(device.id)
                return answer
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        #expect({ if case .refused(.badUserNameOrPassword) = answer { true } else { false } }())
    }

    @Test("A program that was let in and came while the host read which there are is not sent away")
    func arrivedDuringRefresh() async throws {
        let test = try TestHub()
        let household = try await test.seed().household
        let (delegate, loop) = try await host(of: test)
        let disconnected = try await loop.flatSubmit {
            let outlet = Outlet()
            let refreshed = delegate.value.directory.refresh(outlet)
            // Not in what is read: it is not stored yet.
            delegate.value.directory.know(
                IntegrationRecord(
                    id: "late", household: household, name: "Late", tokenHash: Data(), filters: "tandem/#", createdAt: 1
                ))
            let bound = NIOLoopBound(outlet, eventLoop: loop)
            return refreshed.map { bound.value.disconnected }
        }.get()
        #expect(disconnected.isEmpty)
    }

    @Test("An original system may have several topics, and its reader is told which one a request came on")
    func legacyTopics() async throws {
        let test = try TestHub { $0.legacy = ["old-numbers"] }
        let app = try await HubApplication(services: test.services, companions: [OldNumbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let taken = try await loop.submit {
            let sender = try HubBrokerDelegate(context: app.deviceContext, loop: loop).handler(
                for: .legacy(connection: 1), clientID: "c")
            return ["to", "to/too", "from", "elsewhere"].map { topic in
                let receipt = sender.receive(
                    topic: ByteBuffer(string: topic), payload: ByteBuffer(string: "7"), retain: false)
                return if case .foreign = receipt { false } else { true }
            }
        }.get()
        #expect(taken == [true, true, false, false])
        #expect(Requests.heard.withLock { $0 } == ["to: 7", "to/too: 7"])
    }

    @Test(
        "A device is let in with its token, and with no other",
        arguments: [("right", true), ("wrong", false), ("", false)])
    func tokens(kind: String, isAccepted: Bool) async throws {
        let test = try TestHub()
        let household = try await test.seed().household
        let (device, token) = try await test.services.devices.add(kind: "plant-sensor", name: "S", household: household)
        let app = try await HubApplication(services: test.services, companions: [Numbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let password = kind == "right" ? token : kind
        let answer = try await loop.flatSubmit {
            do {
                return try HubBrokerDelegate(context: app.deviceContext, loop: loop).authenticate(
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
        let answer = try await withHost(test) { delegate in
            delegate.authenticate(
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
        let app = try await HubApplication(services: test.services, companions: [OldNumbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = try await loop.flatSubmit {
            do {
                return try HubBrokerDelegate(context: app.deviceContext, loop: loop).authenticate(
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

    @Test("At their own endpoint they come in without a name alone: a device’s token has no place on a plain network")
    func legacyEndpoint() async throws {
        let test = try TestHub {
            $0.legacy = ["old-numbers"]
            $0.isMQTTOpen = true
        }
        let app = try await HubApplication(services: test.services, companions: [OldNumbers.self])
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        for name in [nil, "lamp"] {
            let answer = try await loop.flatSubmit {
                do {
                    return try HubBrokerDelegate(context: app.deviceContext, loop: loop).authenticate(
                        ConnectionAttempt(
                            clientID: "c", userName: name, password: name.map { Array($0.utf8) }, isCleanSession: true,
                            hasWill: false, address: "192.0.2.7", connection: 7, allowsAnonymous: true,
                            allowsNamed: false))
                } catch {
                    return loop.makeFailedFuture(error)
                }
            }.get()
            switch answer {
            case .accepted(let principal): #expect(name == nil && principal == .legacy(connection: 7))
            case .refused(let code): #expect(name != nil && code == .notAuthorized)
            }
        }
    }

    @Test("A device's publish outside its own topics is foreign; a bad value on its own topic is taken")
    func receipts() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let receipts = try await withHost(test) { delegate in
            let sender = delegate.handler(for: .device(id: device.id), clientID: "c")
            return ["tandem/\(device.id)/light", "tandem/other/light", "tandem/\(device.id)", "light"].map { topic in
                let receipt = sender.receive(
                    topic: ByteBuffer(string: topic), payload: ByteBuffer(string: "dark"), retain: false)
                return if case .foreign = receipt { false } else { true }
            }
        }
        #expect(receipts == [true, false, false, false])
    }

    // MQTT 3.1.1, 1.5.3, lets all of them into a topic but NUL.
    @Test(
        "A topic is one line on the device's page, which is read in its order",
        arguments: ["\u{202E}live/soil", "soil\u{2066}/a", "so\u{85}il", "soil\u{1B}[31m", "soil\n/a", "soil\u{7F}"])
    func topicOnPage(topic: String) async throws {
        let test = try TestHub()
        let device = try await test.device()
        let (delegate, loop) = try await host(of: test)
        try await loop.flatSubmit {
            let sender = delegate.value.handler(for: .device(id: device.id), clientID: "c")
            _ = sender.receive(
                topic: ByteBuffer(string: topic), payload: ByteBuffer(string: "7"), retain: false, repetition: .none)
            return loop.submit {}.flatMap { delegate.value.batchWriter.perform { _ in } }
        }.get()
        let record = try await test.hub.database.pool.read { db in try DeviceRecord.fetchOne(db, key: device.id) }
        let told = try #require(record?.errorTopic)
        #expect(told.contains("\u{FFFD}"), "\(told.debugDescription)")
        #expect(told.unicodeScalars.count == topic.unicodeScalars.count)
        #expect(told.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) })
    }

    @Test("Retained messages and sessions are given back after a restart as they were stored")
    func restores() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let key = MQTTSessionKey(principal: .device(id: device.id), clientID: "c")
        let message = StoredMessage(
            topic: "tandem/\(device.id)/light", payload: [1, 2], qualityOfService: .atLeastOnce,
            publisher: .device(id: device.id))
        let changes: [StoredChange] = [
            .retained(message), .opened(key), .subscribed(key, filter: "tandem/\(device.id)/#", .atLeastOnce),
            .queued(key, sequence: 1, message), .queued(key, sequence: 2, message),
            .will(key, try will(device, properties: nil), dueAt: nil),
        ]
        try await test.hub.database.pool.write { db in
            for change in changes + [.delivered(key, sequence: 1)] { try MQTTSessionTables.apply(change, db) }
        }
        let restored = try await withHost(test) { try $0.restore() }
        #expect(restored == [changes[0], changes[1], changes[2], changes[4], changes[5]])
        try await test.hub.database.pool.write { db in
            for change in [StoredChange.unretained(topic: message.topic), .ended(key)] {
                try MQTTSessionTables.apply(change, db)
            }
        }
        #expect(try await withHost(test) { try $0.restore() } == [])
    }

    @Test(
        "A retained message is given back as read where its reading was stored with it, for as long as it says the same"
    )
    func restoresReadings() async throws {
        let test = try TestHub()
        let device = try await test.device()
        func message(_ payload: String) -> StoredMessage {
            StoredMessage(
                topic: "tandem/\(device.id)/light", payload: Array(payload.utf8), qualityOfService: .atLeastOnce,
                publisher: .device(id: device.id))
        }
        let read = StoredChange.retained(message("dark"), isRead: true)
        let steps: [(stored: StoredChange, restored: StoredChange)] = [
            (.retained(message("dark")), .retained(message("dark"))),
            (read, read),
            (.retained(message("dark")), read),
            // Read again by a batch that failed: what the next one stores of it.
            (read.withoutReading, .retained(message("dark"))),
            (read, read),
            (.retained(message("light")), .retained(message("light"))),
        ]
        for step in steps {
            try await test.hub.database.pool.write { db in try MQTTSessionTables.apply(step.stored, db) }
            #expect(try await withHost(test) { try $0.restore() } == [step.restored])
        }
    }

    @Test(
        "A program that says without end what is known already is told of on the device’s page, a bridge that returns is not"
    )
    func repetitions() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let program = try await test.services.devices.addIntegration(
            name: "Cron", filters: ["tandem/#"], household: device.household
        ).integration
        let (delegate, loop) = try await host(of: test)
        func repeatMessage(_ times: Int) async throws -> DeviceRecord? {
            try await loop.flatSubmit {
                let sender = delegate.value.handler(for: .integration(id: program.id), clientID: "c")
                for _ in 0..<times {
                    _ = sender.receive(
                        topic: ByteBuffer(string: "tandem/\(device.id)/light"), payload: ByteBuffer(string: "7"),
                        retain: true, repetition: .again)
                }
                // Behind what the loop does with it.
                return loop.submit {}.flatMap { delegate.value.batchWriter.perform { _ in } }
            }.get()
            return try await test.hub.database.pool.read { db in try DeviceRecord.fetchOne(db, key: device.id) }
        }
        #expect(try await repeatMessage(9)?.errorCount == 0)
        let told = try await repeatMessage(1)
        #expect(told?.errorCount == 1)
        #expect(told?.errorMessage?.contains("without retain") == true)
        #expect(told?.errorMessage?.contains("10 messages") == true)
    }

    @Test("A will is given back with all that it has, until it is settled")
    func restoresWill() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let key = MQTTSessionKey(principal: .device(id: device.id), clientID: "c")
        let properties = PublishProperties(forwarded: ByteBuffer(bytes: [3, 0, 1, 0x63]), expirySeconds: 60)
        let will = try will(device, properties: properties)
        try await test.hub.database.pool.write { db in
            for change in [StoredChange.opened(key), .will(key, will, dueAt: nil), .will(key, will, dueAt: 1_795_000)] {
                try MQTTSessionTables.apply(change, db)
            }
        }
        #expect(try await withHost(test) { try $0.restore() } == [.opened(key), .will(key, will, dueAt: 1_795_000)])
        try await test.hub.database.pool.write { db in try MQTTSessionTables.apply(.willSettled(key), db) }
        #expect(try await withHost(test) { try $0.restore() } == [.opened(key)])
    }

    private func will(_ device: DeviceRecord, properties: PublishProperties?) throws -> Will {
        Will(
            topic: try TopicName("tandem/\(device.id)/gone"), payload: [1, 2], qualityOfService: .exactlyOnce,
            retain: true, delaySeconds: 7, properties: properties)
    }
}
