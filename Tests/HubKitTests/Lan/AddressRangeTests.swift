import NIOCore
import Testing

@testable import HubKit

@Suite("Ranges of addresses")
struct AddressRangeTests {
    @Test(
        "A range holds the addresses that share its prefix (RFC 4632)",
        arguments: [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false), ("192.168.4.0/22", "192.168.7.255", true),
            ("192.168.4.0/22", "192.168.8.0", false), ("0.0.0.0/0", "8.8.8.8", true), ("::1", "::1", true),
            ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("::/0", "10.1.1.1", false),
        ])
    func holds(range: String, address: String, isIn: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(range.contains(try SocketAddress(ipAddress: address, port: 1)) == isIn)
    }

    @Test(
        "What is no range is refused",
        arguments: ["", "/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "hub", "::1/129", "1.2.3.4/x"])
    func refused(text: String) { #expect(AddressRange(text) == nil) }
}
