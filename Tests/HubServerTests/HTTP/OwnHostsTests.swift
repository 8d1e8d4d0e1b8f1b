import Admission
import TLS
import Testing

@testable import HubKit
@testable import HubServer

@Suite("The hosts under which the hub answers")
struct OwnHostsTests {
    private func rejection(
        _ host: String, origin: String? = nil, bound: String = "127.0.0.1", certificate: [String] = [],
        local: String = "192.168.1.7"
    ) -> Int? {
        var settings = HubSettings(dataFolder: "")
        settings.origin = origin
        settings.host = bound
        let addresses = ["192.168.1.7", "fd00::7", "fe80::7"].compactMap { IPAddress($0) }
        let hosts = OwnHosts(settings: settings, certificateNames: { certificate }) {
            LocalNetwork(hostName: "linden", addresses: addresses)
        }
        return hosts.problem(hosts: [host], peer: IPAddress("192.168.1.20"), local: IPAddress(local))?.code.code
    }

    @Test(
        "Loopback, the machine's names and its addresses are its own, in any spelling and with any port",
        arguments: [
            "localhost", "localhost:8080", "LocalHost:1", "localhost.", "127.0.0.1:8080", "127.8.8.8", "[::1]",
            "[::1]:8080",
            "192.168.1.7:8443", "[fd00::7]:8443", "[FD00:0:0::7]", "linden", "linden:8080", "Linden.Local:8443",
            "linden.local.", "linden.lan", "linden.home.arpa", "linden.home", "linden.internal",
        ])
    func own(host: String) { #expect(rejection(host) == nil) }

    @Test(
        "Any other is another's, however much it looks like one of these",
        arguments: [
            "evil.example", "linden.evil.example", "linden.example", "localhost.evil.example", "127.0.0.1.evil.example",
            "linden.local.evil.example", "192.168.1.8", "[fd00::8]", "8.8.8.8:8080", "other.local", "linden.com",
            "xlocalhost", "0x7f.1", "2130706433",
        ])
    func foreign(host: String) { #expect(rejection(host) == 421) }

    @Test(
        "What is no host is refused as that",
        arguments: [
            "", ":8080", "a b", "localhost:", "localhost:x", "localhost:65536", "[::1", "[::1]x", "[localhost]", "..",
            "localhost..",
            "a..b",
            "a/b", "a@b", "lin\u{e4}den", "localhost:80:80", "\(String(repeating: "a", count: 254))",
        ])
    func malformed(host: String) {
        // An empty port is the scheme's own (RFC 3986, 3.2.3).
        #expect(rejection(host) == (host == "localhost:" ? nil : 400))
    }

    @Test("The origin, the address that was bound and the names of a certificate are the hub's too")
    func configured() {
        #expect(rejection("tandem.example.org", origin: "https://tandem.example.org") == nil)
        #expect(rejection("tandem.example.org:8443", origin: "https://Tandem.Example.org") == nil)
        #expect(rejection("example.org", origin: "https://tandem.example.org") == 421)
        #expect(rejection("hub.example.org", bound: "hub.example.org") == nil)
        #expect(rejection("a.example.org", certificate: ["*.example.org"]) == nil)
        #expect(rejection("a.b.example.org", certificate: ["*.example.org"]) == 421)
        #expect(rejection("example.org", certificate: ["*.example.org"]) == 421)
        #expect(rejection("kitchen", certificate: ["kitchen.local", "localhost"]) == nil)
        #expect(rejection("10.9.9.9", local: "10.9.9.9") == nil, "the address that the connection came to")
    }
}
