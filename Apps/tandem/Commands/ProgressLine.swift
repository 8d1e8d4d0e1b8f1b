import Archive
import Foundation
import HubServer

/// How far it is, on one line of a terminal.
struct ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    mutating func show(_ progress: ArchiveProgress) {
        let percent = progress.total > 0 ? progress.done * 100 / progress.total : 0
        guard isTerminal, percent != shown else { return }
        shown = percent
        FileHandle.standardError.write(Data("\r\(percent) %".utf8))
    }

    func clear() {
        if isTerminal, shown >= 0 { FileHandle.standardError.write(Data("\r     \r".utf8)) }
    }
}
