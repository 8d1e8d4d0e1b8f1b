import Admission
import Crypto
import Foundation
import SwiftASN1
import TestInstruments
import Testing
@_spi(FixedExpiryValidationTime) import X509

@testable import TLS

@Suite("The household's authority")
struct AuthorityTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)  // 2026-11-18

    private func authority() throws -> Authority { try Authority.make(hubName: "linden", hostNames: ["oak", "a.b"]) }

    private func leaf(_ authority: Authority) throws -> LeafCertificate {
        let network = LocalNetwork(
            hostName: "oak", addresses: ["192.168.1.7", "fd00::7", "8.8.8.8"].compactMap { IPAddress($0) })
        return try .issue(
            for: network.subjects(hubName: "linden", permitted: authority.permitted), by: authority, now: now)
    }

    /// A certificate for any name and address, signed by the authority's own key, as a thief of it would make.
    private func stolen(_ authority: Authority, names: [String], addresses: [String] = []) throws -> LeafCertificate {
        try .issue(
            for: CertificateSubjects(names: names, addresses: addresses.compactMap { IPAddress($0) }), by: authority,
            now: now)
    }

    private func accepts(_ leaf: Certificate, by authority: Authority, at moment: Date) async -> Bool {
        var verifier = Verifier(rootCertificates: CertificateStore([authority.certificate])) {
            RFC5280Policy(fixedExpiryValidationTime: moment)
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore()) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }

    private func openSSL(_ leaf: Certificate, by authority: Authority, at moment: Date) throws -> CommandResult {
        let folder = try TemporaryFolder()
        return try OpenSSL.run(
            "verify", "-x509_strict", "-purpose", "sslserver", "-attime", "\(Int(moment.timeIntervalSince1970))",
            "-CAfile", try folder.write(authority.pem, to: "authority.pem"),
            try folder.write(try leaf.serializeAsPEM().pemString, to: "leaf.pem"))
    }

    @Test("A leaf verifies under it by RFC 5280")
    func chain() async throws {
        let authority = try authority()
        #expect(await accepts(try leaf(authority).certificate, by: authority, at: now))
        #expect(await !accepts(try leaf(authority).certificate, by: try self.authority(), at: now))
    }

    @Test("A leaf verifies under it by openssl's strict rules", .enabled(if: OpenSSL.isInstalled))
    func chainByOpenSSL() throws {
        let authority = try authority()
        let result = try openSSL(try leaf(authority).certificate, by: authority, at: now)
        #expect(result.status == 0, "\(result.output)")
        #expect(try openSSL(try leaf(authority).certificate, by: try self.authority(), at: now).status != 0)
    }

    static let forbidden: [(names: [String], addresses: [String])] = [
        (["example.org"], []), (["linden.local", "bank.example"], []), (["local.example.org"], []),
        (["notlinden"], []), (["linden.local"], ["8.8.8.8"]), (["linden.local"], ["2001:db8::1"]),
        (["linden.local"], ["172.32.0.1"]), (["linden.local"], ["100.128.0.1"]),
    ]

    @Test("Its key signs nothing for the internet that a phone would take", arguments: forbidden)
    func permittedSubtree(_ names: [String], _ addresses: [String]) async throws {
        let authority = try authority()
        let stolen = try stolen(authority, names: names, addresses: addresses)
        #expect(await !accepts(stolen.certificate, by: authority, at: now))
    }

    @Test(
        "Its key signs nothing for the internet that openssl would take", .enabled(if: OpenSSL.isInstalled),
        arguments: forbidden)
    func permittedSubtreeByOpenSSL(_ names: [String], _ addresses: [String]) throws {
        let authority = try authority()
        let stolen = try stolen(authority, names: names, addresses: addresses)
        let result = try openSSL(stolen.certificate, by: authority, at: now)
        #expect(result.status != 0)
        #expect(result.output.contains("permitted subtree violation"), "\(result.output)")
    }

    @Test("Its name constraints are critical, and are exactly these names and ranges (RFC 5280, 4.2.1.10)")
    func constraints() throws {
        let authority = try authority()
        let written = try #require(
            authority.certificate.extensions.first { $0.oid == .X509ExtensionID.nameConstraints })
        #expect(written.critical)
        let constraints = try NameConstraints(written)
        #expect(
            Array(constraints.permittedDNSDomains)
                == ["local", "home.arpa", "internal", "lan", "home", "localhost", "linden", "oak"])
        // Address and mask, as RFC 4632 counts the bits.
        let expected: [[UInt8]] = [
            [10, 0, 0, 0, 255, 0, 0, 0], [172, 16, 0, 0, 255, 240, 0, 0], [192, 168, 0, 0, 255, 255, 0, 0],
            [169, 254, 0, 0, 255, 255, 0, 0], [127, 0, 0, 0, 255, 0, 0, 0], [100, 64, 0, 0, 255, 192, 0, 0],
            [0xFC] + zeros(15) + [0xFE] + zeros(15), [0xFE, 0x80] + zeros(14) + [0xFF, 0xC0] + zeros(14),
            zeros(15) + [1] + [UInt8](repeating: 0xFF, count: 16),
        ]
        #expect(constraints.permittedIPRanges.map { Array($0.bytes) } == expected)
        #expect(constraints.excludedDNSDomains.isEmpty && constraints.excludedIPRanges.isEmpty)
        #expect(constraints.permittedEmailAddresses.isEmpty && constraints.permittedURIDomains.isEmpty)
        #expect(authority.permitted == LocalNames(hostNames: ["linden", "oak"]))
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    @Test("It signs certificates of hubs, never of another authority, and nothing else")
    func purpose() throws {
        let extensions = try authority().certificate.extensions
        let basic = try #require(extensions.first { $0.oid == .X509ExtensionID.basicConstraints })
        #expect(basic.critical)
        #expect(try BasicConstraints(basic) == .isCertificateAuthority(maxPathLength: 0))
        let usage = try #require(extensions.first { $0.oid == .X509ExtensionID.keyUsage })
        #expect(usage.critical)
        #expect(try KeyUsage(usage) == KeyUsage(keyCertSign: true, cRLSign: true))
        // Constraints of names alone would leave programs and letters to whoever steals the key.
        let purposes = try #require(extensions.first { $0.oid == .X509ExtensionID.extendedKeyUsage })
        #expect(try Array(ExtendedKeyUsage(purposes)) == [.serverAuth])
        #expect(extensions.count == 5, "the fifth is subjectKeyIdentifier")
    }

    @Test("An authority below it is refused (path length 0)", .enabled(if: OpenSSL.isInstalled))
    func pathLength() throws {
        let authority = try authority()
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        let below = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: Authority.validFrom,
            notValidAfter: Authority.validUntil, issuer: authority.certificate.subject,
            subject: try DistinguishedName { CommonName("below") }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
                Critical(authority.permitted.constraints)
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: .init(authority.key))
        let leaf = try leaf(try Authority(certificate: below, key: key)).certificate
        let folder = try TemporaryFolder()
        let result = try OpenSSL.run(
            "verify", "-attime", "\(Int(now.timeIntervalSince1970))",
            "-CAfile", try folder.write(authority.pem, to: "authority.pem"),
            "-untrusted", try folder.write(try below.serializeAsPEM().pemString, to: "below.pem"),
            try folder.write(try leaf.serializeAsPEM().pemString, to: "leaf.pem"))
        #expect(result.status != 0)
        #expect(result.output.contains("path length constraint exceeded"), "\(result.output)")
    }

    @Test("Its dates come from no clock: the beginning of 2024 to the end of 2049")
    func validity() throws {
        let certificate = try authority().certificate
        #expect(certificate.notValidBefore.ISO8601Format() == "2024-01-01T00:00:00Z")
        #expect(certificate.notValidAfter.ISO8601Format() == "2049-12-31T23:59:59Z")
    }

    @Test("Two of one hub have names that tell them apart, and begin with the hub's")
    func name() throws {
        let (one, other) = (try authority(), try authority())
        #expect(one.name != other.name)
        #expect(one.name.wholeMatch(of: /Tandem of linden [0-9A-F]{6}/) != nil, "\(one.name)")
        #expect(one.fingerprint != other.fingerprint)
    }

    @Test("Its PEM is its DER, between the two lines, with a final newline")
    func forms() throws {
        let authority = try authority()
        #expect(authority.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(authority.pem.hasSuffix("\n-----END CERTIFICATE-----\n"))
        #expect(try PEMDocument(pemString: authority.pem).derBytes == authority.der)
        #expect(authority.fingerprint.bytes == Array(SHA256.hash(data: authority.der)))
    }

    @Test("openssl prints the same fingerprint", .enabled(if: OpenSSL.isInstalled))
    func fingerprintByOpenSSL() throws {
        let authority = try authority()
        let folder = try TemporaryFolder()
        let file = try folder.write(authority.pem, to: "authority.pem")
        let printed = try OpenSSL.run("x509", "-in", file, "-noout", "-fingerprint", "-sha256").output
        #expect(printed.contains("=\(authority.fingerprint)\n"), "\(printed)")
    }

    @Test(
        "Asked for, an authority may sign for the server of an original system, and the hub's certificate has its name")
    func servers() throws {
        let authority = try Authority.make(hubName: "linden", servers: ["triviotoy.azurewebsites.net"])
        #expect(authority.permitted.servers == ["triviotoy.azurewebsites.net"])
        #expect(authority.permitted.permits(name: "triviotoy.azurewebsites.net"))
        #expect(!authority.permitted.permits(name: "azurewebsites.net"))
        let subjects = LocalNetwork(hostName: "oak", addresses: [])
            .subjects(hubName: "linden", permitted: authority.permitted)
        #expect(subjects.names.last == "triviotoy.azurewebsites.net" && subjects.names.first == "linden.local")
        #expect(try Authority.make(hubName: "linden").permitted.servers.isEmpty)
    }
}
