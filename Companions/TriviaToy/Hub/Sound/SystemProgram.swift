import Foundation
import Subprocess

/// A program of the system that makes bytes of bytes: it gets them on its standard input, never through a shell, and
/// what it writes is taken up to a limit and a time. It has no more memory than it may, and ends when the hub does,
/// however that ends.
struct SystemProgram: Sendable {
    /// The reason why there is no result.
    enum Failure: Error, Equatable {
        /// The program is not installed.
        case missing
        /// The program ended with an error, or could not be started.
        case failed
        /// The program took longer than it may, and was ended.
        case tooSlow
        /// The program wrote more than it may, and was ended.
        case tooLarge
    }

    /// The folders in which programs are looked for.
    static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// The program's name, as it is called.
    var name: String
    /// The most that it writes.
    var limitBytes: Int
    /// The longest that it takes.
    var patience: Duration
    /// The most memory that it may use, in bytes: its heap, stacks and other memory of its own, without the libraries
    /// that it shares (RLIMIT_DATA, getrlimit(2)). ffmpeg and espeak-ng use a tenth.
    var memoryBytes = 512 << 20

    /// Whether it is installed.
    var isInstalled: Bool { Self.isInstalled(name) }

    private static func isInstalled(_ name: String) -> Bool {
        folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs the program to its end.
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

    /// The program and its arguments as they are started: `setpriv` asks the kernel to end it with the thread that
    /// started it, which lives as long as the hub (PR_SET_PDEATHSIG, prctl(2)), and `prlimit` limits its memory. Both
    /// are of Debian's util-linux, which every system has; a system without them runs it as it is.
    func command(_ arguments: [String]) -> (name: String, arguments: [String]) {
        var words = [name] + arguments
        if Self.isInstalled("prlimit") { words = ["prlimit", "--data=\(memoryBytes)", "--core=0", "--"] + words }
        if Self.isInstalled("setpriv") { words = ["setpriv", "--pdeathsig", "KILL", "--"] + words }
        return (words[0], Array(words.dropFirst()))
    }

    private func finish(_ arguments: [String], _ input: [UInt8]) async throws -> [UInt8] {
        var options = PlatformOptions()
        // When the task is cancelled. It has nothing to tidy up.
        options.teardownSequence = [.send(signal: .kill, allowedDurationToNextStep: .zero)]
        let command = self.command(arguments)
        do {
            let result = try await Subprocess.run(
                .name(command.name), arguments: .init(command.arguments),
                environment: .custom(["LC_ALL": "C.UTF-8", "PATH": Self.folders.joined(separator: ":"), "HOME": "/"]),
                platformOptions: options, input: .array(input), output: .bytes(limit: limitBytes), error: .discarded)
            guard result.terminationStatus.isSuccess else { throw Failure.failed }
            return result.standardOutput
        } catch let error as SubprocessError {
            throw error.code == .outputLimitExceeded ? Failure.tooLarge : Failure.failed
        }
    }
}
