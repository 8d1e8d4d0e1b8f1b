import Admission
import Synchronization
import TLS
import Testing

@testable import HubKit
@testable import HubServer
@testable import Outbound

@Suite("To whom the hub speaks")
struct OutboundPolicyTests {
    private func rejection(_ url: String) -> String? {
        do throws(OutboundError) {
            _ = try OutboundPolicy.internet.target(url, for: .push)
            return nil
        } catch {
            guard case .refused(let reason) = error else { return nil }
            return reason.english
        }
    }

    @Test(
        "The push services of today’s browsers are known",
        arguments: [
            ("https://fcm.googleapis.com/fcm/send/abc:APA91b-x_y", "fcm.googleapis.com"),
            ("https://jmt17.google.com/fcm/send/abc", "jmt17.google.com"),
            ("https://updates.push.services.mozilla.com/wpush/v2/gAAA", "updates.push.services.mozilla.com"),
            ("https://web.push.apple.com/QPz-3", "web.push.apple.com"),
            ("https://wns2-am3p.notify.windows.com/w/?token=BQYA%2b%3d", "wns2-am3p.notify.windows.com"),
            ("HTTPS://FCM.googleapis.com:443/fcm", "fcm.googleapis.com"),
        ])
    func known(url: String, host: String) throws {
        let target = try OutboundPolicy.internet.target(url, for: .push)
        #expect(target.host == host)
        #expect(target.origin == "https://\(host)")
        #expect(target.url.hasPrefix("https://\(host)/"))
    }

    @Test("The path and the query stay as they came")
    func path() throws {
        let target = try OutboundPolicy.internet.target(
            "https://db5.notify.windows.com/w/?token=BQYA%2b%3d&a=b", for: .push)
        #expect(target.url == "https://db5.notify.windows.com/w/?token=BQYA%2b%3d&a=b")
    }

    @Test(
        "Anything else is refused, in words",
        arguments: [
            "", "x", "http://fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x", "//fcm.googleapis.com/x",
            "javascript:alert(1)", "file:///etc/passwd", "https:///x", "https://", "https:fcm.googleapis.com/x",
            "https://example.org/x", "https://googleapis.com/x", "https://evil.fcm.googleapis.com/x",
            "https://fcm.googleapis.com.evil.example/x", "https://evilpush.apple.com/x", "https://push.apple.com/x",
            "https://xnotify.windows.com/x", "https://notify.windows.com/x", "https://fcm.googleapis.com./x",
            "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:80/x", "https://fcm.googleapis.com:0/x",
            "https://user@fcm.googleapis.com/x", "https://user:word@fcm.googleapis.com/x",
            "https://fcm.googleapis.com@127.0.0.1/x", "https://127.0.0.1#@fcm.googleapis.com/",
            "https://127.0.0.1\\@fcm.googleapis.com/", "https://fcm.googleapis.com/x#y",
            "https://127.0.0.1/x", "https://[::1]/x", "https://[::ffff:127.0.0.1]/x", "https://2130706433/x",
            "https://0x7f000001/x", "https://0177.0.0.1/x", "https://localhost/x", "https://linden.local:8443/x",
            "https://192.168.1.1/x", "https://169.254.169.254/latest/meta-data", "https://fcm.googleapis.com\u{0}/x",
            "https://fcm.googleapis.com/x y", "https://fcm.googleapis.com/\r\nHost: x", "https://fcm.googleapıs.com/x",
            "https://fcm。googleapis.com/x", "https://fcm%2egoogleapis.com/x", "https://fcm.googleapis.com%00.x/",
            "https://fcm.googleapis.com/" + String(repeating: "a", count: 2_022),
        ])
    func others(url: String) { #expect(rejection(url)?.isEmpty == false) }

    @Test("The longest address is taken")
    func longest() { #expect(rejection("https://fcm.googleapis.com/" + String(repeating: "a", count: 2_021)) == nil) }

    /// A phone in the house.
    private static let phone = OutboundUse(
        purpose: "phone", title: "a phone", words: "", reach: .privateNetwork(ports: 80...8_080, paths: ["/get"]))

    @Test(
        "In the house an address in digits is called by http, at the ports and paths that are declared",
        arguments: [
            "http://192.168.1.23:8080/get?x=full", "http://10.0.0.7/get", "http://172.31.255.254:80/get",
            "http://10.0.0.7:5000/get",
        ])
    func house(url: String) async throws {
        let target = try OutboundPolicy.internet.target(url, for: Self.phone)
        var policy = OutboundPolicy.internet
        policy.resolve = { _ in [] }
        #expect(try await policy.addresses(of: target).map(\.description) == [target.host])
        #expect(target.url.hasPrefix("http://\(target.host)"))
    }

    @Test(
        "In the house a name, which could come to mean another address, and whatever else was not declared is refused",
        arguments: [
            "http://phone.local/get", "http://192.168.1.23.nip.io/get", "http://localhost/get", "http://127.0.0.1/get",
            "http://0.0.0.0/get", "http://169.254.169.254/get", "http://100.64.1.1/get", "http://8.8.8.8/get",
            "http://172.32.0.1/get", "http://192.169.0.1/get", "http://3232235799/get", "http://0xC0A80117/get",
            "http://0300.0250.1.23/get", "http://192.168.1/get", "http://192.168.001.023/get", "http://[fd00::1]/get",
            "http://[::ffff:192.168.1.23]/get", "https://192.168.1.23/get", "http://192.168.1.23:22/get",
            "http://192.168.1.23:8081/get",
            "http://192.168.1.23/", "http://192.168.1.23/get/../admin", "http://192.168.1.23/%67et",
            "http://192.168.1.23//get", "http://192.168.1.23/get#x", "http://admin@192.168.1.23/get",
            "http://192.168.1.23@8.8.8.8/get", "http://192.168.1.23\\@8.8.8.8/get", "http://192.168.1.23 /get",
        ])
    func notHouse(url: String) {
        #expect(throws: OutboundError.self) { try OutboundPolicy.internet.target(url, for: Self.phone) }
    }

    @Test("What is for the internet leads to no address of the house, and the other way round")
    func reach() {
        #expect(throws: OutboundError.self) {
            try OutboundPolicy.internet.target("http://192.168.1.23/get", for: .push)
        }
        #expect(throws: OutboundError.self) {
            try OutboundPolicy.internet.target("https://fcm.googleapis.com/get", for: Self.phone)
        }
    }

