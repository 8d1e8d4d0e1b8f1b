import Foundation
import Testing

@testable import TLS

@Suite("The profile for Apple's systems")
struct AppleProfileTests {
    private let authority: Authority

    init() throws { authority = try Authority.make(hubName: "linden") }

    private func root(_ hubName: String) throws -> [String: Any] {
        let data = Data(AppleProfile(authority: authority, hubName: hubName).bytes)
        return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    @Test("It is a property list that carries the authority's certificate as a root")
    func payload() throws {
        let root = try root("linden.local")
        #expect(root["PayloadType"] as? String == "Configuration")
        #expect(root["PayloadVersion"] as? Int == 1)
        #expect(root["PayloadRemovalDisallowed"] as? Bool == false)
        #expect(root["PayloadDisplayName"] as? String == "Tandem · linden.local")
        #expect((root["PayloadDescription"] as? String)?.contains("\(authority.fingerprint)") == true)
        let payloads = try #require(root["PayloadContent"] as? [[String: Any]])
        #expect(payloads.count == 1)
        let payload = try #require(payloads.first)
        #expect(payload["PayloadType"] as? String == "com.apple.security.root")
        #expect(payload["PayloadContent"] as? Data == Data(authority.der))
        #expect(payload["PayloadDisplayName"] as? String == authority.name)
        #expect(payload["PayloadVersion"] as? Int == 1)
    }

    @Test("Its two UUIDs are two, are such by RFC 9562, and are in the identifiers")
    func identifiers() throws {
        let root = try root("linden.local")
        let payload = try #require((root["PayloadContent"] as? [[String: Any]])?.first)
        let uuids = try [root, payload].map { try #require($0["PayloadUUID"] as? String) }
        #expect(Set(uuids).count == 2)
        for (uuid, dictionary) in zip(uuids, [root, payload]) {
            #expect(UUID(uuidString: uuid)?.uuidString == uuid)
            #expect(uuid.dropFirst(14).first == "8", "version")
            #expect(["8", "9", "A", "B"].contains(uuid.dropFirst(19).first), "variant")
            #expect((dictionary["PayloadIdentifier"] as? String)?.hasSuffix(uuid) == true)
        }
    }

    @Test("The same authority and name give the same bytes, and another authority another profile")
    func stable() throws {
        let bytes = AppleProfile(authority: authority, hubName: "linden.local").bytes
        #expect(AppleProfile(authority: authority, hubName: "linden.local").bytes == bytes)
        let other = try Authority.make(hubName: "linden")
        let otherUUID = try #require(
            try PropertyListSerialization.propertyList(
                from: Data(AppleProfile(authority: other, hubName: "linden.local").bytes), format: nil)
                as? [String: Any])
        #expect(otherUUID["PayloadUUID"] as? String != (try root("linden.local"))["PayloadUUID"] as? String)
    }

    @Test("A hub that is called otherwise replaces the profile, instead of adding one")
    func renamed() throws {
        let (one, other) = (try root("linden.local"), try root("oak.local"))
        #expect(one["PayloadIdentifier"] as? String == other["PayloadIdentifier"] as? String)
        #expect(one["PayloadUUID"] as? String == other["PayloadUUID"] as? String)
        #expect(other["PayloadDisplayName"] as? String == "Tandem · oak.local")
    }

    @Test(
        "Whatever a hub is called, its name comes back as it was",
        arguments: ["Tom & Ines", "a < b > c", "\"quoted\" 'too'", "]]>", "</string><key>x</key>", "日本 👩‍👧", "&amp;", ""])
    func escaped(hubName: String) throws {
        #expect(try root(hubName)["PayloadDisplayName"] as? String == "Tandem · \(hubName)")
        #expect(try root(hubName).count == 8)
    }

    @Test("Control characters, for which XML has no place, are left out", arguments: 0...0x9F as ClosedRange<UInt32>)
    func control(_ value: UInt32) throws {
        let scalar = try #require(UnicodeScalar(value))
        let isControl = value < 0x20 || value >= 0x7F
        let name = "a\(Character(scalar))b"
        #expect(try root(name)["PayloadDisplayName"] as? String == "Tandem · " + (isControl ? "ab" : name))
    }

    @Test("Characters that are none are no trap, and the profile is still one", arguments: ["\u{FFFE}", "\u{FFFF}"])
    func nonCharacters(_ text: String) throws {
        // XML 1.0, 2.2: neither is a character of a document, as a phone's strict parser knows.
        #expect(try root("a\(text)b")["PayloadDisplayName"] as? String == "Tandem · ab")
    }
}
