import Crypto
import Foundation
import TestInstruments
import Testing
import X509

@testable import TLS

@Suite("The authority on disk")
struct AuthorityFolderTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)  // 2026-11-18
    private let data: TemporaryFolder
    private let folder: AuthorityFolder

    init() throws {
        data = try TemporaryFolder()
        folder = AuthorityFolder(dataFolder: data.path)
    }

    private func make() throws -> Authority { try folder.open(hubName: "linden", remembered: nil, now: now) }

    private func open(remembered: Authority? = nil) throws(AuthorityError) -> Authority {
        try folder.open(hubName: "linden", remembered: remembered.map { "\($0.fingerprint)" }, now: now)
    }

    /// What is said has to name the place, and a way out.
    private func expect(_ expected: AuthorityError, saying words: String..., remembered: Authority? = nil) {
        let error = #expect(throws: AuthorityError.self) { try open(remembered: remembered) }
        #expect(error == expected)
        for word in words + [data.path] { #expect("\(expected)".contains(word), "\(expected)") }
    }

    @Test("The first start makes one, the next ones find the same")
    func firstStart() throws {
        #expect(try folder.load(now: now) == nil)
        let made = try make()
        #expect(try make().der == made.der)
        #expect(try open(remembered: made).der == made.der)
        #expect(try #require(try folder.load(now: now)).key.rawRepresentation == made.key.rawRepresentation)
    }

    @Test("Nobody else enters the folder or reads a key, whatever the process masks")
    func modes() throws {
        let mask = umask(0)
        defer { umask(mask) }
        let authority = try make()
        let subjects = CertificateSubjects(names: ["linden.local"], addresses: [])
        try folder.store(try LeafCertificate.issue(for: subjects, by: authority, now: now))
        #expect(try data.mode("authority") == 0o700)
        #expect(try data.mode("authority/authority.key") == 0o600)
        #expect(try data.mode("authority/leaf.key") == 0o600)
        #expect(try data.mode("authority/authority.pem") == 0o644)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == ["authority"])
    }

    @Test("A deleted key is an error, and never a reason for another authority")
    func keyDeleted() throws {
        let authority = try make()
        try data.remove("authority/authority.key")
        for remembered in [nil, authority] {
            expect(
                .keyMissing(folder: folder.path), saying: "authority.key", "backup", "tandem authority --new",
                remembered: remembered)
        }
        #expect(try data.text("authority/authority.pem") == authority.pem)
    }

    @Test("A deleted certificate is an error, and never a reason for another authority")
    func certificateDeleted() throws {
        let authority = try make()
        try data.remove("authority/authority.pem")
        for remembered in [nil, authority] {
            expect(
                .certificateMissing(folder: folder.path), saying: "authority.pem", "backup", "tandem authority --new",
                remembered: remembered)
        }
    }

    @Test("Both deleted though the hub remembers one is an error, that names the one that phones trust")
    func bothDeleted() throws {
        let authority = try make()
        try data.remove("authority")
        expect(
            .gone(folder: folder.path, remembered: "\(authority.fingerprint)"), saying: "\(authority.fingerprint)",
            "backup", "tandem authority --new --data \(data.path)`", remembered: authority)
        #expect(!data.has("authority"))
    }

    @Test("A key that others can read is refused", arguments: [0o644, 0o640, 0o604, 0o660, 0o620, 0o601])
    func readable(mode: Int) throws {
        _ = try make()
        try data.setMode(mode, of: "authority/authority.key")
        expect(
            .readableByOthers(file: folder.path + "/authority.key", mode: UInt32(mode)), saying: String(mode, radix: 8),
            "chmod 600 \(folder.path)/authority.key")
        try data.setMode(0o600, of: "authority/authority.key")
        #expect(throws: Never.self) { try open() }
    }

    static let rubbish = [
        "", "\0\0\0", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", String(repeating: "A", count: 1 << 20),
    ]

    @Test("A file with garbage is named", arguments: ["authority.key", "authority.pem"], rubbish)
    func garbage(file: String, text: String) throws {
        _ = try make()
        try data.write(text, to: "authority/\(file)")
        expect(.garbage(file: "\(folder.path)/\(file)"), saying: file, "damaged", "backup", "tandem authority --new")
    }

    @Test("Bytes that are no text are garbage", arguments: ["authority.key", "authority.pem"])
    func noText(file: String) throws {
        _ = try make()
        try Data([0xFF, 0xFE, 0x00, 0x80]).write(to: URL(filePath: "\(folder.path)/\(file)"))
        expect(.garbage(file: "\(folder.path)/\(file)"), saying: file)
    }

    @Test("A truncated file is garbage, wherever it was cut", arguments: ["authority.key", "authority.pem"])
    func truncated(file: String) throws {
        _ = try make()
        let whole = try data.text("authority/\(file)").trimmingCharacters(in: .newlines)
        for length in stride(from: 0, to: whole.count, by: 17) {
            try data.write(String(whole.prefix(length)), to: "authority/\(file)")
            #expect(throws: AuthorityError.garbage(file: "\(folder.path)/\(file)")) { try open() }
        }
    }

    @Test("The key of another authority is refused")
    func keyOfAnother() throws {
        _ = try make()
        try data.write(try Authority.make(hubName: "oak").key.pemRepresentation, to: "authority/authority.key")
        expect(.keyOfAnother(folder: folder.path), saying: "does not belong", "backup", "tandem authority --new")
    }

    @Test("One whose time is over by this clock is refused, and the clock is named as one reason")
    func expired() throws {
        _ = try make()
        let late = Authority.validUntil.addingTimeInterval(86_400)
        let error = #expect(throws: AuthorityError.self) { try folder.load(now: late) }
        #expect(error == .expired(folder: folder.path, until: Authority.validUntil, now: late))
        for word in ["2049-12-31", "2050-01-01", "clock", "tandem authority --new"] {
            #expect("\(try #require(error))".contains(word))
        }
        #expect(try folder.load(now: Authority.validUntil) != nil)
        // A clock that is behind is no reason to refuse: the hub has to start and say so.
        #expect(try folder.load(now: Date(timeIntervalSince1970: 0)) != nil)
    }

    @Test("A certificate that is no authority, or one for the whole internet, is refused")
    func notOurs() throws {
        let authority = try make()
        let subjects = CertificateSubjects(names: ["linden.local"], addresses: [])
        let leaf = try LeafCertificate.issue(for: subjects, by: authority, now: now)
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Root") }
        let root = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: Authority.validFrom,
            notValidAfter: Authority.validUntil, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) },
            issuerPrivateKey: .init(key))
        for (certificate, key) in [(leaf.certificate, leaf.key), (root, key)] {
            try data.write(try certificate.serializeAsPEM().pemString, to: "authority/authority.pem")
            try data.write(key.pemRepresentation, to: "authority/authority.key")
            expect(.notOurs(file: folder.path + "/authority.pem"), saying: "--certificate", "tandem authority --new")
        }
    }

    @Test("What is no file is named with the system's reason")
    func inaccessible() throws {
        _ = try make()
        try data.remove("authority/authority.key")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/authority.key", withIntermediateDirectories: false)
        expect(
            .inaccessible(path: folder.path + "/authority.key", reason: "Is a directory"), saying: "Is a directory",
            "user that runs the hub")
    }

    @Test("A data folder that is not there is an error, not a trap")
    func noDataFolder() {
        let folder = AuthorityFolder(dataFolder: data.path + "/nowhere")
        #expect(throws: AuthorityError.inaccessible(path: folder.path + ".new", reason: "No such file or directory")) {
            try folder.open(hubName: "linden", remembered: nil, now: now)
        }
    }

    @Test("Another takes the whole folder's place, and is taken though the first is remembered")
    func replace() throws {
        let old = try make()
        let subjects = CertificateSubjects(names: ["linden.local"], addresses: [])
        try folder.store(try LeafCertificate.issue(for: subjects, by: old, now: now))
        let new = try folder.replace(hubName: "linden", hostNames: ["oak"])
        #expect(new.fingerprint != old.fingerprint)
        #expect(new.permitted.domains.suffix(2) == ["linden", "oak"])
        #expect(try open(remembered: old).der == new.der)
        #expect(folder.loadLeaf() == nil, "the old one's leaf is gone")
        #expect(try data.mode("authority") == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == ["authority"])
    }

    @Test("Another can be made where the old one is damaged, and where a crash left folders behind")
    func replaceDamaged() throws {
        _ = try make()
        try data.remove("authority/authority.key")
        for rest in ["authority.new", "authority.old"] {
            try FileManager.default.createDirectory(
                atPath: "\(data.path)/\(rest)", withIntermediateDirectories: false)
            try data.write("rest", to: "\(rest)/authority.key")
        }
        let new = try folder.replace(hubName: "linden")
        #expect(try open().der == new.der)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == ["authority"])
    }

    @Test(
        "Where the machine stopped while another took its place, the start puts the old one back, which phones trust",
        arguments: [true, false])
    func stoppedWhileReplacing(isNewWhole: Bool) throws {
        let old = try make()
        _ = try folder.replace(hubName: "linden")
        // As it was between the two renames, the second of which did not happen.
        try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + ".new")
        if !isNewWhole { try data.remove("authority.new/authority.pem") }
        try FileManager.default.createDirectory(
            atPath: folder.path + ".old", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try data.write(old.key.pemRepresentation, to: "authority.old/authority.key")
        try data.write(old.pem, to: "authority.old/authority.pem", mode: 0o644)
        #expect(try open(remembered: old).der == old.der)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == ["authority"])
    }

    @Test("An authority that is there is not exchanged for one set aside")
    func setAside() throws {
        let authority = try make()
        try FileManager.default.copyItem(atPath: folder.path, toPath: folder.path + ".old")
        try data.write("rubbish", to: "authority.old/authority.key")
        #expect(try open(remembered: authority).der == authority.der)
        try data.remove("authority/authority.key")
        #expect(throws: AuthorityError.keyMissing(folder: folder.path)) { try open(remembered: authority) }
    }

    @Test("Whatever is wrong with the hub's certificate, it is not taken", arguments: rubbish)
    func badLeaf(text: String) throws {
        let authority = try make()
        let subjects = CertificateSubjects(names: ["linden.local"], addresses: [])
        let leaf = try LeafCertificate.issue(for: subjects, by: authority, now: now)
        for file in ["leaf.pem", "leaf.key"] {
            try folder.store(leaf)
            #expect(folder.loadLeaf()?.certificate == leaf.certificate)
            try data.write(text, to: "authority/\(file)")
            #expect(folder.loadLeaf() == nil)
        }
        try folder.store(leaf)
        try data.setMode(0o644, of: "authority/leaf.key")
        #expect(folder.loadLeaf() == nil)
    }
}
