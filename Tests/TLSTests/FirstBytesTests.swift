import TestInstruments
import Testing

@testable import TLS

@Suite("What the first bytes say")
struct FirstBytesTests {
    static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"]

    private func decide(_ text: String) -> FirstBytes { FirstBytes(Array(text.utf8)) }

    @Test("A request of HTTP/1 is known by its method and the space after it", arguments: methods)
    func method(_ method: String) {
        for length in 0...method.utf8.count {
            #expect(decide(String(method.prefix(length))) == .undecided)
        }
        #expect(decide(method + " ") == .plainHTTP)
        #expect(decide(method + " / HTTP/1.1\r\n") == .plainHTTP)
    }

    @Test(
        "What only looks like a method is none",
        arguments: [
            "get / HTTP/1.1", "GETS /", "GET\t/", "GET\r\n", " GET /", "PRI * HTTP/2.0", "HTTP/1.1 200 OK",
            "OPTIONSX", "M-SEARCH", "SSH-2.0-OpenSSH", "\0", "\r\n", "\u{10}\u{12}\u{0}\u{4}MQTT",
        ])
    func noMethod(_ text: String) {
        #expect(decide(text) == .neither)
    }

    @Test(
        "Of the records of TLS only a handshake begins a connection (RFC 8446, 5.1)",
        arguments: 0...255 as ClosedRange<UInt8>)
    func recordType(_ type: UInt8) {
        let letters = Set(Self.methods.compactMap(\.utf8.first))
        let expected: FirstBytes = type == 22 ? .tls : letters.contains(type) ? .undecided : .neither
        #expect(FirstBytes([type]) == expected)
        #expect(FirstBytes([type, 3, 1]) == (type == 22 ? .tls : .neither))
    }

    @Test("Nothing said is nothing decided")
    func empty() { #expect(FirstBytes([]) == .undecided) }

    @Test("However the bytes come in pieces, they are decided as a whole, and by the eighth at the latest")
    func split() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("first bytes seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<30_000 {
            var bytes = (0..<Int.random(in: 8...16, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if round % 3 > 0 {
                // A method, and in every third case one with a byte changed.
                let start =
                    Array((Self.methods.randomElement(using: &random) ?? "GET").utf8) + Array(" /index.html".utf8)
                bytes.replaceSubrange(0..., with: start.prefix(max(bytes.count, 8)))
                if round % 3 == 2, let index = bytes.indices.randomElement(using: &random) {
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let whole = FirstBytes(bytes)
            #expect(whole != .undecided, "\(bytes)")
            for length in 1...bytes.count {
                let decided = FirstBytes(bytes.prefix(length))
                #expect(decided == whole || (decided == .undecided && length < 8), "\(bytes) cut to \(length)")
            }
        }
    }
}
