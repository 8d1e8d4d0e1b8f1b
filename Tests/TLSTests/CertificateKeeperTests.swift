import Admission
import Foundation
import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization
import TestInstruments
import Testing
import X509

@testable import TLS

/// A hub's surroundings, for a test to change.
private final class Surroundings: Sendable {
    let now = Mutex(Date(timeIntervalSince1970: 1_795_000_000))  // 2026-11-18
    let network = Mutex(
        LocalNetwork(hostName: "linden", addresses: ["192.168.1.7"].compactMap { IPAddress($0) }))

    func advance(days: Double) { now.withLock { $0.addTimeInterval(days * 86_400) } }

    func setAddresses(_ addresses: String...) {
        network.withLock { $0.addresses = addresses.compactMap { IPAddress($0) } }
    }
}

@Suite("The keeper of the hub's certificate")
struct CertificateKeeperTests {
    private let around = Surroundings()
    private let log = RecordedLog()
    private let data: TemporaryFolder
    private let folder: AuthorityFolder
    private let authority: Authority

    init() throws {
        data = try TemporaryFolder()
        folder = AuthorityFolder(dataFolder: data.path)
        authority = try folder.open(hubName: "linden", remembered: nil, now: around.now.withLock { $0 })
    }

    private func keeper(pause: @escaping @Sendable () async throws -> Void = {}) throws -> CertificateKeeper {
        try CertificateKeeper(
            folder: folder, authority: authority, hubName: try #require(HubName("linden")),
            network: { [around] in around.network.withLock { $0 } }, now: { [around] in around.now.withLock { $0 } },
            pause: pause, logger: log.logger)
    }

    private func context(_ keeper: CertificateKeeper) throws -> NIOSSLContext {
        try keeper.context(applicationProtocols: ["h2"])
    }

    private func lines(_ words: String) -> Int { log.text.components(separatedBy: words).count - 1 }

    @Test("Nothing changed: the settings are the same, so that session tickets still open")
    func unchanged() throws {
        let keeper = try keeper()
        let before = try context(keeper)
        for _ in 0..<3 { keeper.look() }
        around.advance(days: 30)
        keeper.look()
        #expect(try context(keeper) === before)
        #expect(try keeper.context(applicationProtocols: []) !== before, "another listener offers other protocols")
        #expect(lines("A new certificate") == 1)
    }

    @Test("The certificate is stored over a restart")
    func restart() throws {
        let first = try keeper()
        let kept = try #require(folder.loadLeaf())
        let second = try keeper()
        #expect(folder.loadLeaf()?.certificate == kept.certificate)
        #expect(first.validUntil == second.validUntil)
        #expect(lines("A new certificate") == 1)
    }

    @Test("A new address is in the next connection's certificate, without a restart")
    func newAddress() throws {
        let keeper = try keeper()
        let before = try context(keeper)
        around.setAddresses("192.168.1.99")
        keeper.look()
        #expect(try context(keeper) !== before)
        #expect(keeper.subjects.addresses.contains { "\($0)" == "192.168.1.99" })
        #expect(folder.loadLeaf()?.subjects == keeper.subjects, "and on disk")
        #expect(log.text.contains("new name or address"))
    }

    @Test("An address that is gone, or a public one that came, changes nothing")
    func irrelevantAddress() throws {
        let keeper = try keeper()
        let before = try context(keeper)
        around.setAddresses("8.8.8.8", "2001:db8::1")
        keeper.look()
        #expect(try context(keeper) === before)
    }

    @Test("A host that is called otherwise keeps the hub's name and gets the new one besides")
    func renamed() throws {
        let keeper = try keeper()
        around.network.withLock { $0.hostName = "oak" }
        keeper.look()
        #expect(keeper.subjects.names == ["linden.local", "oak.local", "linden", "localhost"])
    }

