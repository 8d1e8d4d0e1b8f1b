import GRDB
import HubInstruments
import HubKit
import Storage
import Testing

@testable import TriviaToyHub

@Suite("Pairing a toy by a code")
struct PairingTests {
    private typealias App = CompanionTestApp<TriviaToy>

    private static func redeem(_ app: App, _ code: String) async throws -> App.Answer {
        try await app.send(.post, "/api/toy/pairing/redemption", #"{"code":"\#(code)","host":"127.0.0.1"}"#, as: nil)
    }

    @Test("A code makes one toy with a token of its own, once, however it is typed")
    func once() async throws {
        let app = try await App()
        let pairing = try await app.send(.post, "/api/toy/pairing", #"{"name":"Owl"}"#)
        let code = try #require(pairing["code"] as? String)
        #expect(pairing.status == 201)
        let paired = try await Self.redeem(app, " " + code.uppercased().prefix(4) + " " + code.dropFirst(4))
        let device = try #require(paired["device"] as? String)
        let token = try #require(paired["token"] as? String)
        #expect(paired["mqttPort"] as? Int == 1883)
        let record = try await app.hub.database.pool.read { db in try DeviceRecord.fetchOne(db, key: device) }
        #expect(record?.name == "Owl" && record?.kind == TriviaToy.toyKind && record?.tokenHash == Secret.hash(token))
        #expect(try await Self.redeem(app, code).status == 404)
        #expect(try await app.count("device") == 1)
    }

    @Test("After ten minutes, and on a clock that was put back, a code holds no longer")
    func expired() async throws {
        let app = try await App()
        func code() async throws -> String {
            try #require(try await app.send(.post, "/api/toy/pairing", "{}")["code"] as? String)
        }
        let first = try await code()
        app.advance(milliseconds: 600_000)
        #expect(try await Self.redeem(app, first).status == 404)
        let second = try await code()
        app.advance(milliseconds: -60_000)
        #expect(try await Self.redeem(app, second).status == 404)
        #expect(try await app.count("device") == 0)
    }

    @Test("A child gets no code, nobody more than five, and a name is no novel")
    func asked() async throws {
        let app = try await App()
        let long = String(repeating: "a", count: 61)
        #expect(try await app.send(.post, "/api/toy/pairing", #"{"name":"\#(long)"}"#).status == 422)
        for _ in 0..<5 { #expect(try await app.send(.post, "/api/toy/pairing", "{}").status == 201) }
        #expect(try await app.send(.post, "/api/toy/pairing", "{}").status == 409)
        #expect(try await app.send(.post, "/api/toy/pairing", "{}", as: nil).status == 401)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.post, "/api/toy/pairing", "{}").status == 403)
    }

    @Test("A code whose toy could not be set up holds again, and there is no toy that nobody has")
    func returned() async throws {
        let app = try await App()
        let code = try #require(try await app.send(.post, "/api/toy/pairing", #"{"name":"Owl"}"#)["code"] as? String)
        let paired = try await Self.redeem(app, code)
        let (device, token) = (try #require(paired["device"] as? String), try #require(paired["token"] as? String))
        func giveBack(_ token: String) async throws -> Int {
            try await app.send(
                .post, "/api/toy/pairing/return",
                #"{"code":"\#(code)","device":"\#(device)","token":"\#(token)"}"#, as: nil
            ).status
        }
        #expect(try await giveBack("another") == 409)
        #expect(try await app.count("device") == 1)
        #expect(try await giveBack(token) == 204)
        #expect(try await app.count("device") == 0)
        #expect(try await giveBack(token) == 409, "it is gone")
        let again = try await Self.redeem(app, code)
        #expect(again.status == 201 && again["device"] as? String != device)
    }

    @Test("A toy is not told a port that it cannot reach, and the code holds until it can")
    func unreachable() async throws {
        let app = try await App()
        let code = try #require(try await app.send(.post, "/api/toy/pairing", "{}")["code"] as? String)
        let refused = try await app.send(
            .post, "/api/toy/pairing/redemption", #"{"code":"\#(code)","host":"linden.local"}"#, as: nil)
        #expect(refused.status == 409 && (refused["detail"] as? String)?.contains("--plain-mqtt-host") == true)
        #expect(try await app.count("device") == 0)
        #expect(try await Self.redeem(app, code).status == 201)
        var settings = HubSettings(dataFolder: "")
        #expect(settings.plainMQTTPort(reachedBy: "127.0.0.1") == 1_883)
        #expect(settings.plainMQTTPort(reachedBy: "192.168.1.20") == nil)
        settings.plainMQTTHost = "192.168.1.20"
        #expect(settings.plainMQTTPort(reachedBy: "linden.local") == 1_884)
        settings.plainMQTTHost = nil
        settings.host = "0.0.0.0"
        #expect(settings.plainMQTTPort(reachedBy: "linden.local") == 1_883)
    }

    @Test("Guessing of codes is slowed down, also for whoever then has the right one")
    func guessed() async throws {
        let app = try await App()
        let code = try #require(try await app.send(.post, "/api/toy/pairing", "{}")["code"] as? String)
        for guess in 0..<5 { #expect(try await Self.redeem(app, "abcdefg\(guess)").status == 404) }
        #expect(try await Self.redeem(app, code).status == 429)
        app.advance(milliseconds: 30_000)
        #expect(try await Self.redeem(app, code).status == 201)
    }

    @Test("Codes tried from many addresses are few in all; where an adult has made one, a toy is set up all the same")
    func fromEverywhere() async throws {
        let app = try await App()
        func redeem(_ code: String, from address: String) async throws -> App.Answer {
            try await app.send(
                .post, "/api/toy/pairing/redemption", #"{"code":"\#(code)","host":"127.0.0.1"}"#, as: nil, from: address
            )
        }
        var statuses: [Int] = []
        for number in 0..<200 { statuses.append(try await redeem("abcdefgh", from: "127.7.7.\(number + 1)").status) }
        #expect(statuses.count { $0 == 404 } == 60 && statuses.suffix(140).allSatisfy { $0 == 429 })
        let pairing = try await app.send(.post, "/api/toy/pairing", "{}", from: "127.8.8.1")
        let code = try #require(pairing["code"] as? String)
        #expect(try await redeem(code, from: "127.9.9.1").status == 429)
        #expect(try await redeem(code, from: "127.8.8.1").status == 201)
        // Ten seconds later somebody else may try one.
        app.advance(milliseconds: 10_000)
        #expect(try await redeem("abcdefgh", from: "127.9.9.1").status == 404)
        #expect(try await redeem("abcdefgh", from: "127.9.9.2").status == 429)
    }

    @Test("Right codes do not count, from however many addresses they come")
    func rightOnes() async throws {
        let app = try await App()
        for number in 0..<80 {
            let code = try #require(try await app.send(.post, "/api/toy/pairing", "{}")["code"] as? String)
            let answer = try await app.send(
                .post, "/api/toy/pairing/redemption", #"{"code":"\#(code)","host":"127.0.0.1"}"#, as: nil,
                from: "127.7.7.\(number + 1)")
            #expect(answer.status == 201)
        }
    }
}
