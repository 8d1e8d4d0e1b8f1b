import Foundation
import TestInstruments

/// The tool `openssl`, as a second opinion that shares no code with the hub.
enum OpenSSL {
    static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static let isInstalled = path != nil

    /// Runs it with these words, and gives what it printed on both outputs.
    static func run(_ arguments: String...) throws -> CommandResult { try run(arguments) }

    static func run(_ arguments: [String]) throws -> CommandResult {
        try CommandResult.of(path ?? "openssl", arguments)
    }
}
