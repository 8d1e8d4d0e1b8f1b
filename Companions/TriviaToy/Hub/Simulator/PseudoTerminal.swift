import Foundation

/// A serial line of a simulated toy: what is at its other end, under a name as that of a real one
/// (Linux, pty(7)).
struct PseudoTerminal: Sendable {
    /// The descriptor of this end.
    let descriptor: CInt
    /// The name of the other end, such as `/dev/pts/3`.
    let path: String
    /// Keeps the other end open, so that the line does not end with the first who lets go of it.
    private let other: CInt

    /// The requests `TIOCGPTN` and `TIOCSPTLCK` (ioctl_tty(2)).
    private static let getNumber: UInt = 0x8004_5430
    private static let setLock: UInt = 0x4004_5431

    /// Opens a line.
    ///
    /// - Throws: where the system gives none.
    init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: CInt = 0
        var isLocked: CInt = 0
        guard descriptor >= 0, ioctl(descriptor, Self.setLock, &isLocked) == 0,
            ioctl(descriptor, Self.getNumber, &number) == 0
        else { throw CocoaError(.fileNoSuchFile) }
        path = "/dev/pts/\(number)"
        other = try SerialPort.open(path)
    }
}
