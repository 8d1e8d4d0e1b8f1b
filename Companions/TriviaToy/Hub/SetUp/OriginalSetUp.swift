import ClientKit
import TriviaToyEngine

/// Sets an original toy up as its app did: the toy dials this machine from the network that it has opened, both say `ok`, and
/// it is told user, network and password, in clear text.
enum OriginalSetUp {
    /// Why the toy is not set up.
    enum Failure: Error, Equatable, CustomStringConvertible {
        /// It said something else than `ok`.
        case notGreeted
        /// It hung up, or nobody dialled.
        case gone

        var description: String {
            switch self {
            case .notGreeted: "What dialled is no original trivia toy."
            case .gone: "The toy hung up before it was told everything. Switch it off and on, and try again."
            }
        }
    }

    /// The most that is read of a greeting, bytes.
    private static let longestGreeting = 64

    /// Waits for a toy and tells it.
    ///
    /// - Parameters:
    ///   - message: as ``ProvisioningMessage/encode(user:ssid:password:into:)`` makes it.
    ///   - whenListening: told the port where the toy may dial from now on.
    static func serve(
        host: String, port: Int, message: [UInt8], whenListening: @Sendable (Int) -> Void = { _ in }
    ) async throws {
        try await ByteLink.open(.caller(host: host, port: port), whenListening: whenListening) { link, incoming in
            let greeting = Array("\(ProvisioningMessage.greeting)".utf8)
            var heard: [UInt8] = []
            while heard.count < greeting.count {
                guard let bytes = try await incoming.next() else { throw Failure.gone }
                heard += bytes
                guard heard.count <= longestGreeting else { throw Failure.notGreeted }
            }
            guard heard.starts(with: greeting) else { throw Failure.notGreeted }
            try await link.send(greeting)
            try await link.send(message)
            // The toy hangs up when it has read it.
            while try await incoming.next() != nil {}
        }
    }
}
