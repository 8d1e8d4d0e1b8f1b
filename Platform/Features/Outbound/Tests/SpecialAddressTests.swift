import Admission
import TLS
import Testing

@testable import HubKit
@testable import HubServer
@testable import Outbound

@Suite("Addresses that the hub never connects to (RFC 6890)")
struct SpecialAddressTests {
    /// The first and the last address of each range in the registries of RFC 6890, with multicast and reserved ones,
    /// and what would lead through a translator into the house.
    static let ranges = [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0",
        "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0",
        "172.31.255.255", "192.0.0.0", "192.0.0.170", "192.0.0.255", "192.0.2.0", "192.0.2.255", "192.31.196.0",
        "192.31.196.255", "192.52.193.0", "192.52.193.255", "192.88.99.0", "192.88.99.255", "192.168.0.0",
        "192.168.255.255", "192.175.48.0", "192.175.48.255", "198.18.0.0", "198.19.255.255", "198.51.100.0",
        "198.51.100.255", "203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0",
        "255.255.255.254", "255.255.255.255",
        "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::ffff:ffff", "64:ff9b:1::",
        "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "100::", "100::ffff:ffff:ffff:ffff", "100:0:0:1::", "2001::",
        "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "2001:2::1", "2001:10::1", "2001:20::1",
        "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2002::",
        "2002:7f00:1::1", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2620:4f:8000::",
        "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "5f00::1",
        "fc00::", "fd12:3456::1", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::", "fe80::1",
        "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::1", "ff00::", "ff02::fb",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::1", "1fff:ffff::1",
    ]

    @Test("A special address is not public, and the words say what it is for", arguments: ranges)
    func special(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!address.isPublic)
        #expect(address.specialPurpose?.isEmpty == false)
    }

    @Test("An IPv4 address inside IPv6 is not public, whichever it is", arguments: ["127.0.0.1", "8.8.8.8"])
    func mapped(inner: String) throws {
        let bytes = try #require(IPAddress(inner)).bytes
        let mapped = try #require(IPAddress(bytes: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes))
        #expect(!mapped.isPublic)
    }

    /// The neighbours of the ranges, and a few that everybody knows.
    @Test(
        "An address beside the ranges is public",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
            "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255",
            "203.0.112.255", "203.0.114.0", "223.255.255.255", "142.250.185.74", "17.188.143.1",
            "2001:200::", "2001:4860:4860::8888", "2001:db7:ffff::", "2001:db9::", "2003::", "2620:4f:7fff::",
            "2620:149:a44::1", "2a00:1450:4016:80c::200a", "3ffe::1", "3fff:1000::",
        ])
    func others(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test("Every line of the list is a range that could be read")
    func list() { #expect(SpecialRange.all.count == 23) }
}
