import Foundation

/// Opens serial lines for bytes as they are.
enum SerialPort {
    /// The reason why a line cannot be used, in words that follow its name.
    struct Failure: Error, Equatable {
        var words: String
    }

    /// Opens a line at 115,200 baud, 8 data bits, no parity, one stop bit.
    ///
    /// - Returns: its file descriptor, which the caller closes.
    static func open(_ path: String) throws(Failure) -> CInt {
        let descriptor = Foundation.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(words: words(errno)) }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            close(descriptor)
            throw Failure(words: "is no serial line.")
        }
        cfmakeraw(&settings)
        cfsetispeed(&settings, speed_t(B115200))
        cfsetospeed(&settings, speed_t(B115200))
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            close(descriptor)
            throw Failure(words: "cannot be set to 115,200 baud.")
        }
        return descriptor
    }

    private static func words(_ code: CInt) -> String {
        switch code {
        case ENOENT, ENXIO, ENODEV:
            "is not there. Is the toy plugged in? `ls /dev/ttyUSB* /dev/ttyACM*` shows the lines."
        case EACCES, EPERM:
            "is not yours to use. Add yourself to the group dialout: sudo adduser $USER dialout, then sign in anew."
        case EBUSY: "is in use by another program. Close that first."
        default: "cannot be opened."
        }
    }
}
