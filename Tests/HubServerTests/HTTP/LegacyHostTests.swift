import Admission
import HubKit
import TLS
import Testing

@testable import HubServer

@Suite("The host of an original system's server")
struct LegacyHostTests {
    private static let server = "triviotoy.azurewebsites.net"
    private let legacy = LegacyPaths([
        LegacyProtocol(
            routes: [
                LegacyRoute(.get, "/Trivia/{userID}", "The next."), LegacyRoute(.post, "/User/Login", "Signs in."),
                LegacyRoute(.get, "/User/History/{userID}/{count}", "Reports."),
            ], hosts: ["triviotoy.azurewebsites.net"], risk: "")
    ])

    private func problem(_ host: String, _ target: String, isForLegacyAlone: Bool = false) -> Problem? {
        // A certificate with the server's name makes it no name of the hub's.
        let hosts = OwnHosts(
            settings: HubSettings(dataFolder: ""), legacy: legacy, isForLegacyAlone: isForLegacyAlone,
            certificateNames: { [Self.server] },
            network: { LocalNetwork(hostName: "linden", addresses: ["192.168.1.7"].compactMap { IPAddress($0) }) })
        return hosts.problem(
            hosts: [host], target: target, peer: IPAddress("192.168.1.20"), local: IPAddress("192.168.1.7"))
    }

    @Test(
        "Its own routes are answered under it, in any spelling of the name",
        arguments: [server, "TrivioToy.AzureWebsites.net:80", "triviotoy.azurewebsites.net."],
        ["/Trivia/7", "/User/Login", "/User/History/7/3", "/Trivia/7?x=y", "/Trivia/7/"])
    func own(host: String, target: String) {
        #expect(problem(host, target) == nil)
        #expect(problem(host, target, isForLegacyAlone: true) == nil)
    }

    @Test(
        "Nothing else of the hub is, and the refusal has a message",
        arguments: [
            "/", "/api/people", "/live", "/mqtt", "/healthz", "/Trivia", "/Trivia/7/8", "/trivia/7", "//Trivia/7/8",
            "*",
            "/Trivia/../api/people", "/User/History",
        ])
    func others(target: String) throws {
        let refusal = problem(Self.server, target)
        let found = try #require(refusal)
        #expect(found.code == .notFound && found.hasMessage)
        #expect(String(buffer: found.content()).contains(#""message":"Here are"#))
    }

    @Test("At the address for the originals nothing else is answered either, whatever it is called by")
    func address() {
        #expect(problem("192.168.1.7", "/Trivia/7", isForLegacyAlone: true) == nil)
        for host in ["192.168.1.7", "localhost", "linden.local", Self.server] {
            #expect(problem(host, "/api/people", isForLegacyAlone: true)?.code == .notFound)
        }
        let strange = problem("evil.example", "/Trivia/7", isForLegacyAlone: true)
        #expect(strange?.code == .misdirectedRequest && strange?.hasMessage == true)
    }

    @Test("Other hosts are what they were, and their refusals have no message")
    func unchanged() {
        #expect(problem("192.168.1.7", "/api/people") == nil)
        let strange = problem("azurewebsites.net", "/Trivia/7")
        #expect(strange?.code == .misdirectedRequest && strange?.hasMessage == false)
    }
}
