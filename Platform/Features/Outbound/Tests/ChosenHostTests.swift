import Admission
import GRDB
import HubInstruments
import Storage
import TLS
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Outbound

@Suite("A host that an adult has chosen")
struct ChosenHostTests {
    private func fault(_ body: () throws -> Void) -> ChosenHost.Fault? {
        do { try body() } catch { return error as? ChosenHost.Fault }
        return nil
    }

    @Test(
        "An https address is taken with its host and port, and an http address where its digits lie in a home network",
        arguments: [
            ("https://ntfy.example/topic", "https://ntfy.example", nil),
            ("HTTPS://Ntfy.Example:8443/topic", "https://ntfy.example:8443", nil),
            ("https://93.184.216.34/x", "https://93.184.216.34", nil),
            ("http://192.168.1.20:8090/topic", "http://192.168.1.20:8090", "192.168.1.20"),
            ("https://10.0.0.7/x", "https://10.0.0.7", "10.0.0.7"),
            ("http://127.0.0.1:2586/topic", "http://127.0.0.1:2586", "127.0.0.1"),
            ("http://localhost:2586/topic", "http://localhost:2586", "127.0.0.1"),
        ] as [(String, String, String?)])
    func taken(url: String, origin: String, houseAddress: String?) throws {
        let host = try ChosenHost(url: url, houseAddress: nil)
        #expect(host.origin == origin)
        #expect(host.houseAddress?.description == houseAddress)
    }

    @Test(
        "What is no such address is refused in words",
        arguments: [
            "http://ntfy.example/topic", "http://93.184.216.34/x", "ftp://ntfy.example/x", "smtp://ntfy.example",
            "https://user@ntfy.example/x", "https://user:word@ntfy.example/x", "https://ntfy.example/x#y",
            "https://ntfy.example\\@192.168.1.1/x", "https://nt fy.example/x", "https://ntfy.example:0/x",
            "https://ntfy.example:70000/x", "https:///x", "ntfy.example/topic", "https://ntfy..example/x",
            "https://münchen.example/x",
            // Where clouds have their keys, and what is nobody's: RFC 3927, RFC 1122, RFC 5771.
            "http://169.254.169.254/latest", "https://169.254.1.1/x", "http://0.0.0.0/x", "http://224.0.0.1/x",
            // Other ways to write an address, which others read as one of the house.
            "http://0300.0250.0.1/x", "http://3232235521/x", "http://0xc0a80001/x", "https://192.168.1/x",
            "https://[::1]/x", "https://[fe80::1]/x",
        ])
    func refused(url: String) {
        guard case .refused(let words)? = fault({ _ = try ChosenHost(url: url, houseAddress: nil) }) else {
            Issue.record("\(url) was taken")
            return
        }
        #expect(!words.english.isEmpty)
    }

    @Test(
        "The address of a name in the house is digits of a home network, and nothing else",
        arguments: [
            "8.8.8.8", "169.254.169.254", "fe80::1", "192.168.1", "0300.0250.0.1", "::ffff:192.168.1.1", "router",
        ])
    func houseAddress(text: String) {
        guard case .noHouseAddress? = fault({ _ = try ChosenHost(url: "https://ntfy.lan/x", houseAddress: text) })
        else {
            Issue.record("\(text) was taken")
            return
        }
    }

    @Test(
        "A name in the house is taken with its address there, of IPv4 or IPv6", arguments: ["192.168.1.20", "fd00::20"])
    func named(address: String) throws {
        let host = try ChosenHost(url: "http://ntfy.lan/x", houseAddress: " \(address) ")
        #expect(host.houseAddress?.description == address)
    }

    // MARK: Calls

    private struct House {
        let server: LocalPushService
        let test: TestHub
        let household: String
        var outbound: Outbound { test.services.outbound }

        init(leadsTo address: String = "127.0.0.1", isPublic: Bool = true) async throws {
            server = try await LocalPushService()
            var policy = server.policy(resolve: { _ in [IPAddress(address)!] })
            policy.isAllowed = { _ in isPublic }
            test = try TestHub(outbound: policy)
            household = try await test.seed().household
        }

        func add(_ address: String, kind: ChannelRecord.Kind = .ntfy, houseAddress: String? = nil, at: Int64 = 1)
            async throws
        {
            var record = ChannelRecord(
                id: Secret.identifier(), household: household, kind: kind, person: nil, address: address,
                isConfirmed: true, createdAt: at)
            record.houseAddress = houseAddress
            let made = record
            try await test.hub.database.pool.write { db in try made.insert(db) }
        }

        func call(_ url: String, purpose: String = "ntfy") -> OutboundCall {
            OutboundCall(household: household, url: url, purpose: purpose, body: [1])
        }
    }

    @Test("It is called for its purpose, at its port, as long as it is stored, and never otherwise")
    func gate() async throws {
        let house = try await House()
        let port = house.server.port
        let url = "https://push.test:\(port)/"
        func isRefused(_ call: OutboundCall) async -> Bool {
            do {
                _ = try await house.outbound.sendToChosen(call)
                return false
            } catch {
                if case .refused? = error as? OutboundError { return true }
                return false
            }
        }
        #expect(await isRefused(house.call(url)))
        try await house.add("https://push.test:\(port)/topic")
        #expect(try await house.outbound.sendToChosen(house.call(url)).status == 201)
        // Another port, scheme, host or purpose was not chosen.
        for other in ["https://push.test:\(port + 1)/", "http://push.test:\(port)/", "https://other.test:\(port)/"] {
            #expect(await isRefused(house.call(other)), "\(other)")
        }
        #expect(await isRefused(house.call(url, purpose: "webhook")))
        #expect(await isRefused(house.call(url, purpose: "push")))
        #expect(await isRefused(house.call("https://push.test:\(port)@192.168.1.1/")))
        try await house.test.hub.database.pool.write { db in try db.execute(sql: "DELETE FROM channel") }
        #expect(await isRefused(house.call(url)))
        #expect(house.server.received.count == 1)
    }

