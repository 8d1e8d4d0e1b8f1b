import HubKit
import Testing

@testable import Passkeys

@Suite("Where passkeys are possible")
struct RelyingPartyTests {
    private func party(_ host: String?, isSecure: Bool) -> Result<RelyingParty, RelyingParty.Obstacle> {
        Result { () throws(RelyingParty.Obstacle) in
            try RelyingParty(RequestSource(peer: nil, isSecure: isSecure, host: host, trustedProxies: []) { _ in [] })
        }
    }

    @Test(
        "A passkey belongs to the name by which a secure page was opened, and its origin says the port unless it is the usual one",
        arguments: [
            ("linden.local:8443", true, "linden.local", "https://linden.local:8443"),
            ("Hub.Example.org", true, "hub.example.org", "https://hub.example.org"),
            ("hub.example.org:443", true, "hub.example.org", "https://hub.example.org"),
            ("localhost:8080", false, "localhost", "http://localhost:8080"),
            ("tandem.localhost:80", false, "tandem.localhost", "http://tandem.localhost"),
        ])
    func names(host: String, isSecure: Bool, id: String, origin: String) throws {
        let found = try party(host, isSecure: isSecure).get()
        #expect(found.id == id && found.origin == origin)
    }

    @Test(
        "None is possible at a number, and none on a page that is not secure",
        arguments: [
            ("192.168.1.5:8443", true, RelyingParty.Obstacle.number), ("[fe80::1]:8443", true, .number),
            ("127.0.0.1:8080", false, .number), ("linden.local:8080", false, .insecure), ("", true, .number),
        ])
    func obstacles(host: String, isSecure: Bool, obstacle: RelyingParty.Obstacle) {
        #expect(party(host, isSecure: isSecure) == .failure(obstacle))
    }

    @Test("Without a host there is no name")
    func noHost() { #expect(party(nil, isSecure: true) == .failure(.number)) }

    @Test("What is said names the address at which one is possible, where the hub has one")
    func words() {
        var settings = HubSettings(dataFolder: "/nowhere")
        #expect(RelyingParty.Obstacle.home(settings) == nil)
        for origin in ["https://192.168.1.5:8443", "http://linden.local", "https://[fe80::1]"] {
            settings.origin = origin
            #expect(RelyingParty.Obstacle.home(settings) == nil)
        }
        settings.origin = "https://linden.local:8443"
        let home = RelyingParty.Obstacle.home(settings)
        for obstacle in [RelyingParty.Obstacle.number, .insecure] {
            #expect(obstacle.words(home: home).english.contains("https://linden.local:8443"))
            #expect(obstacle.words(home: nil).english.contains("--lan"))
        }
    }
}
