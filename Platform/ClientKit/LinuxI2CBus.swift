#if os(Linux)
    import DeviceHAL
    import Foundation

    /// An I2C bus of Linux, such as `/dev/i2c-1` on a Raspberry Pi, through the kernel's i2c-dev
    /// (Documentation/i2c/dev-interface.rst).
    public final class LinuxI2CBus: I2CBus, Ticks, Sendable {
        /// The reason why a bus could not be opened, with words that say what to do.
        public enum OpenError: Error, Equatable, Sendable, CustomStringConvertible {
            /// The device file does not exist.
            case notFound(path: String)
            /// The user may not open it.
            case notPermitted(path: String)
            /// The file is not an I2C bus.
            case notABus(path: String)
            /// Another error, with the system's code.
            case failed(path: String, code: Int32)

            public var description: String {
                switch self {
                case .notFound(let path):
                    """
                    There is no I2C bus at \(path). `ls /dev/i2c-*` lists the buses of this machine; on a Raspberry \
                    Pi, `sudo raspi-config nonint do_i2c 0` switches the first one on.
                    """
                case .notPermitted(let path):
                    """
                    \(path) may not be opened by this user. `sudo usermod -aG i2c $USER` allows it, from the next \
                    sign-in on.
                    """
                case .notABus(let path):
                    "\(path) is not an I2C bus. `ls /dev/i2c-*` lists the buses of this machine."
                case .failed(let path, let code):
                    "\(path) could not be opened: \(String(cString: strerror(code)))."
                }
            }
        }

        // Numbers of linux/i2c-dev.h and linux/i2c.h, which Swift cannot import as C macros.
        private static let setAddress: UInt = 0x0703
        private static let functions: UInt = 0x0705

        private let descriptor: Int32

        /// Opens a bus.
        public init(path: String) throws(OpenError) {
            descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else {
                switch errno {
                case ENOENT, ENXIO, ENODEV: throw .notFound(path: path)
                case EACCES, EPERM: throw .notPermitted(path: path)
                case EISDIR: throw .notABus(path: path)
                default: throw .failed(path: path, code: errno)
                }
            }
            var supported: UInt = 0
            guard ioctl(descriptor, Self.functions, &supported) >= 0 else {
                close(descriptor)
                throw .notABus(path: path)
            }
        }

        deinit {
            close(descriptor)
        }

        /// Sends bytes in one transfer.
        public func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
            try select(address)
            var copy = bytes
            let written = withUnsafeBytes(of: &copy) { Glibc.write(descriptor, $0.baseAddress, count) }
            guard written == count else { throw Self.error(written < 0 ? errno : EIO) }
        }

        /// Reads bytes in one transfer.
        public func read<let count: Int>(
            into bytes: inout InlineArray<count, UInt8>, from address: UInt8
        ) throws(I2CError) {
            try select(address)
            let got = withUnsafeMutableBytes(of: &bytes) { Glibc.read(descriptor, $0.baseAddress, count) }
            guard got == count else { throw Self.error(got < 0 ? errno : EIO) }
        }

        /// The milliseconds of the monotonic clock, which wrap around.
        public var milliseconds: UInt32 {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            return UInt32(truncatingIfNeeded: now.tv_sec * 1_000 + now.tv_nsec / 1_000_000)
        }

        /// Waits by blocking the thread.
        public func wait(microseconds: UInt32) {
            usleep(microseconds)
        }

        private func select(_ address: UInt8) throws(I2CError) {
            guard ioctl(descriptor, Self.setAddress, Int32(address)) >= 0 else { throw Self.error(errno) }
        }

        /// The codes are those of the kernel's Documentation/i2c/fault-codes.rst.
        private static func error(_ code: Int32) -> I2CError {
            switch code {
            case ENXIO, EREMOTEIO, ENODEV: .notAcknowledged
            case ETIMEDOUT: .timedOut
            case EAGAIN: .arbitrationLost
            case EBUSY: .busStuck
            default: .failed(code: code)
            }
        }
    }
#endif
