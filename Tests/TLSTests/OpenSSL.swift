import Foundation
import TestInstruments

/// The tool `openssl`, as a second opinion that shares no code with the hub.
enum OpenSSL {
    struct Result {
        var status: Int32
        var output: String
    }

    static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static let isInstalled = path != nil

    /// Runs it with these words, and gives what it printed on both outputs.
    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    static func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: path ?? "openssl")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.launchAlone()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }
}
