import Foundation

/// Why a round could not be played.
enum LoadError: Error, CustomStringConvertible {
    case system(String, Int32)
    case refused(UInt8)
    case closed(String)
    case silent(String)

    var description: String {
        switch self {
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .refused(let code): "the broker answered CONNECT with \(code)"
        case .closed(let state): "the broker closed a connection \(state)"
        case .silent(let state): "the broker said nothing for 30 seconds \(state)"
        }
    }
}

/// One TCP connection that speaks MQTT 3.1.1.
final class Link {
    let descriptor: Int32
    /// What was read and not looked at yet, and room for more: small at first, since there may be thousands of them.
    private var buffer = [UInt8](repeating: 0, count: 1_024)
    private var unread = 0

    init(port: UInt16) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw LoadError.system("socket", errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw LoadError.system("connect", errno) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// From here on ``send(_:from:to:)`` and ``receive(into:)`` do not wait.
    func stopWaiting() { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }

    // MARK: Bytes

    /// Sends as much as the system takes.
    ///
    /// - Returns: how many bytes that was.
    func send(_ bytes: [UInt8], from start: Int, to end: Int) throws -> Int {
        guard end > start else { return 0 }
        let count = bytes[start..<end].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw LoadError.system("write", errno) }
        return 0
    }

    /// Sends all of it.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count { sent += try send(bytes, from: sent, to: bytes.count) }
    }

    /// Reads what is there, and hands over each whole packet: its type, and where its body lies.
    ///
    /// - Returns: false where nothing was there.
    @discardableResult
    func receive(_ take: (_ type: UInt8, _ body: UnsafeRawBufferPointer) -> Void) throws -> Bool {
        let room = buffer.count - unread
        let count = buffer.withUnsafeMutableBytes { bytes in
            let free = UnsafeMutableRawBufferPointer(rebasing: bytes[unread...])
            return read(descriptor, free.baseAddress, free.count)
        }
        if count == 0 { throw LoadError.closed("early") }
        if count < 0 {
            guard errno == EAGAIN || errno == EINTR else { throw LoadError.system("read", errno) }
            return false
        }
        unread += count
        let used = buffer.withUnsafeBytes { Self.packets(of: UnsafeRawBufferPointer(rebasing: $0[..<unread]), take) }
        if used < unread {
            buffer.withUnsafeMutableBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[used..<unread])
                bytes.copyMemory(from: rest)
            }
        }
        unread -= used
        if count == room { buffer.append(contentsOf: repeatElement(0, count: min(buffer.count, 1 << 18))) }
        return true
    }

    /// Hands over each whole packet. Returns where the last one ends.
    private static func packets(
        of bytes: UnsafeRawBufferPointer, _ take: (_ type: UInt8, _ body: UnsafeRawBufferPointer) -> Void
    ) -> Int {
        var start = 0
        while bytes.count - start >= 2 {
            var index = start + 1
            var length = 0
            var shift = 0
            while index < bytes.count, bytes[index] & 0x80 != 0 {
                length |= Int(bytes[index] & 0x7F) << shift
                shift += 7
                index += 1
            }
            guard index < bytes.count else { break }
            length |= Int(bytes[index]) << shift
            index += 1
            guard bytes.count - index >= length else { break }
            take(bytes[start] >> 4, UnsafeRawBufferPointer(rebasing: bytes[index..<index + length]))
            start = index + length
        }
        return start
    }

    /// Waits for one packet of this type, and gives its body.
    @discardableResult
    func wait(for type: UInt8) throws -> [UInt8] {
        var found: [UInt8]?
        while found == nil {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 30_000) > 0 else { throw LoadError.silent("before packet type \(type)") }
            try receive { if $0 == type { found = Array($1) } }
        }
        return found ?? []
    }

    // MARK: MQTT

    func signIn(id: String, login: (name: String, token: String)?) throws {
        var body = Packets.field("MQTT") + [4, login == nil ? 0x02 : 0xC2, 0, 0] + Packets.field(id)
        if let login { body += Packets.field(login.name) + Packets.field(login.token) }
        try send(Packets.packet(0x10, body))
        let answer = try wait(for: 2)
        guard answer.count == 2, answer[1] == 0 else { throw LoadError.refused(answer.last ?? 255) }
    }

    func subscribe(_ filter: String, qualityOfService: UInt8 = 0) throws {
        try send(Packets.packet(0x82, [0, 1] + Packets.field(filter) + [qualityOfService]))
        let answer = try wait(for: 9)
        guard answer.last != 0x80 else { throw LoadError.refused(0x80) }
    }
}
