import Foundation
import Subprocess

/// A program of the system that makes bytes of bytes: it gets them on its standard input, never through a shell, and what it
/// writes is taken up to a limit and a time.
struct SystemProgram: Sendable {
    /// Why there is no result.
    enum Failure: Error, Equatable {
        /// It is not installed.
        case missing
        /// It ended with an error, or could not be started.
        case failed
        /// It took longer than it may, and was ended.
        case tooSlow
        /// It wrote more than it may, and was ended.
        case tooLarge
    }

    /// Where programs are looked for.
    static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// As it is called.
    var name: String
    /// The most that it writes.
    var limitBytes: Int
    /// The longest that it takes.
    var patience: Duration

    /// Whether it is installed.
    var isInstalled: Bool {
        Self.folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs it to its end.
    func run(_ arguments: [String], input: [UInt8]) async throws -> [UInt8] {
        guard isInstalled else { throw Failure.missing }
        return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { try await finish(arguments, input) }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let output = try await group.next() ?? nil else { throw Failure.tooSlow }
            return output
        }
    }

    private func finish(_ arguments: [String], _ input: [UInt8]) async throws -> [UInt8] {
        var options = PlatformOptions()
        // When the task is cancelled. It has nothing to tidy up.
        options.teardownSequence = [.send(signal: .kill, allowedDurationToNextStep: .zero)]
        do {
            let result = try await Subprocess.run(
                .name(name), arguments: .init(arguments),
                environment: .custom(["LC_ALL": "C.UTF-8", "PATH": Self.folders.joined(separator: ":"), "HOME": "/"]),
                platformOptions: options, input: .array(input), output: .bytes(limit: limitBytes), error: .discarded)
            guard result.terminationStatus.isSuccess else { throw Failure.failed }
            return result.standardOutput
        } catch let error as SubprocessError {
            throw error.code == .outputLimitExceeded ? Failure.tooLarge : Failure.failed
        }
    }
}
