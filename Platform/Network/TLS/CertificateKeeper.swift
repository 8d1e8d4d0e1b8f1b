import Foundation
import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization

/// A service that keeps a valid certificate for the names and addresses that this machine currently has. A new one is
/// used without a restart: open connections keep the old one, later ones get the new one.
///
/// ```swift
/// let keeper = try CertificateKeeper(folder: folder, authority: authority, hubName: name, logger: logger)
/// let context = try keeper.context(applicationProtocols: ["h2", "http/1.1"])  // For each connection anew.
/// try await keeper.run()  // Looks every minute, until graceful shutdown.
/// ```
public final class CertificateKeeper: Service {
    enum Source: Sendable {
        case authority(AuthorityFolder, HubName)
        case own(OwnCertificate)
    }

    struct State: Sendable {
        var serving: ServingCertificate
        /// The household's authority; nil with an own certificate.
        var authority: Authority?
        /// The current certificate, if the authority signed it.
        var leaf: LeafCertificate?
        /// The files of an own certificate, as they were when it was loaded.
        var texts: OwnCertificate.Texts?
        /// The last warnings, so that each is logged once.
        var complaints: [Concern: String] = [:]
    }

    /// The kinds of warnings.
    enum Concern: Sendable { case files, renewal }

    let source: Source
    let network: @Sendable () -> LocalNetwork
    let now: @Sendable () -> Date
    let pause: @Sendable () async throws -> Void
    let logger: Logger
    private let state: Mutex<State>
    // One look at a time; the state's own lock is held for moments only.
    private let looking = Mutex<Void>(())

    /// Serves a certificate of the household's authority: the stored one while it is valid, else a new one.
    ///
    /// - Parameters:
    ///   - folder: the folder of the authority.
    ///   - authority: the result of `AuthorityFolder.open`.
    ///   - hubName: the name by which phones know the hub.
    ///   - network: returns this machine's current names and addresses.
    ///   - now: returns the hub's time.
    ///   - pause: waits until the next check; a minute.
    ///   - logger: the log.
    public init(
        folder: AuthorityFolder, authority: Authority, hubName: HubName,
        network: @escaping @Sendable () -> LocalNetwork = { .current() },
        now: @escaping @Sendable () -> Date = { Date() },
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(60)) }, logger: Logger
    ) throws {
        source = .authority(folder, hubName)
        self.network = network
        self.now = now
        self.pause = pause
        self.logger = logger
        let subjects = network().subjects(hubName: hubName.label, permitted: authority.permitted)
        var leaf = folder.loadLeaf()
        let renewal = leaf.map { $0.renewal(for: subjects, by: authority, now: now()) } ?? .missing
        if let renewal {
            leaf = try Self.issue(renewal, for: subjects, by: authority, into: folder, now: now(), logger: logger)
        }
        guard let leaf else { throw NIOSSLError.failedToLoadCertificate }
        state = Mutex(State(serving: try ServingCertificate(leaf), authority: authority, leaf: leaf))
    }

    /// Serves a certificate that another program renews, such as certbot: files that change are read again; a
    /// certificate that cannot be used is logged and ignored.
    public init(
        own: OwnCertificate, now: @escaping @Sendable () -> Date = { Date() },
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(60)) }, logger: Logger
    ) throws(OwnCertificateError) {
        source = .own(own)
        network = { .current() }
        self.now = now
        self.pause = pause
        self.logger = logger
        let texts = try own.read()
        state = Mutex(State(serving: try own.check(texts, now: now()), texts: texts))
    }

    /// The TLS settings for a new connection. Ask for each connection, since they change with the certificate.
    ///
    /// - Parameter applicationProtocols: the protocols that the listener offers by ALPN, best first: `["h2",
    ///   "http/1.1"]` for HTTPS, none for MQTT.
    public func context(applicationProtocols: [String]) throws -> NIOSSLContext {
        try state.withLock { $0.serving }.context(applicationProtocols: applicationProtocols)
    }

    /// The authority that phones are told to trust; nil with an own certificate.
    public var authority: Authority? { state.withLock { $0.authority } }

    /// The names and addresses of the current certificate.
    public var subjects: CertificateSubjects { state.withLock { $0.serving }.subjects }

    /// The time at which the current certificate expires.
    public var validUntil: Date { state.withLock { $0.serving }.certificate.notValidAfter }

    /// Checks after each pause, until graceful shutdown or cancellation.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                guard (try? await self.pause()) != nil else { return }
                self.look()
            }
        }
    }

    /// Checks whether another certificate is due, and uses it.
    public func look() {
        looking.withLock { _ in
            switch source {
            case .authority(let folder, let name): lookAtAuthority(folder, name)
            case .own(let own): lookAtFiles(own)
            }
        }
    }
}

