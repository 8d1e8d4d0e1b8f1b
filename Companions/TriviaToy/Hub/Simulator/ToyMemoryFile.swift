import ClientKit
import Foundation

/// The file in which a simulated toy's memory lies between two runs. A toy that forgot what it has played would report
/// other plays under the numbers of those, as two toys with one identity do.
struct ToyMemoryFile: Sendable {
    private let path: String?

    /// Finds the file.
    ///
    /// - Parameters:
    ///   - path: as it was typed; nil for the toy's own among the user's state (XDG Base Directory Specification 0.8).
    ///   - device: the toy's id; a toy that nobody has set up remembers nothing.
    init(path: String?, device: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let path {
            self.path = path
        } else if let device {
            let state =
                environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
                ?? "\(environment["HOME"] ?? ".")/.local/state"
            // An id has letters and digits alone; what somebody typed instead names no other folder.
            self.path = "\(state)/tandem/toy-\(device.filter { $0.isLetter || $0.isNumber }).flash"
        } else {
            self.path = nil
        }
    }

    /// The bytes that the file holds; none where there is no file yet.
    var content: [UInt8] { path.flatMap { FileManager.default.contents(atPath: $0) }.map { Array($0) } ?? [] }

    /// Writes it, whole or not at all; it holds a token.
    func save(_ content: [UInt8]) {
        guard let path else { return }
        let folder = (path as NSString).deletingLastPathComponent
        do {
            if !folder.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            let beside = path + ".part"
            guard
                FileManager.default.createFile(
                    atPath: beside, contents: Data(content), attributes: [.posixPermissions: 0o600]),
                rename(beside, path) == 0
            else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            CommandOutput.say("The toy’s memory could not be written to \(path): when this ends, it forgets.")
        }
    }
}
