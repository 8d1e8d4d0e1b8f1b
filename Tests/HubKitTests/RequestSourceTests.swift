import Admission
import NIOCore
import TLS
import Testing

@testable import HubKit

@Suite("Where a request comes from")
struct RequestSourceTests {
    private func source(
        peer: String = "192.168.1.20", isSecure: Bool = false, host: String? = "hub:8080", trusted: [String] = [],
        headers: [String: [String]] = [:]
    ) throws -> RequestSource {
        RequestSource(
            peer: try SocketAddress(ipAddress: peer, port: 50_000), isSecure: isSecure, host: host,
            trustedProxies: trusted.compactMap { IPRange($0) }
        ) { headers[$0] ?? [] }
    }

    @Test(
        "A request from another site's page is refused, one without an origin is a program's",
        arguments: [
            (nil, "hub:8080", true), ("http://hub:8080", "hub:8080", true), ("http://HUB:8080", "hub:8080", true),
            ("http://hub:8081", "hub:8080", false), ("http://evil.example", "hub:8080", false),
            ("https://hub:8080", "hub:8080", false), ("null", "hub:8080", false), ("http://hub", "hub:80", true),
            ("http://[::1]:8080", "[::1]:8080", true), ("garbage", "hub:8080", false),
            // One address in several spellings (RFC 5952, RFC 1034 3.1).
            ("http://[fd00::7]:8080", "[FD00:0:0::7]:8080", true), ("http://linden.lan.:8080", "linden.lan:8080", true),
            ("http://linden.lan:8080", "Linden.LAN.:8080", true), ("http://hub:80", "hub", true),
            ("http://[fd00::8]:8080", "[fd00::7]:8080", false), ("http://linden.lan.evil:80", "linden.lan.", false),
        ] as [(String?, String, Bool)])
    func origin(origin: String?, host: String, isOwn: Bool) throws {
        #expect(try source(host: host).isOwn(origin: origin) == isOwn)
    }

    @Test("A page over plain HTTP is not the hub's own page over HTTPS")
    func scheme() throws {
        let secure = try source(isSecure: true, host: "linden.local:8443")
        #expect(secure.isOwn(origin: "https://linden.local:8443"))
        // A program whose library knows one scheme: its port, as written or by that scheme, is the same.
        #expect(secure.isOwn(origin: "http://linden.local:8443", anyScheme: true))
        #expect(!secure.isOwn(origin: "http://linden.local:8443"))
        #expect(!secure.isOwn(origin: "http://linden.local", anyScheme: true))
        #expect(!secure.isOwn(origin: "https://another.local:8443", anyScheme: true))
        #expect(!secure.isOwn(origin: "ftp://linden.local:8443", anyScheme: true))
        #expect(!secure.isOwn(origin: "http://linden.local:8443"))
        #expect(try source(isSecure: true, host: "linden.local").isOwn(origin: "https://linden.local"))
        #expect(try source(isSecure: true, host: "linden.local:443").isOwn(origin: "https://linden.local"))
    }

    private static let forwarded = [
        "X-Forwarded-For": ["203.0.113.9, 10.0.0.7"], "X-Forwarded-Proto": ["https"],
        "X-Forwarded-Host": ["tandem.example.org"],
    ]

    @Test("What a stranger says of proxies is not believed")
    func stranger() throws {
        let source = try source(trusted: ["10.0.0.0/8"], headers: Self.forwarded)
        #expect(source.address == "192.168.1.20")
        #expect(!source.isSecure)
        #expect(source.host == "hub:8080")
    }

    @Test("A trusted proxy names the client, the scheme and the host", arguments: ["10.0.0.5", "::ffff:10.0.0.5"])
    func proxy(peer: String) throws {
        let source = try source(peer: peer, trusted: ["10.0.0.0/8"], headers: Self.forwarded)
        #expect(source.address == "203.0.113.9")
        #expect(source.isSecure)
        #expect(source.isOwn(origin: "https://tandem.example.org"))
    }