extension CertificateKeeper {
    private func lookAtAuthority(_ folder: AuthorityFolder, _ name: HubName) {
        guard let (old, leaf) = state.withLock({ state in state.authority.flatMap { a in state.leaf.map { (a, $0) } } })
        else { return }
        var authority = old
        do {
            guard let found = try folder.load(now: now()) else {
                throw AuthorityError.gone(folder: folder.path, remembered: "\(old.fingerprint)")
            }
            if found.fingerprint != old.fingerprint {
                authority = found
                logger.notice(
                    "The household has another certificate authority, \(found.fingerprint): phones have to trust it.")
            }
            clearComplaint(of: .files)
        } catch {
            // What is in memory still serves; the next start would not.
            complain("\(error)", of: .files)
        }
        let subjects = network().subjects(hubName: name.label, permitted: authority.permitted)
        guard let renewal = leaf.renewal(for: subjects, by: authority, now: now()) else {
            return clearComplaint(of: .renewal)
        }
        do {
            let leaf = try Self.issue(renewal, for: subjects, by: authority, into: folder, now: now(), logger: logger)
            let serving = try ServingCertificate(leaf)
            state.withLock { state in
                state.serving = serving
                state.leaf = leaf
                state.authority = authority
            }
            clearComplaint(of: .renewal)
        } catch {
            complain("The hub’s certificate could not be renewed: \(error)", of: .renewal)
        }
    }

    private func lookAtFiles(_ own: OwnCertificate) {
        do {
            let texts = try own.read()
            guard texts != state.withLock({ $0.texts }) else { return warnOfEnd(own) }
            // Each time anew while they are bad: it may have been the clock, which is put right without a change here.
            let serving = try own.check(texts, now: now())
            state.withLock { state in
                state.serving = serving
                state.texts = texts
            }
            clearComplaint(of: .files)
            logger.info(
                "The hub shows the certificate that is now in \(own.certificateFile), valid until \(Self.day(validUntil))."
            )
        } catch {
            complain("\(error) Until then the hub shows the certificate that it had.", of: .files)
        }
    }

    private func warnOfEnd(_ own: OwnCertificate) {
        guard now() > validUntil else { return clearComplaint(of: .files) }
        complain(
            "\(OwnCertificateError.expired(file: own.certificateFile, until: validUntil, now: now()))", of: .files)
    }

    private func complain(_ words: String, of concern: Concern) {
        let isNew = state.withLock { state in state.complaints.updateValue(words, forKey: concern) != words }
        if isNew { logger.warning("\(words)") }
    }

    private func clearComplaint(of concern: Concern) { state.withLock { $0.complaints[concern] = nil } }

    private static func issue(
        _ renewal: LeafCertificate.Renewal, for subjects: CertificateSubjects, by authority: Authority,
        into folder: AuthorityFolder, now: Date, logger: Logger
    ) throws -> LeafCertificate {
        let leaf = try LeafCertificate.issue(for: subjects, by: authority, now: now)
        do {
            try folder.store(leaf)
        } catch {
            // It serves from memory until the disk lets it be written; a restart signs another.
            logger.error("\(error)")
        }
        if now < Authority.validFrom {
            logger.warning(
                "This machine’s clock says \(day(now)), which cannot be: phones refuse the hub until it is put right.")
        }
        let names = subjects.names + subjects.addresses.map { "\($0)" }
        logger.info(
            "A new certificate for the hub, because \(renewal.words): \(names.joined(separator: ", ")); valid until \(day(leaf.certificate.notValidAfter))."
        )
        return leaf
    }

    private static func day(_ date: Date) -> String { String(date.ISO8601Format().prefix(10)) }
}

extension ServingCertificate {
    /// Serves a certificate of the authority without a chain, since phones have the authority.
    convenience init(_ leaf: LeafCertificate) throws {
        try self.init(chain: [leaf.certificate], keyPEM: leaf.key.pemRepresentation)
    }
}
