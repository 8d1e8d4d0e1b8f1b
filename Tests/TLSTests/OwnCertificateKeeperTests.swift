import Foundation
import NIOSSL
import Synchronization
import TestInstruments
import Testing

@testable import TLS

@Suite("The keeper of an own certificate")
final class OwnCertificateKeeperTests: Sendable {
    private let now = Mutex(Date(timeIntervalSince1970: 1_795_000_000))  // 2026-11-18
    private let log = RecordedLog()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var moment: Date { now.withLock { $0 } }

    private func keeper() throws(OwnCertificateError) -> CertificateKeeper {
        try CertificateKeeper(own: OwnCertificate(in: folder), now: { self.moment }, pause: {}, logger: log.logger)
    }

    private func context(_ keeper: CertificateKeeper) throws -> NIOSSLContext {
        try keeper.context(applicationProtocols: ["h2"])
    }

    private func lines(_ words: String) -> Int { log.text.components(separatedBy: words).count - 1 }

    private func write(days: ClosedRange<Double> = -1...90, names: [String] = ["tandem.example.org"]) throws {
        let (from, until) = (days.lowerBound * 86_400, days.upperBound * 86_400)
        try TestCertificate(names: names, from: from, until: until).write(to: folder, now: moment)
    }

    @Test("A bad pair is refused at the start, with the reason")
    func start() throws {
        #expect(throws: OwnCertificateError.missing(file: folder.path + "/fullchain.pem")) { try self.keeper() }
        try write(names: ["other.example.org"])
        #expect(throws: OwnCertificateError.self) { try self.keeper() }
        try write()
        let keeper = try self.keeper()
        #expect(keeper.authority == nil)
        #expect(keeper.subjects.names == ["tandem.example.org"])
    }

    @Test("Files that did not change leave the settings as they are")
    func unchanged() throws {
        try write()
        let keeper = try self.keeper()
        let before = try context(keeper)
        for _ in 0..<3 { keeper.look() }
        #expect(try context(keeper) === before)
        #expect(log.text.isEmpty)
    }

    @Test("Files replaced by good ones are taken")
    func replaced() throws {
        try write()
        let keeper = try self.keeper()
        let before = try context(keeper)
        try write(days: -1...180, names: ["tandem.example.org", "oak.example.org"])
        keeper.look()
        #expect(try context(keeper) !== before)
        #expect(keeper.subjects.names == ["tandem.example.org", "oak.example.org"])
        #expect(lines("now in \(folder.path)/fullchain.pem") == 1)
    }

    static let damages: [@Sendable (OwnCertificateKeeperTests) throws -> Void] = [
        { try $0.write(names: ["other.example.org"]) },
        { try $0.write(days: -20 ... -10) },
        { try $0.write(days: 10...20) },
        { try $0.folder.write("x", to: "fullchain.pem") },
        { try $0.folder.write("x", to: "privkey.pem") },
        { try $0.folder.write(TestCertificate().key.pemRepresentation, to: "privkey.pem") },
        { try $0.folder.setMode(0o644, of: "privkey.pem") },
        { try $0.folder.remove("privkey.pem") },
        { try $0.folder.remove("fullchain.pem") },
    ]

    @Test(
        "Files replaced by bad ones are refused, complained of once, and the old pair stays", arguments: damages.indices
    )
    func replacedByBad(damage: Int) throws {
        try write()
        let keeper = try self.keeper()
        let before = try context(keeper)
        try Self.damages[damage](self)
        for _ in 0..<3 { keeper.look() }
        #expect(try context(keeper) === before)
        #expect(lines("Until then the hub shows the certificate that it had.") == 1, "\(log.text)")
        try write(names: ["tandem.example.org", "oak.example.org"])
        keeper.look()
        #expect(keeper.subjects.names.count == 2)
    }

    @Test("The same trouble, come again after the same good pair, is complained of again")
    func again() throws {
        try write()
        let keeper = try self.keeper()
        let key = try folder.text("privkey.pem")
        for _ in 0..<2 {
            try folder.remove("privkey.pem")
            keeper.look()
            try folder.write(key, to: "privkey.pem")
            keeper.look()
        }
        #expect(lines("There is no file") == 2, "\(log.text)")
    }

    @Test("A pair that was refused because the clock was a year behind is taken when the clock is put right")
    func clockPutRight() throws {
        now.withLock { $0.addTimeInterval(-365 * 86_400) }
        try write(days: -1...400)
        let keeper = try self.keeper()
        try write(days: 365...500, names: ["tandem.example.org", "oak.example.org"])
        keeper.look()
        #expect(keeper.subjects.names.count == 1)
        #expect(lines("Put the clock right.") == 1)
        now.withLock { $0.addTimeInterval(366 * 86_400) }
        keeper.look()
        #expect(keeper.subjects.names.count == 2)
    }

    @Test("A pair that ends and that nobody renewed is complained of once, and is still shown")
    func ended() throws {
        try write(days: -1...10)
        let keeper = try self.keeper()
        now.withLock { $0.addTimeInterval(11 * 86_400) }
        for _ in 0..<3 { keeper.look() }
        #expect(lines("was valid until") == 1)
        #expect(throws: Never.self) { try context(keeper) }
    }
}