    @Test(
        "Of two proxies in a row the one that the client spoke to says by what, whether each tells or one for all",
        arguments: [
            [
                "X-Forwarded-For": ["203.0.113.9, 10.0.0.7"], "X-Forwarded-Proto": ["https, http"],
                "X-Forwarded-Host": ["tandem.example.org, inner:8080"],
            ],
            [
                "X-Forwarded-For": ["203.0.113.9", "10.0.0.7"], "X-Forwarded-Proto": ["https", "http"],
                "X-Forwarded-Host": ["tandem.example.org", "inner:8080"],
            ],
            // What the client itself sent stands further to the left.
            [
                "X-Forwarded-For": ["127.0.0.1, 203.0.113.9, 10.0.0.7"], "X-Forwarded-Proto": ["http, https, http"],
                "X-Forwarded-Host": ["evil.example, tandem.example.org, inner"],
            ],
            [
                "X-Forwarded-For": ["203.0.113.9, 10.0.0.7"], "X-Forwarded-Proto": ["HTTPS"],
                "X-Forwarded-Host": ["tandem.example.org"],
            ],
            // RFC 7239, 4 and 6: `for` with a port, in quotes; parameters in any case and order.
            ["Forwarded": ["for=203.0.113.9;proto=https;host=tandem.example.org, for=10.0.0.7;proto=http;host=inner"]],
            ["Forwarded": [#"Proto=https;Host="tandem.example.org";For="203.0.113.9:4711""#, "for=10.0.0.7"]],
            ["Forwarded": [#"for=_hidden;secret="a,b;\"c", for="203.0.113.9";host=tandem.example.org;proto=https"#]],
        ] as [[String: [String]]])
    func chain(headers: [String: [String]]) throws {
        let source = try source(peer: "10.0.0.5", trusted: ["10.0.0.0/8"], headers: headers)
        #expect(source.address == "203.0.113.9")
        #expect(source.isOwn(origin: "https://tandem.example.org"))
    }

    // RFC 7239, 8.1: what a client has put into a field that its proxy does not write is handed on.
    @Test(
        "Where a proxy's two fields disagree, nobody's address is chosen by whoever asks",
        arguments: ["198.51.100.1", "198.51.100.2"])
    func disagreement(forged: String) throws {
        let headers = ["X-Forwarded-For": [forged], "Forwarded": ["for=203.0.113.9;proto=https"]]
        #expect(try source(peer: "10.0.0.5", trusted: ["10.0.0.0/8"], headers: headers).address == "10.0.0.5")
        let agreeing = ["X-Forwarded-For": ["203.0.113.9"], "Forwarded": ["for=203.0.113.9;proto=https"]]
        #expect(try source(peer: "10.0.0.5", trusted: ["10.0.0.0/8"], headers: agreeing).address == "203.0.113.9")
    }

    // What each adds by its own documentation: Caddy's reverse_proxy, Traefik, cloudflared, HAProxy's `option forwarded`,
    // Azure's gateway with its port, an nginx in a container behind another.
    @Test(
        "What the proxies of the world send is understood as they mean it",
        arguments: [
            [
                "X-Forwarded-For": ["203.0.113.9"], "X-Forwarded-Proto": ["https"],
                "X-Forwarded-Host": ["tandem.example.org"], "Via": ["2.0 Caddy"],
            ],
            [
                "X-Forwarded-For": ["203.0.113.9"], "X-Forwarded-Proto": ["https"],
                "X-Forwarded-Host": ["tandem.example.org"], "X-Forwarded-Port": ["443"],
                "X-Forwarded-Server": ["4be0c2"], "X-Real-Ip": ["203.0.113.9"],
            ],
            [
                "X-Forwarded-For": ["203.0.113.9"], "X-Forwarded-Proto": ["https"],
                "CF-Visitor": ["{\"scheme\":\"https\"}"], "CF-Connecting-IP": ["203.0.113.9"],
            ],
            ["Forwarded": ["proto=https;host=\"tandem.example.org\";by=10.0.0.5;for=203.0.113.9"]],
            ["X-Forwarded-For": ["203.0.113.9:58321"], "X-Forwarded-Proto": ["https"]],
            [
                "X-Forwarded-For": ["203.0.113.9, ::ffff:10.0.0.7"], "X-Forwarded-Proto": ["https,http"],
                "X-Forwarded-Host": ["tandem.example.org:443,tandem.example.org"],
            ],
        ])
    func proxies(headers: [String: [String]]) throws {
        let source = try source(
            peer: "10.0.0.5", host: "tandem.example.org", trusted: ["10.0.0.0/8"], headers: headers)
        #expect(source.address == "203.0.113.9" && source.isSecure)
        #expect(source.isOwn(origin: "https://tandem.example.org"))
        #expect(!source.isOwn(origin: "http://tandem.example.org"))
    }

    @Test("Forwarded is believed where no other header tells another, and a proxy of IPv6 is one in any spelling")
    func forwardedAlone() throws {
        let mixed = try source(
            peer: "fd00::5", trusted: ["FD00:0:0::5"],
            headers: [
                "X-Forwarded-For": ["203.0.113.9"], "Forwarded": ["for=198.51.100.1;proto=https;host=evil.example"],
            ])
        #expect(mixed.address == "fd00::/64" && !mixed.isSecure && mixed.host == "hub:8080")
        let version6 = try source(
            peer: "10.0.0.5", trusted: ["10.0.0.0/8"], headers: ["Forwarded": [#"for="[2001:db8:1:2::9]:4711""#]])
        #expect(version6.address == "2001:db8:1:2::/64")
        let hidden = try source(peer: "10.0.0.5", trusted: ["10.0.0.0/8"], headers: ["Forwarded": ["for=unknown"]])
        #expect(hidden.address == "10.0.0.5", "counted as the proxy's")
    }

    @Test("A client cannot put an address in front of its own")
    func spoofed() throws {
        let source = try source(
            peer: "10.0.0.5", trusted: ["10.0.0.0/8"], headers: ["X-Forwarded-For": ["127.0.0.1, 203.0.113.9"]])
        #expect(source.address == "203.0.113.9")
    }

    @Test(
        "Tries are counted by address, of IPv6 by network",
        arguments: [
            ("192.168.1.20", "192.168.1.20"), ("::ffff:192.168.1.20", "192.168.1.20"),
            ("fd00:1:2:3:aaaa::1", "fd00:1:2:3::/64"), ("fd00:1:2:3:bbbb::2", "fd00:1:2:3::/64"),
        ])
    func counted(peer: String, address: String) throws { #expect(try source(peer: peer).address == address) }

    @Test(
        "A proxy may write a port behind the client's address",
        arguments: ["203.0.113.9:4711", "[2001:db8:1:2::9]:4711", "2001:db8:1:2::9"])
    func port(hop: String) throws {
        let source = try source(peer: "10.0.0.5", trusted: ["10.0.0.0/8"], headers: ["X-Forwarded-For": [hop]])
        #expect(source.address == (hop.contains("db8") ? "2001:db8:1:2::/64" : "203.0.113.9"))
    }

    @Test("The owner's address wins over what a client has a proxy hand on")
    func ownersAddress() throws {
        let source = RequestSource(
            peer: try SocketAddress(ipAddress: "10.0.0.5", port: 1), isSecure: false, host: "hub:8080",
            trustedProxies: [IPRange("10.0.0.5")].compactMap { $0 }, origin: "https://tandem.example.org"
        ) { $0 == "X-Forwarded-Host" ? ["evil.example"] : [] }
        #expect(source.host == "tandem.example.org")
        #expect(source.isSecure)
        #expect(!source.isOwn(origin: "https://evil.example"))
    }

    @Test(
        "A program on this machine is one that reached the hub by itself",
        arguments: [
            ("127.0.0.1", [], [:], true), ("127.9.9.9", [], [:], true), ("::1", [], [:], true),
            ("192.168.1.20", [], [:], false), ("fe80::1", [], [:], false), ("127.0.0.1", ["127.0.0.1"], [:], false),
            ("127.0.0.1", [], ["X-Forwarded-For": ["203.0.113.9"]], false),
            ("127.0.0.1", [], ["Forwarded": ["for=203.0.113.9"]], false), ("::1", [], ["Via": ["1.1 proxy"]], false),
            ("192.168.1.20", ["192.168.1.20"], ["X-Forwarded-For": ["127.0.0.1"]], false),
        ] as [(String, [String], [String: [String]], Bool)])
    func thisMachine(peer: String, trusted: [String], headers: [String: [String]], isThisMachine: Bool) throws {
        #expect(try source(peer: peer, trusted: trusted, headers: headers).isThisMachine == isThisMachine)
    }

    @Test("A proxy that says nothing leaves what the socket says")
    func silent() throws {
        let source = try source(peer: "10.0.0.5", isSecure: true, trusted: ["10.0.0.5"])
        #expect(source.address == "10.0.0.5")
        #expect(source.isSecure)
        #expect(source.host == "hub:8080")
    }
}
