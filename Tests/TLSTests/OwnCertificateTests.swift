import Crypto
import Foundation
import TestInstruments
import Testing
import X509

@testable import TLS

@Suite("An own certificate")
struct OwnCertificateTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)  // 2026-11-18
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(name: String? = "tandem.example.org") throws(OwnCertificateError) -> ServingCertificate {
        let own = OwnCertificate(in: folder, name: name)
        return try own.check(try own.read(), now: now)
    }

    private func expect(_ expected: OwnCertificateError, saying words: String...) {
        #expect(throws: expected) { try check() }
        for word in words { #expect("\(expected)".contains(word), "\(expected)") }
    }

    private var certificateFile: String { folder.path + "/fullchain.pem" }
    private var keyFile: String { folder.path + "/privkey.pem" }

    @Test("A pair for the host is taken, and without a host any pair")
    func good() throws {
        try TestCertificate().write(to: folder, now: now)
        #expect(try check().subjects.names == ["tandem.example.org"])
        #expect(throws: Never.self) { try check(name: nil) }
        #expect(throws: Never.self) { try check(name: "TANDEM.example.org") }
    }

    @Test("A certificate of another host is refused, and both hosts are named")
    func otherHost() throws {
        var certificate = TestCertificate()
        certificate.names = ["other.example.org", "*.example.net"]
        try certificate.write(to: folder, now: now)
        expect(
            .otherHost(
                file: certificateFile, wanted: "tandem.example.org", names: ["other.example.org", "*.example.net"]),
            saying: "other.example.org", "tandem.example.org", "--origin https://other.example.org")
        #expect(throws: Never.self) { try check(name: "hub.example.net") }
    }

    @Test("A certificate without names is refused")
    func noNames() throws {
        var certificate = TestCertificate()
        certificate.names = []
        try certificate.write(to: folder, now: now)
        expect(
            .otherHost(file: certificateFile, wanted: "tandem.example.org", names: []), saying: "no host name",
            "--origin")
    }

    @Test(
        "A wildcard stands for exactly one label (RFC 9525, 6.3)",
        arguments: [
            ("*.example.org", "a.example.org", true), ("*.example.org", "A.EXAMPLE.org", true),
            ("*.example.org", "example.org", false), ("*.example.org", "a.b.example.org", false),
            ("*.example.org", ".example.org", false), ("*.example.org", "aexample.org", false),
            ("example.org", "a.example.org", false), ("a*.example.org", "ab.example.org", false), ("*", "org", false),
        ])
    func wildcard(_ pattern: String, _ name: String, _ isCovered: Bool) {
        #expect(OwnCertificate.covers(pattern, name) == isCovered)
    }

    @Test("The key of another certificate is refused")
    func keyOfAnother() throws {
        try TestCertificate().write(to: folder, now: now)
        try folder.write(P256.Signing.PrivateKey().pemRepresentation, to: "privkey.pem")
        expect(.keyOfAnother(certificate: certificateFile, key: keyFile), saying: "does not belong", keyFile)
    }

    @Test("One that has ended is refused, with the day and the clock's")
    func expired() throws {
        var certificate = TestCertificate()
        (certificate.from, certificate.until) = (-20 * 86_400, -10 * 86_400)
        try certificate.write(to: folder, now: now)
        expect(
            .expired(file: certificateFile, until: now.addingTimeInterval(certificate.until), now: now),
            saying: "2026-11-08", "2026-11-18", "clock")
    }

    @Test("One that is not valid yet, as with a clock that is a year behind, is refused, and the clock is named")
    func notYetValid() throws {
        var certificate = TestCertificate()
        (certificate.from, certificate.until) = (364 * 86_400, 400 * 86_400)
        try certificate.write(to: folder, now: now)
        expect(
            .notYetValid(file: certificateFile, from: now.addingTimeInterval(certificate.from), now: now),
            saying: "2027-11-17", "2026-11-18", "Put the clock right")
    }

    @Test(
        "A key that is locked with a pass phrase is refused, with the command that unlocks it",
        .enabled(if: OpenSSL.isInstalled), arguments: [["pkcs8", "-topk8"], ["ec"]])
    func encryptedKey(_ command: [String]) throws {
        let certificate = TestCertificate()
        try certificate.write(to: folder, now: now)
        let form = command.count == 1 ? ["-aes128", "-passout", "pass:secret"] : ["-passout", "pass:secret"]
        let result = try OpenSSL.run(command + form + ["-in", keyFile, "-out", folder.path + "/locked.pem"])
        #expect(result.status == 0, "\(result.output)")
        try folder.write(try folder.text("locked.pem"), to: "privkey.pem")
        expect(.encryptedKey(file: keyFile), saying: "pass phrase", "openssl pkey -in \(keyFile)")
    }

    @Test(
        "A key that everybody can read is refused; a group, such as certbot's ssl-cert, may",
        arguments: [0o604, 0o644, 0o607])
    func readableByAll(mode: Int) throws {
        try TestCertificate().write(to: folder, now: now)
        try folder.setMode(mode, of: "privkey.pem")
        expect(.readableByAll(file: keyFile, mode: UInt32(mode)), saying: String(mode, radix: 8), "chmod o= \(keyFile)")
        try folder.setMode(0o640, of: "privkey.pem")
        #expect(throws: Never.self) { try check() }
    }

    @Test("A file that is not there is named", arguments: ["fullchain.pem", "privkey.pem"])
    func missing(file: String) throws {
        try TestCertificate().write(to: folder, now: now)
        try folder.remove(file)
        expect(.missing(file: "\(folder.path)/\(file)"), saying: "--certificate", "--key")
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(file)", withIntermediateDirectories: false)
        expect(.inaccessible(file: "\(folder.path)/\(file)", reason: "Is a directory"), saying: "Is a directory")
    }

    @Test("Garbage is named for the file it is in", arguments: AuthorityFolderTests.rubbish)
    func garbage(text: String) throws {
        try TestCertificate().write(to: folder, now: now)
        try folder.write(text, to: "privkey.pem")
        expect(.noKey(file: keyFile), saying: "privkey.pem")
        try TestCertificate().write(to: folder, now: now)
        try folder.write(text, to: "fullchain.pem")
        expect(.noCertificate(file: certificateFile), saying: "fullchain.pem")
    }

    @Test("A chain cut off in its second certificate is refused, a whole one is taken")
    func chain() throws {
        let certificate = TestCertificate()
        try certificate.write(to: folder, now: now)
        let (first, second) = (try folder.text("fullchain.pem"), try TestCertificate().pem(now: now))
        try folder.write(first + second, to: "fullchain.pem")
        #expect(throws: Never.self) { try check() }
        try folder.write(first + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: "fullchain.pem")
        expect(.noCertificate(file: certificateFile))
    }

    @Test(
        "Keys of the kinds that certbot and openssl make are taken", .enabled(if: OpenSSL.isInstalled),
        arguments: [
            ["rsa:2048"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-521"],
        ])
    func kinds(_ kind: [String]) throws {
        let result = try OpenSSL.run(
            ["req", "-x509", "-nodes", "-newkey"] + kind + [
                "-subj", "/CN=x", "-addext", "subjectAltName=DNS:tandem.example.org", "-days", "36500", "-keyout",
                keyFile,
                "-out", certificateFile,
            ])
        #expect(result.status == 0, "\(result.output)")
        let own = OwnCertificate(in: folder)
        #expect(throws: Never.self) { try own.check(try own.read(), now: Date()) }
    }
}