    @Test(
        "Companions have no way to it: their calls know what is declared alone, and no companion can declare its purpose"
    )
    func companions() async throws {
        let house = try await House()
        try await house.add("https://push.test:\(house.server.port)/topic")
        await #expect {
            try await house.test.hub.outbound.send(house.call("https://push.test:\(house.server.port)/"))
        } throws: {
            if case .refused? = $0 as? OutboundError { true } else { false }
        }
        for use in OutboundUse.chosen {
            let own = OutboundUse(
                purpose: use.purpose, title: "mine", words: "Mine.", hosts: [.name("push.test")])
            #expect(!house.outbound.install(own))
        }
        #expect(house.server.received.isEmpty)
    }

    @Test("A name that leads into the house is taken only with the address there that somebody typed")
    func leadsInside() async throws {
        let house = try await House(leadsTo: "192.168.1.20", isPublic: false)
        await #expect(throws: ChosenHost.Fault.isInHouse(name: "ntfy.lan", address: "192.168.1.20")) {
            try await house.outbound.check(ChosenHost(url: "https://ntfy.lan/x", houseAddress: nil))
        }
        try await house.outbound.check(ChosenHost(url: "https://ntfy.lan/x", houseAddress: "192.168.1.20"))
        // One that leads to where clouds have their keys never is.
        let cloud = try await House(leadsTo: "169.254.169.254", isPublic: false)
        await #expect {
            try await cloud.outbound.check(ChosenHost(url: "https://ntfy.lan/x", houseAddress: nil))
        } throws: {
            if case .refused? = $0 as? ChosenHost.Fault { true } else { false }
        }
    }

    @Test("A name that was on the internet and leads into the house later is not called there")
    func rebinding() async throws {
        let house = try await House(leadsTo: "127.0.0.1", isPublic: false)
        try await house.add("https://push.test:\(house.server.port)/topic")
        await #expect {
            try await house.outbound.sendToChosen(house.call("https://push.test:\(house.server.port)/"))
        } throws: {
            if case .refused? = $0 as? OutboundError { true } else { false }
        }
        #expect(house.server.received.isEmpty)
    }

    @Test(
        "A name with an address in the house is called at that address, wherever the name leads, and by its own certificate"
    )
    func pinned() async throws {
        let house = try await House(leadsTo: "203.0.113.9", isPublic: false)
        try await house.add("https://push.test:\(house.server.port)/topic", houseAddress: "127.0.0.2")
        #expect(
            try await house.outbound.sendToChosen(house.call("https://push.test:\(house.server.port)/")).status == 201)
        #expect(house.server.received.map(\.address) == ["127.0.0.2"])
    }

    @Test("It has so many calls an hour, and each is counted for the owner")
    func counted() async throws {
        let house = try await House()
        try await house.add("https://push.test:\(house.server.port)/topic")
        let call = house.call("https://push.test:\(house.server.port)/")
        for _ in 0..<3 { _ = try await house.outbound.sendToChosen(call) }
        let counted = try await house.outbound.calls(household: house.household)
        #expect(counted.map(\.calls) == [3] && counted.map(\.purpose) == ["ntfy"] && counted.map(\.bytes) == [3])
        for _ in 3..<OutboundUse.ntfy.callsAnHour { try house.outbound.takeTurn(.ntfy) }
        await #expect {
            try await house.outbound.sendToChosen(call)
        } throws: {
            if case .tooMany? = $0 as? OutboundError { true } else { false }
        }
    }

    @Test("The list of what leaves the house has it in words, with its last use, and no more once it was removed")
    func listed() async throws {
        let house = try await House()
        let client = try await HTTPTestClient(house.test)
        let person = try await house.test.hub.database.pool.read { db in try PersonRecord.fetchOne(db) }
        let token = try await client.token(try #require(person))
        func chosen() async throws -> [[String: Any]] {
            try #require(try await client.send(.get, "/api/outbound", token: token)["chosen"] as? [[String: Any]])
        }
        #expect(try await chosen().isEmpty)
        try await house.add("https://push.test:\(house.server.port)/topic")
        try await house.add("http://192.168.1.20/topic", at: 2)
        var uses = try await chosen()
        #expect(uses.map { $0["purpose"] as? String } == ["ntfy"])
        var hosts = try #require(uses.first?["hosts"] as? [[String: Any]])
        #expect(hosts.map { $0["name"] as? String } == ["push.test", "192.168.1.20"])
        #expect(hosts.map { $0["houseAddress"] as? String } == [nil, "192.168.1.20"])
        #expect(hosts.allSatisfy { $0["lastAt"] == nil })
        _ = try await house.outbound.sendToChosen(house.call("https://push.test:\(house.server.port)/"))
        uses = try await chosen()
        hosts = try #require(uses.first?["hosts"] as? [[String: Any]])
        #expect(hosts.first?["lastAt"] as? Int64 == house.test.hub.clock.now())
        try await house.test.hub.database.pool.write { db in try db.execute(sql: "DELETE FROM channel") }
        #expect(try await chosen().isEmpty)
    }
}
