import ArgumentParser
import Foundation
import HubKit

/// The options for a device's token: in a file, in the environment, or as an option, which other users can see.
public struct TokenOptions: ParsableArguments, Sendable {
    /// The environment variable with the token.
    static let variable = "TANDEM_TOKEN"
    /// The number of bytes that are read of a file, at most.
    private static let longestFile = 4_096

    @Option(
        help: ArgumentHelp(
            "The device’s token. Every user of this machine sees it in `ps`: --token-file, or TANDEM_TOKEN in the environment, is for yourself alone.",
            valueName: "token"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "A file that holds the device’s token and nothing else, which only you can read. The token is shown once, when the device is added; a new one can be made in the page.",
            valueName: "file"))
    var tokenFile: String?

    /// Creates the options without a token.
    public init() {}

    /// The token: from the option, else the file, else the environment.
    ///
    /// - Returns: nil if none was given.
    /// - Throws: a `ValidationError` for a file that is missing or empty, or that other users can read.
    public func value(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String? {
        if let token { return token }
        guard let tokenFile else { return environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } }
        var status = stat()
        if stat(tokenFile, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 {
            throw ValidationError(
                "Other users of this machine can read \(tokenFile), which holds a token. Take that away with: chmod 600 \(tokenFile.quoted)"
            )
        }
        do throws(CommandFile.Failure) {
            let bytes = try CommandFile.read(tokenFile, upTo: Self.longestFile)
            let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard !token.isEmpty else { throw .empty }
            return token
        } catch {
            throw ValidationError("\(tokenFile) \(error.message)")
        }
    }
}
