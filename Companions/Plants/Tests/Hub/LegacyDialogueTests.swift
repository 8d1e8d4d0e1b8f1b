import GRDB
import MQTT
import NIOCore
import NIOPosix
import PlantsEngine
import Storage
import Synchronization
import Testing

@testable import HubKit
@testable import PlantsHub
@testable import Readings

@Suite("The original app's dialogue")
struct LegacyDialogueTests {
    private func say(_ operation: String, _ payload: String, from sender: String = "iPhone", _ app: PlantsTestApp)
        async throws -> [String]
    {
        let text = "ID:0;sender:\(sender);receiver:Host-RPI3B+;payload:\(payload);operation:\(operation)"
        guard case .request(let request) = LegacyMessage.read(Array(text.utf8)) else {
            Issue.record("no request: \(text)")
            return []
        }
        let now = app.now
        return try await app.hub.database.pool.write { db in
            try LegacyResponder.answers(to: request, now: now, db).answers.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test("A client adds a plant, counts it and reads it; what was added outlives the process")
    func dialogue() async throws {
        let app = try await PlantsTestApp()
        #expect(try await say("REQ_addNewPlant", "Fern--[\"36\"]", app) == [])
        #expect(
            try await say("REQ_numPlants", "none", app) == [
                "ID:0;sender:Host-RPI3B+;receiver:iPhone;payload:1;operation:RES_numPlants"
            ])
        #expect(
            try await say("REQ_plantInfoOnStartup", "0", app) == [
                "ID:0;sender:Host-RPI3B+;receiver:iPhone;payload:{\"Sensors\"-- \"[\\\"36\\\"]\", \"Name\"-- \"Fern\"};operation:RES_plantInfoOnStartup"
            ])
    }

    @Test("Clients have gardens of their own, and one without any is told so")
    func gardens() async throws {
        let app = try await PlantsTestApp()
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", app)
        let answer = try await say("REQ_numPlants", "none", from: "iPad", app)
        #expect(answer.count == 1)
        #expect(answer[0].hasSuffix("operation:ERR_noPlantDataToRequest"))
    }

