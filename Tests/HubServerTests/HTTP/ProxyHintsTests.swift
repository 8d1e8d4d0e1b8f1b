import Admission
import NIOCore
import Synchronization
import TLS
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer

@Suite("What the log says of a proxy that the hub was not told of")
struct ProxyHintsTests {
    /// The lines of the log after a request.
    private func lines(
        peer: String = "127.0.0.1", host: String? = "127.0.0.1:8080", origin: String? = nil, trusted: [String] = [],
        times: Int = 1, _ headers: [String: [String]]
    ) -> [String] {
        var settings = HubSettings(dataFolder: "")
        settings.origin = origin
        settings.trustedProxies = trusted.compactMap { IPRange($0) }
        let log = RecordedLog()
        let hints = ProxyHints(settings: settings, log: log.logger)
        for _ in 0..<times { hints.look(peer: IPAddress(peer), host: host) { headers[$0] ?? [] } }
        return log.text.split(separator: "\n").map(String.init)
    }

    @Test(
        "A proxy that hands requests on is named once, with the settings that it wants",
        arguments: [
            (
                ["X-Forwarded-Proto": ["https"], "X-Forwarded-Host": ["tandem.example.org"]],
                "--origin https://tandem.example.org --trusted-proxy 127.0.0.1"
            ),
            // nginx with `proxy_set_header Host $host` has no other; HAProxy hands on Host as it is.
            (["X-Forwarded-Proto": ["https"]], "--trusted-proxy 127.0.0.1"),
            (
                ["Forwarded": ["for=192.0.2.60;proto=https;host=\"tandem.example.org:8443\""]],
                "--origin https://tandem.example.org:8443 --trusted-proxy 127.0.0.1"
            ),
            (
                ["X-Forwarded-Host": ["Tandem.Example.org."], "X-Forwarded-Proto": ["http"]],
                "--origin http://tandem.example.org --trusted-proxy 127.0.0.1"
            ),
            (
                ["X-Forwarded-Host": ["[FD00:0::7]:8443"], "X-Forwarded-Proto": ["https"]],
                "--origin https://[fd00::7]:8443 --trusted-proxy 127.0.0.1"
            ),
        ] as [([String: [String]], String)])
    func named(headers: [String: [String]], settings: String) {
        let lines = lines(times: 3, headers)
        #expect(
            lines.count == 1 && lines[0].hasSuffix("proxy=127.0.0.1")
                && lines[0].contains("start the hub with \(settings) "), "\(lines)")
    }

    @Test("Only what is missing is named, and nothing where all is there")
    func missing() {
        let headers = ["X-Forwarded-Proto": ["https"], "X-Forwarded-Host": ["tandem.example.org"]]
        let trusted = lines(trusted: ["127.0.0.0/8"], headers)
        #expect(trusted.count == 1 && trusted[0].contains("start the hub with --origin https://tandem.example.org "))
        let told = lines(origin: "https://tandem.example.org", headers)
        #expect(told.count == 1 && told[0].contains("start the hub with --trusted-proxy 127.0.0.1 "))
        #expect(lines(origin: "https://tandem.example.org", trusted: ["127.0.0.1"], headers).isEmpty)
        // One address in other spellings.
        #expect(
            lines(
                origin: "https://tandem.example.org", trusted: ["127.0.0.1"],
                ["X-Forwarded-Proto": ["https"], "X-Forwarded-Host": ["TANDEM.example.org.:443"]]
            ).isEmpty)
        let other = lines(origin: "https://old.example.org", trusted: ["127.0.0.1"], headers)
        #expect(other.count == 1 && other[0].contains("--origin https://tandem.example.org "))
    }

    @Test(
        "What no proxy of the house sent says nothing",
        arguments: [
            ("8.8.8.8", ["X-Forwarded-Host": ["evil.example"]]), ("192.168.1.20", [:]),
            ("127.0.0.1", ["X-Forwarded-Host": ["a b"]]), ("127.0.0.1", ["X-Forwarded-For": ["192.168.1.9"]]),
        ] as [(String, [String: [String]])])
    func nothing(peer: String, headers: [String: [String]]) { #expect(lines(peer: peer, headers).isEmpty) }

    @Test(
        "A host that is none of the hub's is named once, with its port, and with HTTP at the port where the hub speaks that"
    )
    func refused() {
        let log = RecordedLog()
        var settings = HubSettings(dataFolder: "")
        settings.port = 8080
        let hosts = OwnHosts(
            settings: settings, hints: ProxyHints(settings: settings, log: log.logger),
            network: { LocalNetwork(hostName: "linden", addresses: []) })
        let addresses = [
            ("tandem.example.org", "https://tandem.example.org"),
            ("Tandem.example.org:8443", "https://tandem.example.org:8443"),
            ("[fd00::8]:8080", "http://[fd00::8]:8080"),
        ]
        for _ in 0..<2 {
            for (host, address) in addresses {
                let problem = hosts.problem(
                    hosts: [host], peer: IPAddress("192.168.1.20"), local: IPAddress("192.168.1.7"))
                #expect(problem?.code.code == 421)
                let words = problem?.detail.english ?? ""
                #expect(words.contains("--origin \(address);"), "\(words)")
            }
        }
        let lines = log.text.split(separator: "\n")
        #expect(lines.count == 3)
        for (line, (_, address)) in zip(lines, addresses) {
            #expect(line.contains("start the hub with --origin \(address) "), "\(line)")
        }
    }

    @Test("Names that scanners ask for fill no log, and keep neither the true one nor a proxy's out for good")
    func scanned() throws {
        let log = RecordedLog()
        let time = Mutex(NIODeadline.now())
        let settings = HubSettings(dataFolder: "")
        let hints = ProxyHints(settings: settings, log: log.logger) { time.withLock { $0 } }
        func ask(_ name: String) throws {
            hints.refused(try #require(RequestHost(name)), address: "https://\(name)")
        }
        func count() -> Int { log.text.split(separator: "\n").count }
        for number in 0..<100 { try ask("scan\(number).example") }
        try ask("tandem.example.org")
        #expect(count() == ProxyHints.most)
        hints.look(peer: IPAddress("127.0.0.1"), host: "127.0.0.1") { $0 == "X-Forwarded-Proto" ? ["https"] : [] }
        #expect(count() == ProxyHints.most + 1, "a proxy's is another kind")
        time.withLock { $0 = $0 + ProxyHints.pause }
        for _ in 0..<2 { try ask("tandem.example.org") }
        #expect(count() == ProxyHints.most + 2)
        #expect(log.text.contains("--origin https://tandem.example.org"))
        for number in 100..<200 { try ask("scan\(number).example") }
        #expect(count() == ProxyHints.most + 2)
    }
}