    private func addresses(_ texts: String...) async throws -> [String] {
        var policy = OutboundPolicy.internet
        let found = texts.compactMap { IPAddress($0) }
        policy.resolve = { _ in found }
        return try await policy.addresses(of: policy.target("https://fcm.googleapis.com/x", for: .push)).map(
            \.description)
    }

    @Test("A name is taken when every address of it is public; the first of each family is tried")
    func isPublic() async throws {
        #expect(try await addresses("142.250.185.74") == ["142.250.185.74"])
        #expect(
            try await addresses("2a00:1450::1", "2a00:1450::2", "142.250.185.74", "142.250.185.75")
                == ["2a00:1450::1", "142.250.185.74"])
    }

    @Test(
        "A name with one special address among public ones is refused",
        arguments: ["127.0.0.1", "192.168.1.1", "100.64.1.1", "fd00::1", "64:ff9b::a00:1", "169.254.169.254"])
    func mixed(special: String) async throws {
        for list in [["142.250.185.74", special], [special, "142.250.185.74"]] {
            await #expect { try await addresses(list[0], list[1]) } throws: { error in
                guard case .refused(let words)? = error as? OutboundError else { return false }
                return words.english.contains(special)
            }
        }
    }

    @Test("A name without an address, and one that cannot be looked up, are not reachable")
    func none() async throws {
        await #expect(throws: OutboundError.unreachable("fcm.googleapis.com was not found")) { try await addresses() }
        var policy = OutboundPolicy.internet
        policy.resolve = { _ in throw SystemResolver.NotFound(code: -2) }
        await #expect(throws: OutboundError.unreachable("fcm.googleapis.com was not found")) {
            try await policy.addresses(of: policy.target("https://fcm.googleapis.com/x", for: .push))
        }
    }

    @Test("The machine’s own resolver finds this machine, and says when it finds nothing")
    func system() async throws {
        let found = try await SystemResolver.addresses(of: "localhost")
        #expect(found.contains { $0.description == "127.0.0.1" || $0.description == "::1" })
        #expect(found.allSatisfy { !$0.isPublic })
        await #expect(throws: SystemResolver.NotFound.self) {
            try await SystemResolver.addresses(of: "no-such-name.invalid")
        }
    }
}