    @Test(
        "A sensor id answers with its device's newest reading; one that stands for nothing is reported when it is read")
    func mapping() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        try await app.store([(app.now - 60_000, 41.5)], of: sensor)
        try await app.store([(app.now - 60_000, 21.5)], quantity: "temperature", of: sensor)
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", app)
        #expect(try await say("REQ_plantSensorData", "all", app)[0].hasSuffix("operation:ERR_invalidPlantSensorID"))
        try await map("36", to: sensor.id, app)
        #expect(
            try await say("REQ_plantSensorData", "all", app) == [
                "ID:0;sender:Host-RPI3B+;receiver:iPhone;payload:{'moisture'-- 4, 'temperature'-- 70, 'plant'-- 'Fern', 'sensor'-- '36'};operation:RES_plantSensorData"
            ])
        // A sensor that fell silent answers nothing: its last word is not how the plant is.
        app.advance(milliseconds: 86_400_000)
        #expect(try await say("REQ_plantSensorData", "all", app)[0].hasSuffix("operation:ERR_invalidPlantSensorID"))
    }

    @Test("A reading that lies years ahead, by a clock that was wrong, is not what the app is told")
    func ahead() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        try await app.store([(app.now - 60_000, 41.5), (app.now + 365 * 86_400_000, 90)], of: sensor)
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", app)
        try await map("36", to: sensor.id, app)
        #expect(try await say("REQ_plantSensorData", "all", app)[0].contains("'moisture'-- 4,"))
    }

    private func map(_ sensor: String, to device: String, _ app: PlantsTestApp) async throws {
        try await app.hub.database.pool.write { db in
            let client = try #require(try db.legacyClient("iPhone", household: "linden"))
            try db.execute(
                sql: "INSERT INTO legacy_sensor(client, sensor, household, device) VALUES (?, ?, 'linden', ?)",
                arguments: [client, sensor, device])
        }
    }

    @Test("An adopted garden's plants are the household's, and follow what the app does")
    func adoption() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        _ = try await app.plant("Fern")
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", app)
        try await map("36", to: sensor.id, app)
        let now = app.now
        try await app.hub.database.pool.write { db in
            let client = try #require(try db.legacyClient("iPhone", household: "linden"))
            try db.execute(sql: "UPDATE legacy_client SET adopted_by = 'tom', adopted_at = ?", arguments: [now])
            try db.follow(client: client, household: "linden", now: now)
        }
        func names() async throws -> [String] {
            try await app.hub.database.pool.read { db in try db.plants(household: "linden").map(\.name).sorted() }
        }
        #expect(try await names() == ["Fern", "Fern 2"])
        let plant = try await app.hub.database.pool.read { db in try db.plant(ofDevice: sensor.id) }
        #expect(plant?.name == "Fern 2")
        _ = try await say("REQ_addNewPlant", "Ivy--[\"37\"]", app)
        #expect(try await names() == ["Fern", "Fern 2", "Ivy"])
        _ = try await say("REQ_editPlant", "Ivy,Palm", app)
        #expect(try await names() == ["Fern", "Fern 2", "Palm"])
        // What the app deletes is gone for the app, and stays the household's, its sensor with it.
        #expect(try await say("REQ_deletePlant", "Fern", app) == [])
        #expect(try await names() == ["Fern", "Fern 2", "Palm"])
        #expect(try await say("REQ_numPlants", "none", app)[0].contains("payload:1;"))
        #expect(try await app.hub.database.pool.read { db in try db.plant(ofDevice: sensor.id)?.name } == "Fern 2")
        // Added again it is the same plant.
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", app)
        #expect(try await names() == ["Fern", "Fern 2", "Palm"])
        _ = try await say("REQ_deletePlant", "Fern", app)
        // Removed in the page, it is gone for the app too, and does not come again.
        let palm = try await app.hub.database.pool.read { db in
            try #require(try db.plants(household: "linden").first { $0.name == "Palm" })
        }
        try await app.plants.remove(palm.id, household: "linden")
        _ = try await say("REQ_addNewPlant", "Mint--[\"38\"]", app)
        #expect(try await names() == ["Fern", "Fern 2", "Mint"])
        #expect(try await say("REQ_numPlants", "none", app)[0].contains("payload:1;"))
    }

    @Test("An adult forgets an original user: what was adopted stays, and a child's profile may not")
    func forgotten() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        _ = try await say("REQ_addNewPlant", "Ivy--[\"37\"]", from: "my phone", app)
        #expect(try await app.send(.post, "/api/plants/legacy/my%20phone/adopt").status == 200)
        let mapped = try await app.send(
            .put, "/api/plants/legacy/my%20phone/sensors/37", "{\"device\":\"\(sensor.id)\"}")
        #expect(mapped["sensors", "0", "device"] as? String == sensor.id)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.delete, "/api/plants/legacy/my%20phone").status == 403)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.delete, "/api/plants/legacy/my%20phone", as: nil).status == 401)
        #expect(try await app.send(.delete, "/api/plants/legacy/my%20phone").status == 204)
        #expect(try await app.send(.delete, "/api/plants/legacy/my%20phone").status == 404)
        #expect(try await app.send(.get, "/api/plants/legacy")["clients", "0"] == nil)
        let rows = try await app.hub.database.pool.read { db in
            try ["legacy_plant", "legacy_sensor", "legacy_deleted"].map { table in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
        }
        #expect(rows == [0, 0, 0])
        // The plant is the household's, with its sensor.
        #expect(try await app.hub.database.pool.read { db in try db.plant(ofDevice: sensor.id)?.name } == "Ivy")
        #expect(try await say("REQ_numPlants", "none", from: "my phone", app)[0].contains("ERR"))
    }

    @Test("A plant that a person has named keeps that name, whatever the app calls it")
    func namedByPerson() async throws {
        let app = try await PlantsTestApp()
        _ = try await say("REQ_addNewPlant", "Ivy--[\"37\"]", app)
        let now = app.now
        try await app.hub.database.pool.write { db in
            let client = try #require(try db.legacyClient("iPhone", household: "linden"))
            try db.execute(sql: "UPDATE legacy_client SET adopted_by = 'tom', adopted_at = ?", arguments: [now])
            try db.follow(client: client, household: "linden", now: now)
            try db.execute(sql: "UPDATE plant SET name = 'Grandma’s ivy'")
        }
        _ = try await say("REQ_editPlant", "Ivy,Weed", app)
        let names = try await app.hub.database.pool.read { db in try db.plants(household: "linden").map(\.name) }
        #expect(names == ["Grandma’s ivy"])
        // The app has its own name for it.
        #expect(try await say("REQ_plantInfoOnStartup", "0", app)[0].contains("Weed"))
    }

    @Test("Whoever adds and deletes without end fills no household")
    func addAndDelete() async throws {
        let app = try await PlantsTestApp()
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", app)
        let now = app.now
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE legacy_client SET adopted_by = 'tom', adopted_at = ?", arguments: [now])
        }
        var answers: [String] = []
        for number in 0..<40 {
            answers = try await say("REQ_addNewPlant", "Plant \(number)--[\"36\"]", app)
            _ = try await say("REQ_deletePlant", "Plant \(number)", app)
        }
        #expect(answers.count == 1 && answers[0].hasSuffix("operation:ERR_tooManyPlants"))
        let count = try await app.hub.database.pool.read { db in try db.plants(household: "linden").count }
        #expect(count == Database.mostAdoptedPlants)
    }

    @Test("Anybody can invent a client: whoever was silent longest makes room, and who was adopted stays")
    func manyClients() async throws {
        let app = try await PlantsTestApp()
        for number in 0..<Database.mostLegacyClients {
            #expect(try await say("REQ_addNewPlant", "Fern--[\"36\"]", from: "phone \(number)", app) == [])
        }
        try await app.hub.database.pool.write { [now = app.now] db in
            try db.execute(
                sql: "UPDATE legacy_client SET adopted_at = ? WHERE name = 'phone 0'", arguments: [now])
        }
        app.advance(milliseconds: 3_600_000)
        func plants(_ name: String) async throws -> String {
            try await say("REQ_numPlants", "none", from: name, app)[0]
        }
        // Phone 1 speaks, so that phone 2 is silent longest.
        #expect(try await plants("phone 1").contains("payload:1;"))
        for number in 0..<10 {
            #expect(try await say("REQ_addNewPlant", "Fern--[\"36\"]", from: "one more \(number)", app) == [])
        }
        for name in ["phone 0", "phone 1", "phone 12", "one more 0", "one more 9"] {
            #expect(try await plants(name).contains("payload:1;"), "\(name)")
        }
        #expect(!(try await plants("phone 2").contains("payload:1;")))
        let count = try await app.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM legacy_client")
        }
        #expect(count == Database.mostLegacyClients)
        // Where all were adopted, there is no room.
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE legacy_client SET adopted_at = 1")
        }
        let answer = try await say("REQ_addNewPlant", "Fern--[\"36\"]", from: "too many", app)
        #expect(answer.count == 1 && answer[0].hasSuffix("operation:ERR_tooManyPlants"))
    }

    @Test("A client that has no plant, and was silent for a month, is forgotten when another comes")
    func emptyClients() async throws {
        let app = try await PlantsTestApp()
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", from: "empty", app)
        _ = try await say("REQ_deletePlant", "Fern", from: "empty", app)
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", from: "full", app)
        app.advance(milliseconds: Database.emptyLegacyClientLife + 1)
        _ = try await say("REQ_addNewPlant", "Fern--[\"36\"]", from: "new", app)
        let names = try await app.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM legacy_client ORDER BY name")
        }
        #expect(names == ["full", "new"])
    }

    @Test("Through the batch writer, a request is durable before its answer leaves, and answers keep their order")
    func recorded() async throws {
        let app = try await PlantsTestApp()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let outlet = Outlet()
        let publisher = app.hub.messages
        let hub = app.hub
        try await loop.flatSubmit {
            do {
                publisher.attach(outlet, loop: loop, forget: { _ in }, revoke: { _ in })
                let batchWriter = try BatchWriter(hub: hub, loop: loop) { _ in }
                let responder = LegacyResponder(
                    hub: hub, transactions: batchWriter, flood: LegacyFlood(), connection: 1)
                for (operation, payload) in [
                    ("REQ_addNewPlant", "Fern--[\"36\"]"), ("REQ_numPlants", "none"), ("REQ_nonsense", "x"),
                ] {
                    responder.receive(
                        topic: ByteBuffer(string: "rpi/torpi"),
                        payload: ByteBuffer(
                            string: "ID:0;sender:iPhone;receiver:Host-RPI3B+;payload:\(payload);operation:\(operation)")
                    )
                }
                return batchWriter.perform { _ in }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        let sent = try await loop.submit { outlet.sent }.get()
        #expect(
            sent.map { $0.split(separator: ";").last.map(String.init) } == [
                "operation:RES_numPlants", "operation:ERR_invalidOpTag",
            ])
    }

    /// What a client of this name hears when it says all of this at once, by one connection or several.
    private func dialogue(_ lines: [(operation: String, payload: String)], connections: Int = 1, _ app: PlantsTestApp)
        async throws -> Outlet
    {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let outlet = Outlet()
        let (hub, plants) = (app.hub, app.plants)
        try await loop.flatSubmit {
            do {
                hub.messages.attach(outlet, loop: loop, forget: { _ in }, revoke: { _ in })
                let batchWriter = try BatchWriter(hub: hub, loop: loop) { _ in }
                let hosts = (1...connections).compactMap {
                    plants.legacyHandler(connection: UInt64($0), transactions: batchWriter)
                }
                for (index, line) in lines.enumerated() {
                    hosts[index % connections].receive(
                        topic: ByteBuffer(string: "rpi/torpi"),
                        payload: ByteBuffer(
                            string:
                                "ID:0;sender:iPhone;receiver:Host-RPI3B+;payload:\(line.payload);operation:\(line.operation)"
                        ))
                }
                return batchWriter.perform { _ in }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        return outlet
    }

    @Test("The fifteenth message of a window is answered, the sixteenth is told off, and its connection is closed")
    func spam() async throws {
        let app = try await PlantsTestApp()
        let question = ("REQ_numPlants", "none")
        let outlet = try await dialogue(Array(repeating: question, count: 20), app)
        #expect(outlet.sent.count == 16)
        #expect(outlet.sent[14].hasSuffix("operation:ERR_noPlantDataToRequest"))
        #expect(outlet.sent.last?.hasSuffix("payload:none;operation:ERR_kickedForSpam") == true)
        #expect(outlet.closed == [.legacy(connection: 1)])
        // A window later all is forgotten.
        app.advance(milliseconds: SpamRule.milliseconds)
        #expect(try await dialogue([question], app).sent.count == 1)
    }

    @Test("Messages are counted by the sender’s name, on however many connections they come")
    func spamBySender() async throws {
        let app = try await PlantsTestApp()
        let outlet = try await dialogue(Array(repeating: ("REQ_numPlants", "none"), count: 17), connections: 2, app)
        #expect(outlet.sent.count { $0.hasSuffix("operation:ERR_kickedForSpam") } == 2)
        #expect(outlet.closed == [.legacy(connection: 2), .legacy(connection: 1)])
    }

    @Test("Somebody with seven plants who connects, deletes one and looks again is not thrown out")
    func sevenPlants() async throws {
        let app = try await PlantsTestApp()
        for number in 1...7 { _ = try await say("REQ_addNewPlant", "Plant \(number)--[\"36\"]", app) }
        func look(_ plants: Int) -> [(operation: String, payload: String)] {
            [("REQ_numPlants", "")] + (0..<plants).map { ("REQ_plantInfoOnStartup", "\($0)") }
        }
        let outlet = try await dialogue(look(7) + [("REQ_deletePlant", "Plant 3")] + look(6), app)
        #expect(outlet.sent.count == 8 + 7)
        #expect(!outlet.sent.contains { $0.contains("ERR_") })
        #expect(outlet.closed.isEmpty)
    }
}

/// Notes what the hub publishes.
private final class Outlet: MessageOutlet, Sendable {
    private let published = Mutex<[String]>([])
    private let disconnected = Mutex<[Principal]>([])
    var sent: [String] { published.withLock { $0 } }
    var closed: [Principal] { disconnected.withLock { $0 } }
    var statistics: ListenerStatistics { ListenerStatistics() }

    func publish(topic: String, payload: ByteBuffer, qualityOfService: QualityOfService, retain: Bool) {
        #expect(topic == "rpi/fromrpi")
        published.withLock { $0.append(String(buffer: payload)) }
    }

    func disconnect(_ principal: Principal) { disconnected.withLock { $0.append(principal) } }
    func remove(_ principal: Principal) {}
}
