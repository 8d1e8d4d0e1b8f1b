import Admission
import Foundation
import FuzzTargets
import NIOCore
import TLS

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Outbound
@testable import Push

extension FuzzTarget {
    static var fields: [FuzzTarget] {
        [
            FuzzTarget(
                "request-fields", longestInput: 512,
                dictionary: [
                    "bytes=", "tandem_session=", "__Host-tandem_session=", "Bearer ", "[::1]:8080", "localhost",
                    "; ", "127.0.0.1", "\\\"", "https://", "203.0.113.9:4711", ", ",
                ],
                seeds: [
                    "0linden.local.:8443", "0[fe80::1]:80", "1bytes=0-499", "1bytes=-5",
                    "2a=b; tandem_session=xyz; c",
                    "3\"6f1c2a\"", "4203.0.113.9:4711, [2001:db8::1]:4711, 10.0.0.1", "5https://localhost:8443/",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkFields(bytes) },
            FuzzTarget(
                "addresses", longestInput: 128,
                dictionary: ["::ffff:", "fe80::", "%eth0", "/64", "/128", "192.168.", "255.255.255.255"],
                seeds: ["192.168.0.0/16", "::ffff:10.0.0.1", "2001:db8::/32", "fe80::1%eth0", "::/0", "10.0.0.1/0"]
                    .map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkAddresses(String(decoding: bytes, as: UTF8.self)) },
            FuzzTarget(
                "push-offers", longestInput: 512,
                dictionary: [
                    "https://", "fcm.googleapis.com", ".push.apple.com", "/fcm/send/", ":443", "@", "%2e", "?a=b",
                ],
                seeds: [
                    "https://fcm.googleapis.com/fcm/send/abc:d_e-f?x=%20y",
                    "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkOffer(String(decoding: bytes, as: UTF8.self)) },
        ]
    }

    // MARK: Header fields

    private static func checkFields(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let kind = bytes.first else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        switch kind % 8 {
        case 0:
            guard let host = RequestHost(text) else { return }
            try require(RequestHost(host.text) == host, "a host is read as it was written: \(host)")
        case 1:
            guard let range = ByteRange(text) else { return }
            for size in [0, 1, 1_000, Int.max] {
                guard let part = range.of(size) else { continue }
                try require(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= size, "it is of the file")
            }
        case 2:
            for isSecure in [false, true] {
                let token = Credentials.token(authorization: nil, cookies: [text], isSecure: isSecure)
                try require(token.map { !$0.contains(";") } ?? true, "a token ends with its cookie")
                let other = Credentials.token(authorization: text, cookies: [], isSecure: isSecure)
                try require(other.map { text.contains($0) } ?? true, "a token stands in its header")
            }
        case 3:
            guard let key = try? IdempotencyKey(text) else { return }
            let isVisible = key.text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
            try require((1...IdempotencyKey.longest).contains(key.text.utf8.count) && isVisible, "it is a key")
        case 4: try checkSource(text)
        default:
            let source = RequestSource(peer: nil, isSecure: true, host: "localhost:8443", trustedProxies: []) { _ in
                []
            }
            let isOwn = source.isOwn(origin: text)
            try require(!isOwn || text.lowercased().contains("localhost:8443"), "only its own page is its own")
        }
    }

    /// Whatever a proxy hands on: whose tries are counted is an address, and the peer's where nobody is trusted.
    private static func checkSource(_ text: String) throws(BrokenProperty) {
        let peer = try? SocketAddress(ipAddress: "10.0.0.1", port: 1)
        for trusted in ["10.0.0.0/8", "172.16.0.0/12"] {
            let source = RequestSource(
                peer: peer, isSecure: false, host: "localhost", trustedProxies: [IPRange(trusted)].compactMap { $0 }
            ) { name in name == "X-Forwarded-For" ? [text] : name == "X-Forwarded-Host" ? ["a", text] : [] }
            try require(IPRange(source.address) != nil, "who asks has an address: \(source.address)")
            guard trusted.hasPrefix("172") else { continue }
            try require(source.address == "10.0.0.1" && source.host == "localhost", "a stranger is not believed")
        }
    }

    // MARK: Addresses and ranges

    private static func checkAddresses(_ text: String) throws(BrokenProperty) {
        if let address = IPAddress(text) {
            try require(IPAddress("\(address)") == address, "an address is read as it was written: \(address)")
            try require(IPRange(text)?.contains(address) ?? text.contains("%"), "an address is in its own range")
            _ = address.isPublic
        }
        guard let range = IPRange(text) else { return }
        try require(IPRange("\(range)") == range, "a range is read as it was written: \(range)")
        try require(range.contains(range.base), "a range holds its first address")
        try require((0...range.base.bytes.count * 8).contains(range.prefixLength), "a prefix is of its address")
    }

    // MARK: Subscriptions

    /// The hub speaks to push services alone, whatever stands in an offer.
    private static func checkOffer(_ text: String) throws(BrokenProperty) {
        let policy = OutboundPolicy.internet
        if let target = try? policy.target(text, for: .push) {
            let isPushService = OutboundUse.push.hosts.contains { $0.covers(target.host) }
            try require(isPushService, "it is a push service: \(target.host)")
            try require(
                target.url.hasPrefix("https://\(target.host)/"), "the host is what stands there: \(target.url)")
            let again = try? policy.target(target.url, for: .push)
            try require(again == target, "it is read as it was written: \(target.url)")
        }
        if let bytes = Base64URL.bytes(text) {
            try require(Base64URL.bytes(Base64URL.text(bytes)) == bytes, "base64 is read as it was written")
        }
        _ = try? PushKeys(p256dh: text, auth: "AAAAAAAAAAAAAAAAAAAAAA")
        _ = try? PushKeys(p256dh: text, auth: text)
    }
}
