import Admission
import Crypto
import Foundation
import Testing
import X509

@testable import TLS

@Suite("The hub's certificate")
struct LeafCertificateTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)  // 2026-11-18
    private let day: TimeInterval = 86_400
    private let authority: Authority
    private let subjects = CertificateSubjects(
        names: ["linden.local", "linden"], addresses: ["127.0.0.1", "::1", "192.168.1.7"].compactMap { IPAddress($0) })

    init() throws { authority = try Authority.make(hubName: "linden") }

    private func leaf(at moment: Date) throws -> LeafCertificate {
        try .issue(for: subjects, by: authority, now: moment)
    }

    @Test("It carries the names and addresses as subjectAltName, the first name as its subject's")
    func names() throws {
        let certificate = try leaf(at: now).certificate
        let names = try #require(try certificate.extensions.subjectAlternativeNames)
        #expect(
            Array(names) == [
                .dnsName("linden.local"), .dnsName("linden"), .ipAddress(.init(contentBytes: [127, 0, 0, 1])),
                .ipAddress(.init(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
                .ipAddress(.init(contentBytes: [192, 168, 1, 7])),
            ])
        #expect(CertificateSubjects(of: certificate) == subjects)
        #expect("\(certificate.subject)" == "CN=linden.local")
        #expect(certificate.issuer == authority.certificate.subject)
    }

    @Test("A name that is too long for the subject stands in the subjectAltName alone")
    func longName() throws {
        let label = String(repeating: "l", count: HostLabel.maximumBytes)
        let authority = try Authority.make(hubName: label)
        let long = CertificateSubjects(names: [label + ".local"], addresses: [])
        let certificate = try LeafCertificate.issue(for: long, by: authority, now: now).certificate
        #expect("\(certificate.subject)" == "CN=Tandem" && CertificateSubjects(of: certificate) == long)
        #expect(authority.name.utf8.count <= 64)
    }

    @Test("It is for TLS servers and nothing else")
    func purpose() throws {
        let extensions = try leaf(at: now).certificate.extensions
        #expect(try extensions.extendedKeyUsage.map(Array.init) == [.serverAuth])
        #expect(try extensions.keyUsage == KeyUsage(digitalSignature: true))
        #expect(try extensions.basicConstraints == .notCertificateAuthority)
        #expect(
            try extensions.authorityKeyIdentifier?.keyIdentifier
                == authority.certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
    }

    @Test("It lives for at most 398 days, the last second too, and begins a week back for clocks that differ")
    func dates() throws {
        let certificate = try leaf(at: now).certificate
        #expect(certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore) + 1 <= 398 * day)
        #expect(certificate.notValidAfter > now.addingTimeInterval(365 * day))
        #expect(certificate.notValidBefore == now.addingTimeInterval(-7 * day))
    }

    @Test(
        "A clock outside the authority's dates is taken as the nearest moment within them, and makes no reason for another",
        arguments: [0, 946_684_800, 4_102_444_800] as [TimeInterval])
    func impossibleClock(_ seconds: TimeInterval) throws {
        let moment = Date(timeIntervalSince1970: seconds)
        let leaf = try leaf(at: moment)
        let certificate = leaf.certificate
        #expect(leaf.renewal(for: subjects, by: authority, now: moment) == nil)
        #expect(certificate.notValidBefore >= Authority.validFrom)
        #expect(certificate.notValidAfter <= Authority.validUntil)
        #expect(certificate.notValidBefore < certificate.notValidAfter)
    }

    @Test("It serves while more than a third of its life is left, and not after")
    func endsSoon() throws {
        let leaf = try leaf(at: now)
        let whole = leaf.certificate.notValidAfter.timeIntervalSince(leaf.certificate.notValidBefore)
        let third = leaf.certificate.notValidAfter.addingTimeInterval(-whole / 3)
        #expect(leaf.renewal(for: subjects, by: authority, now: now) == nil)
        #expect(leaf.renewal(for: subjects, by: authority, now: third.addingTimeInterval(-1)) == nil)
        #expect(leaf.renewal(for: subjects, by: authority, now: third.addingTimeInterval(1)) == .endsSoon)
        let end = leaf.certificate.notValidAfter
        #expect(leaf.renewal(for: subjects, by: authority, now: end) == .endsSoon)
        #expect(leaf.renewal(for: subjects, by: authority, now: end.addingTimeInterval(1)) == .expired)
    }

    @Test("A new name or address is a reason for another, one that is gone is none")
    func newSubjects() throws {
        let leaf = try leaf(at: now)
        var more = subjects
        more.names.append("oak.local")
        #expect(leaf.renewal(for: more, by: authority, now: now) == .newSubjects)
        more = subjects
        more.addresses.append(try #require(IPAddress("10.0.0.9")))
        #expect(leaf.renewal(for: more, by: authority, now: now) == .newSubjects)
        var fewer = subjects
        fewer.names.removeLast()
        fewer.addresses.removeLast()
        #expect(leaf.renewal(for: fewer, by: authority, now: now) == nil)
        let reordered = CertificateSubjects(names: subjects.names.reversed(), addresses: subjects.addresses.reversed())
        #expect(leaf.renewal(for: reordered, by: authority, now: now) == nil)
    }

    @Test("One made when the clock was a year ahead is replaced when the clock is put right")
    func madeAhead() throws {
        let leaf = try leaf(at: now.addingTimeInterval(365 * day))
        #expect(leaf.renewal(for: subjects, by: authority, now: now.addingTimeInterval(365 * day)) == nil)
        #expect(leaf.renewal(for: subjects, by: authority, now: now) == .notYetValid)
    }

    @Test("One made when the clock was a year behind is replaced when the clock is put right")
    func madeBehind() throws {
        let leaf = try leaf(at: now.addingTimeInterval(-365 * day))
        #expect(leaf.renewal(for: subjects, by: authority, now: now.addingTimeInterval(-365 * day)) == nil)
        #expect(leaf.renewal(for: subjects, by: authority, now: now) == .endsSoon)
        let older = try self.leaf(at: now.addingTimeInterval(-2 * 365 * day))
        #expect(older.renewal(for: subjects, by: authority, now: now) == .expired)
    }

    @Test("One of another authority is replaced, though that has the same name")
    func otherAuthority() throws {
        let leaf = try leaf(at: now)
        let other = try Authority.make(hubName: "linden")
        #expect(leaf.renewal(for: subjects, by: other, now: now) == .otherAuthority)
        let key = P256.Signing.PrivateKey()
        let old = authority.certificate
        let namesake = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: old.notValidBefore,
            notValidAfter: old.notValidAfter, issuer: old.subject, subject: old.subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: old.extensions, issuerPrivateKey: .init(key))
        let impostor = try Authority(certificate: namesake, key: key)
        #expect(leaf.renewal(for: subjects, by: impostor, now: now) == .otherAuthority)
    }

    @Test("One with another's key is replaced")
    func otherKey() throws {
        let mixed = LeafCertificate(certificate: try leaf(at: now).certificate, key: P256.Signing.PrivateKey())
        #expect(mixed.renewal(for: subjects, by: authority, now: now) == .otherKey)
    }

    @Test("Each has a key and a serial number of its own")
    func fresh() throws {
        let (one, other) = (try leaf(at: now), try leaf(at: now))
        #expect(one.key.rawRepresentation != other.key.rawRepresentation)
        #expect(one.certificate.serialNumber != other.certificate.serialNumber)
    }
}
