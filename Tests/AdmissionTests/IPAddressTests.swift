import Admission
import NIOCore
import TestInstruments
import Testing

@testable import TLS

@Suite("Addresses and their ranges")
struct IPAddressTests {
    @Test(
        "An address is read from its text and written as RFC 5952 has it",
        arguments: [
            ("192.168.1.7", "192.168.1.7"), ("0.0.0.0", "0.0.0.0"), ("fe80::1", "fe80::1"), ("FE80:0:0::1", "fe80::1"),
            ("fe80::1%eth0", "fe80::1"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::", "::"),
            ("::ffff:10.0.0.9", "10.0.0.9"), ("::FFFF:a00:9", "10.0.0.9"),
        ])
    func text(_ text: String, _ written: String) throws {
        let address = try #require(IPAddress(text))
        #expect("\(address)" == written)
        #expect(IPAddress("\(address)") == address)
        #expect(IPAddress(bytes: address.bytes) == address)
    }

    @Test(
        "What is no address is none",
        arguments: [
            "", " ", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ", "::1::", "localhost", "1.2.3.4/8", "%eth0", "[::1]",
            "1.2.3.4\0", "::1\0",
        ])
    func noAddress(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("Bytes are an address where they are 4 or 16", arguments: 0...20)
    func bytes(count: Int) {
        #expect((IPAddress(bytes: [UInt8](repeating: 1, count: count)) != nil) == [4, 16].contains(count))
    }

    @Test("A socket's address is one, that of a file is none")
    func socket() throws {
        #expect(IPAddress(try SocketAddress(ipAddress: "10.1.2.3", port: 8443)) == IPAddress("10.1.2.3"))
        #expect(IPAddress(try SocketAddress(ipAddress: "::ffff:10.1.2.3", port: 1)) == IPAddress("10.1.2.3"))
        #expect(IPAddress(try SocketAddress(unixDomainSocketPath: "/tmp/x")) == nil)
    }

    @Test(
        "A range is read, its bits after the prefix cleared",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0/8"), ("10.1.2.3/8", "10.0.0.0/8"), ("10.1.2.3", "10.1.2.3/32"),
            ("0.0.0.0/0", "0.0.0.0/0"), ("172.31.255.255/12", "172.16.0.0/12"), ("fd12::/7", "fc00::/7"),
            ("::1", "::1/128"), ("febf::1/10", "fe80::/10"),
        ])
    func range(_ text: String, _ written: String) throws {
        #expect("\(try #require(IPRange(text)))" == written)
    }

    @Test(
        "What is no range is none",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/ 8",
            "::/129", "10.0.0.0/99999999999999999999", "10/8", "10.0.0.0/٨",
        ])
    func noRange(_ text: String) {
        #expect(IPRange(text) == nil)
    }

    @Test(
        "A range ends where its prefix says",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("172.16.0.0/12", "172.31.255.255", "172.32.0.0"),
            ("100.64.0.0/10", "100.127.255.255", "100.128.0.0"), ("192.168.4.0/31", "192.168.4.1", "192.168.4.2"),
            ("fc00::/7", "fdff::1", "fe00::"), ("fe80::/10", "febf::1", "fec0::"), ("::1", "::1", "::2"),
            ("10.0.0.9", "10.0.0.9", "10.0.0.8"), ("0.0.0.0/0", "255.1.2.3", "::1"), ("::/0", "ff::1", "1.2.3.4"),
        ])
    func edges(_ range: String, inside: String, outside: String) throws {
        let range = try #require(IPRange(range))
        #expect(range.contains(try #require(IPAddress(inside))))
        #expect(!range.contains(try #require(IPAddress(outside))))
        #expect(range.contains(range.base))
    }

    @Test("An address lies in a range exactly when the leading bits agree")
    func bits() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("range seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let count = Bool.random(using: &random) ? 4 : 16
            let base = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let length = Int.random(in: 0...count * 8, using: &random)
            let flipped = Int.random(in: 0..<count * 8, using: &random)
            var other = base
            other[flipped / 8] ^= 0x80 >> (flipped % 8)
            let (inside, changed) = (try #require(IPAddress(bytes: base)), try #require(IPAddress(bytes: other)))
            let range = try #require(IPRange("\(inside)/\(length)"))
            #expect(range.contains(inside))
            #expect(range.contains(changed) == (flipped >= length), "\(range) \(changed)")
        }
    }
}
