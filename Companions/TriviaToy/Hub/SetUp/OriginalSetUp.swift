import ClientKit
import Synchronization
import TriviaToyEngine

/// Sets an original toy up as its app did: the toy dials this machine from the network that it has opened, and is
/// greeted with `ok`; it answers `ok`, and is told user, network and password in clear text once the person says so.
///
/// A toy that heard no greeting hangs up and dials again, and so does one that has waited two minutes for its message:
/// it is answered for as long as the set-up lasts.
enum OriginalSetUp {
    /// The reason why a call led to nothing. The next one is waited for.
    enum Failure: Error, Equatable, CustomStringConvertible {
        /// The caller said something else than `ok`, or nothing at all.
        case notGreeted
        /// The caller hung up.
        case gone

        var description: String {
            switch self {
            case .notGreeted: "What dialled is no original trivia toy. Still waiting for one."
            case .gone: "The toy hung up before it was told everything. It dials again while its Wi-Fi light is white."
            }
        }
    }

    /// The time in which a toy that was told hangs up. Its network may vanish before that is heard.
    private static let hangUp = Duration.seconds(5)

    /// Answers calls until a toy was told.
    ///
    /// - Parameters:
    ///   - message: as ``ProvisioningMessage/encode(user:ssid:password:into:)`` makes it.
    ///   - patience: the time in which a caller has to answer the greeting, which a toy does at once: another may be waiting
    ///     behind one that is silent, and hangs up after two seconds to dial again.
    ///   - whenListening: receives the port where the toy may dial from now on.
    ///   - whenLost: receives why a call led to nothing.
    ///   - permission: returns when the person allows that the toy is told; asked once, when the first toy is there.
    static func serve(
        host: String, port: Int, message: [UInt8], patience: Duration = .seconds(3),
        whenListening: @escaping @Sendable (Int) -> Void = { _ in },
        whenLost: @Sendable (Failure) -> Void = { _ in }, permission: @escaping @Sendable () async throws -> Void = {}
    ) async throws {
        let permission = Permission(permission)
        _ = try await ByteLink.serve(host: host, port: port, whenListening: whenListening) { link, incoming -> Bool? in
            do {
                try await greet(link, &incoming, patience)
                try await tell(message, link, &incoming, after: permission)
                return true
            } catch let error where !(error is CancellationError) {
                try permission.check()
                whenLost(error as? Failure ?? .gone)
                return nil
            }
        }
    }

    /// Greets a caller, and waits for its answer.
    private static func greet(_ link: ByteLink, _ incoming: inout ByteLink.Incoming, _ patience: Duration) async throws
    {
        let greeting = Array("\(ProvisioningMessage.greeting)".utf8)
        // Nothing else goes with it: the toy compares all that it reads at once.
        try await link.send(greeting)
        // Nothing else ends a read of a caller that stays silent.
        let watch = Task {
            try await Task.sleep(for: patience)
            await link.close()
        }
        defer { watch.cancel() }
        var heard: [UInt8] = []
        while heard.count < greeting.count {
            guard let bytes = try await incoming.next() else { throw heard.isEmpty ? Failure.gone : .notGreeted }
            heard += bytes
        }
        guard heard.starts(with: greeting) else { throw Failure.notGreeted }
    }

    /// Sends the message when the person says so, and returns when the toy has hung up thereafter, or was told for long enough.
    private static func tell(
        _ message: [UInt8], _ link: ByteLink, _ incoming: inout ByteLink.Incoming, after permission: Permission
    ) async throws {
        let isAllowed = Mutex(false)
        let sending = Task {
            do {
                try await permission.wait()
                isAllowed.withLock { $0 = true }
                try await link.send(message)
            } catch {
                await link.close()
                throw error
            }
        }
        let ending = Task {
            try await sending.value
            try await Task.sleep(for: hangUp)
            await link.close()
        }
        defer {
            sending.cancel()
            ending.cancel()
        }
        // The toy hangs up when it has read it, and when it has waited for too long; a reset is a way to do so.
        do {
            while try await incoming.next() != nil {}
        } catch let error where !(error is CancellationError) {}
        // What was begun before is awaited: the toy may have read it all before its sending was confirmed.
        guard isAllowed.withLock({ $0 }) else { throw Failure.gone }
        do { try await sending.value } catch { throw Failure.gone }
    }
}

/// The person's word that a toy is to be told, asked for once.
private final class Permission: Sendable {
    private let ask: @Sendable () async throws -> Void
    private let state = Mutex<(task: Task<Void, any Error>?, refusal: (any Error)?)>((nil, nil))

    init(_ ask: @escaping @Sendable () async throws -> Void) { self.ask = ask }

    /// Checks that the person has not refused.
    ///
    /// - Throws: why it was refused, if it was.
    func check() throws { if let refusal = state.withLock({ $0.refusal }) { throw refusal } }

    /// Returns when it is given.
    func wait() async throws {
        let ask = ask
        let task = state.withLock { state in
            let task = state.task ?? Task { try await ask() }
            state.task = task
            return task
        }
        do {
            try await task.value
        } catch {
            state.withLock { $0.refusal = error }
            throw error
        }
    }
}