    @Test(
        "A clock that jumps by a year, and is put right, has a certificate that is valid at each of the moments",
        arguments: [365.0, -365, 730, -730])
    func clock(days: Double) throws {
        let keeper = try keeper()
        for step in [days, -days, days] {
            around.advance(days: step)
            keeper.look()
            let (now, leaf) = (around.now.withLock { $0 }, try #require(folder.loadLeaf()).certificate)
            #expect(leaf.notValidBefore <= now && now <= leaf.notValidAfter)
            #expect(keeper.validUntil == leaf.notValidAfter)
        }
        #expect(keeper.authority?.fingerprint == authority.fingerprint)
        #expect(try folder.load(now: around.now.withLock { $0 })?.der == authority.der)
    }

    @Test("A clock before the authority's own dates is said to be impossible, and the hub still serves")
    func impossibleClock() throws {
        around.now.withLock { $0 = Date(timeIntervalSince1970: 0) }
        let keeper = try keeper()
        #expect(log.text.contains("1970-01-01, which cannot be"))
        #expect(throws: Never.self) { try context(keeper) }
    }

    @Test("It is renewed when less than a third of its life is left")
    func endsSoon() throws {
        let keeper = try keeper()
        let first = keeper.validUntil
        around.advance(days: 250)
        keeper.look()
        #expect(keeper.validUntil == first)
        around.advance(days: 15)
        keeper.look()
        #expect(keeper.validUntil > first)
        #expect(log.text.contains("ends soon"))
    }

    @Test("A restart takes no certificate that is damaged, open to others, or of another authority")
    func damagedLeaf() throws {
        _ = try keeper()
        for damage in [
            { try data.write("x", to: "authority/leaf.pem") }, { try data.write("x", to: "authority/leaf.key") },
        ] {
            _ = try damage()
            _ = try keeper()
            #expect(folder.loadLeaf() != nil)
        }
        try data.setMode(0o644, of: "authority/leaf.key")
        _ = try keeper()
        #expect(try data.mode("authority/leaf.key") == 0o600)
        #expect(lines("there was none that could be used") == 4)
    }

    @Test("Another authority, made while the hub runs, is taken within one look")
    func replaced() throws {
        let keeper = try keeper()
        let before = try context(keeper)
        let new = try folder.replace(hubName: "linden")
        keeper.look()
        #expect(keeper.authority?.fingerprint == new.fingerprint)
        #expect(try context(keeper) !== before)
        #expect(folder.loadLeaf()?.certificate.issuer == new.certificate.subject)
        #expect(log.text.contains("\(new.fingerprint)"))
    }

    @Test("An authority that goes bad while the hub runs is complained of once, and the hub still serves and renews")
    func goneBad() throws {
        let keeper = try keeper()
        let before = try context(keeper)
        let key = try data.text("authority/authority.key")
        try data.remove("authority/authority.key")
        for _ in 0..<3 { keeper.look() }
        #expect(lines("authority.key is missing") == 1)
        #expect(try context(keeper) === before)
        around.setAddresses("10.0.0.9")
        keeper.look()
        #expect(keeper.subjects.addresses.contains { "\($0)" == "10.0.0.9" })
        try data.write(key, to: "authority/authority.key")
        keeper.look()
        try data.remove("authority/authority.key")
        keeper.look()
        #expect(lines("authority.key is missing") == 2, "it was good in between")
    }

    @Test("A folder that cannot be written is complained of, and the new certificate serves from memory")
    func unwritable() throws {
        let keeper = try keeper()
        // Not even root can write into a folder that is gone.
        try data.remove("authority")
        around.setAddresses("10.0.0.9")
        keeper.look()
        let serving = try context(keeper)
        #expect(keeper.subjects.addresses.contains { "\($0)" == "10.0.0.9" })
        #expect(log.text.contains("cannot be used"))
        keeper.look()
        #expect(try context(keeper) === serving, "no other one each minute")
    }

    @Test("A renewal that fails is complained of once, as long as it fails, and the certificate that is there serves")
    func notRenewed() throws {
        let keeper = try keeper()
        let before = try context(keeper)
        // No DNS name of a certificate: only ASCII is (RFC 5280, 4.2.1.6).
        around.network.withLock { $0.hostName = "ö" }
        for _ in 0..<3 { keeper.look() }
        #expect(lines("could not be renewed") == 1)
        #expect(try context(keeper) === before)
        let key = try data.text("authority/authority.key")
        try data.remove("authority/authority.key")
        for _ in 0..<3 { keeper.look() }
        #expect(lines("authority.key is missing") == 1)
        #expect(lines("could not be renewed") == 1, "one trouble does not hide the other")
        try data.write(key, to: "authority/authority.key")
        around.network.withLock { $0.hostName = "oak" }
        keeper.look()
        #expect(keeper.subjects.names.contains("oak.local"))
        around.network.withLock { $0.hostName = "ü" }
        keeper.look()
        #expect(lines("could not be renewed") == 2, "it was good in between")
    }

    @Test("It looks after each pause, until it is told to stop")
    func run() async throws {
        let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
        let (looked, look) = AsyncStream.makeStream(of: Void.self)
        let iterator = Pauses(pauses)
        let keeper = try keeper {
            look.yield()
            guard await iterator.next() else { throw CancellationError() }
        }
        let running = Task { try await keeper.run() }
        var looks = looked.makeAsyncIterator()
        await looks.next()
        around.setAddresses("10.0.0.9")
        #expect(!keeper.subjects.addresses.contains { "\($0)" == "10.0.0.9" })
        pause.yield()
        await looks.next()
        #expect(keeper.subjects.addresses.contains { "\($0)" == "10.0.0.9" })
        running.cancel()
        try await running.value
    }
}

/// Ends of pauses, as a test gives them.
private actor Pauses {
    private let stream: AsyncStream<Void>

    init(_ stream: AsyncStream<Void>) { self.stream = stream }

    func next() async -> Bool {
        for await _ in stream { return true }
        return false
    }
}
