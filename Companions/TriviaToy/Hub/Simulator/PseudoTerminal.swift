import Foundation

/// A serial line of a simulated toy: what is at its other end, under a name as that of a real one (POSIX.1-2017, `posix_openpt`).
struct PseudoTerminal: Sendable {
    /// This end.
    let descriptor: CInt
    /// The name of the other end, such as `/dev/pts/3`.
    let path: String
    /// Keeps the other end open, so that the line does not end with the first who lets go of it.
    private let other: CInt

    /// - Throws: where the system gives none.
    init() throws {
        descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else {
            throw CocoaError(.fileNoSuchFile)
        }
        path = String(cString: name)
        other = try SerialPort.open(path)
    }
}
