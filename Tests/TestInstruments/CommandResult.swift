import Foundation

/// How a command of the system ended.
public struct CommandResult: Sendable {
    /// What it exited with, or the signal that ended it as a negative number.
    public var status: Int32
    /// What it printed to both outputs, or to the first alone.
    public var output: String

    /// The command could not be begun.
    public struct NotBegun: Error {}

    /// Runs a command without input and waits for its end.
    ///
    /// It goes through the C library, since Foundation's `Process` on Linux has crashed in `run` now and then where other
    /// threads were at work beside it.
    ///
    /// - Parameters:
    ///   - executable: its path.
    ///   - folder: where it runs; nil where this process does.
    ///   - outputOnly: leaves out what it prints to the error output.
    /// - Throws: ``NotBegun``.
    public static func of(
        _ executable: String, _ arguments: [String], in folder: String? = nil, outputOnly: Bool = false
    ) throws -> CommandResult {
        func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }
        let command = ([executable] + arguments).map(quoted).joined(separator: " ")
        let place = folder.map { "cd \(quoted($0)) && " } ?? ""
        guard let pipe = popen("\(place)exec \(command) </dev/null \(outputOnly ? "2>/dev/null" : "2>&1")", "r") else {
            throw NotBegun()
        }
        var output: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, pipe), count > 0 { output += part[..<count] }
        let ended = pclose(pipe)
        let signal = ended & 0x7F
        return CommandResult(
            status: signal == 0 ? ended >> 8 & 0xFF : -signal, output: String(decoding: output, as: UTF8.self))
    }
}
